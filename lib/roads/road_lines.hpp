#pragma once
/// Roads of a map as lines (thesis 6.3): a spline along each way.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::roads {

/// One way that is built, or a piece of it between nodes that the file does not contain. Left and right are relative to the
/// direction in which it is drawn.
struct Road {
  osm::Id id = 0;
  std::string kind;                              ///< value of its tag `highway`
  std::string name;                              ///< value of its tag `name`; empty: none
  double width = 0;                              ///< of all lanes together (m)
  double left_pavement = 0, right_pavement = 0;  ///< m
  std::vector<geo::EastNorth> line;              ///< center line: spline through the way's nodes (m)
  /// Indices of the way's nodes in `line`, ascending, first and last included, and their node ids. A node that repeats the
  /// previous one is omitted.
  std::vector<std::uint32_t> at, nodes;
  bool is_closed = false;  ///< the last node is the first
  int layer = 0;           ///< -5..5; unless the map says otherwise, at least 1 for a bridge and at most -1 for a tunnel
  bool is_tunnel = false;  ///< under the ground; passages through buildings are not
  bool is_bridge = false;  ///< tagged as one, or by its layer above the ground; piers are none
  std::optional<double> clearance;  ///< over water, according to the map (m)
  int one_way = 0;                  ///< 1: traffic only in the direction in which it is drawn; -1: only against it; 0: in both
  int lanes = 0;                    ///< total number according to the map; 0: not in the map
  /// Height of each point of `line` above the ground (m); negative: below it. Empty: on the ground. Set by set_levels().
  std::vector<double> height;
};
/// The same road without its line.
Road without_line(const Road& road);

/// Ways of a kind that a setup does not list.
struct OtherKind {
  std::size_t ways = 0;  ///< at least 1
  osm::Id example = 0;   ///< the first of them in the file
};

/// Ways whose tags give a width that cannot be used.
struct UnusedWidths {
  std::size_t ways = 0;
  osm::Id example = 0;  ///< the first of them in the file; with it:
  std::string tag;      ///< "width=wide"
};

struct RoadSelection {
  std::vector<Road> roads;                                    ///< in file order
  std::map<std::string, OtherKind, std::less<>> other_kinds;  ///< by value of the tag `highway`
  UnusedWidths unused_widths;                                 ///< of these roads
  std::size_t areas_skipped = 0;                              ///< area=yes
  std::size_t broken = 0;                                     ///< fewer than two distinct points

  /// Ways of all other_kinds.
  std::size_t kinds_skipped() const;
  /// Adds a way to other_kinds.
  void count_other(std::string_view kind, osm::Id way);
};

/// Members of Road that say how a way lies, by its tags. Those of railways are read like those of roads.
struct WayLevel {
  int layer = 0;
  bool is_tunnel = false, is_bridge = false;
};
WayLevel level_of_way(const osm::Model& map, std::size_t way);

/// The roads of a map that the setup lists, with their splines.
///
/// The spline is a cubic Hermite curve through the way's nodes with the tangents of a centripetal Catmull-Rom curve (Catmull
/// and Rom 1974; Yuksel, Schaefer, Keyser: Parameterization and applications of Catmull-Rom curves, 2011). At bends over 50
/// degrees it keeps the corner; between two nodes it deviates from the straight line by at most 0.5 m, so that roads stay
/// inside the corridor kept free of houses. Chords follow it to 0.05 m. Where exactly two ways meet at their ends, the curve is
/// smooth across the joint.
/// @param frame  about the setup's NodeOffset
RoadSelection road_lines(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame);
/// The same for some of its ways, by their numbers, ascending: a road that ends where one of the others does has no curve there.
RoadSelection road_lines(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame,
                         std::span<const std::size_t> ways);

/// The railways of a map that lie on the ground, as roads without curves: `railway` rail, light_rail or narrow_gauge of layer 0.
/// Their nodes are numbered like those of roads.
std::vector<Road> railway_lines(const osm::Model& map, const geo::LocalFrame& frame);
std::vector<Road> railway_lines(const osm::Model& map, const geo::LocalFrame& frame, std::span<const std::size_t> ways);

/// Extent of the roads' lines, for maps without TerrainDimensions: {lowest, highest}. Zeros without roads.
struct Extent {
  geo::EastNorth low, high;
};
Extent extent_of(const std::vector<Road>& roads);

}  // namespace simbatch::roads
