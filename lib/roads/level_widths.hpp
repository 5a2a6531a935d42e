#pragma once
/// Lanes beside ramps: where roads of different heights are closer together than they are wide.

#include <cstddef>
#include <vector>

#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

struct LevelFitting {
  std::size_t pieces = 0;  ///< number of pieces of road whose lanes were narrowed
  double meters = 0;       ///< their total length
};

/// Narrows the lanes of roads that would overlap at different heights, such as a ramp beside a street on the ground: both in
/// proportion to their widths, down to kNarrowest, in pieces of about 4 m; pavements give way first. Nothing is narrowed within
/// 25 m of a junction, where the roads belong together, nor where one road is high enough for the other to pass below it. Maps
/// without roads off the ground are unchanged. @param roads  after set_levels()
LevelFitting fit_levels(std::vector<Road>& roads, const Budget& budget = {});

}  // namespace simbatch::roads
