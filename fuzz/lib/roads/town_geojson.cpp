// Any map that can be read becomes a GeoJSON of its town: rings are closed and turn as they must, lists have a number for each point,
// and all numbers are finite (others are null).
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "formats/osm/read_xml.hpp"
#include "lib/roads/carriageway.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/town_geojson.hpp"

namespace {
using namespace simbatch;
using nlohmann::json;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_ring(const json& ring, bool is_hole) {
  require(ring.size() >= 4 && ring.front() == ring.back());
  std::vector<geo::LatLon> corners;
  for (const json& corner : ring) {
    const geo::LatLon at{corner[1], corner[0]};
    require(std::fabs(at.lat) <= 90 && std::fabs(at.lon) <= 180);
    corners.push_back(at);
  }
  // Corners are rounded: a sliver of less than a square meter may turn either way.
  double area = 0;
  for (std::size_t i = 1; i < corners.size(); ++i)
    area += (corners[i - 1].lon - corners[0].lon) * (corners[i].lat - corners[0].lat) -
            (corners[i].lon - corners[0].lon) * (corners[i - 1].lat - corners[0].lat);
  require(is_hole ? area < 1e-10 : area > -1e-10);
}

void check_polygon(const json& rings) {
  for (std::size_t n = 0; n < rings.size(); ++n) check_ring(rings[n], n > 0);
}

void check(const json& feature) {
  const json &shape = feature["geometry"], &of = feature["properties"], &coordinates = shape["coordinates"];
  if (shape["type"] == "Polygon") check_polygon(coordinates);
  if (shape["type"] == "MultiPolygon")
    for (const json& polygon : coordinates) check_polygon(polygon);
  if (shape["type"] == "LineString") require(coordinates.size() >= 2);
  for (const char* list : {"heights", "elevations"})
    if (of.contains(list)) require(of[list].size() == coordinates.size());
  for (const json& value : of) require(!value.is_null());
  if (of.contains("base_height")) require(of["base_height"].get<double>() < of["height"].get<double>());
}

roads::TownMap town_of(osm::Model&& map) {
  roads::TownMap town;
  town.streets = std::move(map);
  town.streets.build_index();
  if (town.streets.node_count() > 0)
    town.origin = {town.streets.node_positions[0].lat_deg(), town.streets.node_positions[0].lon_deg()};
  const geo::LocalFrame frame(town.origin);
  roads::TerrainOptions ground;
  ground.width = ground.height = 4000;
  ground.spacing = 100;
  town.grid = roads::flat_terrain(ground, 3);
  town.is_level = town.streets.node_count() % 2 == 0;
  autosim::HighwayDimensions kinds;
  kinds.kinds = {{"residential", {}, 7, 1.5, 2}, {"primary", {}, 10, 0, 0}, {"service", {}, 4, 0, 0}};
  town.roads = roads::road_lines(town.streets, kinds, frame).roads;
  town.buildings = roads::mapped_buildings(town.streets, frame, town.grid);
  auto houses = roads::generated_houses(town.streets, frame, town.grid, "fuzz");
  if (houses.value) town.houses = std::move(*houses.value);
  return town;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  osm::ReadOptions options;
  options.max_model_bytes = std::size_t{1} << 28;
  auto read = osm::read_xml({reinterpret_cast<const char*>(data), size}, options, "fuzz");
  if (!read.ok()) return 0;
  roads::TownMap town = town_of(std::move(read.value->model));
  const geo::LocalFrame frame(town.origin);
  const roads::Budget budget(town.roads, {2'000'000, 6'000, 50'000'000, 2'500, 1'000'000, 200, 1'000'000});
  roads::fit_roads(town.roads, town.buildings, town.houses, budget);
  const roads::MapAreas areas = roads::map_areas(town.streets, frame, town.grid, &town.areas);
  roads::set_levels(town.roads, {}, areas.parts[static_cast<std::size_t>(roads::Cover::water)], town.grid, budget);
  if (budget.crowded()) return 0;
  town.marks = roads::road_marks(town.streets, town.roads, budget);
  town.furniture = roads::street_furniture(town.streets, frame, town.roads, town.marks, town.grid, budget);
  town.open_areas = areas.open;
  Diagnostics losses;
  const json features = json::parse(roads::town_geojson(town, "fuzz", losses))["features"];
  require(features.is_array() && !losses.has_errors());
  for (const json& feature : features) check(feature);
  return 0;
}
