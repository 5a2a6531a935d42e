#pragma once
/// Forces that act along a joint's single degree of freedom: a spring with a damper, dry friction, rotor inertia, and a motor
/// with gains and a limit. Used by links between bodies (LinkSettings) and by joints of articulations (ArticulatedLink). Angles
/// in rad and torques in N m of revolute joints, lengths in m and forces in N of prismatic ones.

#include <limits>
#include <optional>

namespace simbatch::physics {

/// Passive elements of a joint; all 0 by default.
struct JointLoad {
  double stiffness = 0;  ///< N m/rad or N/m, >= 0: a spring towards `rest`
  double damping = 0;    ///< N m s/rad or N s/m, >= 0
  double rest = 0;       ///< rad or m: joint position at which the spring is relaxed
  double friction = 0;   ///< N m or N, >= 0: dry friction
  double rotor =
      0;  ///< kg m^2 or kg, >= 0: inertia that moves with the joint only (that of a rotor times its gear ratio squared)
};

/// A motor: its force is stiffness (target - position) + damping (speed - rate) + force, limited to +-max_force.
struct JointMotor {
  double stiffness = 0;  ///< N m/rad or N/m, >= 0
  /// N m s/rad or N s/m, >= 0. If absent: critical damping of the inertia that the joint moves if there is a stiffness;
  /// otherwise the speed is reached within one step, as far as max_force allows.
  std::optional<double> damping = 0;
  double target = 0;                                           ///< rad or m
  double speed = 0;                                            ///< rad/s or m/s
  double force = 0;                                            ///< N m or N
  double max_force = std::numeric_limits<double>::infinity();  ///< N m or N, >= 0
};

}  // namespace simbatch::physics
