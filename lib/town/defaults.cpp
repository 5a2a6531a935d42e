// The houses are our own choice.
#include "lib/town/defaults.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/geo/geo.hpp"
#include "lib/roads/usual_widths.hpp"

namespace simbatch::town {
namespace {
constexpr double kLargestTown = 20'000;  // m
constexpr double kMargin = 50;           // m of ground around the roads

bool is_road(const osm::Model& map, std::size_t way, const autosim::HighwayDimensions& kinds) {
  const auto kind = map.value_of(map.tags_of_way(way), "highway");
  return kind && kinds.find(*kind) != nullptr;
}

struct NodeExtent {
  osm::LatLon low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
  bool any() const { return low.lat_e7 <= high.lat_e7; }
  void take(osm::LatLon at) {
    low = {std::min(low.lat_e7, at.lat_e7), std::min(low.lon_e7, at.lon_e7)};
    high = {std::max(high.lat_e7, at.lat_e7), std::max(high.lon_e7, at.lon_e7)};
  }
};

template <class Use>
void each_road_node(const osm::Model& map, Use use) {
  const autosim::HighwayDimensions kinds = roads::usual_widths();
  for (std::size_t way = 0; way < map.ways.size(); ++way) {
    if (!is_road(map, way, kinds)) continue;
    for (const osm::Ref ref : map.refs_of(way))
      if (!ref.is_missing()) use(map.node_positions[ref.number()]);
  }
}

geo::LatLon rounded(geo::LatLon at) {
  const auto digits = [](double degrees) { return std::round(degrees * 1e4) / 1e4; };
  return {digits(at.lat), digits(at.lon)};
}

/// Offsets in the plane about `origin` of the road nodes that a ground of the largest size there can hold.
template <class Use>
void each_offset(const osm::Model& map, geo::LatLon origin, Use use) {
  const geo::LocalFrame frame(origin);
  each_road_node(map, [&](osm::LatLon at) {
    const geo::EastNorth p = frame.to_plane({at.lat_deg(), at.lon_deg()});
    if (std::fabs(p.east) <= kLargestTown / 2 && std::fabs(p.north) <= kLargestTown / 2) use(p);
  });
}

/// `middle` if roads are in its reach, else the road node nearest to it: bounds may say more than the file holds.
geo::LatLon near_roads(const osm::Model& map, geo::LatLon middle) {
  bool any = false;
  each_offset(map, middle, [&](geo::EastNorth) { any = true; });
  if (any) return middle;
  const geo::LocalFrame frame(middle);
  double least = HUGE_VAL;
  geo::LatLon nearest = middle;
  each_road_node(map, [&](osm::LatLon at) {
    const geo::LatLon place{at.lat_deg(), at.lon_deg()};
    const geo::EastNorth p = frame.to_plane(place);
    if (const double far = std::hypot(p.east, p.north); far < least) {
      least = far;
      nearest = place;
    }
  });
  return rounded(nearest);
}

/// The middle of the first bounds, of all road nodes, or of all nodes.
geo::LatLon middle_of(const osm::Model& map) {
  NodeExtent extent;
  if (!map.bounds.empty() && map.bounds[0].min.lon_e7 <= map.bounds[0].max.lon_e7) {
    extent.take(map.bounds[0].min);
    extent.take(map.bounds[0].max);
  } else {
    each_road_node(map, [&](osm::LatLon at) { extent.take(at); });
    if (!extent.any())
      for (const osm::LatLon at : map.node_positions) extent.take(at);
  }
  if (!extent.any()) return {0, 0};
  return rounded({(extent.low.lat_deg() + extent.high.lat_deg()) / 2, (extent.low.lon_deg() + extent.high.lon_deg()) / 2});
}

autosim::HouseModel model(const char* type, const char* folder, const char* name, double x, double y, double z) {
  return {type, name, {}, {std::string("models/") + folder + "/" + name, "obj"}, {x, y, z}};
}
/// Narrow ones for terraces, high ones for cores and large estates.
void add_to_residential(autosim::LanduseSection& section) {
  section.models.push_back(model("house", "residential", "row_house", 6.5, 8.5, 10));
  section.models.push_back(model("house", "residential", "city_house", 12, 15, 12));
  section.models.push_back(model("house", "residential", "block", 24, 24, 14));
  section.models.back().weight = 0.2;
}
}  // namespace

autosim::MapSetup default_setup(const osm::Model& map, const std::string& name) {
  autosim::MapSetup setup;
  setup.name = setup.osm.name = setup.roads.name = name;
  const geo::LatLon origin = near_roads(map, middle_of(map));
  setup.osm.lat = origin.lat;
  setup.osm.lon = origin.lon;
  setup.roads.height_above_terrain = 0.03;
  setup.roads.curb_height = 0.12;
  setup.highways = roads::usual_widths();
  setup.highways.name = name;
  double east = 0, north = 0;
  each_offset(map, origin, [&](geo::EastNorth p) {
    east = std::max(east, std::fabs(p.east));
    north = std::max(north, std::fabs(p.north));
  });
  // Whole tiles of 64 m.
  const auto size = [](double half) { return std::ceil(2 * (half + kMargin) / 64) * 64; };
  autosim::TerrainDimensions terrain;
  terrain.name = name;
  terrain.width = size(east);
  terrain.height = size(north);
  setup.terrain = terrain;
  return setup;
}

autosim::HouseList default_houses(Style style) {
  autosim::HouseList list;
  list.version = "0.01";
  list.generator = "osmgen";
  const auto section = [&](const char* landuse, std::vector<autosim::HouseModel> models) {
    list.sections.push_back({landuse, {}, std::move(models)});
  };
  section("residential",
          {model("house", "residential", "cottage", 9, 6, 8), model("house", "residential", "villa", 12, 8, 10),
           model("house", "residential", "bungalow", 10, 4.5, 9), model("house", "residential", "town_house", 8, 10, 11),
           model("house", "residential", "apartments", 18, 13, 12)});
  if (style == Style::places) add_to_residential(list.sections.back());
  section("retail", {model("house", "retail", "shop", 10, 7, 10), model("house", "retail", "supermarket", 24, 6, 16)});
  section("commercial", {model("house", "commercial", "office", 16, 12, 12), model("house", "commercial", "bank", 12, 10, 10)});
  section("industrial",
          {model("house", "industrial", "workshop", 18, 7, 14), model("house", "industrial", "warehouse", 28, 9, 16)});
  section("farmyard", {model("house", "farmyard", "barn", 20, 8, 10), model("house", "farmyard", "farm_house", 12, 7, 9)});
  section("forest", {model("tree", "forest", "oak", 0.7, 12, 0.7), model("tree", "forest", "spruce", 0.5, 16, 0.5)});
  if (style == Style::rows) return list;
  section("gardens", {model("hedge", "gardens", "hedge", 6, 1.3, 0.6), model("hedge", "gardens", "short_hedge", 2.5, 1.3, 0.6),
                      model("fence", "gardens", "fence", 5, 1.1, 0.1), model("fence", "gardens", "short_fence", 2, 1.1, 0.1),
                      model("tree", "gardens", "apple_tree", 0.4, 6, 0.4)});
  section("street_trees",
          {model("tree", "street_trees", "lime", 0.6, 11, 0.6), model("tree", "street_trees", "maple", 0.5, 9, 0.5),
           model("tree", "street_trees", "plane", 0.7, 14, 0.7)});
  section("parked_cars",
          {model("car", "parked_cars", "small_car", 1.65, 1.5, 3.8), model("car", "parked_cars", "car", 1.8, 1.45, 4.4),
           model("car", "parked_cars", "van", 1.9, 1.95, 4.9)});
  return list;
}

}  // namespace simbatch::town
