#pragma once
/// A map prepared for placing houses: roads with their corridors, obstacles, land use. Flat arrays on the map plane.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/autosim/houses.hpp"
#include "formats/osm/osm.hpp"
#include "lib/town/area_index.hpp"
#include "lib/town/coast.hpp"
#include "lib/town/neighborhoods.hpp"
#include "lib/town/obstacle_grid.hpp"
#include "lib/town/plane.hpp"
#include "lib/town/rules.hpp"
#include "lib/town/settlement.hpp"

namespace simbatch::town {

/// Key of the mark that every generated node carries; its value is the program's name.
inline constexpr std::string_view kGeneratedKey = "simbatch:generated";
inline constexpr std::string_view kGeneratedValue = "osmgen";

/// Treatment of a value of `highway`.
struct RoadKind {
  std::string name;            ///< value of the tag
  double width = 0;            ///< of all lanes (m)
  double left = 0, right = 0;  ///< pavements (m), left and right as the way is drawn
  bool in_setup = false;       ///< listed in the setup; other roads only keep houses away, with typical widths
  bool houses = false;         ///< houses may be placed along it
  bool path = false;           ///< for pedestrians or bicycles
  Spacing spacing;             ///< of houses along it, unless PlaceOptions has other distances
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
  std::uint32_t first_node = 0, last_node = 0;  ///< node numbers in the model, to detect roads that meet
  std::uint32_t name = 0;                       ///< equal for equal names (or else refs); 0: none
  std::uint16_t kind = 0;
  std::uint16_t flags = 0;
  double lanes = 0;   ///< width of all of them (m): as tagged, with Rules::lanes or parked_cars, else that of its kind
  double beyond = 0;  ///< by how much each half of them is wider than its kind's (m); 0 without Rules::lanes
  bool is(Flag flag) const { return (flags & flag) != 0; }
  bool closed() const { return first_node == last_node; }
};

/// Total length of the roads of one kind.
struct KindLength {
  std::string kind;
  std::uint64_t ways = 0;
  std::int64_t millimeters = 0;  ///< an integer, so that the sum does not depend on the order of addition
  bool in_setup = false;
  bool houses = false;
};

/// A land use and the models for it.
struct Use {
  std::string name;                           ///< "residential", "forest"; "leisure=park" for open places by other keys
  std::uint32_t first_model = 0, models = 0;  ///< into Town::models
  std::vector<double> shares = {};            ///< by model: cumulative weights, normalized to 1; empty: all weights are equal
  bool settled = false;                       ///< a sign of settlement
  bool trees = false;                         ///< all its models are trees, which may be placed outside settlements
};

/// Sections of the house list for what is not a house (Rules::gardens, street_trees, parked_cars).
enum class Small : std::uint8_t { gardens, street_trees, parked_cars };
inline constexpr std::array<std::string_view, 3> kSmallNames{"gardens", "street_trees", "parked_cars"};
inline constexpr std::uint16_t kNoUse = 0xFFFF;

struct Town {
  Plane plane{geo::LatLon{}};
  double clearance = 0;  ///< kept between a house and anything else (m); the obstacles are grown by it
  std::vector<RoadKind> kinds;
  std::vector<TownRoad> roads;
  std::vector<Point> points;                      ///< of roads, lines, and small buildings
  std::vector<ObstacleGrid::Obstacle> obstacles;  ///< moved out by place()
  std::vector<ObstacleGrid::Kind> obstacle_kinds;
  std::vector<std::uint16_t> road_obstacle_kind;   ///< of each RoadKind
  AreaIndex areas;                                 ///< built; Meaning::use is into `uses`
  std::vector<Use> uses;                           ///< uses[0] applies outside all areas
  std::vector<const autosim::HouseModel*> models;  ///< of the house list, all sections concatenated
  std::vector<std::pair<osm::LatLon, osm::LatLon>> bounds;
  Rules rules;
  bool has_ramps = false;                             ///< obstacles for Reason::ramp
  std::vector<CoastPiece> coast;                      ///< empty without Rules::sea
  std::vector<std::pair<Point, double>> place_nodes;  ///< of settlements: middle and radius (m)
  Settlement settlement;                              ///< built; empty without Rules::settlement
  std::vector<MappedLook> looks;                      ///< of mapped buildings that say how they look
  Neighborhoods neighborhoods;                        ///< empty without Rules::of_neighborhoods()
  std::size_t first_small = 0;                        ///< the first of `models` that is not a house nor a tree of a land use
  std::array<std::uint16_t, 3> small_uses{kNoUse, kNoUse, kNoUse};  ///< by Small, into `uses`
  // For the summary.
  std::vector<KindLength> lengths;  ///< by descending length
  std::size_t buildings = 0, earlier_houses = 0, foreign_houses = 0;
};

}  // namespace simbatch::town
