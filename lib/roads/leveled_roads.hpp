#pragma once
/// The part of a street map that set_levels() may raise or lower. Private to the room.

#include <vector>

#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/areas.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads::detail {

/// Input of set_levels().
struct LeveledRoads {
  std::vector<Road> roads, railways;
  std::vector<MapPart> water;
  HeightGrid ground;   ///< level
  double highest = 0;  ///< the roads are all that matter if set_levels() raises or lowers none by more than this (m)
};

/// The roads that are near a tunnel, or near a place where a road crosses over another, a railway or water. set_levels() leaves
/// those that are missing on the ground, and gives these the same heights as among all roads of the map, unless one exceeds `highest`.
/// No roads if there is no such place, or if the map is too crowded to look for them. Cost: linear in the map's ways; that of lines and crossings arises only near roads with a layer.
/// @param kinds  those that are built
LeveledRoads leveled_roads(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame);

}  // namespace simbatch::roads::detail
