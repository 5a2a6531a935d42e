#pragma once
/// The motion of one object along its goals, in closed form.

#include <cstddef>
#include <vector>

#include "base/geo/pose.hpp"

namespace simbatch::traffic {

/// A straight drive at constant speed, then a pause.
struct Target {
  geo::Vec3 to;      ///< world: x east, y up, z north (m)
  double speed = 0;  ///< m/s; an object with a speed <= 0 never arrives
  double pause = 0;  ///< s
};

struct State {
  geo::Vec3 position;    ///< m
  double heading = 0;    ///< rad, clockwise from north
  double speed = 0;      ///< m/s, 0 while waiting
  std::size_t goal = 0;  ///< index of the target driven to or waited at; the number of targets when all are done
};

/// The object waits, drives to each target in turn, and stays at the last one: arrival(k) = initial_pause + sum over i <= k of
/// distance(i) / speed(i) + sum over i < k of pause(i).
class Motion {
 public:
  /// @param heading  at the start (rad); later the direction of travel
  Motion(geo::Vec3 start, double heading, double initial_pause, const std::vector<Target>& targets);
  /// @param time  s, any; before 0 as at 0. O(log targets)
  State at(double time) const;
  /// Time at which target `k` is reached (s); infinity if never.
  double arrival(std::size_t k) const { return legs_[k].arrive; }
  /// End of the last pause (s).
  double end() const { return legs_.empty() ? initial_pause_ : legs_.back().leave; }
  std::size_t size() const { return legs_.size(); }

 private:
  struct Leg {
    geo::Vec3 from, to;
    double heading = 0, speed = 0, start = 0, arrive = 0, leave = 0;
  };
  geo::Vec3 start_;
  double heading_ = 0, initial_pause_ = 0;
  std::vector<Leg> legs_;
};

}  // namespace simbatch::traffic
