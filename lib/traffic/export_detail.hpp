#pragma once
/// Shared by the writers of traffic exports. Private to the room.

#include <cmath>
#include <string>
#include <vector>

#include "lib/traffic/export.hpp"

namespace simbatch::traffic::detail {

/// The object's name, or "Object 7": its id, else its index in the file.
std::string name_of(const cajunbot::Object& object, std::size_t index);
/// A heading (rad) in degrees, 0 <= degrees < 360.
double heading_deg(double heading);
inline geo::LatLon place_of(const rndf::Waypoint& waypoint) { return {waypoint.lat, waypoint.lon}; }
std::vector<geo::LatLon> places_of(const std::vector<rndf::Waypoint>& waypoints);
/// Start of an object, then its goals.
std::vector<geo::LatLon> goal_path(const PlacedObject& object);

}  // namespace simbatch::traffic::detail
