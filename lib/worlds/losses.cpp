#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lib/robots/codes.hpp"
#include "lib/worlds/models_of.hpp"
#include "lib/worlds/wheels.hpp"

namespace simbatch::worlds {
namespace {

bool is_wheel(const autosim::Device& device) { return std::holds_alternative<autosim::WheelDevice>(device.kind); }

/// "PSDSensor (2), GPSSensor" of a robot, at its first device; wheels and what drives them apart from the rest.
void report_devices(const scenario::ScenarioRobot& robot, Diagnostics& problems) {
  const std::vector<autosim::Device>& devices = robot.robot.devices;
  const auto wheel = std::find_if(devices.begin(), devices.end(), is_wheel);
  if (wheel != devices.end())
    problems.report_in(
        robot.file, robots::code::kLossDevice, wheel->place.at,
        fmt::format("the wheels of {} become links on joints: their suspensions, tires, engine and brakes are lost{}",
                    quoted(robot.name),
                    has_self_collision(robot.robot) ? ", and its parts do not collide with each other any more" : ""));
  std::map<std::string_view, std::size_t> counts;
  for (const autosim::Device& device : devices)
    if (wheel == devices.end() || !(is_wheel(device) || std::holds_alternative<autosim::DriveActuator>(device.kind)))
      ++counts[autosim::type_name(device)];
  if (counts.empty()) return;
  std::string text;
  for (const auto& [type, count] : counts)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", type, count == 1 ? "" : fmt::format(" ({})", count));
  problems.report_in(robot.file, robots::code::kLossDevice, robot.robot.devices.front().place.at,
                     fmt::format("the devices of {} are lost: {}", quoted(robot.name), text));
}

void report_fluid(const scenario::ScenarioRobot& robot, Diagnostics& problems) {
  for (const autosim::Body& body : robot.robot.bodies) {
    if (*body.fluid == autosim::Fluid{}) continue;
    problems.report_in(robot.file, robots::code::kLossDevice, body.place.at,
                       fmt::format("buoyancy and drag of {} are lost", quoted(robot.name)));
    return;
  }
}

/// Other simulators refuse a tensor that no solid has; AutoSim's files may have any.
void report_inertias(const scenario::ScenarioRobot& robot, Diagnostics& problems) {
  for (const autosim::Body& body : robot.robot.bodies) {
    if (!body.inertia) continue;
    const robots::Tensor tensor{body.inertia->x,         body.inertia->y,         body.inertia->z,
                                body.inertia_products.x, body.inertia_products.y, body.inertia_products.z};
    if (robots::is_physical(tensor)) continue;
    problems.report_in(
        robot.file, robots::code::kLossInertia, body.place.at,
        fmt::format("no solid has the moments of inertia of {}: the largest is more than the sum of the others, which is "
                    "written in its place",
                    quoted(body.name)));
  }
}

}  // namespace

void report_losses(const scenario::ScenarioFiles& files, const std::string& scenario, Diagnostics& problems) {
  for (const scenario::ScenarioRobot& robot : files.robots) {
    report_devices(robot, problems);
    report_fluid(robot, problems);
    report_inertias(robot, problems);
  }
  const auto lose = [&](bool has, Position at, const char* what) {
    if (has) problems.report_in(scenario, robots::code::kLossScenario, at, fmt::format("{} of the scenario are lost", what));
  };
  for (const autosim::RobotEntry& entry : files.world.robots) {
    const Position at = entry.place.at;
    const bool acts =
        !entry.controls.empty() || !entry.programs.empty() || entry.mission || !(entry.motion == autosim::StartMotion{});
    if (acts)
      problems.report_in(
          scenario, robots::code::kLossScenario, at,
          fmt::format("settings in time, programs, mission and start velocity of {} are lost", quoted(entry.name)));
  }
  for (const autosim::StaticObject& object : files.world.statics)
    if (!(object.motion == autosim::StartMotion{}))
      problems.report_in(scenario, robots::code::kLossScenario, object.place.at,
                         fmt::format("the start velocity of {} is lost", quoted(object.name)));
  const autosim::Expectations& expectations = files.world.expectations;
  lose(!expectations.expects.empty(), expectations.place.at, "the expectations");
  if (files.world.physics.water) lose(true, files.world.physics.water->place.at, "water and its currents");
}

}  // namespace simbatch::worlds
