#pragma once
/// Estimates a robot's position and motion from its GPS and compass, for missions that use navigation.

#include <optional>

#include "base/geo/geo.hpp"
#include "lib/mission/guidance.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/simulation.hpp"

namespace simbatch::sim {

/// The devices of the body that executes the mission.
struct NavigationSensors {
  const DeviceNode* gps = nullptr;      ///< GPSSensor: latitude, longitude, speed, course
  const DeviceNode* compass = nullptr;  ///< CompassSensor: heading
  geo::Vec3 antenna;                    ///< of the GPS in the body's frame, m
  double compass_offset = 0;            ///< rad; heading of the compass' axis in the body's frame
};

/// Estimates from the sensors' values, including noise.
///
/// Position: dead reckoning with the velocity over ground, corrected by the GPS with a time constant of 2 s. Heading and turn
/// rate: an alpha-beta filter over the compass with a time constant of 0.4 s (critically damped by the fading-memory choice
/// alpha = 1 - theta^2, beta = (1 - theta)^2: Morrison, Introduction to Sequential Smoothing and Prediction, 1969). Both gains
/// follow from dt, so that the filters are the same at every step.
class SensorNavigation {
 public:
  /// @pre the simulation has an origin
  SensorNavigation(const Simulation& simulation, const NavigationSensors& sensors);
  /// Reads the sensors: at the start, and then once in each step's control().
  void start();
  void update(double dt);

  mission::Point at() const { return at_; }           ///< of the body's origin; x east, y north, m
  double heading() const { return heading_; }         ///< rad, clockwise from north
  double turn_rate() const { return turn_rate_; }     ///< rad/s, clockwise
  mission::Point velocity() const { return speed_; }  ///< over ground, m/s
  void hash_state(StateHash& hash) const;

 private:
  mission::Point measured_position() const;
  void measure_velocity();

  NavigationSensors sensors_;
  geo::LocalFrame frame_;
  mission::Point at_{}, speed_{};
  double heading_ = 0, turn_rate_ = 0;
};

}  // namespace simbatch::sim
