// PI control with the model's drag as feed-forward (Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2011,
// section 12.2), an integral with bounds against windup; depth by PID with the climb rate as derivative. Cars: the kinematic
// bicycle model for the steering, PI control of the speed. The gains are our own.

#include "lib/sim/mission/pilot.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::sim {

namespace {
double drag_force(double linear, double quadratic, double v) { return (linear + quadratic * std::abs(v)) * v; }

// Gains of the loops (1/s; 1/s^2 of the integrals): slower than a propeller's lag of about 0.15 s by a factor of three.
constexpr double kSurge = 1.5, kSurgeIntegral = 0.4;
constexpr double kTurn = 2.0, kTurnIntegral = 0.6;
constexpr double kHeight = 0.4, kClimb = 1.2, kHeightIntegral = 0.04;
constexpr double kMaxIntegral = 0.3;   // m/s^2, rad/s^2
constexpr double kMaxHeightError = 2;  // m; and of its integral, m/s^2
// Gains for a drive on wheels.
// m/s, minimum in the bicycle model: at rest any angle would fit
constexpr double kMinSteeringSpeed = 0.3;
constexpr double kLowestIntegral = -0.5, kHighestIntegral = 2;  // m/s^2
constexpr double kCoasting = 0.5;                               // m/s^2 of deceleration achieved without the brake
constexpr double kFullBrake = 5;                                // additional m/s^2 at full brake
}  // namespace

void ThrusterPilot::steer(const PilotOrder& order, const PilotState& state, double dt) {
  const double surge_error = order.surge - state.surge, turn_error = order.turn_rate - state.turn_rate;
  // Integrals are 0 while the vehicle is stopped, and bounded against windup.
  surge_sum_ = order.surge > 0 ? std::clamp(surge_sum_ + kSurgeIntegral * surge_error * dt, -kMaxIntegral, kMaxIntegral) : 0;
  turn_sum_ = std::clamp(turn_sum_ + kTurnIntegral * turn_error * dt, -kMaxIntegral, kMaxIntegral);
  const double surge =
      mass_ * (kSurge * surge_error + surge_sum_) + drag_force(drag_.linear_drag.z, drag_.quadratic_drag.z, order.surge);
  const double turn = inertia_ * (kTurn * turn_error + turn_sum_) +
                      drag_force(drag_.angular_linear_drag.y, drag_.angular_quadratic_drag.y, order.turn_rate);
  double heave = 0;
  if (order.height && allocation_.can_heave()) {
    const double error = *order.height - state.height;
    const double bounded = std::clamp(error, -kMaxHeightError, kMaxHeightError);
    height_sum_ = std::clamp(height_sum_ + kHeightIntegral * bounded * dt, -kMaxHeightError, kMaxHeightError);
    heave = mass_ * (kHeight * bounded - kClimb * state.climb + height_sum_);
  } else {
    height_sum_ = 0;
  }
  allocation_.apply(surge, heave, turn);
}

void ThrusterPilot::hash_state(StateHash& hash) const {
  const double values[] = {surge_sum_, turn_sum_, height_sum_};
  hash.add(values);
}

DrivePilot::DrivePilot(DeviceNode& drive, double wheelbase, double steering_angle, double full_acceleration)
    : drive_(drive),
      wheelbase_(wheelbase),
      steering_angle_(steering_angle),
      full_acceleration_(full_acceleration),
      acceleration_(drive.find_input("acceleration")),
      steering_(drive.find_input("steering")),
      brake_(drive.find_input("brake")) {}

void DrivePilot::steer(const PilotOrder& order, const PilotState& state, double dt) {
  const double angle = std::atan(wheelbase_ * order.turn_rate / std::max(state.surge, kMinSteeringSpeed));
  drive_.set(steering_, std::clamp(angle / steering_angle_, -1.0, 1.0));
  const double error = order.surge - state.surge;
  surge_sum_ = order.surge > 0 ? std::clamp(surge_sum_ + kSurgeIntegral * error * dt, kLowestIntegral, kHighestIntegral) : 0;
  const double wanted = kSurge * error + surge_sum_;
  const bool stop = order.surge <= 0;
  drive_.set(acceleration_, stop ? 0 : std::clamp(wanted / full_acceleration_, 0.0, 1.0));
  drive_.set(brake_, stop ? 1 : std::clamp(-(wanted + kCoasting) / kFullBrake, 0.0, 1.0));
}

void DrivePilot::hash_state(StateHash& hash) const {
  const double values[] = {surge_sum_};
  hash.add(values);
}

}  // namespace simbatch::sim
