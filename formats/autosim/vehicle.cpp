// Drives and wheels of Robot files. Each element has one table of attributes, used for reading and writing. Source: thesis,
// C.3, for DriveActuator and WheelDevice; docs/robot.md for our extensions.

#include "formats/autosim/vehicle.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/xml/codes.hpp"
#include "formats/autosim/read_vehicle.hpp"

namespace simbatch::autosim::detail {
namespace {

constexpr std::array<std::string_view, 3> kTyreModels = {"linear", "brush", "magic"};
constexpr std::array<std::string_view, 3> kDifferentials = {"open", "locked", "limited"};

template <class T>
struct Attribute {
  std::string_view name;
  double T::*member;
  xml::Range range;
  bool required = false;
};

const xml::Range kPositive = xml::Range::positive(), kNotNegative = xml::Range::not_negative(), kShare = {0, 1, false, false},
                 kAny = {};

const Attribute<Tyre> kTyre[] = {
    {"stiffness", &Tyre::stiffness, {0, 1000, true, false}},
    {"longitudinal", &Tyre::longitudinal, {0, 100, true, false}},
    {"friction", &Tyre::friction, {0, 100, true, false}},
    {"slidingFriction", &Tyre::sliding_friction, {0, 100, false, false}},
    {"slidingSpeed", &Tyre::sliding_speed, kPositive},
    {"loadSensitivity", &Tyre::load_sensitivity, kShare},
    {"nominalLoad", &Tyre::nominal_load, kPositive},
    {"relaxationX", &Tyre::relaxation_x, {0.001, 100, false, false}},
    {"relaxationY", &Tyre::relaxation_y, {0.001, 100, false, false}},
    {"rollingResistance", &Tyre::rolling_resistance, kShare},
    {"shape", &Tyre::shape, {1, 2, false, false}},
    {"curvature", &Tyre::curvature, {-100, 1, false, false}},
};
const Attribute<Suspension> kSuspension[] = {
    {"stiffness", &Suspension::stiffness, kPositive, true},
    {"damping", &Suspension::damping, kNotNegative, true},
    {"bumpStop", &Suspension::bump_stop, kNotNegative},
    {"bumpStiffness", &Suspension::bump_stiffness, kNotNegative},
    {"rollCenter", &Suspension::roll_center, {-10, 10, false, false}},
};
const Attribute<Engine> kEngine[] = {
    {"inertia", &Engine::inertia, kNotNegative},
    {"idle", &Engine::idle, kPositive},
    {"limit", &Engine::limit, kPositive},
    {"brakeTorque", &Engine::brake_torque, kNotNegative},
    {"brakeSlope", &Engine::brake_slope, kNotNegative},
};
const Attribute<Gearbox> kGearbox[] = {
    {"reverse", &Gearbox::reverse, kPositive},         {"final", &Gearbox::final_ratio, kPositive},
    {"efficiency", &Gearbox::efficiency, kShare},      {"shiftUp", &Gearbox::shift_up, kPositive},
    {"shiftDown", &Gearbox::shift_down, kNotNegative}, {"shiftTime", &Gearbox::shift_time, kNotNegative},
};
const Attribute<Differential> kDifferential[] = {
    {"lockTorque", &Differential::lock_torque, kNotNegative},
    {"frontShare", &Differential::front_share, kShare},
};
const Attribute<Aerodynamics> kAerodynamics[] = {
    {"drag", &Aerodynamics::drag, kNotNegative},
    {"liftFront", &Aerodynamics::lift_front, kAny},
    {"liftRear", &Aerodynamics::lift_rear, kAny},
    {"height", &Aerodynamics::height, kAny},
};

template <class T>
void read_attributes(xml::ElementReader& reader, std::span<const Attribute<T>> table, T& into) {
  for (const Attribute<T>& a : table)
    if (const auto value = a.required ? reader.required_number(a.name, a.range) : reader.number(a.name, a.range))
      into.*a.member = *value;
}

template <class T>
void write_attributes(xml::Writer& writer, std::span<const Attribute<T>> table, const T& from) {
  const T fallback;
  for (const Attribute<T>& a : table)
    if (a.required || from.*a.member != fallback.*a.member) writer.attribute(a.name, from.*a.member);
}

/// Reads an element that has only attributes, except for the children read by `more`.
template <class T, std::size_t N, class More>
std::optional<T> read_element(BlockReader& block, std::string_view name, const Attribute<T> (&table)[N], More more) {
  const auto element = block.reader().child(name);
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  T value;
  read_attributes(reader, std::span<const Attribute<T>>(table), value);
  more(reader, value);
  reader.finish();
  return value;
}

std::optional<Tyre> read_tyre(BlockReader& block) {
  return read_element(block, "Tyre", kTyre, [](xml::ElementReader& reader, Tyre& tyre) {
    tyre.model = static_cast<Tyre::Model>(reader.choice("model", kTyreModels).value_or(1));
    const xml::Element element = reader.element();
    if (tyre.model == Tyre::Model::linear && element.attribute("friction"))
      reader.report(code::kConflict, "friction",
                    "a linear tire has no friction to be limited by; expected model=\"brush\" or \"magic\"");
  });
}

std::optional<Suspension> read_suspension(BlockReader& block) {
  for (const std::string_view old : {"SuspensionKs", "SuspensionKd"})
    if (block.has("Suspension") && block.has(old))
      block.report(code::kConflict, old,
                   "wheel " + quoted(block.name()) + " has both " + std::string(old) +
                       " (per kilogram of the part) and Suspension (N/m and N s/m), expected one of them");
  return read_element(block, "Suspension", kSuspension, [](xml::ElementReader&, Suspension&) {});
}

void read_curve(xml::ElementReader& reader, Diagnostics& diagnostics, Engine& engine) {
  for (const xml::Element& element : reader.children("Torque")) {
    xml::ElementReader point(element, diagnostics);
    const auto speed = point.required_number("speed", kNotNegative), torque = point.required_number("torque", kNotNegative);
    if (speed && !engine.curve.empty() && *speed <= engine.curve.back().speed)
      point.report(code::kOrder, "speed", "the speeds of an engine's torques do not rise");
    if (speed && torque) engine.curve.push_back({*speed, *torque});
    point.finish();
  }
}

std::optional<Engine> read_engine(BlockReader& block) {
  auto engine = read_element(block, "Engine", kEngine, [&](xml::ElementReader& reader, Engine& e) {
    read_curve(reader, block.diagnostics(), e);
    if (reader.ok() && e.limit <= e.idle) reader.report(code::kOrder, "limit", "an engine's limit is not above its idle speed");
  });
  if (engine && engine->curve.empty() && block.ok())
    block.report(xml::code::kElementMissing, "Engine", "<Engine> needs a <Torque speed= torque=/> or more");
  if (engine && block.has("MotorForce"))
    block.report(code::kConflict, "MotorForce",
                 "drive " + quoted(block.name()) + " has both MotorForce and Engine, expected one of them");
  return engine;
}

std::optional<Gearbox> read_gearbox(BlockReader& block) {
  auto gearbox = read_element(block, "Gearbox", kGearbox, [&](xml::ElementReader& reader, Gearbox& g) {
    for (const xml::Element& element : reader.children("Gear")) {
      xml::ElementReader gear(element, block.diagnostics());
      if (const auto ratio = gear.required_number("ratio", kPositive)) g.gears.push_back(*ratio);
      gear.finish();
    }
    if (reader.ok() && g.shift_down >= g.shift_up) reader.report(code::kOrder, "shiftDown", "shiftDown is not below shiftUp");
  });
  if (gearbox && gearbox->gears.empty() && block.ok())
    block.report(xml::code::kElementMissing, "Gearbox", "<Gearbox> needs at least one <Gear ratio=/>");
  return gearbox;
}

std::optional<Steering> read_steering(BlockReader& block) {
  const auto element = block.reader().child("Steering");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  Steering steering;
  steering.ackermann = reader.number("ackermann", kShare).value_or(1);
  steering.rate = reader.number("rate", kPositive);
  steering.ratio = reader.number("ratio", kPositive).value_or(1);
  reader.finish();
  return steering;
}

std::optional<Brakes> read_brakes(BlockReader& block) {
  const auto element = block.reader().child("Brakes");
  if (!element) return std::nullopt;
  xml::ElementReader reader(*element, block.diagnostics());
  Brakes brakes;
  brakes.front_share = reader.number("frontShare", kShare);
  brakes.anti_lock = reader.boolean("antiLock").value_or(false);
  brakes.anti_lock_slip = reader.number("antiLockSlip", {0, 1, true, false}).value_or(brakes.anti_lock_slip);
  reader.finish();
  return brakes;
}

std::vector<AntiRollBar> read_bars(BlockReader& block) {
  std::vector<AntiRollBar> bars;
  for (const xml::Element& element : block.reader().children("AntiRollBar")) {
    xml::ElementReader reader(element, block.diagnostics());
    AntiRollBar bar;
    bar.left = reader.required_string("left").value_or("");
    bar.right = reader.required_string("right").value_or("");
    bar.stiffness = reader.required_number("stiffness", kPositive).value_or(0);
    reader.finish();
    if (!bar.left.empty() && bar.left == bar.right)
      reader.report(code::kConflict, "right", "an AntiRollBar joins two different wheels");
    bars.push_back(std::move(bar));
  }
  return bars;
}

}  // namespace

DriveActuator read_drive(BlockReader& block) {
  DriveActuator drive;
  drive.engine = read_engine(block);
  drive.motor_force =
      drive.engine ? block.number("MotorForce", 0, kNotNegative) : block.required_number("MotorForce", kNotNegative);
  drive.brake_force = block.required_number("BrakeForce", kNotNegative);
  drive.steering_angle = block.optional_number("SteeringAngle", {0, 90, true, true});
  drive.steering = read_steering(block);
  drive.gearbox = read_gearbox(block);
  drive.differential = read_element(block, "Differential", kDifferential, [](xml::ElementReader& reader, Differential& d) {
    d.kind = static_cast<Differential::Kind>(reader.choice("kind", kDifferentials).value_or(0));
  });
  for (const std::string_view name : {"Gearbox", "Differential"})
    if (!drive.engine && block.has(name))
      block.report(code::kConflict, name, "a " + std::string(name) + " needs an <Engine>; MotorForce acts at the wheels");
  drive.brakes = read_brakes(block);
  drive.bars = read_bars(block);
  drive.air = read_element(block, "Aerodynamics", kAerodynamics, [](xml::ElementReader&, Aerodynamics&) {});
  return drive;
}

WheelDevice read_wheel(BlockReader& block) {
  WheelDevice wheel;
  wheel.drive_actuator = block.required_text("DriveActuator", "name");
  wheel.position = block.required_vector("Position");
  wheel.radius = block.required_number("Radius", kPositive);
  wheel.width = block.required_number("Width", kPositive);
  wheel.rest_length = block.required_number("SuspensionRestLength", kNotNegative);
  wheel.suspension = read_suspension(block);
  if (!wheel.suspension) {
    wheel.ks = block.required_number("SuspensionKs", kPositive);
    wheel.kd = block.required_number("SuspensionKd", kNotNegative);
  } else {
    block.reader().allow_child("SuspensionKs");
    block.reader().allow_child("SuspensionKd");
  }
  wheel.powered = block.required_boolean("Powered");
  wheel.steering = block.required_boolean("Steering");
  wheel.brakes = block.required_boolean("Brakes");
  wheel.friction = block.optional_number("Friction", kNotNegative);
  wheel.max_suspension_force = block.optional_number("MaxSuspensionForce", kPositive);
  wheel.tyre = read_tyre(block);
  if (wheel.tyre && wheel.friction)
    block.report(code::kConflict, "Friction",
                 "wheel " + quoted(block.name()) + " has both Friction and Tyre, expected one of them");
  wheel.inertia = block.number("Inertia", 0, kNotNegative);
  wheel.roll_influence = block.optional_number("RollInfluence", kShare);
  wheel.model = block.model();
  return wheel;
}

void check_bars(const Device& device, const xml::Element& element, const std::vector<const Device*>& devices,
                Diagnostics& diagnostics) {
  const auto* drive = std::get_if<DriveActuator>(&device.kind);
  if (drive == nullptr || drive->bars.empty()) return;
  std::vector<std::string_view> names;
  for (const Device* other : devices)
    if (const auto* wheel = std::get_if<WheelDevice>(&other->kind); wheel != nullptr && wheel->drive_actuator == device.name)
      names.push_back(other->name);
  std::size_t i = 0;
  for (const xml::Element& child : element.children()) {
    if (child.name() != "AntiRollBar" || i >= drive->bars.size()) continue;
    const AntiRollBar& bar = drive->bars[i++];
    for (const auto& [attribute, name] :
         {std::pair<std::string_view, const std::string*>{"left", &bar.left}, {"right", &bar.right}})
      if (!name->empty() && std::find(names.begin(), names.end(), *name) == names.end())
        diagnostics.report(
            code::kReference, child.attribute_position(attribute),
            "there is no WheelDevice " + quoted(*name) + " of the drive " + quoted(device.name) + did_you_mean(*name, names),
            child.path() + "/@" + std::string(attribute));
  }
}

namespace {

template <class T, class Contents>
void write_element(xml::Writer& writer, std::string_view name, const std::optional<T>& value, Contents contents) {
  if (!value) return;
  writer.start(name);
  contents(*value);
  writer.end();
}

}  // namespace

void write_drive(xml::Writer& writer, const DriveActuator& drive) {
  if (!drive.engine) write_number(writer, "MotorForce", drive.motor_force);
  write_number(writer, "BrakeForce", drive.brake_force);
  write_number(writer, "SteeringAngle", drive.steering_angle);
  if (drive.steering) {
    writer.start("Steering");
    if (drive.steering->ackermann != 1) writer.attribute("ackermann", drive.steering->ackermann);
    if (drive.steering->rate) writer.attribute("rate", *drive.steering->rate);
    if (drive.steering->ratio != 1) writer.attribute("ratio", drive.steering->ratio);
    writer.end();
  }
  write_element(writer, "Engine", drive.engine, [&](const Engine& engine) {
    write_attributes(writer, std::span<const Attribute<Engine>>(kEngine), engine);
    for (const TorquePoint& point : engine.curve) {
      writer.start("Torque");
      writer.attribute("speed", point.speed);
      writer.attribute("torque", point.torque);
      writer.end();
    }
  });
  write_element(writer, "Gearbox", drive.gearbox, [&](const Gearbox& gearbox) {
    write_attributes(writer, std::span<const Attribute<Gearbox>>(kGearbox), gearbox);
    for (const double ratio : gearbox.gears) {
      writer.start("Gear");
      writer.attribute("ratio", ratio);
      writer.end();
    }
  });
  write_element(writer, "Differential", drive.differential, [&](const Differential& d) {
    writer.attribute("kind", kDifferentials[static_cast<std::size_t>(d.kind)]);
    write_attributes(writer, std::span<const Attribute<Differential>>(kDifferential), d);
  });
  if (drive.brakes) {
    writer.start("Brakes");
    if (drive.brakes->front_share) writer.attribute("frontShare", *drive.brakes->front_share);
    if (drive.brakes->anti_lock) writer.attribute("antiLock", "true");
    if (drive.brakes->anti_lock_slip != Brakes().anti_lock_slip) writer.attribute("antiLockSlip", drive.brakes->anti_lock_slip);
    writer.end();
  }
  for (const AntiRollBar& bar : drive.bars) {
    writer.start("AntiRollBar");
    writer.attribute("left", bar.left);
    writer.attribute("right", bar.right);
    writer.attribute("stiffness", bar.stiffness);
    writer.end();
  }
  write_element(writer, "Aerodynamics", drive.air, [&](const Aerodynamics& air) {
    write_attributes(writer, std::span<const Attribute<Aerodynamics>>(kAerodynamics), air);
  });
}

void write_wheel(xml::Writer& writer, const WheelDevice& wheel) {
  write_text(writer, "DriveActuator", "name", wheel.drive_actuator);
  write_vector(writer, "Position", wheel.position);
  write_number(writer, "Radius", wheel.radius);
  write_number(writer, "Width", wheel.width);
  write_number(writer, "SuspensionRestLength", wheel.rest_length);
  if (!wheel.suspension) {
    write_number(writer, "SuspensionKs", wheel.ks);
    write_number(writer, "SuspensionKd", wheel.kd);
  }
  write_element(writer, "Suspension", wheel.suspension,
                [&](const Suspension& s) { write_attributes(writer, std::span<const Attribute<Suspension>>(kSuspension), s); });
  write_flag(writer, "Powered", wheel.powered);
  write_flag(writer, "Steering", wheel.steering);
  write_flag(writer, "Brakes", wheel.brakes);
  write_number(writer, "Friction", wheel.friction);
  write_number(writer, "MaxSuspensionForce", wheel.max_suspension_force);
  write_element(writer, "Tyre", wheel.tyre, [&](const Tyre& tyre) {
    writer.attribute("model", kTyreModels[static_cast<std::size_t>(tyre.model)]);
    write_attributes(writer, std::span<const Attribute<Tyre>>(kTyre), tyre);
  });
  write_number_unless(writer, "Inertia", wheel.inertia, 0);
  write_number(writer, "RollInfluence", wheel.roll_influence);
  if (wheel.model) write_model(writer, "Model", *wheel.model);
}

}  // namespace simbatch::autosim::detail
