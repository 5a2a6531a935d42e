#pragma once
/// What a map means for placing houses: roads with their corridors, obstacles, land use. Flat arrays on the map plane.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/town/area_index.hpp"
#include "lib/town/obstacle_grid.hpp"
#include "lib/town/plane.hpp"

namespace simbatch {
class Workers;
}

namespace simbatch::town {

/// Keys of the tags that a town is made from: for osm::ReadOptions::keep_keys, so that names and notes cost no memory.
std::vector<std::string> town_keys();
/// Key of the mark that every generated node carries; its value is the program's name.
inline constexpr std::string_view kGeneratedKey = "simbatch:generated";
inline constexpr std::string_view kGeneratedValue = "osmgen";

/// How a value of `highway` is treated.
struct RoadKind {
  std::string name;            ///< value of the tag
  double width = 0;            ///< of all lanes (m)
  double left = 0, right = 0;  ///< pavements (m), left and right as the way is drawn
  bool in_setup = false;       ///< the setup has it; others only keep houses away, with typical widths
  bool houses = false;         ///< houses may stand along it
  bool path = false;           ///< for people or bicycles
  /// Half the corridor that is kept free on both sides of the middle line: half the lanes and the wider pavement.
  double half() const { return width / 2 + (left > right ? left : right); }
};

/// An unbroken piece of a way. `first` and `count` are of Town::points.
struct TownRoad {
  enum Flag : std::uint16_t {
    oneway = 1,
    reversed = 2,  ///< oneway=-1: against the direction it is drawn in
    bridge = 4,
    tunnel = 8,
    roundabout = 16,
    along = 32,  ///< houses are to be placed along it
  };
  osm::Id id = 0;  ///< of its way
  std::uint32_t first = 0, count = 0;
  std::uint32_t first_node = 0, last_node = 0;  ///< numbers in the model, to see which roads meet
  std::uint32_t name = 0;                       ///< equal for equal names (or else refs); 0: none
  std::uint16_t kind = 0;
  std::uint16_t flags = 0;
  bool is(Flag flag) const { return (flags & flag) != 0; }
  bool closed() const { return first_node == last_node; }
};

struct TownOptions {
  double clearance = 0.5;       ///< kept between a house and everything else (m), >= 0
  bool block_tunnels = true;    ///< a tunnel's corridor keeps houses away (simulators without depth draw it on the ground)
  bool block_paths = true;      ///< so do ways for people and bicycles that are not in the setup
  bool keep_generated = false;  ///< houses generated earlier stay, as obstacles
  std::vector<std::string> not_along{};  ///< further kinds to place no houses along
  Workers* workers = nullptr;            ///< who help with large maps, if given: the town is the same
};

/// How long the roads of one kind are.
struct KindLength {
  std::string kind;
  std::uint64_t ways = 0;
  std::int64_t millimetres = 0;  ///< whole ones: the sum does not depend on the order of adding
  bool in_setup = false;
  bool houses = false;
};

/// A land use and what may be placed in it.
struct Use {
  std::string name;                           ///< "residential", "forest"; "leisure=park" for open places by other keys
  std::uint32_t first_model = 0, models = 0;  ///< into Town::models
};

struct Town {
  Plane plane{geo::LatLon{}};
  std::vector<RoadKind> kinds;
  std::vector<TownRoad> roads;
  std::vector<Point> points;                      ///< of roads, lines, and small buildings
  std::vector<ObstacleGrid::Obstacle> obstacles;  ///< moved away by place()
  std::vector<ObstacleGrid::Kind> obstacle_kinds;
  std::vector<std::uint16_t> road_obstacle_kind;   ///< of each RoadKind
  AreaIndex areas;                                 ///< built; Meaning::use is into `uses`
  std::vector<Use> uses;                           ///< uses[0] holds where there is no area
  std::vector<const autosim::HouseModel*> models;  ///< of the house list, all sections one behind the other
  std::vector<std::pair<osm::LatLon, osm::LatLon>> bounds;
  // For the summary.
  std::vector<KindLength> lengths;  ///< by falling length
  std::size_t buildings = 0, earlier_houses = 0, foreign_houses = 0;
  /// Bytes of heap memory in use, without the grid.
  std::size_t memory() const;
};

/// Makes a town of a map.
/// @param houses   must outlive the town
/// @param generated  numbers of nodes generated earlier (osm::Layout::located_nodes), ascending
/// @param diagnostics  gets warnings about the map as a whole
Town make_town(const osm::Model& map, const autosim::MapSetup& setup, const autosim::HouseList& houses,
               std::span<const std::uint32_t> generated, const TownOptions& options, Diagnostics& diagnostics);

}  // namespace simbatch::town
