// Vehicles of robots: drives with their wheels, and what carries out a mission.

#include <cmath>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/robot.hpp"

namespace simbatch::scenario::detail {
namespace {

physics::WheelSettings wheel_of(const WheelEntry& wheel) {
  const auto& from = std::get<autosim::WheelDevice>(wheel.device->kind);
  physics::WheelSettings settings;
  settings.name = wheel.device->name;
  settings.position = vec(from.position);
  settings.radius = from.radius;
  settings.width = from.width;
  settings.rest_length = from.rest_length;
  settings.stiffness = from.ks;
  settings.damping = from.kd;
  if (from.friction) settings.tire.friction = *from.friction;
  if (from.max_suspension_force) settings.max_force = *from.max_suspension_force;
  settings.powered = from.powered;
  settings.steered = from.steering;
  settings.braked = from.brakes;
  return settings;
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
  std::vector<DeviceNode*> nodes;
  for (const WheelEntry& wheel : devices.wheels) {
    if (!drive.owns(wheel)) continue;
    vehicle.wheels.push_back(wheel_of(wheel));
    wheels.push_back(&wheel);
    nodes.push_back(wheel.node);
  }
  if (vehicle.wheels.empty()) {
    if (!robot.file.broken)
      site.files.report(code::kNoWheels, robot.file.path, drive.device->place.at,
                        "the DriveActuator " + quoted(drive.device->name) + " has no WheelDevice and moves nothing");
    return;
  }
  warn_of_large_step(site, robot, drive, vehicle);
  check_wheels(site, robot, drive, wheels);
  const physics::VehicleId id = site.simulation.world().add_vehicle(drive.part.body, std::move(vehicle));
  site.assembly.devices->attach_wheels(*drive.node, id, nodes);
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const autosim::Device& wheel = *wheels[i]->device;
    scene.appearance.wheels[{static_cast<std::uint32_t>(id), i}] =
        site.files.model_of(std::get<autosim::WheelDevice>(wheel.kind).model, robot.file.path, wheel.place.at);
  }
}

/// Lets a host be steered by a drive, if that has steered, unsteered and powered wheels.
void use_drive(const DriveEntry& drive, const RobotDevices& devices, double mass, MissionHost& host) {
  const auto& settings = std::get<autosim::DriveActuator>(drive.device->kind);
  double front = 0, rear = 0, steered = 0, others = 0, powered = 0;
  for (const WheelEntry& wheel : devices.wheels) {
    if (!drive.owns(wheel)) continue;
    const auto& from = std::get<autosim::WheelDevice>(wheel.device->kind);
    (from.steering ? front : rear) += from.position.z;
    (from.steering ? steered : others) += 1;
    powered += from.powered ? 1 : 0;
  }
  if (steered == 0 || others == 0 || powered == 0 || settings.motor_force <= 0) return;
  host.drive = drive.node;
  host.wheelbase = std::abs(front / steered - rear / others);
  host.steering_angle = full_steering(settings);
  host.full_acceleration = settings.motor_force * powered / mass;
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
                      quoted(name) + " of " + quoted(robot.entry.name) + " is fixed, and sails no mission");
    return std::nullopt;
  }
  MissionHost host{robot.node, *on, {}, {}, nullptr, 0, 0, 0};
  for (const BodyPlan& plan : robot.plans)
    if (plan.from->name == name) host.fluid = fluid_of(plan.from->fluid);
  for (const auto& [carrier, thruster] : devices.propellers)
    if (carrier == name) host.thrusters.push_back(thruster);
  for (const DriveEntry& drive : devices.drives)
    if (drive.device->part == name) use_drive(drive, devices, site.simulation.world().mass(on->body).mass, host);
  return host;
}

}  // namespace simbatch::scenario::detail
