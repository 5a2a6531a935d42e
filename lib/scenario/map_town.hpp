#pragma once
/// The town of a map: what can be worked out from its files alone. Private to the room.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "formats/autosim/setup.hpp"
#include "lib/roads/areas.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/furniture.hpp"
#include "lib/roads/layout.hpp"
#include "lib/roads/marks.hpp"
#include "lib/roads/roads.hpp"
#include "lib/roads/structures.hpp"
#include "lib/roads/water.hpp"

namespace simbatch::scenario::detail {

/// What a map's files are, without the scenario that uses them.
struct Town {
  bool is_good = false;    // all files could be read
  bool is_placed = false;  // at least the setup was read: the origin is known
  Diagnostics problems;
  autosim::MapSetup setup;
  roads::HeightGrid grid;
  bool is_level = true;  // the ground
  std::vector<roads::Road> roads;
  std::vector<roads::RoadMark> marks;
  std::vector<roads::Furniture> furniture;
  roads::RoadMeshes meshes;
  roads::Structures structures;
  roads::Layout layout;
  std::array<geo::TriangleMesh, roads::kCovers> covers;
  std::optional<roads::Water> water;  // with room in it
  geo::TriangleMesh opened_ground;    // in place of the grid, if there are openings
  roads::BuildingSelection buildings;
  std::vector<roads::HouseBox> houses;
};

/// The files of a map; nothing where there is none.
struct TownFiles {
  std::optional<Input> setup, heights, streets;
  std::vector<Input> tiles;           // elevation, in place of heights
  std::optional<double> water_level;  // of the scenario, if not above the ground (m): gives the map's waters depth
  /// Contents and names, which are in messages.
  std::string key() const;
};

/// Reads and works out everything that depends on the files alone: most of the time that building takes.
Town make_town(const TownFiles& files);

/// A town without meshes, and what it was made of.
struct TownPlan {
  Town town;           // roads, marks, furniture, buildings, houses, grid
  osm::Model streets;  // with roads::town_keys() too
  std::vector<roads::AreaOutline> areas;
  std::size_t other_ways = 0;  // of kinds that the setup does not list
  std::size_t open_areas = 0;
};
/// The same without laying out meshes. Without a setup, the usual one of the street map, with ground under all of its nodes.
TownPlan plan_town(const TownFiles& files);

}  // namespace simbatch::scenario::detail
