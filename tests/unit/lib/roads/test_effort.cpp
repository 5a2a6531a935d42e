// Small maps whose roads are long, cross everywhere or meet in one place: every step gives up, and says where.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "lib/roads/areas.hpp"
#include "lib/roads/carriageway.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/furniture.hpp"
#include "lib/roads/level_widths.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/marks.hpp"
#include "lib/roads/passages.hpp"
#include "lib/roads/roads.hpp"
#include "lib/roads/structures.hpp"
#include "tests/unit/lib/roads/street_map.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using geo::EastNorth;

namespace {
Road line(EastNorth a, EastNorth b, std::uint32_t first, std::uint32_t last, int layer = 0) {
  Road road;
  road.id = last;
  road.kind = "residential";
  road.width = 6;
  road.left_pavement = road.right_pavement = 1.5;
  road.line = {a, b};
  road.at = {0, 1};
  road.nodes = {first, last};
  road.layer = layer;
  return road;
}
/// Roads of `length` from one node in all directions.
std::vector<Road> star(std::uint32_t n, double length, int layer, bool is_tunnel = false) {
  std::vector<Road> roads;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = 6.28 * i / n;
    roads.push_back(line({0, 0}, {length * std::cos(angle), length * std::sin(angle)}, 1, i + 2, layer));
    roads.back().is_tunnel = is_tunnel;
  }
  return roads;
}
/// Roads from west to east that each cross all roads from south to north, which are bridges.
std::vector<Road> lattice(std::uint32_t n, double length) {
  std::vector<Road> roads;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double at = length * (i + 0.5) / n - length / 2;
    roads.push_back(line({-length / 2, at}, {length / 2, at}, 4 * i + 1, 4 * i + 2));
    roads.push_back(line({at, -length / 2}, {at, length / 2}, 4 * i + 3, 4 * i + 4, 1));
  }
  return roads;
}
std::size_t points_of(const std::vector<Road>& roads) {
  std::size_t n = 0;
  for (const Road& road : roads) n += road.line.size();
  return n;
}
HeightGrid level() { return flat_terrain({.spacing = 20, .width = 1000, .height = 1000}); }
Prism house(EastNorth at) {
  Prism prism;
  prism.outer = {at, {at.east + 8, at.north}, {at.east + 8, at.north + 8}, {at.east, at.north + 8}};
  prism.top = 6;
  return prism;
}
double from_middle(const Budget& budget) {
  REQUIRE(budget.crowded().has_value());
  return std::max(std::fabs(budget.crowded()->east), std::fabs(budget.crowded()->north));
}
}  // namespace

TEST_CASE("effort: roads that are too long for their number of points are refused at their longest piece") {
  const std::vector<Road> roads{line({0, 0}, {300, 0}, 1, 2), line({0, 1000}, {0, 2000}, 3, 4)};
  Effort effort;
  effort.meters_for_all = 900;
  effort.meters_for_each = 100;
  CHECK_FALSE(Budget(roads, effort).crowded().has_value());
  effort.meters_for_each = 99;
  CHECK(Budget(roads, effort).crowded() == EastNorth{0, 1500});
  CHECK_FALSE(Budget(roads).crowded().has_value());
  // 1,000 ways of two nodes, 200 km each: 0.2 MB of map that would take gigabytes.
  CHECK(Budget(star(1000, 200'000, 0)).crowded().has_value());
}

TEST_CASE("effort: bridges and tunnels cannot turn a few long roads into millions of points") {
  std::vector<Road> roads = lattice(40, 20'000);  // 80 roads, 1,600 crossings, 267,000 points
  const Budget budget(roads);
  set_levels(roads, {}, {}, {}, budget);
  CHECK(from_middle(budget) <= 10'000);
  CHECK(points_of(roads) <= 130'000);
  CHECK(roads.size() == 80);

  std::vector<Road> tunnels = star(300, 200, -1, true);  // each would have a ramp in every other one
  Effort effort;
  effort.bytes_for_all = 1'000'000;
  const Budget small(tunnels, effort);
  set_levels(tunnels, {}, {}, {}, small);
  CHECK(from_middle(small) <= 200);
  // A few of each are built, even if they are 60 km long.
  std::vector<Road> long_tunnel{line({0, 0}, {20'000, 0}, 1, 2), line({0, 0}, {0, 20'000}, 1, 3),
                                line({9, 0}, {9, 20'000}, 4, 5)};
  for (Road& road : long_tunnel) {
    road.is_tunnel = true;
    road.layer = -1;
  }
  const Budget long_budget(long_tunnel);
  set_levels(long_tunnel, {}, {}, {}, long_budget);
  fit_levels(long_tunnel, long_budget);
  structures_of(split_levels(long_tunnel), {}, flat_terrain({.spacing = 1000, .width = 40'000, .height = 40'000}), {},
                long_budget);
  CHECK_FALSE(long_budget.crowded().has_value());
  CHECK(points_of(long_tunnel) > 20'000);
  std::vector<Road> few = lattice(2, 200);
  const Budget enough(few);
  CHECK(set_levels(few, {}, {}, {}, enough).bridges > 0);
  CHECK_FALSE(enough.crowded().has_value());
}

TEST_CASE("effort: a house beside a long road cannot cut it into millions of pieces") {
  BuildingSelection buildings;
  for (int i = 0; i < 20; ++i) buildings.prisms.push_back(house({2000.0 * i, 3.6}));
  std::vector<Road> roads;
  for (std::uint32_t i = 0; i < 50; ++i) roads.push_back(line({0, 0.01 * i}, {40'000, 0.01 * i}, 2 * i + 1, 2 * i + 2));
  Effort effort;
  effort.bytes_for_all = 10'000'000;
  const Budget budget(roads, effort);
  fit_roads(roads, buildings, {}, budget);
  CHECK(budget.crowded().has_value());
  CHECK(points_of(roads) < 40'000);
  CHECK(std::all_of(roads.begin(), roads.end(), [](const Road& road) { return road.line.size() > 1; }));
}

TEST_CASE("effort: every step gives up once the budget is used up") {
  // What each step gets: a lattice of bridges, with signals where four roads meet.
  std::vector<Road> roads = lattice(3, 300);
  BuildingSelection buildings;
  for (int i = 0; i < 10; ++i) buildings.prisms.push_back(house({20.0 * i, 4}));
  const std::vector<Road> before = roads;
  set_levels(roads, {}, {}, {});
  REQUIRE(std::any_of(roads.begin(), roads.end(), [](const Road& road) { return !road.height.empty(); }));
  const LevelPieces pieces = split_levels(roads);
  StreetMap plan{2, {{"highway", "traffic_signals"}}};
  const EastNorth places[] = {{-100, 0}, {0, 0}, {100, 0}, {0, -100}, {0, 100}};
  for (int id = 1; id <= 5; ++id) plan.add(id, places[id - 1].east, places[id - 1].north);
  for (const auto& refs : {std::array<std::uint32_t, 3>{0, 1, 2}, std::array<std::uint32_t, 3>{3, 1, 4}}) {
    plan.map.add_way(refs[0] + 1);
    for (const std::uint32_t n : refs) plan.map.add_ref(osm::Ref(n));
    plan.map.add_tag("highway", "residential");
  }
  autosim::HighwayDimensions kinds;
  kinds.kinds = {{"residential", {}, 6, 1, 1}};
  const std::vector<Road> streets = road_lines(plan.map, kinds, plan.frame).roads;
  const std::vector<RoadMark> marks = road_marks(plan.map, streets);
  REQUIRE(marks.size() == 4);
  const std::vector<std::vector<EastNorth>> openings{{{-5, -5}, {5, -5}, {5, 5}, {-5, 5}}};
  MapAreas park;
  park.parts[static_cast<std::size_t>(Cover::park)].push_back({{{-20, -20}, {20, -20}, {0, 20}}, 1});
  const std::vector<std::pair<const char*, std::function<void(const Budget&)>>> steps{
      {"open_passages", [&](const Budget& budget) { open_passages(buildings, before, budget); }},
      {"fit_roads",
       [&](const Budget& budget) {
         std::vector<Road> copy = before;
         fit_roads(copy, buildings, {}, budget);
       }},
      {"set_levels",
       [&](const Budget& budget) {
         std::vector<Road> copy = before;
         set_levels(copy, {}, {}, {}, budget);
       }},
      {"fit_levels",
       [&](const Budget& budget) {
         std::vector<Road> copy = roads;
         fit_levels(copy, budget);
       }},
      {"road_marks", [&](const Budget& budget) { road_marks(plan.map, streets, budget); }},
      {"street_furniture",
       [&](const Budget& budget) { street_furniture(plan.map, plan.frame, streets, marks, level(), budget); }},
      {"structures_of", [&](const Budget& budget) { structures_of(pieces, {}, level(), {}, budget); }},
      {"cover_meshes", [&](const Budget& budget) { cover_meshes(park, level(), 0.04, openings, budget); }},
      {"opened_ground", [&](const Budget& budget) { opened_ground(level(), openings, budget); }},
  };
  for (const auto& each : steps) {
    const auto& step = each.second;
    CAPTURE(each.first);
    const Budget enough(roads);
    step(enough);
    CHECK_FALSE(enough.crowded().has_value());
    Effort effort;
    effort.for_all = effort.for_each = 0;
    const Budget none(roads, effort);
    step(none);
    CHECK(none.crowded().has_value());
  }
}

TEST_CASE("effort: areas that cover hills again and again are limited, those that cover them a few times are not") {
  HeightGrid hills = flat_terrain({.spacing = 1, .width = 100, .height = 100});
  for (std::size_t i = 0; i < hills.heights.size(); ++i) hills.heights[i] = std::sin(0.1 * static_cast<double>(i));
  Effort effort;
  effort.bytes_for_all = 1'000'000;
  const auto triangles = [&](std::size_t parks, const Budget& budget) {
    MapAreas areas;
    areas.parts[static_cast<std::size_t>(Cover::park)].assign(parks, {{{-50, -50}, {50, -50}, {50, 50}, {-50, 50}}, 1});
    return cover_meshes(areas, hills, 0.04, {}, budget)[static_cast<std::size_t>(Cover::park)].triangle_count();
  };
  const std::size_t one = triangles(1, {});
  CHECK(one >= 20'000);
  const Budget few(0, effort), many(0, effort);
  CHECK(triangles(4, few) == 4 * one);
  CHECK_FALSE(few.crowded().has_value());
  CHECK(triangles(1000, many) == 5 * one);
  CHECK(many.crowded().has_value());
}

TEST_CASE("effort: indexes and meshes are limited, on hills too") {
  Effort effort;
  effort.entries = 100;
  std::vector<Road> roads = lattice(4, 400);
  for (Road& road : roads) road.layer = 0;
  CHECK(road_meshes(roads, {}, level(), {}, {}, effort).crowded.has_value());
  effort = {};
  CHECK_FALSE(road_meshes(roads, {}, level(), {}, {}, effort).crowded.has_value());
  // Draped over a grid of 1 m, each road becomes thousands of triangles.
  HeightGrid hills = flat_terrain({.spacing = 1, .width = 400, .height = 400});
  for (std::size_t i = 0; i < hills.heights.size(); ++i) hills.heights[i] = std::sin(0.1 * static_cast<double>(i));
  effort.bytes_for_all = 100'000;
  CHECK_FALSE(road_meshes(roads, {}, level(), {}, {}, effort).crowded.has_value());
  const RoadMeshes meshes = road_meshes(roads, {}, hills, {}, {}, effort);
  CHECK(meshes.crowded.has_value());
}
