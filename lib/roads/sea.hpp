#pragma once
/// The sea of a map: what lies on the right of its coastline.

#include <vector>

#include "base/geo/geo.hpp"

namespace simbatch::roads {

/// A straight piece of coastline in the direction in which it is drawn: land on the left, water on the right (OSM wiki,
/// "Tag:natural=coastline").
struct CoastPiece {
  geo::EastNorth from, to;  ///< m
};

/// The sea in a rectangle, in convex parts of three or four corners, counter-clockwise on the map; they do not overlap.
/// Coastlines of extracts end at the extract's edge and need not close: a place is at sea if it is on the right of the nearest
/// piece. Exact where at most two pieces that meet are within kFinest m of each other, else as fine as that; beyond
/// kMostDivisions squares the coast is coarse. Empty without a coastline.
/// Cost: O(n log(size / kFinest)) for n pieces.
std::vector<std::vector<geo::EastNorth>> sea_parts(const std::vector<CoastPiece>& coast, geo::EastNorth low,
                                                   geo::EastNorth high);

inline constexpr double kFinest = 2;  ///< m
inline constexpr std::size_t kMostDivisions = 200'000;

}  // namespace simbatch::roads
