#pragma once
/// Heights of roads that branch off ramps. Private to the room.

#include <vector>

#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads::detail {

/// Heights below this count as on the ground (m).
inline constexpr double kLowestRamp = 0.01;

/// Where a road branches off at less than 40 degrees, its lanes overlap the other's for some distance: there it gets the other's
/// height, and its own only after that. @param budget  where it ends, the rest stay as they are
void merge_ramps(std::vector<Road>& roads, const Budget& budget);

}  // namespace simbatch::roads::detail
