// Devices' formulas; docs/devices.md explains them. Outline: add_* registers a node and appends to the array of its kind;
// before_step turns settings into forces; after_step measures, from the body table, into the tree's bank.

#include "lib/sim/device/device_set.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/geo/geo.hpp"
#include "lib/sim/device/nmea.hpp"

namespace simbatch::sim {
namespace {

using std::numbers::pi;

struct Drive {
  std::size_t offset;
  DriveSettings settings;
  physics::VehicleId vehicle{};
  bool attached = false;
};
struct Wheel {
  std::size_t offset;
  physics::VehicleId vehicle;
  std::size_t index;
};
struct Propeller {
  std::size_t offset, body;
  Vec3 position, direction;
  PropellerSettings settings;
  double follow = 1;   // share of the way to the setting that is gone in a step
  double setting = 0;  // after dead zone and lag
};
struct CameraPose {
  std::size_t offset, body;
  Pose pose;
};
// A sensor with one value and, when it has noise, the true one behind it.
struct Sensor {
  std::size_t offset, body;
  bool noisy;
  NoiseGenerator noise;
  void show(std::span<double> bank, double value) {
    if (noisy) {
      bank[offset + 1] = value;
      value += noise.next();
    }
    bank[offset] = value;
  }
};
struct Gyroscope : Sensor {
  Vec3 axis;
  double alpha, smoothed;
};
struct Velocimeter : Sensor {
  Vec3 axis;
};
struct Psd : Sensor {
  Vec3 position, direction;
  double range;
  physics::RayFilter filter;
};
struct Gps : Sensor {
  Vec3 position;
};
struct Compass : Sensor {
  Vec3 axis;
  double last;
};
struct Inclinometer : Sensor {
  Vec3 axis;
  Quat at_start;
};
struct TimeSensor : Sensor {};

// Angle in [0, 2 pi).
double positive_angle(double angle) {
  if (angle < 0) angle += 2 * pi;
  return angle >= 2 * pi ? angle - 2 * pi : angle;
}

void rmc_text(std::span<const double> v, std::string& out) { append_rmc(out, {v[4], {v[0], v[1]}, v[2], v[3]}); }

}  // namespace

struct DeviceSet::Arrays {
  std::vector<Drive> drives;
  std::vector<Wheel> wheels;
  std::vector<Propeller> propellers;
  std::vector<CameraPose> cameras;
  std::vector<Gyroscope> gyroscopes;
  std::vector<Velocimeter> velocimeters;
  std::vector<Psd> psds;
  std::vector<Gps> gpss;
  std::vector<Compass> compasses;
  std::vector<Inclinometer> inclinometers;
  std::vector<TimeSensor> times;
  std::optional<geo::LocalFrame> frame;

  // A node for a sensor: with noise, each value is followed, after all values, by the true one.
  static DeviceNode* sensor_node(const PartRef& part, const DeviceCommon& common, std::string kind, std::vector<Field> fields,
                                 Diagnostics& problems, DeviceNode::TextMaker text = nullptr) {
    const std::size_t shared = fields.size();
    if (!common.noise.empty() && text == nullptr) {
      Field truth = fields.front();
      truth.name += "_true";
      fields.push_back(std::move(truth));
    }
    auto node = std::make_unique<DeviceNode>(common.name, make_type(std::move(kind), std::move(fields)), common.source,
                                             std::vector<DeviceInput>{}, shared, text);
    DeviceNode* raw = node.get();
    return part.node->register_child(std::move(node), problems) == nullptr ? nullptr : raw;
  }
  static DeviceNode* actuator_node(Simulation& simulation, const PartRef& part, const DeviceCommon& common, std::string kind,
                                   std::vector<Field> fields, std::vector<DeviceInput> inputs, Diagnostics& problems) {
    const std::size_t shared = fields.size();
    auto node = std::make_unique<DeviceNode>(common.name, make_type(std::move(kind), std::move(fields)), common.source,
                                             std::move(inputs), shared);
    DeviceNode* raw = node.get();
    if (part.node->register_child(std::move(node), problems) == nullptr) return nullptr;
    raw->set_input_noise(NoiseGenerator(simulation.settings().seed, raw->name(), common.noise));
    return raw;
  }
  static Sensor sensor(Simulation& simulation, const PartRef& part, const DeviceCommon& common, const DeviceNode& node) {
    return {node.values_offset(), part.index, !common.noise.empty(),
            NoiseGenerator(simulation.settings().seed, node.name(), common.noise)};
  }
};

DeviceSet::DeviceSet(Simulation& simulation, BodyTable& bodies, std::optional<double> water_level)
    : simulation_(simulation), bodies_(bodies), water_level_(water_level), arrays_(std::make_unique<Arrays>()) {}
DeviceSet::~DeviceSet() = default;

DeviceNode* DeviceSet::add_drive(const PartRef& part, const DeviceCommon& common, const DriveSettings& settings,
                                 Diagnostics& problems) {
  DeviceNode* node = Arrays::actuator_node(simulation_, part, common, "DriveActuator",
                                           {{"acceleration", "1", ""}, {"steering", "1", ""}, {"brake", "1", ""}},
                                           {{-1, 1}, {-1, 1}, {0, 1}}, problems);
  if (node != nullptr) arrays_->drives.push_back({node->values_offset(), settings});
  return node;
}

DeviceNode* DeviceSet::add_wheel_node(const PartRef& part, const DeviceCommon& common, Diagnostics& problems) {
  return Arrays::sensor_node(part, {common.name, common.source, {}}, "WheelDevice",
                             {{"suspension_length", "m", "B"},
                              {"suspension_force", "N", "B"},
                              {"rotation", "rad", "B"},
                              {"steering", "rad", "B"},
                              {"contact", "1", "", FieldType::integer}},
                             problems);
}

void DeviceSet::attach_wheels(DeviceNode& drive, physics::VehicleId vehicle, std::span<DeviceNode* const> wheel_nodes) {
  for (Drive& entry : arrays_->drives)
    if (entry.offset == drive.values_offset()) {
      entry.vehicle = vehicle;
      entry.attached = true;
    }
  for (std::size_t i = 0; i < wheel_nodes.size(); ++i)
    if (wheel_nodes[i] != nullptr) arrays_->wheels.push_back({wheel_nodes[i]->values_offset(), vehicle, i});
}

DeviceNode* DeviceSet::add_propeller(const PartRef& part, const DeviceCommon& common, const PropellerSettings& settings,
                                     Diagnostics& problems) {
  DeviceNode* node = Arrays::actuator_node(
      simulation_, part, common, "Propeller",
      {{"setting", "1", ""}, {"voltage", "V", ""}, {"speed", "rad/s", "B"}, {"thrust", "N", "B"}}, {{-1, 1}}, problems);
  if (node == nullptr) return nullptr;
  Propeller propeller{node->values_offset(), part.index, settings.position, geo::normalized(settings.direction), settings};
  if (settings.pole) propeller.follow = 1 - std::exp(-*settings.pole * simulation_.settings().physics.dt);
  arrays_->propellers.push_back(propeller);
  return node;
}

DeviceNode* DeviceSet::add_camera(const PartRef& part, const DeviceCommon& common, const CameraSettings& settings,
                                  Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, {common.name, common.source, {}}, "Camera", BodyTable::pose_fields(), problems);
  if (node != nullptr)
    arrays_->cameras.push_back({node->values_offset(), part.index, {settings.position, settings.orientation}});
  return node;
}

DeviceNode* DeviceSet::add_gyroscope(const PartRef& part, const DeviceCommon& common, Vec3 axis, double alpha,
                                     Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, common, "GyroscopeSensor", {{"rate", "rad/s", "B"}}, problems);
  if (node != nullptr)
    arrays_->gyroscopes.push_back({Arrays::sensor(simulation_, part, common, *node), geo::normalized(axis), alpha, 0});
  return node;
}

DeviceNode* DeviceSet::add_velocimeter(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, common, "VelocimeterSensor", {{"speed", "m/s", "B"}}, problems);
  if (node != nullptr)
    arrays_->velocimeters.push_back({Arrays::sensor(simulation_, part, common, *node), geo::normalized(axis)});
  return node;
}

DeviceNode* DeviceSet::add_psd(const PartRef& part, const DeviceCommon& common, const PsdSettings& settings,
                               Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, common, "PSDSensor", {{"distance", "m", "B"}}, problems);
  if (node != nullptr)
    arrays_->psds.push_back({Arrays::sensor(simulation_, part, common, *node),
                             settings.position,
                             geo::normalized(settings.direction),
                             settings.range,
                             {part.group, part.body}});
  return node;
}

DeviceNode* DeviceSet::add_gps(const PartRef& part, const DeviceCommon& common, Vec3 position, Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, common, "GPSSensor",
                                         {{"latitude", "deg", "G"},
                                          {"longitude", "deg", "G"},
                                          {"speed", "m/s", "G"},
                                          {"course", "deg", "G"},
                                          {"utc", "s", ""},
                                          {"sentence", "", "", FieldType::text}},
                                         problems, rmc_text);
  if (!arrays_->frame && simulation_.settings().origin) arrays_->frame.emplace(*simulation_.settings().origin);
  if (node != nullptr) arrays_->gpss.push_back({Arrays::sensor(simulation_, part, common, *node), position});
  return node;
}

DeviceNode* DeviceSet::add_compass(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, common, "CompassSensor", {{"heading", "rad", "W"}}, problems);
  if (node != nullptr)
    arrays_->compasses.push_back({Arrays::sensor(simulation_, part, common, *node), geo::normalized(axis), 0});
  return node;
}

DeviceNode* DeviceSet::add_inclinometer(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, common, "InclinometerSensor", {{"angle", "rad", "B"}}, problems);
  if (node != nullptr)
    arrays_->inclinometers.push_back({Arrays::sensor(simulation_, part, common, *node), geo::normalized(axis), {}});
  return node;
}

DeviceNode* DeviceSet::add_time(const PartRef& part, const DeviceCommon& common, Diagnostics& problems) {
  DeviceNode* node = Arrays::sensor_node(part, common, "TimeDevice", {{"time", "s", ""}}, problems);
  if (node != nullptr) arrays_->times.push_back({Arrays::sensor(simulation_, part, common, *node)});
  return node;
}

DeviceNode* DeviceSet::add_light(const PartRef& part, const DeviceCommon& common, std::string kind, double intensity,
                                 Diagnostics& problems) {
  DeviceNode* node =
      Arrays::actuator_node(simulation_, part, common, std::move(kind), {{"intensity", "1", ""}}, {{0, 1}}, problems);
  if (node != nullptr) node->values()[0] = intensity;
  return node;
}

void DeviceSet::start(const Clock& clock) {
  for (Inclinometer& sensor : arrays_->inclinometers) sensor.at_start = bodies_[sensor.body].pose.q;
  sense(clock, true);
}

void DeviceSet::after_step(const Clock& clock) { sense(clock, false); }

void DeviceSet::before_step(const Clock& clock) {
  physics::World& world = simulation_.world();
  const std::span<double> bank = simulation_.tree().bank();
  for (const Drive& drive : arrays_->drives) {
    if (!drive.attached) continue;
    const double* v = bank.data() + drive.offset;
    world.set_controls(drive.vehicle, {v[0] * drive.settings.motor_force, v[2] * drive.settings.brake_force,
                                       v[1] * drive.settings.steering_angle});
  }
  for (Propeller& propeller : arrays_->propellers) {
    const BodyTable::State& body = bodies_[propeller.body];
    double* v = bank.data() + propeller.offset;
    const double wanted = std::abs(v[0]) <= propeller.settings.dead_zone ? 0 : v[0];
    propeller.setting += propeller.follow * (wanted - propeller.setting);
    v[1] = propeller.setting * propeller.settings.max_voltage;
    const Vec3 point = body.pose * propeller.position;
    // Out of the water a screw finds nothing to push against (PAL: more than 0.1 m above y = 0; ours: above the level).
    const bool pushes = !water_level_ || point.y <= *water_level_;
    if (const auto& motor = propeller.settings.motor) {
      // Implicit in the linear part, so that a small rotor is stable at any step; its rest is exact.
      const double a = motor->torque_constant * v[1] / (motor->resistance * motor->inertia);
      const double b = motor->torque_constant * motor->back_emf_constant / (motor->resistance * motor->inertia);
      const double c = pushes ? motor->torque_coefficient / motor->inertia : 0;
      v[2] = (v[2] + clock.dt * a) / (1 + clock.dt * (b + c * std::abs(v[2])));
      v[3] = pushes ? motor->thrust_coefficient * v[2] * std::abs(v[2]) : 0;
    } else {
      v[3] = pushes ? propeller.settings.alpha * v[1] : 0;
    }
    if (v[3] != 0) world.apply_force_at(bodies_.body(propeller.body), v[3] * (body.pose.q * propeller.direction), point);
  }
}

void DeviceSet::sense(const Clock& clock, bool first) {
  physics::World& world = simulation_.world();
  const std::span<double> bank = simulation_.tree().bank();
  for (const Wheel& wheel : arrays_->wheels) {
    const physics::WheelState state = world.wheel(wheel.vehicle, wheel.index);
    double* v = bank.data() + wheel.offset;
    v[0] = state.suspension_length;
    v[1] = state.suspension_force;
    v[2] = state.rotation;
    v[3] = state.steering;
    v[4] = state.in_contact ? 1 : 0;
  }
  for (const CameraPose& camera : arrays_->cameras)
    BodyTable::write_pose(bank.subspan(camera.offset, 7), bodies_[camera.body].pose * camera.pose);
  for (Gyroscope& sensor : arrays_->gyroscopes) {
    const BodyTable::State& body = bodies_[sensor.body];
    const double rate = dot(body.pose.q * sensor.axis, body.angular);
    sensor.smoothed = first ? rate : sensor.smoothed + sensor.alpha * (rate - sensor.smoothed);
    sensor.show(bank, sensor.smoothed);
  }
  for (Velocimeter& sensor : arrays_->velocimeters) {
    const BodyTable::State& body = bodies_[sensor.body];
    sensor.show(bank, dot(body.pose.q * sensor.axis, body.velocity));
  }
  for (Psd& sensor : arrays_->psds) {
    const Pose& pose = bodies_[sensor.body].pose;
    const Vec3 from = pose * sensor.position;
    const auto hit = world.ray_cast(from, from + sensor.range * (pose.q * sensor.direction), sensor.filter);
    sensor.show(bank, hit ? sensor.range * hit->fraction : sensor.range);
  }
  for (Gps& sensor : arrays_->gpss) {
    const BodyTable::State& body = bodies_[sensor.body];
    const Vec3 arm = body.pose.q * sensor.position;
    const Vec3 antenna = body.pose.p + arm;
    const Vec3 velocity = body.velocity + cross(body.angular, arm);
    double east = antenna.x, north = antenna.z;
    if (sensor.noisy) {
      east += sensor.noise.next();
      north += sensor.noise.next();
    }
    const geo::LatLon place = arrays_->frame->to_geographic({east, north});
    double* v = bank.data() + sensor.offset;
    v[0] = place.lat;
    v[1] = place.lon;
    v[2] = std::hypot(velocity.x, velocity.z);
    // At rest a course means nothing: the last one stays. The first is the part's heading.
    constexpr double kMoving = 0.05;  // m/s
    if (first || v[2] >= kMoving) {
      const double on_map = first && v[2] < kMoving ? geo::heading(body.pose.q) : std::atan2(velocity.x, velocity.z);
      // Meridian convergence to first order, (lon - lon0) sin(lat): within 1e-6 rad up to 100 km from the origin.
      const double convergence = geo::radians(place.lon - arrays_->frame->origin().lon) * std::sin(geo::radians(place.lat));
      v[3] = geo::degrees(positive_angle(on_map + convergence));
    }
    v[4] = static_cast<double>(simulation_.settings().start_unix) + clock.time;
  }
  for (Compass& sensor : arrays_->compasses) {
    const Vec3 f = bodies_[sensor.body].pose.q * sensor.axis;
    if (std::abs(f.x) + std::abs(f.z) > 1e-9) sensor.last = positive_angle(std::atan2(f.x, f.z));
    sensor.show(bank, sensor.last);
    bank[sensor.offset] = positive_angle(std::remainder(bank[sensor.offset], 2 * pi));
  }
  for (Inclinometer& sensor : arrays_->inclinometers) {
    // Gravity's direction in the body's frame, seen along the axis: how far has it turned since the start? About an axis that
    // stood upright gravity tells nothing; there it is the twist of the turn since the start.
    constexpr Vec3 kUp{0, 1, 0};
    const Vec3 axis = sensor.axis;
    const auto seen_along_axis = [&axis](Vec3 v) { return v - dot(axis, v) * axis; };
    const Vec3 before = seen_along_axis(inverse(sensor.at_start) * kUp);
    const Vec3 now = seen_along_axis(inverse(bodies_[sensor.body].pose.q) * kUp);
    double angle = 0;
    if (length(before) > 0.1) {
      angle = std::atan2(dot(axis, cross(now, before)), dot(now, before));
    } else {
      const Quat turn = inverse(sensor.at_start) * bodies_[sensor.body].pose.q;
      angle = std::remainder(2 * std::atan2(dot(axis, {turn.x, turn.y, turn.z}), turn.w), 2 * pi);
    }
    sensor.show(bank, angle);
  }
  for (TimeSensor& sensor : arrays_->times) sensor.show(bank, clock.time);
}

}  // namespace simbatch::sim
