#include "lib/roads/off_ground.hpp"

#include <algorithm>
#include <cmath>

#include "lib/roads/leveled_roads.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/structures.hpp"
#include "lib/roads/waterways.hpp"

namespace simbatch::roads {

bool may_leave_ground(const osm::Model& map) {
  for (std::size_t way = 0; way < map.ways.size(); ++way) {
    const auto tags = map.tags_of_way(way);
    if (!map.value_of(tags, "highway")) continue;
    for (const char* key : {"bridge", "tunnel", "layer"})
      if (map.value_of(tags, key)) return true;
  }
  return false;
}

bool OffGround::is_covered() const { return from_height <= -kUnderGround && to_height <= -kUnderGround; }

std::vector<OffGround> roads_off_ground(const osm::Model& map, const autosim::HighwayDimensions& kinds,
                                        const geo::LocalFrame& frame) {
  detail::LeveledRoads part = detail::leveled_roads(map, kinds, frame);
  if (part.roads.empty()) return {};
  const auto level = [&part] {
    const Budget budget(part.roads);
    set_levels(part.roads, part.railways, part.water, part.ground, budget);
    return !budget.crowded();
  };
  const auto is_too_high = [&part](const Road& road) {
    return std::any_of(road.height.begin(), road.height.end(), [&part](double h) { return std::fabs(h) > part.highest; });
  };
  if (!level()) return {};
  if (std::any_of(part.roads.begin(), part.roads.end(), is_too_high)) {
    part.roads = road_lines(map, kinds, frame).roads;
    part.railways = railway_lines(map, frame);
    if (!level()) return {};
  }
  std::vector<OffGround> pieces;
  for (const Road& road : part.roads)
    for (std::size_t k = 0; k + 1 < road.height.size(); ++k)
      if (road.height[k] != 0 || road.height[k + 1] != 0)
        pieces.push_back({road.line[k], road.line[k + 1], road.width / 2, road.height[k], road.height[k + 1]});
  return pieces;
}

std::vector<std::string> off_ground_keys() {
  std::vector<std::string> keys{"highway", "bridge",   "tunnel", "layer",    "area",     "width",   "lanes",
                                "oneway",  "junction", "type",   "location", "building", "railway", "natural"};
  for (std::string& key : water_keys()) keys.push_back(std::move(key));
  return keys;
}

}  // namespace simbatch::roads
