#include "lib/scenario/drive_limits.hpp"

#include <algorithm>

#include "base/geo/geo.hpp"
#include "lib/sim/device/device_set.hpp"

namespace simbatch::scenario {

double full_steering(const autosim::DriveActuator& drive) {
  return drive.steering_angle ? geo::radians(*drive.steering_angle) : sim::kDefaultSteeringAngle;
}

double full_force(const autosim::DriveActuator& drive, double radius, double powered) {
  if (!drive.engine) return drive.motor_force;
  double torque = 0;
  for (const autosim::TorquePoint& point : drive.engine->curve) torque = std::max(torque, point.torque);
  const autosim::Gearbox gearbox = drive.gearbox.value_or(autosim::Gearbox{{1}});
  return torque * gearbox.gears.front() * gearbox.final_ratio * gearbox.efficiency / (radius * powered);
}

}  // namespace simbatch::scenario
