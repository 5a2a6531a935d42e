#pragma once
/// A place given by a road: "50 m along High Street, in its first lane".

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

/// Half of a road is divided into as many lanes as are at least this wide (m), and into at least one.
inline constexpr double kLaneWidth = 3;

struct RoadAddress {
  std::string road;          ///< its name in the map, or the id of a way
  std::optional<double> at;  ///< m along the road; negative: from its end; absent: half way
  int lane = 1;              ///< 1 is the first on the right of the center line, -1 the first on its left; 0 is the center line
};

struct RoadPlace {
  geo::EastNorth at;
  double heading = 0;  ///< of the road there, clockwise from north (rad)
  double height = 0;   ///< of the road over the ground there (m); negative in a tunnel
};

/// Number of lanes: by the map, else by the width: of a two-way road two where it is at least 5.5 m wide, and as many more as
/// are at least kLaneWidth wide on both sides; of a one-way road as many as are at least that wide. At least 1.
int lane_count(const Road& road);

/// The place, on the ways of that name joined end to end: from the first of the file on, each goes on with another that begins
/// or ends where it ends (turned around if need be); what then remains is not part of the road. `lane` counts outward, in the
/// direction in which the first way is drawn.
/// @param problem  why there is no such place: no such road (and the nearest name), too short, not so many lanes
std::optional<RoadPlace> place_on(const std::vector<Road>& roads, const RoadAddress& address, std::string& problem);

}  // namespace simbatch::roads
