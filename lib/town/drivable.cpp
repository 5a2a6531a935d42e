// Points in polygons by the parity of the edges that a ray crosses.
#include "lib/town/drivable.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/geo/ring.hpp"
#include "lib/roads/areas.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/layout.hpp"
#include "lib/roads/prism_index.hpp"

namespace simbatch::town::detail {
namespace {
using geo::EastNorth;

constexpr double kTwoLanes = 5;       // m: a narrower street is driven in its middle
constexpr double kLaneOffset = 1.75;  // m: beside the middle of a wide street
constexpr double kFromEdge = 1.9;     // m from the lanes' edge to the car's middle: half a car, and room
constexpr double kHalfPlace = 1.25;   // m: half the width that a car takes
constexpr double kTallest = 2.5;      // m: it passes under what begins higher
constexpr double kMostReach = 4;      // m: more than any offset and kHalfPlace together
constexpr double kEach = 1;           // m between the places that are looked at

/// Buildings that a car could run into.
class Footprints {
 public:
  Footprints(const std::vector<roads::Prism>& prisms, const roads::Budget& budget)
      : prisms_(prisms), index_(prisms, kMostReach, budget) {}

  /// Whether a place is in a building, or nearer than `reach` to one. @param corners  grows by the number of corners compared
  bool has(EastNorth p, double reach, std::uint64_t& corners) const {
    bool is_found = false;
    index_.each_near(p, [&](std::uint32_t n) {
      const roads::Prism& prism = prisms_[n];
      if (is_found || prism.lift > kTallest) return;
      bool is_inside = false, is_near = look(prism.outer, p, reach, is_inside);
      corners += prism.outer.size();
      for (const auto& hole : prism.holes) {
        is_near = look(hole, p, reach, is_inside) || is_near;
        corners += hole.size();
      }
      is_found = is_inside || is_near;
    });
    return is_found;
  }

 private:
  /// Whether an edge of the ring is near; changes `is_inside` if the place is in the ring.
  static bool look(const std::vector<EastNorth>& ring, EastNorth p, double reach, bool& is_inside) {
    bool is_near = false;
    EastNorth a = ring.back();
    for (const EastNorth b : ring) {
      const EastNorth edge{b.east - a.east, b.north - a.north}, to{p.east - a.east, p.north - a.north};
      if (geo::is_crossed_eastward(b, a, p)) is_inside = !is_inside;
      const double square = edge.east * edge.east + edge.north * edge.north;
      const double t = square > 0 ? std::clamp((to.east * edge.east + to.north * edge.north) / square, 0.0, 1.0) : 0;
      is_near = is_near || std::hypot(to.east - t * edge.east, to.north - t * edge.north) < reach;
      a = b;
    }
    return is_near;
  }

  const std::vector<roads::Prism>& prisms_;
  roads::PrismIndex index_;
};

/// A line with a point every meter where some of it is not clear.
struct Cut {
  std::vector<EastNorth> line;
  std::vector<double> height;
  std::vector<std::uint32_t> at;
  std::vector<bool> is_clear;
  bool is_cut = false;
};

EastNorth between(EastNorth a, EastNorth b, double t) {
  return {a.east + t * (b.east - a.east), a.north + t * (b.north - a.north)};
}

/// Looks at the line of a road. False: the budget is used up.
bool look_at(const roads::Road& road, const Footprints& buildings, const roads::Budget& budget, Cut& cut) {
  const double reach = lane_offset(road) + kHalfPlace;
  std::vector<bool> is_clear;
  std::size_t node = 0;
  for (std::size_t k = 0; k < road.line.size(); ++k) {
    if (node < road.at.size() && road.at[node] == k) {
      cut.at.push_back(static_cast<std::uint32_t>(cut.line.size()));
      ++node;
    }
    const bool is_last = k + 1 == road.line.size();
    const EastNorth a = road.line[k], b = road.line[is_last ? k : k + 1];
    const auto n = static_cast<std::size_t>(std::max(1.0, std::ceil(std::hypot(b.east - a.east, b.north - a.north) / kEach)));
    is_clear.clear();
    std::uint64_t corners = 0;
    for (std::size_t i = 0; i < n; ++i) {
      is_clear.push_back(!buildings.has(between(a, b, static_cast<double>(i) / static_cast<double>(n)), reach, corners));
      if (!budget.take(1 + corners, a)) return false;
      corners = 0;
    }
    const bool is_cut = std::find(is_clear.begin(), is_clear.end(), false) != is_clear.end();
    cut.is_cut = cut.is_cut || is_cut;
    for (std::size_t i = 0; i < (is_cut ? n : 1); ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(n);
      cut.line.push_back(between(a, b, t));
      if (!road.height.empty()) cut.height.push_back(road.height[k] + t * (road.height[is_last ? k : k + 1] - road.height[k]));
      cut.is_clear.push_back(is_clear[i]);
    }
  }
  return true;
}
}  // namespace

double lane_offset(const roads::Road& road) {
  if (road.one_way != 0 || road.width < kTwoLanes) return 0;
  const double half = road.width / 2;
  return std::clamp(half - kFromEdge, 0.0, std::min(half / 2, kLaneOffset));
}

BuiltStreets built_streets(const osm::Model& map, const autosim::MapSetup& setup) {
  const geo::LocalFrame frame({setup.osm.lat, setup.osm.lon});
  BuiltStreets built;
  built.roads = roads::road_lines(map, setup.highways, frame).roads;
  roads::TerrainOptions size;
  if (setup.terrain) size.width = setup.terrain->width, size.height = setup.terrain->height;
  size.spacing = std::max({size.width, size.height, 1.0}) / 64;
  const roads::HeightGrid ground = roads::flat_terrain(size);
  roads::BuildingSelection buildings = roads::mapped_buildings(map, frame, ground);
  const std::vector<roads::MapPart> water = roads::map_waters(map, frame, ground);
  const roads::Budget budget(built.roads);
  if (!roads::lay_out(map, frame, built.roads, buildings, {}, water, ground, budget)) return {};
  const Footprints footprints(buildings.prisms, budget);
  built.is_clear.resize(built.roads.size());
  for (std::size_t r = 0; r < built.roads.size(); ++r) {
    Cut cut;
    if (budget.crowded() || !look_at(built.roads[r], footprints, budget, cut)) return {};
    if (!cut.is_cut) continue;
    built.roads[r].line = std::move(cut.line);
    built.roads[r].height = std::move(cut.height);
    built.roads[r].at = std::move(cut.at);
    built.is_clear[r] = std::move(cut.is_clear);
  }
  return built;
}

}  // namespace simbatch::town::detail
