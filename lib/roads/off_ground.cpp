#include "lib/roads/off_ground.hpp"

#include <algorithm>
#include <cmath>

#include "lib/roads/areas.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/structures.hpp"
#include "lib/roads/waterways.hpp"

namespace simbatch::roads {
namespace {

constexpr double kMargin = 100;  // m of ground around the roads

HeightGrid ground_under(const std::vector<Road>& roads) {
  const Extent extent = extent_of(roads);
  TerrainOptions options;
  options.width = 2 * (std::max(std::fabs(extent.low.east), std::fabs(extent.high.east)) + kMargin);
  options.height = 2 * (std::max(std::fabs(extent.low.north), std::fabs(extent.high.north)) + kMargin);
  options.spacing = std::max(options.width, options.height) / 64;
  return flat_terrain(options);
}

}  // namespace

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
  if (!may_leave_ground(map)) return {};
  std::vector<Road> roads = road_lines(map, kinds, frame).roads;
  const auto is = [&](auto what) { return std::any_of(roads.begin(), roads.end(), what); };
  if (!is([](const Road& road) { return road.layer != 0; })) return {};
  const HeightGrid ground = ground_under(roads);
  const bool is_bridged = is([](const Road& road) { return road.is_bridge; });
  const std::vector<MapPart> water = is_bridged ? map_waters(map, frame, ground) : std::vector<MapPart>();
  const Budget budget(roads);
  set_levels(roads, railway_lines(map, frame), water, ground, budget);
  if (budget.crowded()) return {};
  std::vector<OffGround> pieces;
  for (const Road& road : roads)
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
