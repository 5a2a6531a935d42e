#pragma once
/// Roads and turns as points, for formats whose lanes are polylines. Internal to lib/lanes.

#include <span>
#include <utility>
#include <vector>

#include "lib/lanes/network.hpp"

namespace simbatch::lanes::detail {

/// Where a road's line is sampled: the ends of straight pieces, and steps along arcs, so that the borders of its lanes deviate
/// from their arcs by at most 2 cm.
std::vector<double> samples_of(const Road& road);
/// The places without those that do not advance, such as on the inner side of narrow bends; first and last stay.
std::vector<Place> advancing(std::span<const Place> places);
/// The middle of a lane, with the direction of its traffic.
std::vector<Place> lane_path(const Road& road, LaneId lane);
/// Places along a turn, from its start to its end.
std::vector<Place> places_of(const TurnCurve& curve);

/// A path up to a distance, and the rest.
std::pair<std::vector<Place>, std::vector<Place>> divided(const std::vector<Place>& path, double s);
/// The convex hull, counterclockwise. @pre at least one point
std::vector<geo::EastNorth> hull_of(std::vector<geo::EastNorth> points);

}  // namespace simbatch::lanes::detail
