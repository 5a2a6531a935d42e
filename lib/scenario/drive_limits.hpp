#pragma once
/// The most that a DriveActuator does: for pilots, and for models in other formats.

#include "formats/autosim/robot.hpp"

namespace simbatch::scenario {

/// Full steering, rad: the drive's SteeringAngle, or kDefaultSteeringAngle.
double full_steering(const autosim::DriveActuator& drive);
/// The greatest force on one powered wheel, N: MotorForce, or that of the engine in first gear.
/// @param radius   of the wheel, m, > 0
/// @param powered  number of wheels that share an engine, > 0
double full_force(const autosim::DriveActuator& drive, double radius, double powered);

}  // namespace simbatch::scenario
