#pragma once
/// An independent judge of generated houses: reads the text of a map by itself, and measures every house against every
/// obstacle near it, slowly and simply. Shares no code with lib/town or formats/osm.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace simbatch::test {

struct CheckedWidth {
  double width = 0, left = 0, right = 0;
  double half() const { return width / 2 + (left > right ? left : right); }
};
using Widths = std::map<std::string, CheckedWidth, std::less<>>;

struct XY {
  double x = 0, y = 0;  ///< meters east and north of the map's first node
};
using Quad = std::vector<XY>;  ///< four corners in order

/// A map as the checker sees it.
struct CheckedMap {
  struct Element {
    char kind = 'n';
    std::int64_t id = 0;
    double lat = 0, lon = 0;
    std::vector<std::int64_t> refs;
    std::vector<std::pair<std::int64_t, std::string>> way_members;  ///< of a relation: way, role
    std::map<std::string, std::string> tags;
    std::string tag(const std::string& key) const;
  };
  std::vector<Element> ways, relations, tagged_nodes;
  std::map<std::int64_t, XY> at;
  double lat0 = 0, lon0 = 0;
  bool any = false;
  XY place(double lat, double lon) const;
};
CheckedMap scan_map(std::string_view text);

struct CheckedHouse {
  std::int64_t id = 0;
  XY center;
  double heading_deg = 0, size_x = 0, size_z = 0;
  std::string landuse;
  bool ours = false;  ///< carries the mark
  Quad corners() const;
};
std::vector<CheckedHouse> houses_of(const CheckedMap& map);

struct Line {
  std::vector<XY> points;
  double half = 0;  ///< of the corridor
  std::int64_t id = 0;
  bool closed = false, bridge = false, tunnel = false, fast = false, oneway = false, roundabout = false;
  std::string kind, name;
};
struct Polygon {
  std::vector<std::vector<XY>> rings;  ///< even-odd
  std::int64_t id = 0;
  std::string landuse;
  double size = 0;
};
struct Obstacles {
  std::vector<Line> roads, rails, streams;
  std::vector<Polygon> buildings, waters, landuses;
};
Obstacles obstacles_of(const CheckedMap& map, const Widths& widths);

struct Verdict {
  std::size_t houses = 0;
  std::size_t on_road = 0, on_building = 0, on_house = 0, on_water = 0, on_rail = 0;
  std::size_t wrong_landuse = 0;  ///< not that of the smallest area around the center
  std::size_t not_facing = 0;     ///< no road of the setup in front
  std::size_t inside_roundabout = 0;
  std::vector<std::string> complaints;  ///< the first few
  std::size_t wrong() const {
    return on_road + on_building + on_house + on_water + on_rail + wrong_landuse + not_facing + inside_roundabout;
  }
};
/// Judges all houses with the mark.
Verdict judge(const CheckedMap& map, const Widths& widths);

/// What a plain greedy stepper would place (notes' baseline): along both sides of every road of the widths that is no
/// motorway, trunk, bridge or tunnel, a box of 10 m x 10 m, front 5 m beyond the pavement, the next 15 m on if it fits,
/// else 2 m on; it must touch no road, building or box set before.
struct GreedyOptions {
  bool residential_default_only = false;  ///< also only where the smallest area around is residential, or there is none
  bool mind_water_and_rails = false;
  bool fast_links_too = true;  ///< also along links
};
std::size_t greedy(const Obstacles& obstacles, const GreedyOptions& options);

/// The thesis' widths (listing C.6).
Widths thesis_widths();

}  // namespace simbatch::test
