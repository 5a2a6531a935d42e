#pragma once
/// The inner loops of a mission's robot: from desired speed, turn rate and height to actuator settings.

#include <optional>

#include "lib/sim/fluid/fluid.hpp"
#include "lib/sim/mission/thrust.hpp"

namespace simbatch::sim {

/// Commands to a pilot.
struct PilotOrder {
  double surge = 0;              ///< m/s along the body's +z
  double turn_rate = 0;          ///< rad/s, clockwise seen from above (about +y)
  std::optional<double> height;  ///< y of the body's origin to keep (m)
};
/// Pose and motion of the body.
struct PilotState {
  double surge = 0, turn_rate = 0;  ///< as in the command
  double height = 0, climb = 0;     ///< y (m), its rate (m/s)
};

class Pilot {
 public:
  virtual ~Pilot() = default;
  virtual void steer(const PilotOrder& order, const PilotState& state, double dt) = 0;
  virtual bool can_dive() const { return false; }
  virtual void hash_state(StateHash&) const {}
};

/// Propellers: force and moment from the model's drag at the desired speeds (feed-forward), a proportional term and an
/// integral.
class ThrusterPilot final : public Pilot {
 public:
  /// @param mass, yaw_inertia  kg, kg m^2 about the body's y; @param drag  of the body
  ThrusterPilot(ThrustAllocation allocation, double mass, double yaw_inertia, const FluidSettings& drag)
      : allocation_(std::move(allocation)), mass_(mass), inertia_(yaw_inertia), drag_(drag) {}
  void steer(const PilotOrder& order, const PilotState& state, double dt) override;
  bool can_dive() const override { return allocation_.can_heave(); }
  void hash_state(StateHash& hash) const override;

 private:
  ThrustAllocation allocation_;
  double mass_, inertia_;
  FluidSettings drag_;
  double surge_sum_ = 0, turn_sum_ = 0, height_sum_ = 0;  // integrals, as accelerations
};

/// A drive with steered wheels: the wheel angle by the bicycle model, atan(wheelbase x turn rate / speed).
class DrivePilot final : public Pilot {
 public:
  /// @param wheelbase  m, between steered and other wheels, > 0; @param steering_angle  rad at steering 1
  /// @param full_acceleration  m/s^2 at acceleration 1
  DrivePilot(DeviceNode& drive, double wheelbase, double steering_angle, double full_acceleration);
  void steer(const PilotOrder& order, const PilotState& state, double dt) override;
  void hash_state(StateHash& hash) const override;

 private:
  DeviceNode& drive_;
  double wheelbase_, steering_angle_, full_acceleration_;
  std::size_t acceleration_, steering_, brake_;
  double surge_sum_ = 0;
};

}  // namespace simbatch::sim
