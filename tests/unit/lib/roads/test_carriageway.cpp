// Widths of roads: from tags, and where buildings are nearer than the setup's widths.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lib/roads/carriageway.hpp"
#include "lib/roads/roads.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {
const autosim::HighwayKind kResidential{"residential", {}, 6, 1.5, 2};

double width_with(std::initializer_list<std::pair<const char*, const char*>> tags, bool is_one_way = false) {
  osm::Model map;
  map.add_way(1);
  for (const auto& [key, value] : tags) map.add_tag(key, value);
  return carriageway_width(map, map.tags_of_way(0), kResidential, is_one_way);
}

/// A road to the north, 100 m long, with a node at each end and one in the middle.
std::vector<Road> road() {
  Road r;
  r.id = 7;
  r.kind = "residential";
  r.width = 6;
  r.left_pavement = 1.5;
  r.right_pavement = 2;
  r.line = {{0, 0}, {0, 50}, {0, 100}};
  r.at = {0, 1, 2};
  r.nodes = {10, 11, 12};
  return {r};
}

/// A building from x0 to x1, y0 to y1.
Prism block(double x0, double x1, double y0, double y1) {
  return {osm::Kind::way, 1, {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}, 0, 6};
}
double width_at(const std::vector<Road>& roads, double north) {
  for (const Road& r : roads)
    if (r.line.front().north <= north && north < r.line.back().north) return r.width;
  return 0;
}
}  // namespace

TEST_CASE("carriageway: width, then lanes, then the setup") {
  CHECK(width_with({}) == 6);
  CHECK(width_with({{"width", "4.5"}}) == 4.5);
  CHECK(width_with({{"width", "4.5 m"}, {"lanes", "4"}}) == 4.5);
  CHECK(width_with({{"width", "10'"}}) == doctest::Approx(3.048));
  CHECK(width_with({{"lanes", "4"}}) == 12);
  CHECK(width_with({{"lanes", "1"}}) == 3);
  CHECK(width_with({{"lanes", "1"}, {"oneway", "yes"}}) == 3);
  // Half of the setup's two lanes, but wide enough for a car.
  CHECK(width_with({}, true) == 3.5);
  CHECK(width_with({{"lanes", "2"}}, true) == 6);
  CHECK(width_with({{"width", "3"}}, true) == 3);
  // What cannot be: the setup's.
  for (const char* wrong : {"wide", "", "0.5", "-3", "1e9", "nan", "inf", "51"}) {
    CAPTURE(wrong);
    CHECK(width_with({{"width", wrong}}) == 6);
  }
  for (const char* wrong : {"0", "-1", "17", "many", "1e300"}) CHECK(width_with({{"lanes", wrong}}) == 6);
}

TEST_CASE("carriageway: a tag that gives no usable width is named") {
  const auto unused = [](const std::vector<std::pair<std::string, std::string>>& tags) {
    osm::Model map;
    map.add_way(1);
    for (const auto& [key, value] : tags) map.add_tag(key, value);
    return unused_width(map, map.tags_of_way(0));
  };
  CHECK(unused({}).empty());
  CHECK(unused({{"width", "4.5"}}).empty());
  CHECK(unused({{"lanes", "3"}}).empty());
  CHECK(unused({{"width", "4.5"}, {"lanes", "many"}}).empty());  // not looked at
  CHECK(unused({{"width", "wide"}, {"lanes", "3"}}) == "width=wide");
  CHECK(unused({{"width", "300"}}) == "width=300");
  CHECK(unused({{"lanes", "2;3"}}) == "lanes=2;3");
}

TEST_CASE("fitting: roads with room stay as they are") {
  std::vector<Road> roads = road();
  BuildingSelection buildings;
  buildings.prisms = {block(6, 16, 20, 40), block(-16, -6, 20, 40), block(-3, 3, 101, 110)};  // the last ahead of its end
  const Fitting fitting = fit_roads(roads, buildings, {});
  CHECK(fitting.lanes + fitting.pavements + fitting.removed == 0);
  REQUIRE(roads.size() == 1);
  CHECK(roads[0].line == road()[0].line);
  CHECK(roads[0].nodes == road()[0].nodes);
}

TEST_CASE("fitting: pavements give way first, then lanes, only beside the building") {
  std::vector<Road> roads = road();
  BuildingSelection buildings;
  buildings.prisms = {block(4, 14, 10, 20), block(-12, -2, 70, 80)};  // 4 m to the right, 2 m to the left of the middle line
  const Fitting fitting = fit_roads(roads, buildings, {});
  CHECK(fitting.removed == 0);
  CHECK(fitting.lanes == 1);
  CHECK(fitting.pavements == 1);
  CHECK(buildings.prisms.size() == 2);
  CHECK(fitting.meters >= 10);
  CHECK(fitting.meters <= 26);
  CHECK(width_at(roads, 15) == 6);
  CHECK(width_at(roads, 75) == 3.5);  // 2 m, less the room at a wall, in steps of 0.25 m
  CHECK(width_at(roads, 50) == 6);
  CHECK(width_at(roads, 95) == 6);
  // One line through all the old nodes, cut at new ones.
  double north = 0;
  std::vector<std::uint32_t> nodes;
  for (const Road& r : roads) {
    CHECK(r.id == 7);
    CHECK(r.line.front().north == north);
    CHECK(r.at.front() == 0);
    CHECK(r.at.back() + 1 == r.line.size());
    CHECK(r.at.size() == r.nodes.size());
    if (!nodes.empty()) CHECK(r.nodes.front() == nodes.back());
    nodes.insert(nodes.end(), r.nodes.begin(), r.nodes.end());
    north = r.line.back().north;
    for (const Prism& prism : buildings.prisms)  // no lane in a wall
      for (const geo::EastNorth p : prism.outer)
        if (p.north > r.line.front().north && p.north < r.line.back().north) CHECK(std::fabs(p.east) > r.width / 2);
  }
  CHECK(north == 100);
  CHECK(nodes.front() == 10);
  CHECK(nodes.back() == 12);
  CHECK(std::find(nodes.begin(), nodes.end(), 11u) != nodes.end());
}

TEST_CASE("fitting: what is on the road is taken away, a garage at its end is not") {
  std::vector<Road> roads = road();
  BuildingSelection buildings;
  buildings.prisms = {block(1, 9, 30, 40), block(-4, 4, 90, 110)};
  const Fitting fitting = fit_roads(roads, buildings, {});
  CHECK(fitting.removed == 1);
  REQUIRE(buildings.prisms.size() == 1);
  CHECK(buildings.prisms[0].outer[0].north == 90);
  // Generated houses are never taken away: lanes keep their least width.
  roads = road();
  HouseBox house;
  house.base = {3, 0, 50};
  house.size = {4, 5, 4};
  BuildingSelection none;
  CHECK(fit_roads(roads, none, {house}).lanes == 1);
  CHECK(width_at(roads, 50) == kNarrowest);
}

TEST_CASE("fitting: the cut road is one surface") {
  std::vector<Road> roads = road();
  BuildingSelection buildings;
  buildings.prisms = {block(2, 9, 30, 40)};
  fit_roads(roads, buildings, {});
  REQUIRE(roads.size() == 3);
  TerrainOptions terrain;
  terrain.width = terrain.height = 300;
  const RoadMeshes meshes = road_meshes(roads, {}, flat_terrain(terrain));
  double area = 0;
  for (std::size_t t = 0; t < meshes.lanes.triangle_count(); ++t) {
    const auto at = [&](std::size_t k) { return meshes.lanes.points[meshes.lanes.indices[3 * t + k]]; };
    area += geo::length(geo::cross(at(1) - at(0), at(2) - at(0))) / 2;
  }
  double wanted = 0;
  for (const Road& r : roads) wanted += r.width * (r.line.back().north - r.line.front().north);
  CHECK(area == doctest::Approx(wanted).epsilon(0.02));
}
