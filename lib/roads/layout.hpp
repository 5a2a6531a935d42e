#pragma once
/// Streets of a map as they are built: the steps that fit them to its buildings and to each other, each step reads what the
/// one before it wrote.

#include <optional>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/areas.hpp"
#include "lib/roads/carriageway.hpp"
#include "lib/roads/level_widths.hpp"
#include "lib/roads/levels.hpp"

namespace simbatch::roads {

/// What had to give.
struct Layout {
  Fitting fitting;
  Levels levels;
  LevelFitting beside_ramps;
};

/// Removes the buildings that streets pass through, narrows streets between the others, assigns heights, and narrows lanes beside
/// ramps: open_passages(), fit_roads(), set_levels(), fit_levels().
/// @param roads   as road_lines() made them
/// @param houses  those that were generated
/// @param water   map_waters(), on the same ground
/// @return nothing where the budget ends; roads and buildings are not complete then
std::optional<Layout> lay_out(const osm::Model& map, const geo::LocalFrame& frame, std::vector<Road>& roads,
                              BuildingSelection& buildings, const std::vector<HouseBox>& houses,
                              const std::vector<MapPart>& water, const HeightGrid& ground, const Budget& budget);

}  // namespace simbatch::roads
