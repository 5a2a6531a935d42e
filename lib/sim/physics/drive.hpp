#pragma once
/// What moves, holds and brakes a joint along its one free motion: a spring with a damper, dry friction, a rotor, and a motor with
/// gains and a limit. The same for links between bodies (LinkSettings) and for joints of articulations (ArticulatedLink).
/// Angles in rad and torques in N m of revolute joints, lengths in m and forces in N of prismatic ones.

#include <limits>
#include <optional>

namespace simbatch::physics {

/// Passive parts of a joint; all of them are 0 in a plain one.
struct JointLoad {
  double stiffness = 0;  ///< N m/rad or N/m, >= 0: a spring towards `rest`
  double damping = 0;    ///< N m s/rad or N s/m, >= 0
  double rest = 0;       ///< rad or m: joint position at which the spring is slack
  double friction = 0;   ///< N m or N, >= 0: dry friction
  double rotor =
      0;  ///< kg m^2 or kg, >= 0: inertia that turns with the joint only (a rotor's, times the ratio of its gear squared)
};

/// A motor: pushes with stiffness (target - position) + damping (speed - rate) + force, but never with more than max_force.
struct JointMotor {
  double stiffness = 0;  ///< N m/rad or N/m, >= 0
  /// N m s/rad or N s/m, >= 0. Absent: with a stiffness, critical damping of what the joint moves; without one, the speed is
  /// reached within the step as far as max_force allows.
  std::optional<double> damping = 0;
  double target = 0;                                           ///< rad or m
  double speed = 0;                                            ///< rad/s or m/s
  double force = 0;                                            ///< N m or N
  double max_force = std::numeric_limits<double>::infinity();  ///< N m or N, >= 0
};

}  // namespace simbatch::physics
