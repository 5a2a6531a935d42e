#pragma once
/// Crossings and stop lines as places on the map, for views that paint surfaces triangle by triangle.

#include <vector>

#include "lib/sim/scene/appearance.hpp"

namespace simbatch::scene {

/// A rectangle across a road.
struct PlacedMark {
  double x = 0, z = 0;    ///< of its middle, east and north (m)
  double dx = 0, dz = 1;  ///< unit direction of the road there, as its line runs
  double y = 0;           ///< m; NaN: at any height
  double width = 0;       ///< of the road (m)
  bool is_stop_line = false;
  int side = 0;  ///< stop lines: only right of the line (1), only left of it (-1), all (0)
};

/// The marks of all roads that have paint, by road and place. At a bend a mark lies across the mean of the two directions. A stop
/// line of a one-way road reaches over all of it. Marks beyond the ends of their line are left out.
std::vector<PlacedMark> placed_marks(const std::vector<RoadAppearance>& roads);

}  // namespace simbatch::scene
