#pragma once
/// A town as GeoJSON: docs/formats/geojson.md.

#include <cstddef>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/areas.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/furniture.hpp"
#include "lib/roads/marks.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// A town as it is built, with the street map that it was made of.
struct TownMap {
  osm::Model streets;  ///< with the tags town_keys(), and its index
  geo::LatLon origin;
  HeightGrid grid;
  bool is_level = true;  ///< the ground is a plane
  /// In the order of the file, in pieces of different width; after set_levels().
  std::vector<Road> roads;
  std::vector<RoadMark> marks;  ///< on these roads
  std::vector<Furniture> furniture;
  std::vector<AreaOutline> areas;
  BuildingSelection buildings;
  std::vector<HouseBox> houses;
  std::size_t other_ways = 0;  ///< RoadSelection::kinds_skipped
  std::size_t open_areas = 0;  ///< MapAreas::open
};

/// Keys of the tags that are exported as they are.
std::vector<std::string> town_keys();

/// The town as a FeatureCollection, from the ground up: areas, streets, crossings, buildings, houses, trees, cars, signals, signs
/// and lamps, each in the order of the town. Streets are lines in one piece, since maps draw lines with a width, and routers
/// and labels need them: the carriageway is `width` wide about the line. Reports what is lost (mapgen-loss-...).
/// @param file  as diagnostics name it
std::string town_geojson(const TownMap& town, const std::string& file, Diagnostics& problems);

}  // namespace simbatch::roads
