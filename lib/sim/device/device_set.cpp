// Registers devices: each add_* makes a node below its part and appends to the array of its kind. Their behavior in a step is
// in actuate.cpp and sense.cpp.

#include "lib/sim/device/device_set.hpp"

#include <cmath>

#include "lib/sim/device/device_arrays.hpp"
#include "lib/sim/device/nmea.hpp"

namespace simbatch::sim {
namespace {

void rmc_text(std::span<const double> v, std::string& out) { append_rmc(out, {v[4], {v[0], v[1]}, v[2], v[3]}); }

/// A node for a sensor. With noise its first value is repeated without noise, after all values, as `<name>_true`.
/// @param more  fields after all of these, which programs do not get
DeviceNode* sensor_node(const PartRef& part, const DeviceCommon& common, std::string kind, std::vector<Field> fields,
                        Diagnostics& problems, DeviceNode::TextFunction text = nullptr, std::vector<Field> more = {}) {
  const std::size_t shared = fields.size();
  if (!common.noise.empty() && text == nullptr) {
    Field truth = fields.front();
    truth.name += "_true";
    fields.push_back(std::move(truth));
  }
  fields.insert(fields.end(), more.begin(), more.end());
  auto node = std::make_unique<DeviceNode>(common.name, make_type(std::move(kind), std::move(fields)), common.source,
                                           std::vector<DeviceInput>{}, shared, text);
  DeviceNode* raw = node.get();
  return part.node->register_child(std::move(node), problems) == nullptr ? nullptr : raw;
}
DeviceNode* actuator_node(Simulation& simulation, const PartRef& part, const DeviceCommon& common, std::string kind,
                          std::vector<Field> fields, std::vector<DeviceInput> inputs, Diagnostics& problems) {
  const std::size_t shared = fields.size();
  auto node = std::make_unique<DeviceNode>(common.name, make_type(std::move(kind), std::move(fields)), common.source,
                                           std::move(inputs), shared);
  DeviceNode* raw = node.get();
  if (part.node->register_child(std::move(node), problems) == nullptr) return nullptr;
  raw->set_input_noise(NoiseGenerator(simulation.settings().seed, raw->name(), common.noise));
  return raw;
}
device::Sensor make_sensor(Simulation& simulation, const PartRef& part, const DeviceCommon& common, const DeviceNode& node) {
  return {node.values_offset(), part.index, !common.noise.empty(),
          NoiseGenerator(simulation.settings().seed, node.name(), common.noise)};
}

}  // namespace

DeviceSet::DeviceSet(Simulation& simulation, BodyTable& bodies, std::optional<double> water_level)
    : simulation_(simulation), bodies_(bodies), water_level_(water_level), arrays_(std::make_unique<Arrays>()) {}
DeviceSet::~DeviceSet() = default;

bool DeviceSet::is_under_water(Vec3 place) const {
  if (!water_level_) return true;
  const std::optional<double> level = water_level_at_ ? water_level_at_(place) : water_level_;
  return level && place.y <= *level;
}

DeviceNode* DeviceSet::add_drive(const PartRef& part, const DeviceCommon& common, const DriveSettings& settings,
                                 Diagnostics& problems) {
  std::vector<Field> fields = {{"acceleration", "1", ""}, {"steering", "1", ""}, {"brake", "1", ""}};
  if (settings.engine) {
    fields.push_back({"engine_speed", "rad/s", ""});
    fields.push_back({"gear", "1", "", FieldType::integer});
  }
  DeviceNode* node =
      actuator_node(simulation_, part, common, "DriveActuator", std::move(fields), {{-1, 1}, {-1, 1}, {0, 1}}, problems);
  if (node != nullptr) arrays_->drives.push_back({node->values_offset(), settings});
  return node;
}

DeviceNode* DeviceSet::add_wheel_node(const PartRef& part, const DeviceCommon& common, Diagnostics& problems) {
  std::vector<Field> fields = {{"suspension_length", "m", "B"},
                               {"suspension_force", "N", "B"},
                               {"rotation", "rad", "B"},
                               {"steering", "rad", "B"},
                               {"contact", "1", "", FieldType::integer},
                               {"slip_angle", "rad", "B"},
                               {"slip_ratio", "1", "B"},
                               {"load", "N", "B"},
                               {"spin", "rad/s", "B"},
                               {"torque", "N m", "B"}};
  const std::size_t shared = fields.size();
  if (!common.noise.empty()) fields.push_back({"spin_true", "rad/s", "B"});
  auto node = std::make_unique<DeviceNode>(common.name, make_type("WheelDevice", std::move(fields)), common.source,
                                           std::vector<DeviceInput>{}, shared);
  DeviceNode* raw = node.get();
  if (part.node->register_child(std::move(node), problems) == nullptr) return nullptr;
  if (!common.noise.empty())
    arrays_->wheel_noises.push_back(
        {raw->values_offset(), NoiseGenerator(simulation_.settings().seed, raw->name(), common.noise)});
  return raw;
}

void DeviceSet::attach_wheels(DeviceNode& drive, physics::VehicleId vehicle, std::span<DeviceNode* const> wheel_nodes) {
  for (device::Drive& entry : arrays_->drives)
    if (entry.offset == drive.values_offset()) {
      entry.vehicle = vehicle;
      entry.attached = true;
    }
  for (std::size_t i = 0; i < wheel_nodes.size(); ++i) {
    if (wheel_nodes[i] == nullptr) continue;
    device::Wheel& wheel = arrays_->wheels.emplace_back(device::Wheel{wheel_nodes[i]->values_offset(), vehicle, i, {}});
    for (device::WheelNoise& noise : arrays_->wheel_noises)
      if (noise.offset == wheel.offset) wheel.noise = noise.noise;
  }
}

DeviceNode* DeviceSet::add_propeller(const PartRef& part, const DeviceCommon& common, const PropellerSettings& settings,
                                     Diagnostics& problems) {
  DeviceNode* node = actuator_node(simulation_, part, common, "Propeller",
                                   {{"setting", "1", ""}, {"voltage", "V", ""}, {"speed", "rad/s", "B"}, {"thrust", "N", "B"}},
                                   {{-1, 1}}, problems);
  if (node == nullptr) return nullptr;
  device::Propeller propeller{node->values_offset(), part.index, settings.position, geo::normalized(settings.direction),
                              settings};
  if (settings.pole) propeller.follow = 1 - std::exp(-*settings.pole * simulation_.settings().physics.dt);
  arrays_->propellers.push_back(propeller);
  return node;
}

DeviceNode* DeviceSet::add_camera(const PartRef& part, const DeviceCommon& common, const CameraSettings& settings,
                                  Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, {common.name, common.source, {}}, "Camera", BodyTable::pose_fields(), problems);
  if (node != nullptr)
    arrays_->cameras.push_back({node->values_offset(), part.index, {settings.position, settings.orientation}});
  return node;
}

DeviceNode* DeviceSet::add_gyroscope(const PartRef& part, const DeviceCommon& common, Vec3 axis, double alpha,
                                     Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, common, "GyroscopeSensor", {{"rate", "rad/s", "B"}}, problems);
  if (node != nullptr)
    arrays_->gyroscopes.push_back({make_sensor(simulation_, part, common, *node), geo::normalized(axis), alpha, 0});
  return node;
}

DeviceNode* DeviceSet::add_velocimeter(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, common, "VelocimeterSensor", {{"speed", "m/s", "B"}}, problems);
  if (node != nullptr) arrays_->velocimeters.push_back({make_sensor(simulation_, part, common, *node), geo::normalized(axis)});
  return node;
}

DeviceNode* DeviceSet::add_psd(const PartRef& part, const DeviceCommon& common, const PsdSettings& settings,
                               Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, common, "PSDSensor", {{"distance", "m", "B"}}, problems, nullptr,
                                 {{"hit", "1", "", FieldType::integer}});
  if (node != nullptr)
    arrays_->psds.push_back({make_sensor(simulation_, part, common, *node),
                             settings.position,
                             geo::normalized(settings.direction),
                             settings.range,
                             {part.group, part.body}});
  return node;
}

DeviceNode* DeviceSet::add_gps(const PartRef& part, const DeviceCommon& common, Vec3 position, Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, common, "GPSSensor",
                                 {{"latitude", "deg", "G"},
                                  {"longitude", "deg", "G"},
                                  {"speed", "m/s", "G"},
                                  {"course", "deg", "G"},
                                  {"utc", "s", ""},
                                  {"sentence", "", "", FieldType::text}},
                                 problems, rmc_text);
  if (!arrays_->frame && simulation_.settings().origin) arrays_->frame.emplace(*simulation_.settings().origin);
  if (node != nullptr) arrays_->gpss.push_back({make_sensor(simulation_, part, common, *node), position});
  return node;
}

DeviceNode* DeviceSet::add_compass(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, common, "CompassSensor", {{"heading", "rad", "W"}}, problems);
  if (node != nullptr) arrays_->compasses.push_back({make_sensor(simulation_, part, common, *node), geo::normalized(axis), 0});
  return node;
}

DeviceNode* DeviceSet::add_inclinometer(const PartRef& part, const DeviceCommon& common, Vec3 axis, Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, common, "InclinometerSensor", {{"angle", "rad", "B"}}, problems);
  if (node != nullptr)
    arrays_->inclinometers.push_back({make_sensor(simulation_, part, common, *node), geo::normalized(axis), {}});
  return node;
}

DeviceNode* DeviceSet::add_time(const PartRef& part, const DeviceCommon& common, Diagnostics& problems) {
  DeviceNode* node = sensor_node(part, common, "TimeDevice", {{"time", "s", ""}}, problems);
  if (node != nullptr) arrays_->times.push_back({make_sensor(simulation_, part, common, *node)});
  return node;
}

DeviceNode* DeviceSet::add_light(const PartRef& part, const DeviceCommon& common, std::string kind, double intensity,
                                 Diagnostics& problems) {
  DeviceNode* node = actuator_node(simulation_, part, common, std::move(kind), {{"intensity", "1", ""}}, {{0, 1}}, problems);
  if (node != nullptr) node->values()[0] = intensity;
  return node;
}

}  // namespace simbatch::sim
