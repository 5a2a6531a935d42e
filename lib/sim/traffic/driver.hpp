#pragma once
/// Drives an autonomous object along its legs (version 1, controllers waypoint and script) unless the scenario drives it
/// otherwise. It drives through the same actuators as a program, so it lags the timetable: it accelerates, slows down for
/// corners and stops, however many legs ahead they are, and steers by its wheels.
///
/// Pure pursuit (Coulter 1992, "Implementation of the pure pursuit path tracking algorithm", CMU-RI-TR-92-01): the arc through
/// the rear axle that ends on the path a look-ahead away has the curvature 2 sin(angle to it) / distance.

#include <vector>

#include "base/core/hash.hpp"
#include "lib/sim/participant.hpp"
#include "lib/sim/physics/world.hpp"
#include "lib/sim/traffic/driven_vehicle.hpp"
#include "lib/traffic/traffic.hpp"

namespace simbatch::sim {

/// The wheels' positions: to the sides and to the ends of the vehicle's middle (m).
struct WheelPlaces {
  double side = 0, end = 0;
};

class Driver {
 public:
  /// @param start    its position at the start, on the ground
  /// @param targets  of its legs, in order
  Driver(geo::Vec3 start, double initial_pause, std::vector<traffic::Target> targets, const WheelPlaces& wheels);
  /// Sets the vehicle's actuators for the coming step. Stops driving permanently once anything else has set one of them.
  /// @param pose   of the middle of the underside
  /// @param speed  m/s
  void decide(const Clock& clock, const physics::Pose& pose, double speed, const DrivenVehicle& vehicle);
  /// From 1: the current target; number of targets + 1 when all are done.
  std::size_t goal() const { return next_ + 1; }
  void hash_state(StateHash& hash) const;

 private:
  const geo::Vec3& from(std::size_t leg) const { return leg == 0 ? start_ : targets_[leg - 1].to; }
  bool stops_at(std::size_t leg) const { return leg + 1 >= targets_.size() || targets_[leg].pause > 0; }
  double corner_speed(std::size_t leg) const;
  double speed_at(double left, double end_speed) const;
  geo::Vec3 ahead(double way) const;
  void command(const DrivenVehicle& vehicle, double speed, double curvature);
  void set(const DrivenVehicle& vehicle, std::size_t actuator, double value);

  geo::Vec3 start_;
  std::vector<traffic::Target> targets_;
  std::vector<double> lengths_;     // of the legs, m
  std::vector<double> end_speeds_;  // m/s: the highest at the end of each leg from which the legs after it can be driven
  WheelPlaces wheels_;
  std::size_t next_ = 0;
  double waits_until_;         // s
  double set_[3] = {0, 0, 0};  // its own last settings
  bool drives_ = true;
};

}  // namespace simbatch::sim
