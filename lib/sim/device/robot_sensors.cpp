// Encoders, inertial units, bumpers, force and torque, radar; formulas and sources in docs/devices.md.

#include "lib/sim/device/robot_sensors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace simbatch::sim {
namespace {

using geo::Pose;
using geo::Vec3;
using std::numbers::pi;

constexpr const char* kAxes[] = {"x", "y", "z"};

void put(double* out, Vec3 v) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

DeviceNode* add_node(const PartRef& part, const DeviceCommon& common, std::string kind, std::vector<Field> fields,
                     std::size_t shared, Diagnostics& problems) {
  auto node = std::make_unique<DeviceNode>(common.name, make_type(std::move(kind), std::move(fields)), common.source,
                                           std::vector<DeviceInput>{}, shared);
  DeviceNode* raw = node.get();
  return part.node->register_child(std::move(node), problems) == nullptr ? nullptr : raw;
}

struct Encoder {
  EncoderSettings settings;
  std::size_t offset;
  bool noisy;
  NoiseGenerator noise;
  SampleClock clock;
  double count = 0, at = 0;  // of the last sample, and its time
};
struct Imu {
  std::size_t offset, body;
  bool noisy;
  Pose pose;
  InertialErrorModel gyroscope, accelerometer;
  SampleClock clock;
  geo::Quat last;            // orientation after the step before
  Vec3 velocity;             // of its place, likewise
  Vec3 force_sum, rate_sum;  // over the steps since the last sample
  std::int64_t steps = 0;
};
struct Bumper {
  std::size_t offset, body;
  int group;
  BumperSettings settings;
  bool noisy;
  NoiseGenerator noise;
};
struct ForceTorque {
  std::size_t offset, body;
  JointRef joint;
  NoiseGenerator noise;
  bool noisy;
};
struct Radar {
  std::size_t offset, body;
  physics::RayFilter filter;
  RadarSettings settings;
  SampleClock clock;
  NoiseGenerator noise;
};
/// The nearest point of one body in a radar's view.
struct Echo {
  physics::BodyId body;
  double distance, azimuth, elevation, speed;
};

}  // namespace

struct RobotSensors::Arrays {
  std::vector<Encoder> encoders;
  std::vector<Imu> imus;
  std::vector<Bumper> bumpers;
  std::vector<ForceTorque> forces;
  std::vector<Radar> radars;
  std::vector<physics::Contact> contacts;
  std::vector<Echo> echoes;

  void measure(Encoder& encoder, std::span<double> bank, const Clock& clock, bool first);
  void measure(Imu& imu, const BodyTable::State& body, Vec3 gravity, std::span<double> bank, const Clock& clock, bool first);
  void measure(Bumper& bumper, const Simulation& simulation, const BodyTable& bodies, std::span<double> bank);
  void measure(ForceTorque& sensor, const physics::World& world, const BodyTable& bodies, std::span<double> bank, bool first);
  void measure(Radar& radar, physics::World& world, const BodyTable::State& body, std::span<double> bank);
};

RobotSensors::RobotSensors(Simulation& simulation, BodyTable& bodies)
    : simulation_(simulation), bodies_(bodies), arrays_(std::make_unique<Arrays>()) {}
RobotSensors::~RobotSensors() = default;

DeviceNode* RobotSensors::add_encoder(const PartRef& part, const DeviceCommon& common, const EncoderSettings& settings,
                                      Diagnostics& problems) {
  const char* unit = settings.turns ? "rad" : "m";
  const char* speed = settings.turns ? "rad/s" : "m/s";
  std::vector<Field> fields{{"count", "1", "", FieldType::integer}, {"position", unit, "B"}, {"rate", speed, "B"}};
  if (!common.noise.empty()) fields.push_back({"position_true", unit, "B"});
  DeviceNode* node = add_node(part, common, "EncoderSensor", std::move(fields), 3, problems);
  if (node == nullptr) return nullptr;
  const SimulationSettings& world = simulation_.settings();
  arrays_->encoders.push_back({settings, node->values_offset(), !common.noise.empty(),
                               NoiseGenerator(world.seed, node->name(), common.noise),
                               SampleClock(settings.rate, world.physics.dt)});
  return node;
}

DeviceNode* RobotSensors::add_imu(const PartRef& part, const DeviceCommon& common, const ImuSettings& settings,
                                  Diagnostics& problems) {
  const bool noisy = settings.gyroscope.any() || settings.accelerometer.any();
  std::vector<Field> fields;
  for (const char* suffix : {"", "_true"}) {
    if (*suffix != 0 && !noisy) break;
    for (const char* axis : kAxes) fields.push_back({std::string("a") + axis + suffix, "m/s^2", "B"});
    for (const char* axis : kAxes) fields.push_back({std::string("w") + axis + suffix, "rad/s", "B"});
  }
  DeviceNode* node = add_node(part, common, "ImuSensor", std::move(fields), 6, problems);
  if (node == nullptr) return nullptr;
  const SimulationSettings& world = simulation_.settings();
  const double dt = std::max(settings.rate > 0 ? 1 / settings.rate : 0, world.physics.dt);
  Imu imu{node->values_offset(),
          part.index,
          noisy,
          settings.pose,
          InertialErrorModel(settings.gyroscope, dt, world.seed, node->name(), 0),
          InertialErrorModel(settings.accelerometer, dt, world.seed, node->name(), 1),
          SampleClock(settings.rate, world.physics.dt),
          {},
          {},
          {},
          {}};
  arrays_->imus.push_back(std::move(imu));
  return node;
}

DeviceNode* RobotSensors::add_bumper(const PartRef& part, const DeviceCommon& common, const BumperSettings& settings,
                                     Diagnostics& problems) {
  std::vector<Field> fields{
      {"pressed", "1", "", FieldType::integer}, {"force", "N", "B"}, {"contacts", "1", "", FieldType::integer}};
  if (!common.noise.empty()) fields.push_back({"force_true", "N", "B"});
  DeviceNode* node = add_node(part, common, "BumperSensor", std::move(fields), 3, problems);
  if (node != nullptr)
    arrays_->bumpers.push_back({node->values_offset(), part.index, part.group, settings, !common.noise.empty(),
                                NoiseGenerator(simulation_.settings().seed, node->name(), common.noise)});
  return node;
}

DeviceNode* RobotSensors::add_force_torque(const PartRef& part, const DeviceCommon& common, const ForceTorqueSettings& settings,
                                           Diagnostics& problems) {
  std::vector<Field> fields;
  for (const char* suffix : {"", "_true"}) {
    if (*suffix != 0 && common.noise.empty()) break;
    for (const char* axis : kAxes) fields.push_back({std::string("f") + axis + suffix, "N", "B"});
    for (const char* axis : kAxes) fields.push_back({std::string("t") + axis + suffix, "N m", "B"});
  }
  DeviceNode* node = add_node(part, common, "ForceTorqueSensor", std::move(fields), 6, problems);
  if (node == nullptr) return nullptr;
  if (settings.joint.articulation)
    simulation_.world().watch_joint(*settings.joint.articulation, settings.joint.joint);
  else
    simulation_.world().watch_link(settings.joint.link);
  arrays_->forces.push_back({node->values_offset(), part.index, settings.joint,
                             NoiseGenerator(simulation_.settings().seed, node->name(), common.noise), !common.noise.empty()});
  return node;
}

DeviceNode* RobotSensors::add_radar(const PartRef& part, const DeviceCommon& common, const RadarSettings& settings,
                                    Diagnostics& problems) {
  std::vector<Field> fields{{"count", "1", "", FieldType::integer}};
  for (int i = 0; i < settings.targets; ++i) {
    const std::string n = std::to_string(i);
    fields.push_back({"distance" + n, "m", "B"});
    fields.push_back({"azimuth" + n, "rad", "B"});
    fields.push_back({"elevation" + n, "rad", "B"});
    fields.push_back({"speed" + n, "m/s", "B"});
  }
  const std::size_t shared = fields.size();
  DeviceNode* node = add_node(part, common, "RadarSensor", std::move(fields), shared, problems);
  if (node == nullptr) return nullptr;
  const SimulationSettings& world = simulation_.settings();
  arrays_->radars.push_back({node->values_offset(),
                             part.index,
                             {part.group, part.body},
                             settings,
                             SampleClock(settings.rate, world.physics.dt),
                             NoiseGenerator(world.seed, node->name(), common.noise)});
  return node;
}

void RobotSensors::start(const Clock& clock) { measure(clock, true); }
void RobotSensors::after_step(const Clock& clock) { measure(clock, false); }

void RobotSensors::measure(const Clock& clock, bool first) {
  const std::span<double> bank = simulation_.tree().bank();
  physics::World& world = simulation_.world();
  for (Encoder& encoder : arrays_->encoders)
    if (encoder.clock.due(clock.step)) arrays_->measure(encoder, bank, clock, first);
  for (Imu& imu : arrays_->imus)
    arrays_->measure(imu, bodies_[imu.body], simulation_.settings().physics.gravity, bank, clock, first);
  if (!arrays_->bumpers.empty()) {
    arrays_->contacts.clear();
    if (!first) world.contacts(arrays_->contacts);
    for (Bumper& bumper : arrays_->bumpers) arrays_->measure(bumper, simulation_, bodies_, bank);
  }
  for (ForceTorque& sensor : arrays_->forces) arrays_->measure(sensor, world, bodies_, bank, first);
  for (Radar& radar : arrays_->radars)
    if (radar.clock.due(clock.step)) arrays_->measure(radar, world, bodies_[radar.body], bank);
}

void RobotSensors::Arrays::measure(Encoder& encoder, std::span<double> bank, const Clock& clock, bool first) {
  const double truth = bank[encoder.settings.source];
  const double unit = (encoder.settings.turns ? 2 * pi : 1) / encoder.settings.resolution;
  const double count = std::floor((truth + encoder.noise.next()) / unit);
  double* v = bank.data() + encoder.offset;
  v[0] = count;
  v[1] = count * unit;
  v[2] = first ? 0 : (count - encoder.count) * unit / (clock.time - encoder.at);
  if (encoder.noisy) v[3] = truth;
  encoder.count = count;
  encoder.at = clock.time;
}

// A sample is the mean since the last one, as from integrating sensors. The velocity after a step is the one that moved the
// body in it, so its change belongs to the start of the step, and so do the axes.
void RobotSensors::Arrays::measure(Imu& imu, const BodyTable::State& body, Vec3 gravity, std::span<double> bank,
                                   const Clock& clock, bool first) {
  const geo::Quat axes = body.pose.q * imu.pose.q;
  const Vec3 velocity = body.velocity + cross(body.angular, body.pose.q * imu.pose.p);
  if (first) imu.last = axes;
  const Vec3 acceleration = first ? Vec3{} : (1 / clock.dt) * (velocity - imu.velocity);
  imu.force_sum += inverse(imu.last) * (acceleration - gravity);
  imu.rate_sum += inverse(axes) * body.angular;
  ++imu.steps;
  imu.velocity = velocity;
  imu.last = axes;
  if (!imu.clock.due(clock.step)) return;
  const double share = 1 / static_cast<double>(imu.steps);
  const Vec3 force = share * imu.force_sum, rate = share * imu.rate_sum;
  imu.force_sum = imu.rate_sum = {};
  imu.steps = 0;
  double* v = bank.data() + imu.offset;
  put(v, imu.accelerometer.add(force));
  put(v + 3, imu.gyroscope.add(rate));
  if (!imu.noisy) return;
  put(v + 6, force);
  put(v + 9, rate);
}

void RobotSensors::Arrays::measure(Bumper& bumper, const Simulation& simulation, const BodyTable& bodies,
                                   std::span<double> bank) {
  const physics::World& world = simulation.world();
  const physics::BodyId own = bodies.body(bumper.body);
  const Pose to_part = inverse(bodies[bumper.body].pose);
  double sum = 0, count = 0;
  for (const physics::Contact& c : contacts) {
    if ((c.a != own && c.b != own) || !(c.impulse > 0)) continue;
    if (bumper.group != physics::kNoGroup && world.group(c.a == own ? c.b : c.a) == bumper.group) continue;
    if (bumper.settings.size) {
      // Contacts are on the surface or slightly inside: the zone is enlarged by 1 cm.
      const Vec3 at = to_part * c.point - bumper.settings.position, half = 0.5 * *bumper.settings.size;
      if (std::abs(at.x) > half.x + 0.01 || std::abs(at.y) > half.y + 0.01 || std::abs(at.z) > half.z + 0.01) continue;
    }
    sum += c.impulse;
    ++count;
  }
  double* v = bank.data() + bumper.offset;
  const double force = sum / simulation.settings().physics.dt;
  v[1] = force + bumper.noise.next();
  v[0] = count > 0 && v[1] > bumper.settings.threshold ? 1 : 0;
  v[2] = count;
  if (bumper.noisy) v[3] = force;
}

void RobotSensors::Arrays::measure(ForceTorque& sensor, const physics::World& world, const BodyTable& bodies,
                                   std::span<double> bank, bool first) {
  physics::Wrench wrench;
  if (!first)
    wrench = sensor.joint.articulation ? world.joint_wrench(*sensor.joint.articulation, sensor.joint.joint)
                                       : world.link_wrench(sensor.joint.link);
  const double sign = sensor.joint.reversed ? -1 : 1;
  const geo::Quat back = inverse(bodies[sensor.body].pose.q);
  double* v = bank.data() + sensor.offset;
  put(v, sign * (back * wrench.force));
  put(v + 3, sign * (back * wrench.torque));
  if (!sensor.noisy) return;
  std::copy_n(v, 6, v + 6);
  for (int i = 0; i < 6; ++i) v[i] += sensor.noise.next();
}

void RobotSensors::Arrays::measure(Radar& radar, physics::World& world, const BodyTable::State& body, std::span<double> bank) {
  const RadarSettings& s = radar.settings;
  const Pose own = body.pose * s.pose;
  const Vec3 velocity = body.velocity + cross(body.angular, own.p - body.pose.p);
  echoes.clear();
  const auto spread = [](double whole, int i, int n) { return n == 1 ? 0 : whole * (static_cast<double>(i) / (n - 1) - 0.5); };
  for (int row = 0; row < s.rows; ++row)
    for (int column = 0; column < s.columns; ++column) {
      const double elevation = spread(s.height, row, s.rows), azimuth = spread(s.width, column, s.columns);
      const Vec3 ray =
          own.q * Vec3{std::sin(azimuth) * std::cos(elevation), std::sin(elevation), std::cos(azimuth) * std::cos(elevation)};
      const auto hit = world.ray_cast(own.p, own.p + s.range * ray, radar.filter);
      if (!hit || world.is_terrain(hit->body)) continue;
      Echo echo{hit->body, s.range * hit->fraction, azimuth, elevation, 0};
      const Vec3 moves =
          world.kind(hit->body) == physics::BodyKind::fixed ? Vec3{} : world.point_velocity(hit->body, hit->point);
      echo.speed = dot(moves - velocity, ray);
      const auto same = std::find_if(echoes.begin(), echoes.end(), [&](const Echo& e) { return e.body == echo.body; });
      if (same == echoes.end())
        echoes.push_back(echo);
      else if (echo.distance < same->distance)
        *same = echo;
    }
  std::stable_sort(echoes.begin(), echoes.end(), [](const Echo& a, const Echo& b) { return a.distance < b.distance; });
  const std::size_t shown = std::min(echoes.size(), static_cast<std::size_t>(s.targets));
  double* v = bank.data() + radar.offset;
  std::fill_n(v, 1 + 4 * static_cast<std::size_t>(s.targets), 0.0);
  v[0] = static_cast<double>(shown);
  for (std::size_t i = 0; i < shown; ++i) {
    double* out = v + 1 + 4 * i;
    out[0] = echoes[i].distance + radar.noise.next();
    out[1] = echoes[i].azimuth;
    out[2] = echoes[i].elevation;
    out[3] = echoes[i].speed;
  }
}

void RobotSensors::hash_state(StateHash& hash) const {
  for (const Encoder& encoder : arrays_->encoders) hash.add(std::span<const double>(&encoder.count, 1));
  for (const Imu& imu : arrays_->imus) {
    const double values[] = {imu.velocity.x,  imu.velocity.y, imu.velocity.z, imu.force_sum.x, imu.force_sum.y,
                             imu.force_sum.z, imu.rate_sum.x, imu.rate_sum.y, imu.rate_sum.z};
    hash.add(std::span<const double>(values));
  }
}

}  // namespace simbatch::sim
