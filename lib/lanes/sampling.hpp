#pragma once
/// Roads and turns as points, for formats whose lanes are polylines. Internal to lib/lanes.

#include <span>
#include <utility>
#include <vector>

#include "lib/lanes/network.hpp"

namespace simbatch::lanes::detail {

/// Where a road's line is sampled: the ends of straight pieces, and steps along arcs and slopes, so that the borders of its lanes
/// deviate from their arcs and heights by at most 2 cm.
std::vector<double> samples_of(const Network& network, const Road& road);
/// The places without those that do not advance, such as on the inner side of narrow bends; first and last stay.
std::vector<Place> advancing(std::span<const Place> places);
/// The middle of a lane, with the direction of its traffic. @param samples  samples_of() the road
std::vector<Place> lane_path(const Network& network, const Road& road, LaneId lane, std::span<const double> samples);
/// Places along a turn, from its start to its end; without heights.
std::vector<Place> places_of(const TurnCurve& curve);
/// The same with heights, which are those of the lanes' middles at both ends.
std::vector<Place> turn_path(const Network& network, const Turn& turn, const TurnCurve& curve);
/// lane_place() with its height.
Place lane_end(const Network& network, const Road& road, LaneId lane, bool at_end);

/// A path up to a distance, and the rest.
std::pair<std::vector<Place>, std::vector<Place>> divided(const std::vector<Place>& path, double s);
/// The convex hull on the plane, counterclockwise. @pre at least one point
std::vector<Place> hull_of(std::vector<Place> points);

}  // namespace simbatch::lanes::detail
