// Reads the devices of Robot files. Source: thesis, C.3; docs/robot.md.

#include "formats/autosim/read_device.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/xml/codes.hpp"
#include "formats/autosim/read_link.hpp"
#include "formats/autosim/read_sensor.hpp"
#include "formats/autosim/read_vehicle.hpp"

namespace simbatch::autosim::detail {
namespace {

constexpr std::array<std::string_view, 2> kCameraTypes = {"fixed", "thirdperson"};
/// Below this force, on a body heavier than this mass, BrakeForce was probably written for PAL, where it is an impulse per step
/// (N s): the thesis' 10 on 1400 kg stops a car in PAL at 60 Hz like 600 N.
constexpr double kWeakBrake = 100, kHeavy = 200;
/// From this value on SuspensionKs, which is in 1/s^2, was probably given in N/m: with four wheels of 1000 a car bounces at 10
/// Hz, racing cars at 5.
constexpr double kStiffest = 1000;

std::optional<DcMotor> read_motor(BlockReader& block) {
  const auto element = block.reader().child("Motor");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  const xml::Range positive = xml::Range::positive(), not_negative = xml::Range::not_negative();
  const auto number = [&](std::string_view name, const xml::Range& range) {
    return reader.required_number(name, range).value_or(0);
  };
  DcMotor motor;
  motor.resistance = number("resistance", positive);
  motor.torque_constant = number("torqueConstant", positive);
  motor.back_emf_constant = number("backEmfConstant", not_negative);
  motor.inertia = number("inertia", positive);
  motor.torque_coefficient = number("torqueCoefficient", not_negative);
  motor.thrust_coefficient = number("thrustCoefficient", positive);
  reader.finish();
  return motor;
}

constexpr std::array<std::string_view, 2> kRotations = {"right", "left"};

std::optional<ReactionTorque> read_reaction(BlockReader& block) {
  const auto element = block.reader().child("ReactionTorque");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  ReactionTorque reaction;
  if (reader.required_string("rotation")) reaction.left = reader.choice("rotation", kRotations).value_or(0) == 1;
  if (!block.has("Motor"))
    reaction.ratio = reader.required_number("ratio", xml::Range::positive()).value_or(0);
  else if (reader.number("ratio", xml::Range::positive()))
    block.report(code::kConflict, "ReactionTorque",
                 "propeller " + quoted(block.name()) +
                     " has a Motor, whose torque twists the part, and a ratio of torque to thrust, expected one of them");
  reader.finish();
  return reaction;
}

Propeller read_propeller(BlockReader& block) {
  Propeller propeller;
  propeller.position = block.required_vector("Position");
  propeller.direction = block.direction("Direction", propeller.direction);
  propeller.max_voltage = block.number("MaxVoltage", propeller.max_voltage, xml::Range::positive());
  propeller.alpha = block.optional_number("Alpha", xml::Range::positive());
  propeller.motor = read_motor(block);
  propeller.dead_zone = block.number("DeadZone", 0, {0, 1, false, true});
  propeller.pole = block.optional_number("Pole", xml::Range::positive());
  propeller.reaction = read_reaction(block);
  if (block.has("Alpha") && block.has("Motor"))
    block.report(code::kConflict, "Motor",
                 "propeller " + quoted(block.name()) + " has both Alpha and Motor, expected one of them");
  else if (!block.has("Alpha") && !block.has("Motor"))
    block.report(xml::code::kElementMissing, {}, "<Propeller> " + quoted(block.name()) + " needs an <Alpha> or a <Motor>");
  return propeller;
}

Camera read_camera(BlockReader& block) {
  Camera camera;
  if (const auto element = block.required_child("Type")) {
    xml::ElementReader reader(*element, block.diagnostics());
    if (reader.required_string("name"))
      camera.type = static_cast<Camera::Type>(reader.choice("name", kCameraTypes).value_or(0));
    reader.finish();
  }
  camera.position = block.required_vector("Position");
  camera.direction = block.optional_direction("Direction");
  camera.up = block.direction("UpVector", camera.up);
  camera.field_of_view = block.number("FieldOfView", camera.field_of_view, {0, 180, true, true});
  if (const auto element = block.reader().child("ImageSize")) {
    xml::ElementReader reader(*element, block.diagnostics());
    camera.width = static_cast<int>(reader.required_integer("width", 1, 8192).value_or(1));
    camera.height = static_cast<int>(reader.required_integer("height", 1, 8192).value_or(1));
    reader.finish();
  }
  return camera;
}

LaserScanner::Field read_field(BlockReader& block, std::string_view tag, bool required, double lowest, double highest) {
  LaserScanner::Field field;
  const auto element = required ? block.required_child(tag) : block.reader().child(tag);
  if (!element) return field;
  xml::ElementReader reader(*element, block.diagnostics());
  field.min = reader.required_number("min", xml::Range::between(lowest, highest)).value_or(0);
  field.max = reader.required_number("max", xml::Range::between(lowest, highest)).value_or(0);
  field.count = static_cast<int>(reader.required_integer("count", 1, LaserScanner::kMaxRays).value_or(1));
  reader.finish();
  if (field.max < field.min || field.max - field.min > 360)
    block.report(code::kScanner, tag,
                 "rays from " + number_text(field.min) + " to " + number_text(field.max) +
                     " degrees, expected min <= max, and at most 360 from the one to the other");
  return field;
}

LaserScanner read_scanner(BlockReader& block) {
  LaserScanner scanner;
  scanner.position = block.required_vector("Position");
  scanner.direction = block.direction("Direction", scanner.direction);
  scanner.up = block.direction("UpVector", scanner.up);
  scanner.horizontal = read_field(block, "Horizontal", true, -360, 360);
  scanner.vertical = read_field(block, "Vertical", false, -90, 90);
  if (const auto element = block.required_child("Range")) {
    xml::ElementReader reader(*element, block.diagnostics());
    scanner.range_min = reader.number("min", xml::Range::not_negative()).value_or(0);
    scanner.range_max = reader.required_number("max", xml::Range::positive()).value_or(1);
    reader.finish();
    if (!(scanner.range_min < scanner.range_max))
      block.report(code::kScanner, "Range",
                   "a range from " + number_text(scanner.range_min) + " to " + number_text(scanner.range_max) +
                       " m, expected min < max");
  }
  scanner.rate = block.optional_number("Rate", xml::Range::positive());
  const std::int64_t rays = std::int64_t{scanner.horizontal.count} * scanner.vertical.count;
  if (rays > LaserScanner::kMaxRays)
    block.report(code::kScanner, "Horizontal",
                 number_text(rays) + " rays a scan, expected at most " + number_text(LaserScanner::kMaxRays));
  return scanner;
}

LightDevice read_light(BlockReader& block) {
  LightDevice light;
  light.position = block.vector("Position", {});
  light.intensity = block.number("Intensity", 0, xml::Range::between(0, 1));
  if (const auto element = block.reader().child("Color")) {
    xml::ElementReader reader(*element, block.diagnostics());
    const auto part = [&](std::string_view name) {
      return reader.required_number(name, xml::Range::between(0, 1)).value_or(0);
    };
    light.color.x = part("red");
    light.color.y = part("green");
    light.color.z = part("blue");
    reader.finish();
  }
  return light;
}

HeadLightDevice read_head_light(BlockReader& block) {
  const LightDevice light = read_light(block);
  HeadLightDevice head_light;
  head_light.position = light.position;
  head_light.intensity = light.intensity;
  head_light.color = light.color;
  head_light.direction = block.direction("Direction", head_light.direction);
  head_light.angle = block.number("Angle", head_light.angle, {0, 180, true, true});
  return head_light;
}

using Read = Device::Kind (*)(BlockReader&);
/// One row per device: a new one needs its struct in robot.hpp, a row here and one in write_robot.cpp.
const std::pair<std::string_view, Read> kDevices[] = {
    {"DriveActuator", [](BlockReader& b) -> Device::Kind { return read_drive(b); }},
    {"WheelDevice", [](BlockReader& b) -> Device::Kind { return read_wheel(b); }},
    {"Propeller", [](BlockReader& b) -> Device::Kind { return read_propeller(b); }},
    {"Camera", [](BlockReader& b) -> Device::Kind { return read_camera(b); }},
    {"GyroscopeSensor",
     [](BlockReader& b) -> Device::Kind {
       return GyroscopeSensor{b.required_direction("Axis"), b.number("Alpha", 1, {0, 1, true, false})};
     }},
    {"VelocimeterSensor", [](BlockReader& b) -> Device::Kind { return VelocimeterSensor{b.required_direction("Axis")}; }},
    {"PSDSensor",
     [](BlockReader& b) -> Device::Kind {
       return PSDSensor{b.required_vector("Position"), b.required_direction("Direction"),
                        b.required_number("Range", xml::Range::positive())};
     }},
    {"LaserScanner", [](BlockReader& b) -> Device::Kind { return read_scanner(b); }},
    {"GPSSensor", [](BlockReader& b) -> Device::Kind { return GPSSensor{b.vector("Position", {})}; }},
    {"CompassSensor",
     [](BlockReader& b) -> Device::Kind {
       return CompassSensor{b.direction("Axis", {0, 0, 1})};
     }},
    {"InclinometerSensor", [](BlockReader& b) -> Device::Kind { return InclinometerSensor{b.required_direction("Axis")}; }},
    {"TimeDevice", [](BlockReader&) -> Device::Kind { return TimeDevice{}; }},
    {"LightDevice", [](BlockReader& b) -> Device::Kind { return read_light(b); }},
    {"HeadLightDevice", [](BlockReader& b) -> Device::Kind { return read_head_light(b); }},
    {"EncoderSensor", [](BlockReader& b) -> Device::Kind { return read_encoder(b); }},
    {"ImuSensor", [](BlockReader& b) -> Device::Kind { return read_imu(b); }},
    {"BumperSensor", [](BlockReader& b) -> Device::Kind { return read_bumper(b); }},
    {"ForceTorqueSensor", [](BlockReader& b) -> Device::Kind { return read_force_torque(b); }},
    {"RadarSensor", [](BlockReader& b) -> Device::Kind { return read_radar(b); }},
    {"DepthCamera", [](BlockReader& b) -> Device::Kind { return DepthCamera{read_range_camera(b)}; }},
    {"SemanticCamera", [](BlockReader& b) -> Device::Kind { return SemanticCamera{read_range_camera(b)}; }},
};

/// Index of the devices read so far.
struct Known {
  const NameTable& bodies;
  std::map<std::string, NameTable, std::less<>> by_part;   // names of devices
  std::map<std::string, std::string, std::less<>> drives;  // DriveActuator -> its part; broken ones too
};

std::optional<Device> read_device(const xml::Element& element, Read read, Known& known, Diagnostics& diagnostics) {
  BlockReader block(element, diagnostics);
  Device device;
  device.name = block.name();
  device.place = block.place();
  device.part = block.required_text("Part", "name");
  if (!device.part.empty() && !known.bodies.contains(device.part)) {
    const xml::Element part = element.first_child("Part");
    diagnostics.report(
        code::kReference, part.attribute_position("name"),
        "there is no body " + quoted(device.part) + " in this robot" + did_you_mean(device.part, known.bodies.names()),
        part.path() + "/@name");
  }
  known.by_part[device.part].add(device.name, device.place.at, "device", diagnostics);
  device.kind = read(block);
  read_sampling(block, device);
  device.noise = read_noise(block.reader(), diagnostics);
  block.finish();
  return block.ok() ? std::optional(std::move(device)) : std::nullopt;
}

/// A wheel's DriveActuator must exist and sit on the same part.
bool check_wheel(const Device& device, const xml::Element& element, const Known& known, Diagnostics& diagnostics) {
  const auto* wheel = std::get_if<WheelDevice>(&device.kind);
  if (wheel == nullptr) return true;
  const xml::Element parameter = element.first_child("DriveActuator");
  const auto drive = known.drives.find(wheel->drive_actuator);
  std::string problem;
  if (drive == known.drives.end()) {
    std::vector<std::string_view> names;
    for (const auto& entry : known.drives) names.push_back(entry.first);
    problem = "there is no DriveActuator " + quoted(wheel->drive_actuator) + " in this robot" +
              did_you_mean(wheel->drive_actuator, names);
  } else if (!drive->second.empty() && drive->second != device.part) {
    problem = "DriveActuator " + quoted(wheel->drive_actuator) + " drives part " + quoted(drive->second) +
              ", expected one of " + quoted(device.part);
  } else {
    return true;
  }
  diagnostics.report(code::kReference, parameter.attribute_position("name"), std::move(problem), parameter.path() + "/@name");
  return false;
}

void check_brake(const Device& device, const xml::Element& element, const Robot& robot, Diagnostics& diagnostics) {
  const auto* drive = std::get_if<DriveActuator>(&device.kind);
  if (drive == nullptr || drive->brake_force == 0 || drive->brake_force >= kWeakBrake) return;
  for (const Body& body : robot.bodies)
    if (body.name == device.part && body.mass > kHeavy)
      diagnostics.report(code::kBrakeWeak, element.first_child("BrakeForce").attribute_position("value"),
                         "BrakeForce " + number_text(drive->brake_force) + " N is weak for " + number_text(body.mass) +
                             " kg; PAL took it as N s per step: at 60 steps per second that is " +
                             number_text(drive->brake_force * 60) + " N",
                         element.first_child("BrakeForce").path() + "/@value");
}

void check_stiffness(const Device& device, const xml::Element& element, const Robot& robot, Diagnostics& diagnostics) {
  const auto* wheel = std::get_if<WheelDevice>(&device.kind);
  if (wheel == nullptr || wheel->ks < kStiffest) return;
  for (const Body& body : robot.bodies)
    if (body.name == device.part && std::isfinite(wheel->ks * body.mass) && std::isfinite(wheel->ks / body.mass * 1000))
      diagnostics.report(code::kStiffUnit, element.first_child("SuspensionKs").attribute_position("value"),
                         "SuspensionKs " + number_text(wheel->ks) + " is per kilogram of " + quoted(body.name) + ": " +
                             number_text(wheel->ks * body.mass) + " N/m; for " + number_text(wheel->ks) + " N/m write " +
                             number_text(std::round(wheel->ks / body.mass * 1000) / 1000),
                         element.first_child("SuspensionKs").path() + "/@value");
}

}  // namespace

void read_devices(const xml::Element& section, const NameTable& bodies, Robot& robot, Diagnostics& diagnostics) {
  xml::ElementReader reader(section, diagnostics);
  Known known{bodies, {}, {}};
  std::vector<std::pair<Device, xml::Element>> devices;
  for (const xml::Element& element : reader.all_children()) {
    const auto row = std::find_if(std::begin(kDevices), std::end(kDevices),
                                  [&](const auto& entry) { return entry.first == element.name(); });
    if (row == std::end(kDevices)) {
      std::vector<std::string_view> names;
      for (const auto& entry : kDevices) names.push_back(entry.first);
      report_unknown(element, names, diagnostics);
      if (const auto name = element.attribute("name")) known.drives.emplace(*name, "");  // may have been meant as one
      continue;
    }
    if (element.name() == "DriveActuator")
      if (const auto name = element.attribute("name"))
        known.drives.emplace(*name, element.first_child("Part").attribute("name").value_or(""));
    if (auto device = read_device(element, row->second, known, diagnostics)) devices.emplace_back(std::move(*device), element);
  }
  std::vector<const Device*> all;
  std::vector<Device*> accepted;
  for (const auto& [device, element] : devices) all.push_back(&device);
  for (auto& [device, element] : devices) {
    if (!check_wheel(device, element, known, diagnostics)) continue;
    check_brake(device, element, robot, diagnostics);
    check_stiffness(device, element, robot, diagnostics);
    check_bars(device, element, all, diagnostics);
    accepted.push_back(&device);
  }
  for (Device* device : accepted) robot.devices.push_back(std::move(*device));
  reader.finish();
}

}  // namespace simbatch::autosim::detail
