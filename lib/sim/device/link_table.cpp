// Motors of links: settings become gains and targets of the physics (lib/sim/physics/drive.hpp). A position with a maximum
// speed is approached by a set point that moves no faster, as in the position controllers of servo drives (IEC 61800-7-201,
// profile position mode, without the ramps).

#include "lib/sim/device/link_table.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {

double JointRef::position(const physics::World& world) const {
  return articulation ? world.joint_position(*articulation, joint) : world.link_position(link);
}
double JointRef::rate(const physics::World& world) const {
  return articulation ? world.joint_velocity(*articulation, joint) : world.link_velocity(link);
}
double JointRef::motor_force(const physics::World& world) const {
  return articulation ? world.joint_motor_force(*articulation, joint) : world.link_motor_force(link);
}
void JointRef::set(physics::World& world, const physics::JointMotor& motor) const {
  if (articulation)
    world.set_joint_motor(*articulation, joint, motor);
  else
    world.set_link_motor(link, motor);
}

LinkTable::~LinkTable() = default;

std::vector<Field> LinkTable::fields(physics::LinkKind kind) {
  if (kind == physics::LinkKind::revolute) return {{"angle", "rad", "B"}, {"rate", "rad/s", "B"}};
  if (kind == physics::LinkKind::prismatic) return {{"displacement", "m", "B"}, {"rate", "m/s", "B"}};
  return {};
}

std::vector<Field> LinkTable::motor_fields(physics::LinkKind kind, MotorMode mode) {
  const bool turns = kind == physics::LinkKind::revolute;
  const char* force = turns ? "N m" : "N";
  const char* unit = mode == MotorMode::force      ? force
                     : mode == MotorMode::position ? (turns ? "rad" : "m")
                                                   : (turns ? "rad/s" : "m/s");
  std::vector<Field> all{{"target", unit, "B"}, {"mode", "1", "", FieldType::integer}, {"max_force", force, ""}};
  for (Field& field : fields(kind)) all.push_back(std::move(field));
  all.push_back({"force", force, "B"});
  return all;
}

std::unique_ptr<DeviceNode> LinkTable::make_node(std::string name, std::string type, physics::LinkKind kind, Source source,
                                                 const LinkMotorSettings* motor) {
  std::vector<Field> shown = motor != nullptr ? motor_fields(kind, motor->mode) : fields(kind);
  const std::size_t count = shown.size();
  // A target is kept within the link's limits when it is used: its meaning may change with the mode.
  constexpr double kAny = 1e9;
  std::vector<DeviceInput> inputs;
  if (motor != nullptr) inputs = {{-kAny, kAny}, {0, 2, false}, {0, motor->max_force, false}};
  auto node = std::make_unique<DeviceNode>(std::move(name), make_type(std::move(type), std::move(shown)), std::move(source),
                                           std::move(inputs), count);
  if (motor != nullptr) node->set_needed_inputs(1);
  return node;
}

void LinkTable::add(const JointRef& joint, physics::LinkKind kind, DeviceNode& node, const LinkMotorSettings* motor) {
  if (fields(kind).empty()) return;
  Entry entry{joint, node.values_offset(), {}};
  if (motor != nullptr) {
    entry.motor = Motor{*motor, 0};
    node.set_input_noise(NoiseGenerator(simulation_.settings().seed, node.name(), motor->noise));
    const std::span<double> values = node.values();
    values[0] = motor->target;
    values[1] = static_cast<double>(motor->mode);
    values[2] = motor->max_force;
  }
  entries_.push_back(std::move(entry));
}

void LinkTable::start(const Clock&) {
  for (Entry& entry : entries_)
    if (entry.motor) entry.motor->set_point = entry.joint.position(simulation_.world());
  refresh();
}

void LinkTable::before_step(const Clock& clock) {
  for (Entry& entry : entries_)
    if (entry.motor) drive(entry, clock.dt);
}

void LinkTable::drive(Entry& entry, double dt) {
  const LinkMotorSettings& settings = entry.motor->settings;
  const std::span<double> v = simulation_.tree().bank().subspan(entry.offset, 3);
  v[1] = std::round(v[1]);
  const auto mode = static_cast<MotorMode>(static_cast<int>(v[1]));
  physics::JointMotor motor;
  motor.max_force = v[2];
  double& set_point = entry.motor->set_point;
  if (mode == MotorMode::position) {
    double target = v[0];
    if (settings.lower) target = std::max(target, *settings.lower);
    if (settings.upper) target = std::min(target, *settings.upper);
    const double most = settings.max_speed * dt;  // infinite: no limit
    const double way = std::clamp(target - set_point, -most, most);
    set_point += way;
    motor.stiffness = settings.stiffness;
    motor.damping = settings.damping;
    motor.target = set_point;
    // A moving set point has a velocity; a jump does not imply one.
    if (std::isfinite(settings.max_speed)) motor.speed = way / dt;
  } else {
    set_point = entry.joint.position(simulation_.world());
    if (mode == MotorMode::speed) {
      motor.damping = settings.damping;
      motor.speed = std::clamp(v[0], -settings.max_speed, settings.max_speed);
    } else {
      motor.force = v[0];
    }
  }
  entry.joint.set(simulation_.world(), motor);
}

void LinkTable::refresh() {
  const std::span<double> bank = simulation_.tree().bank();
  const physics::World& world = simulation_.world();
  for (const Entry& entry : entries_) {
    const std::size_t at = entry.offset + (entry.motor ? 3 : 0);
    bank[at] = entry.joint.position(world);
    bank[at + 1] = entry.joint.rate(world);
    if (entry.motor) bank[at + 2] = entry.joint.motor_force(world);
  }
}

void LinkTable::hash_state(StateHash& hash) const {
  for (const Entry& entry : entries_)
    if (entry.motor) hash.add(std::span<const double>(&entry.motor->set_point, 1));
}

}  // namespace simbatch::sim
