#pragma once
/// Positions by waypoints of road networks. Private to the room.

#include <optional>

#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {

/// A place on the map plane.
struct WaypointPlace {
  geo::EastNorth at;
  double heading = 0;  ///< of its lane there, as traffic::lane_heading()
};

/// The place of a waypoint, perimeter point or point of a parking spot. Nothing after a report at `at`.
/// @pre set_origin_of_networks() was called
std::optional<WaypointPlace> place_by_waypoint(const Site& site, const autosim::WaypointPosition& position, Position at);

}  // namespace simbatch::scenario::detail
