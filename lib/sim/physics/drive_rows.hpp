#pragma once
/// Impulses of a joint's load and motor in a step, for the solver's iterations. Internal to this room.
///
/// Over a step from n to n + 1 an element with stiffness k and damping c exerts the impulse g - E (v[n+1] - v[n]) with g = -dt
/// (k x[n] + c' v[n]); x is its deflection, v its rate. E and c' are chosen so that a single joint of inertia m follows the
/// exact solution of m x'' + c x' + k x = 0 at the ends of steps for any k, c and dt; bodies advance by x[n+1] = x[n] + dt
/// v[n+1]. The method is of second order in dt for every m, and cannot gain energy if m is at most the inertia that actually
/// moves.

#include <array>
#include <limits>

#include "lib/sim/physics/drive.hpp"

namespace simbatch::physics::detail {

/// Discrete counterpart of m x'' + c x' + k x = 0: (m + grip) (v+ - v) = -dt (k x + damping v).
struct Discrete {
  double grip = 0;     ///< E above
  double damping = 0;  ///< c' above
};
/// @param stiffness, damping  >= 0; mass > 0
Discrete discretize(double stiffness, double damping, double mass, double dt);

/// One joint in the solver.
class DriveRows {
 public:
  JointLoad load;
  std::optional<JointMotor> motor;

  /// At the start of a step.
  /// @param response  rate of the joint per unit impulse along it (1/kg m^2 or 1/kg), > 0
  /// @param mass      a lower bound of the inertia that the joint moves, whatever other joints do; > 0
  void begin(double position, double rate, double response, double mass, double dt);
  /// Additional impulse of all rows at the current rate. The caller applies it and passes the changed rate to the next call.
  double iterate(double rate);
  /// N m or N, mean over the last step: of the motor; of spring, damper, friction and rotor together.
  double motor_force() const { return motor ? rows_[1].impulse / dt_ : 0; }
  double load_force() const { return (rows_[0].impulse + rows_[2].impulse) / dt_; }

  struct Row {
    bool used = false;
    bool rigid = false;  // reaches `goal` within its limits
    double push = 0, grip = 0, goal = 0, limit = std::numeric_limits<double>::infinity();
    double impulse = 0;
    /// The missing impulse at this rate, if a unit impulse changes the joint's rate by `response`.
    double missing(double rate, double start, double response) const;
  };
  const std::array<Row, 3>& rows() const { return rows_; }  ///< load, motor, friction
  std::array<Row, 3>& rows() { return rows_; }
  double start_rate() const { return start_; }

 private:
  std::array<Row, 3> rows_;
  double start_ = 0, response_ = 1, dt_ = 1;
};

}  // namespace simbatch::physics::detail
