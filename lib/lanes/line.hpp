#pragma once
/// Lines of straight and circular pieces without kinks. Meters; headings in radians, counterclockwise from east.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/geo/geo.hpp"

namespace simbatch::lanes {

/// Points closer together than this count as one (m).
inline constexpr double kPoint = 0.01;
double distance(geo::EastNorth a, geo::EastNorth b);

/// A point of a line and the direction there.
struct Place {
  geo::EastNorth at;
  double heading = 0;
  double height = 0;  ///< of the surface (m), where Network::height_at is known
};

struct Piece {
  Place start;
  double length = 0;
  double curvature = 0;  ///< 1/m, positive to the left; 0: straight
  double s = 0;          ///< where it begins along the line
};

/// The part of a line up to `end` (m), from where the previous one ends, follows this way of a map.
struct WayPart {
  double end = 0;
  std::int64_t way = 0;
};

struct Line {
  std::vector<Piece> pieces;  ///< each begins where the previous one ends
  double length = 0;
  std::vector<double> at_points;  ///< for each given point, the distance along the line at which it is passed
  std::vector<WayPart> ways;      ///< empty if the line is not made of ways
};

struct Rounding {
  double leave = 0.5;  ///< maximum distance at which the line passes a point (m), unless the radius requires more
  double radius = 3;   ///< desired radius of bends, used if the neighboring points are far enough away
};

/// A line along points, with an arc in place of each bend. An arc takes at most half of the distance to the next bend, so that
/// bends of more than 175 degrees stay kinks, and no arc is longer than its neighbors allow.
/// @pre at least 2 points, consecutive ones distinct
Line rounded_line(std::span<const geo::EastNorth> points, const Rounding& rounding);

/// @param s  0 .. length; clamped
Place place_at(const Line& line, double s);
/// The way that a line follows at `s`, clamped; 0 if there is none.
std::int64_t way_at(const Line& line, double s);
/// The part from `begin` to `end`, without at_points. @pre 0 <= begin < end <= length
Line part_of(const Line& line, double begin, double end);
/// The point `t` to the left of a place.
geo::EastNorth left_of(const Place& place, double t);
/// An angle as the equal one in -pi .. pi.
double wrapped(double angle);

}  // namespace simbatch::lanes
