// Dead reckoning with slow correction, and an alpha-beta filter; sources in the header.

#include "lib/sim/mission/navigation.hpp"

#include <cmath>

namespace simbatch::sim {
namespace {

constexpr double kPositionTime = 2, kHeadingTime = 0.4;  // s

double value(const DeviceNode& node, std::size_t field) { return node.values()[field]; }

}  // namespace

SensorNavigation::SensorNavigation(const Simulation& simulation, const NavigationSensors& sensors)
    : sensors_(sensors), frame_(*simulation.settings().origin) {}

mission::Point SensorNavigation::measured_position() const {
  const geo::EastNorth antenna = frame_.to_plane({value(*sensors_.gps, 0), value(*sensors_.gps, 1)});
  const geo::Vec3 arm = geo::rotation({0, 1, 0}, heading_) * sensors_.antenna;
  return {antenna.east - arm.x, antenna.north - arm.z};
}

void SensorNavigation::measure_velocity() {
  const double speed = value(*sensors_.gps, 2), course = geo::radians(value(*sensors_.gps, 3));
  speed_ = {speed * std::sin(course), speed * std::cos(course)};
}

void SensorNavigation::start() {
  heading_ = value(*sensors_.compass, 0) - sensors_.compass_offset;
  turn_rate_ = 0;
  measure_velocity();
  at_ = measured_position();
}

void SensorNavigation::update(double dt) {
  heading_ += turn_rate_ * dt;
  const double error = mission::wrapped(value(*sensors_.compass, 0) - sensors_.compass_offset - heading_);
  const double theta = kHeadingTime / (kHeadingTime + dt);
  heading_ = mission::wrapped(heading_ + (1 - theta * theta) * error);
  turn_rate_ += (1 - theta) * (1 - theta) / dt * error;

  measure_velocity();
  at_ = {at_.x + speed_.x * dt, at_.y + speed_.y * dt};
  const mission::Point seen = measured_position();
  const double share = dt / (kPositionTime + dt);
  at_ = {at_.x + share * (seen.x - at_.x), at_.y + share * (seen.y - at_.y)};
}

void SensorNavigation::hash_state(StateHash& hash) const {
  const double state[] = {at_.x, at_.y, speed_.x, speed_.y, heading_, turn_rate_};
  hash.add(state);
}

}  // namespace simbatch::sim
