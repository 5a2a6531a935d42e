#pragma once
/// A place given by a road: "50 m along High Street, in its first lane".

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

/// Each half of a road is divided into as many lanes of at least this width (m) as fit, but at least one.
inline constexpr double kLaneWidth = 3;

struct RoadAddress {
  std::string road;          ///< its name in the map, or the id of a way
  std::optional<double> at;  ///< m along the road; negative: from its end; absent: its middle
  int lane = 1;              ///< 1 is the first on the right of the center line, -1 the first on its left; 0 is the center line
};

struct RoadPlace {
  geo::EastNorth at;
  double heading = 0;  ///< of the road there, clockwise from north (rad)
  double height = 0;   ///< of the road above the ground there (m); negative in a tunnel
};

/// Number of lanes (at least 1): that of the map, else by width. A two-way road has two lanes if it is at least 5.5 m wide, and
/// more if each side has space for several of at least kLaneWidth; a one-way road has as many of that width as fit.
int lane_count(const Road& road);

/// The place on the ways of that name, joined end to end: starting with the first one in the file, each is continued by another
/// that begins or ends where it ends (reversed if necessary); ways left over are not part of the road. `lane` counts outward,
/// seen in the direction in which the first way is drawn.
/// @param problem  receives why there is no such place: no such road (with the closest name), too short, or too few lanes
std::optional<RoadPlace> place_on(const std::vector<Road>& roads, const RoadAddress& address, std::string& problem);

}  // namespace simbatch::roads
