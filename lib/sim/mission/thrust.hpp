#pragma once
/// Allocates desired force and moment to a body's propellers.

#include <array>
#include <vector>

#include "lib/sim/device/device_set.hpp"

namespace simbatch::sim {

/// A propeller of a body, and its strength.
struct Thruster {
  DeviceNode* node = nullptr;
  PropellerSettings settings;
};

/// Distributes a desired wrench over thrusters by least squares: T = B' (B B' + e)^-1 w with B the thrusters' directions and
/// lever arms (Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2011, section 12.3). Components that no
/// thruster can produce are dropped. If one thruster would exceed its full thrust, all are reduced by the same factor, so that
/// the direction of the wrench is kept.
class ThrustAllocation {
 public:
  /// @param center  of mass, in the body's frame; reference of the lever arms
  ThrustAllocation(std::vector<Thruster> thrusters, geo::Vec3 center);

  bool can_surge() const { return can_[0]; }
  bool can_heave() const { return can_[1]; }
  bool can_yaw() const { return can_[2]; }

  /// Sets all thrusters.
  /// @param surge  N along the body's +z
  /// @param heave  N along its +y
  /// @param yaw    N m about its +y (positive turns +z towards +x: clockwise seen from above)
  void apply(double surge, double heave, double yaw) const;

  /// Largest steady thrust at setting 1 (N).
  static double full_thrust(const PropellerSettings& propeller);
  /// The setting whose steady thrust is `thrust`, not bounded; the dead zone is not compensated.
  static double setting_for(const PropellerSettings& propeller, double thrust);

 private:
  std::vector<Thruster> thrusters_;
  std::vector<std::array<double, 4>> inverse_;  // thrust for surge, heave, yaw, sway of 1
  std::array<bool, 3> can_{};
};

}  // namespace simbatch::sim
