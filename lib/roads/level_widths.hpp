#pragma once
/// Lanes beside ramps: where roads of different heights are closer together than they are wide.

#include <cstddef>
#include <vector>

#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

struct LevelFitting {
  std::size_t pieces = 0;  ///< of road with narrower lanes
  double meters = 0;       ///< of such road
};

/// Narrows the lanes of roads that would reach into each other at different heights, as a ramp beside a street on the ground: both
/// in proportion to their widths, down to kNarrowest, in pieces of some 4 m; pavements give way first. Within 25 m of a junction
/// nothing is narrowed, as the roads there belong together, nor where one road is so high that the other leads below it.
/// Maps without roads off the ground stay as they are. @param roads  after set_levels()
LevelFitting fit_levels(std::vector<Road>& roads);

}  // namespace simbatch::roads
