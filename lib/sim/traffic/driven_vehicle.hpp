#pragma once
/// Actuators of an autonomous object of a CajunBot file: a throttle and a steering, or (skid steering) a throttle and a lever
/// for each side, as actuators in the tree. The scenario or programs set them; otherwise the object does not move.
///
/// The file names the rates at which they move (strokes per second; a stroke is the travel from 0 to 1) and nothing else about
/// the drive. The rest is own: the setting of the throttle, times kTopSpeed, is the speed at which the powered wheels are held,
/// with at most kAcceleration for the whole vehicle, either way; full steering turns the front wheels by kSteeringAngle; a skid
/// vehicle's lever is the fraction of that speed for its side: its rims change their speed by kAcceleration, with as much force
/// as needed to drag the wheels around. With all settings at 0 the brakes are therefore on.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "lib/sim/device/device_node.hpp"
#include "lib/sim/physics/world.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/tree/tree.hpp"

namespace simbatch::sim {

inline constexpr double kTopSpeed = 13.4112;                  ///< m/s; 30 mph, the limit of the 2007 challenge's rules
inline constexpr double kAcceleration = 3;                    ///< m/s^2, at full force
inline constexpr double kSteeringAngle = 0.5235987755982988;  ///< rad (30 degrees) of the front wheels at steering 1
/// Rubber on dry ground: tire forces up to this fraction of the load. Without such a limit a skid vehicle could not turn.
inline constexpr double kTireFriction = 1;
/// Force on each wheel of a skid vehicle, as a fraction of the vehicle's weight: a wheel slides before its motor stalls.
inline constexpr double kSkidForce = 1;

struct DrivenSettings {
  bool skid = false;         ///< wheels by side; otherwise front wheels steer, rear wheels drive
  double throttle_rate = 0;  ///< strokes per second; <= 0: it never moves
  double lever_rate = 0;     ///< of the steering, or of each lever
  double mass = 0;           ///< kg, of the vehicle
};

class DrivenVehicle {
 public:
  /// Registers the actuators below `object`, each with the fields command (-1..1, set from outside) and value (its present
  /// position): "throttle" (positive: forward), and "steering" (positive: to the right) or "left_lever" and "right_lever"
  /// (positive: forward).
  /// @param vehicle  four wheels: front left, front right, rear left, rear right
  DrivenVehicle(Simulation& simulation, physics::VehicleId vehicle, TreeNode& object, const Source& source,
                const DrivenSettings& settings, Diagnostics& problems);
  /// Moves the actuators towards their commands for a step of dt (s), and sets the wheels' controls.
  void move_actuators(double dt);
  /// 0: throttle; 1: steering or left lever; 2: right lever (nullptr: none).
  DeviceNode* actuator(std::size_t i) const { return actuators_[i]; }
  const DrivenSettings& settings() const { return settings_; }

 private:
  double move(std::size_t actuator, double rate, double dt);
  Simulation& simulation_;
  physics::VehicleId vehicle_;
  DrivenSettings settings_;
  std::array<DeviceNode*, 3> actuators_{};
  std::array<double, 2> rims_{};  // of a skid vehicle: speeds of the left and right side (m/s)
};

}  // namespace simbatch::sim
