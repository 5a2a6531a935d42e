#pragma once
/// Objects of CajunBot files on a road network: where they stand, and where they are at any time. Pure functions of the
/// files; no physics. docs/formats/cajunbot.md ("Places") states the readings.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"

namespace simbatch::traffic {

/// World: x east, y up, z north (m).
struct Point {
  double x = 0, y = 0, z = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// Drive there in a straight line at `speed` (m/s), then wait `pause` (s). A speed <= 0 never arrives.
struct Target {
  Point to;
  double speed = 0, pause = 0;
};

struct State {
  Point position;
  double heading = 0;    ///< rad, clockwise from north
  double speed = 0;      ///< m/s, 0 while waiting
  std::size_t goal = 0;  ///< index of the target driven to or waited at; the number of targets when all are done
};

/// The motion of one object: wait, then target after target, then stand still. Closed form in time:
/// arrival(k) = initial_pause + sum over i <= k of distance(i) / speed(i) + sum over i < k of pause(i).
class Motion {
 public:
  /// @param heading  at the start (rad); later the direction of travel
  Motion(Point start, double heading, double initial_pause, std::vector<Target> targets);
  /// @param time  s, any; before 0 as at 0. O(log targets)
  State at(double time) const;
  /// When target `k` is reached (s); infinity if never.
  double arrival(std::size_t k) const { return legs_[k].arrive; }
  /// When the last pause is over (s).
  double end() const { return legs_.empty() ? initial_pause_ : legs_.back().leave; }
  std::size_t size() const { return legs_.size(); }

 private:
  struct Leg {
    Point from, to;
    double heading = 0, speed = 0, start = 0, arrive = 0, leave = 0;
  };
  Point start_;
  double heading_ = 0, initial_pause_ = 0;
  std::vector<Leg> legs_;
};

/// One object in the world.
struct Placed {
  std::size_t index = 0;  ///< in the file
  Point position;         ///< of the middle of its lower side
  double heading = 0;     ///< rad, clockwise from north
  geo::LatLon place;
  std::vector<Target> targets;
  std::vector<geo::LatLon> target_places;
  double initial_pause = 0;
  Motion motion() const { return {position, heading, initial_pause, targets}; }
};

struct Resolved {
  geo::LocalFrame frame{geo::LatLon{}};
  std::vector<Placed> objects;
};

/// The first waypoint of a network, or nothing if it has none.
std::optional<geo::LatLon> first_place(const rndf::Rndf& network);

/// Places all objects. Goals without a waypoint must have been expanded (lib/traffic); waypoints that the network lacks have
/// been reported there: such an object is left out, such a goal is skipped.
Resolved resolve(const cajunbot::ObjectFile& file, const rndf::Index& network, geo::LatLon origin);

}  // namespace simbatch::traffic
