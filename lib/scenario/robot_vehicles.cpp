// Vehicles of robots: drives with their wheels, and the hosts of missions.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/drive_limits.hpp"
#include "lib/scenario/robot.hpp"
#include "lib/vehicle/drive_train.hpp"

namespace simbatch::scenario::detail {
namespace {

constexpr double kPerRpm = std::numbers::pi / 30;  // rad/s

vehicle::TireSettings tire_of(const autosim::Tyre& from) {
  vehicle::TireSettings tire;
  tire.stiffness = from.stiffness;
  tire.stiffness_ratio = from.longitudinal;
  tire.friction = from.model == autosim::Tyre::Model::linear ? std::numeric_limits<double>::infinity() : from.friction;
  tire.sliding_friction = from.model == autosim::Tyre::Model::linear ? -1 : from.sliding_friction;
  tire.sliding_speed = from.sliding_speed;
  tire.load_sensitivity = from.model == autosim::Tyre::Model::linear ? 0 : from.load_sensitivity;
  tire.nominal_load = from.nominal_load;
  tire.relaxation_length_x = from.relaxation_x;
  tire.relaxation_length_y = from.relaxation_y;
  tire.rolling_resistance = from.rolling_resistance;
  if (from.model == autosim::Tyre::Model::magic)
    tire.curve = vehicle::MagicFormula{from.stiffness / (from.shape * from.friction), from.shape, from.curvature};
  return tire;
}

physics::WheelSettings wheel_of(const WheelEntry& wheel, double mass) {
  const auto& from = std::get<autosim::WheelDevice>(wheel.device->kind);
  physics::WheelSettings settings;
  settings.name = wheel.device->name;
  settings.position = vec(from.position);
  settings.radius = from.radius;
  settings.width = from.width;
  settings.rest_length = from.rest_length;
  settings.stiffness = from.ks;
  settings.damping = from.kd;
  if (const auto& s = from.suspension) {
    settings.stiffness = s->stiffness / mass;
    settings.damping = s->damping / mass;
    settings.bump_stop = s->bump_stop;
    settings.bump_rate = s->bump_stiffness;
    settings.roll_center = s->roll_center;
  }
  if (from.friction) settings.tire.friction = *from.friction;
  if (from.tyre) settings.tire = tire_of(*from.tyre);
  settings.inertia = from.inertia;
  settings.roll_influence = from.roll_influence.value_or(from.tyre ? 1 : settings.roll_influence);
  if (from.max_suspension_force) settings.max_force = *from.max_suspension_force;
  settings.powered = from.powered;
  settings.steered = from.steering;
  settings.braked = from.brakes;
  return settings;
}

vehicle::DriveTrainSettings train_of(const autosim::DriveActuator& from) {
  vehicle::DriveTrainSettings train;
  const autosim::Engine& engine = *from.engine;
  for (const autosim::TorquePoint& point : engine.curve) train.engine.curve.emplace_back(point.speed * kPerRpm, point.torque);
  train.engine.inertia = engine.inertia;
  train.engine.idle = engine.idle * kPerRpm;
  train.engine.limit = engine.limit * kPerRpm;
  train.engine.brake_torque = engine.brake_torque;
  train.engine.brake_slope = engine.brake_slope / (1000 * kPerRpm);
  const autosim::Gearbox gearbox = from.gearbox.value_or(autosim::Gearbox{{1}});
  train.gearbox.ratios = gearbox.gears;
  train.gearbox.reverse = gearbox.reverse;
  train.gearbox.final_ratio = gearbox.final_ratio;
  train.gearbox.efficiency = gearbox.efficiency;
  train.gearbox.shift_up = gearbox.shift_up * kPerRpm;
  train.gearbox.shift_down = gearbox.shift_down * kPerRpm;
  train.gearbox.shift_time = gearbox.shift_time;
  if (from.differential) {
    train.differential = static_cast<vehicle::Differential>(from.differential->kind);
    train.lock_torque = from.differential->lock_torque;
    train.front_share = from.differential->front_share;
  }
  return train;
}

/// Settings of the drive other than its wheels. @param names  of the wheels
void apply_drive(const autosim::DriveActuator& from, const std::vector<std::string>& names, physics::VehicleSettings& vehicle) {
  if (from.steering) {
    vehicle.ackermann = from.steering->ackermann;
    if (from.steering->rate) vehicle.steering_rate = geo::radians(*from.steering->rate) / from.steering->ratio;
  }
  const auto number = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (const autosim::AntiRollBar& bar : from.bars)
    if (number(bar.left) < names.size() && number(bar.right) < names.size() && bar.left != bar.right)
      vehicle.bars.push_back({number(bar.left), number(bar.right), bar.stiffness});
  if (from.engine) vehicle.train = train_of(from);
  if (from.brakes)
    vehicle.brakes = {from.brakes->front_share.value_or(-1), from.brakes->anti_lock, from.brakes->anti_lock_slip};
  if (from.air) vehicle.air = {from.air->drag, from.air->lift_front, from.air->lift_rear, from.air->height};
}

void warn_of_large_step(const Site& site, const RobotParts& robot, const DriveEntry& drive,
                        const physics::VehicleSettings& vehicle) {
  const double dt = site.simulation.settings().physics.dt;
  for (const physics::CoarseStep& coarse : physics::check_step(vehicle, site.simulation.world().mass(drive.part.body), dt))
    site.files.report(
        code::kStep, robot.file.path, drive.device->place.at,
        "a step of " + number_text(dt) + " s is too large to show the motion of the springs of " + quoted(drive.node->name()) +
            " (" + coarse.what + ")" +
            (std::isfinite(coarse.largest_dt) ? ": at most " + number_text(std::floor(coarse.largest_dt * 1e5) / 1e5) + " s"
                                              : std::string("; so is any other")));
}

void add_vehicle(const Site& site, const RobotParts& robot, const RobotDevices& devices, const DriveEntry& drive,
                 Scene& scene) {
  physics::VehicleSettings vehicle;
  vehicle.name = drive.node->name();
  std::vector<const WheelEntry*> wheels;
  std::vector<std::string> names;
  std::vector<DeviceNode*> nodes;
  const double mass = site.simulation.world().mass(drive.part.body).mass;
  for (const WheelEntry& wheel : devices.wheels) {
    if (!drive.owns(wheel)) continue;
    vehicle.wheels.push_back(wheel_of(wheel, mass));
    names.push_back(wheel.device->name);
    wheels.push_back(&wheel);
    nodes.push_back(wheel.node);
  }
  if (vehicle.wheels.empty()) {
    if (!robot.file.broken)
      site.files.report(code::kNoWheels, robot.file.path, drive.device->place.at,
                        "the DriveActuator " + quoted(drive.device->name) + " has no WheelDevice and moves nothing");
    return;
  }
  apply_drive(std::get<autosim::DriveActuator>(drive.device->kind), names, vehicle);
  warn_of_large_step(site, robot, drive, vehicle);
  check_wheels(site, robot, drive, wheels);
  const physics::VehicleId id = site.simulation.world().add_vehicle(drive.part.body, std::move(vehicle));
  site.assembly.devices->attach_wheels(*drive.node, id, nodes);
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const autosim::Device& wheel = *wheels[i]->device;
    scene.appearance.wheels[{static_cast<std::uint32_t>(id), i}] =
        site.files.model_of(std::get<autosim::WheelDevice>(wheel.kind).model.get(), robot.file.path, wheel.place.at);
  }
}

/// The first GPS and the first compass of a part; nothing if either is missing.
std::optional<NavigationSensors> sensors_of(const Site& site, const RobotParts& robot, const std::string& part) {
  NavigationSensors sensors;
  for (const autosim::Device& device : robot.file.robot.devices) {
    if (device.part != part) continue;
    const auto* node =
        dynamic_cast<const DeviceNode*>(site.simulation.tree().find(robot.node->name() + "." + part + "." + device.name));
    if (const auto* gps = std::get_if<autosim::GPSSensor>(&device.kind); gps != nullptr && sensors.gps == nullptr) {
      sensors.gps = node;
      sensors.antenna = vec(gps->position);
    }
    if (const auto* compass = std::get_if<autosim::CompassSensor>(&device.kind);
        compass != nullptr && sensors.compass == nullptr) {
      sensors.compass = node;
      sensors.compass_offset = std::atan2(compass->axis.x, compass->axis.z);
    }
  }
  if (sensors.gps == nullptr || sensors.compass == nullptr) return std::nullopt;
  return sensors;
}

/// Lets a drive steer a host, if it has steered, unsteered and powered wheels.
void use_drive(const DriveEntry& drive, const RobotDevices& devices, double mass, MissionHost& host) {
  const auto& settings = std::get<autosim::DriveActuator>(drive.device->kind);
  double front = 0, rear = 0, steered = 0, others = 0, powered = 0, radius = 0;
  for (const WheelEntry& wheel : devices.wheels) {
    if (!drive.owns(wheel)) continue;
    const auto& from = std::get<autosim::WheelDevice>(wheel.device->kind);
    (from.steering ? front : rear) += from.position.z;
    (from.steering ? steered : others) += 1;
    powered += from.powered ? 1 : 0;
    radius = std::max(radius, from.radius);
  }
  if (steered == 0 || others == 0 || powered == 0) return;
  const double force = full_force(settings, radius, powered);
  if (force <= 0) return;
  host.drive = drive.node;
  host.wheelbase = std::abs(front / steered - rear / others);
  host.steering_angle = full_steering(settings);
  host.full_acceleration = force * powered / mass;
}

}  // namespace

void add_vehicles(const Site& site, const RobotParts& robot, const RobotDevices& devices, Scene& scene) {
  for (const DriveEntry& drive : devices.drives) add_vehicle(site, robot, devices, drive, scene);
}

std::optional<MissionHost> mission_host(const Site& site, const RobotParts& robot, const RobotDevices& devices) {
  const autosim::Mission& mission = *robot.entry.mission;
  if (robot.file.broken || robot.parts.empty()) return std::nullopt;  // reported where they are
  const std::string& name = mission.part.empty() ? robot.parts.front().first : mission.part;
  const PartRef* on = robot.part(name);
  if (on == nullptr) {
    site.files.report(code::kMissionPart, mission.place.at,
                      "robot " + quoted(robot.entry.name) + " has no part " + quoted(name) + ", which its mission names");
    return std::nullopt;
  }
  if (robot.is_fixed(name)) {
    site.files.report(code::kFixed, mission.place.at,
                      quoted(name) + " of " + quoted(robot.entry.name) + " is fixed, and cannot follow a mission");
    return std::nullopt;
  }
  MissionHost host;
  host.robot = robot.node;
  host.part = *on;
  host.sensors = sensors_of(site, robot, name);
  for (const BodyPlan& plan : robot.plans)
    if (plan.from->name == name) host.fluid = fluid_of(*plan.from->fluid);
  for (const auto& [carrier, thruster] : devices.propellers)
    if (carrier == name) host.thrusters.push_back(thruster);
  for (const DriveEntry& drive : devices.drives)
    if (drive.device->part == name) use_drive(drive, devices, site.simulation.world().mass(on->body).mass, host);
  return host;
}

}  // namespace simbatch::scenario::detail
