// Outline: (1) ways with a layer, by their tags; (2) of these, tunnels, and those that cross something; (3) all roads within reach
// of their ramps.
#include "lib/roads/leveled_roads.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "lib/roads/carriageway.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/crossing_ways.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/span_network.hpp"
#include "lib/roads/strip_index.hpp"
#include "lib/roads/waterways.hpp"
#include "lib/roads/way_cells.hpp"

namespace simbatch::roads::detail {
namespace {

constexpr double kGroundMargin = 100;  // m of ground around the roads
constexpr double kBankMargin = 2;      // m: bridges farther from water do not cross it
constexpr double kPlateauMargin = 5;   // m

HeightGrid ground_under(const std::vector<Road>& roads) {
  const Extent extent = extent_of(roads);
  TerrainOptions options;
  options.width = 2 * (std::max(std::fabs(extent.low.east), std::fabs(extent.high.east)) + kGroundMargin);
  options.height = 2 * (std::max(std::fabs(extent.low.north), std::fabs(extent.high.north)) + kGroundMargin);
  options.spacing = std::max(options.width, options.height) / 64;
  return flat_terrain(options);
}

/// Roads and railways by the keys of their tags, which are compared once for the whole map.
class KeyedWays {
 public:
  explicit KeyedWays(const osm::Model& map) {
    std::vector<std::uint8_t> means(map.tag_table.size(), 0);
    for (std::size_t tag = 0; tag < means.size(); ++tag) {
      const std::string_view key = map.key(static_cast<osm::TagId>(tag));
      if (key == "highway") means[tag] = road;
      if (key == "railway") means[tag] = railway;
      if (key == "bridge" || key == "tunnel" || key == "layer") means[tag] = level;
    }
    for (std::size_t way = 0; way < map.ways.size(); ++way) {
      unsigned all = 0;
      for (const osm::TagId tag : map.tags_of_way(way)) all |= means[tag];
      if ((all & (road | railway)) != 0) ways_.emplace_back(way, all);
    }
  }
  enum Means : std::uint8_t { road = 1, railway = 2, level = 4 };
  /// Calls use(way, meanings of its tags).
  template <class Use>
  void each(Use use) const {
    for (const auto& [way, means] : ways_) use(way, means);
  }

 private:
  std::vector<std::pair<std::size_t, unsigned>> ways_;
};

class Selection {
 public:
  Selection(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame)
      : map_(map), kinds_(kinds), frame_(frame), keyed_(map) {}

  LeveledRoads run() {
    LeveledRoads result;
    keyed_.each([&](std::size_t way, unsigned means) {
      if ((means & KeyedWays::road) == 0 || (means & KeyedWays::level) == 0) return;
      const auto kind = map_.value_of(map_.tags_of_way(way), "highway");
      if (kinds_.find(*kind) == nullptr) return;
      const WayLevel level = level_of_way(map_, way);
      if (level.layer == 0 && !level.is_bridge) return;  // over water, such a bridge is raised too
      layered_.push_back({way, level.layer});
      levels_.push_back(level);
    });
    if (layered_.empty()) return result;
    if (!find_movers(result)) return {};
    std::vector<std::size_t> movers;
    for (std::size_t n = 0; n < layered_.size(); ++n)
      if (moves_[n]) movers.push_back(layered_[n].way);
    if (movers.empty()) return result;
    result.highest = highest();
    const WayCells near(map_, movers, reach(result.highest));
    std::vector<std::size_t> ways;
    keyed_.each([&](std::size_t way, unsigned) {
      if (near.has(way)) ways.push_back(way);
    });
    result.roads = road_lines(map_, kinds_, frame_, ways).roads;
    result.railways = railway_lines(map_, frame_, ways);
    return result;
  }

 private:
  /// Tunnels, ways that cross another one, and bridges over water. Fills ground and water. @return false: the map is too crowded
  bool find_movers(LeveledRoads& result) {
    CrossingWays crossings(map_, layered_);
    keyed_.each([&](std::size_t way, unsigned means) {
      const bool has_level = (means & KeyedWays::level) != 0;
      crossings.compare(way, has_level ? level_of_way(map_, way).layer : 0);
    });
    if (crossings.is_crowded()) return false;
    moves_ = crossings.found();
    std::vector<std::size_t> bridges;  // by numbers of layered_
    for (std::size_t n = 0; n < layered_.size(); ++n) {
      if (levels_[n].is_tunnel) moves_[n] = true;
      if (levels_[n].is_bridge) bridges.push_back(n);
    }
    if (bridges.empty()) return true;
    StripIndex index;
    std::vector<std::size_t> bridge_of;
    std::vector<Road> lines;
    for (const std::size_t n : bridges)
      for (Road& road : road_lines(map_, kinds_, frame_, std::span(&layered_[n].way, 1)).roads) {
        Box box = box_of(road.line);
        box.low = minus(box.low, {kBankMargin, kBankMargin});
        box.high = plus(box.high, {kBankMargin, kBankMargin});
        index.add(box);
        bridge_of.push_back(n);
        lines.push_back(std::move(road));
      }
    index.build();
    result.ground = ground_under(lines);
    result.water = map_waters(map_, frame_, result.ground);
    for (const MapPart& part : result.water)
      index.near(box_of(part.outline), [&](std::uint32_t n) { moves_[bridge_of[n]] = is_over_water_ = true; });
    return true;
  }

  /// Height above or below the ground that is expected at most (m): ramps that cross ramps of their own layer get higher.
  double highest() const {
    int high = 0, low = 0;
    for (std::size_t n = 0; n < layered_.size(); ++n) {
      if (!moves_[n]) continue;
      high = std::max(high, layered_[n].layer);
      low = std::min(low, layered_[n].layer);
    }
    return std::max(kDeckHeight * (high + 1) + (is_over_water_ ? kMostClearance + kDeckThickness : 0), kTunnelDepth * -low);
  }
  /// How far from a way the roads are that ramps of such a height, and their plateaus, reach (m), at most.
  double reach(double height) const {
    double half_width = kWidestTaggedLanes / 2;
    for (const autosim::HighwayKind& kind : kinds_.kinds)
      half_width = std::max(half_width, kind.width / 2 + std::max(kind.left_pavement, kind.right_pavement));
    return kRampLength * height + half_width / kFlattestSine + kPlateauMargin;
  }

  const osm::Model& map_;
  const autosim::HighwayDimensions& kinds_;
  const geo::LocalFrame& frame_;
  KeyedWays keyed_;
  std::vector<LayeredWay> layered_;
  std::vector<WayLevel> levels_;  // of these
  std::vector<bool> moves_;       // whether each of these may be raised or lowered
  bool is_over_water_ = false;
};
}  // namespace

LeveledRoads leveled_roads(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame) {
  return Selection(map, kinds, frame).run();
}

}  // namespace simbatch::roads::detail
