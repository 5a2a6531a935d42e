#pragma once
/// Buildings that streets run through.

#include <vector>

#include "lib/roads/buildings.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

/// Removes buildings that roads run through (gates, arcades, passages and mapping errors: about 1 % of the buildings of real towns),
/// since they would block them; tunnels pass under them. Roads that share nodes inside or at a wall are one way through, as where a
/// passage is a way of its own. What is entered in one place only, such as a garage, is kept. Center lines are sampled every 1 m.
void open_passages(BuildingSelection& selection, const std::vector<Road>& roads, const Budget& budget = {});

}  // namespace simbatch::roads
