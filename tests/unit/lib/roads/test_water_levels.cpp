// Bridges over water: room for what moves on it, ramps that fit, nothing in the way of cars and boats.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lib/roads/road_lines.hpp"
#include "lib/roads/waterways.hpp"
#include "tests/unit/lib/roads/level_world.hpp"
#include "tests/unit/lib/roads/street_map.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using namespace simbatch::roads::test;

namespace {
constexpr double kRiver = 3.5, kLift = 0.05;

/// Water from west to east.
std::vector<MapPart> river(double half_width, double clearance = kRiver, double at = 0) {
  return {
      {{{-450, at - half_width}, {450, at - half_width}, {450, at + half_width}, {-450, at + half_width}}, 1, clearance, 0}};
}
Road bridge(osm::Id id, std::vector<EastNorth> points, std::vector<std::uint32_t> nodes, double width = 6) {
  Road road = line(id, std::move(points), std::move(nodes), 1);
  road.is_bridge = true;
  road.width = width;
  return road;
}
/// A street to the north at this east, with a bridge at the river.
std::vector<Road> street(double east, std::uint32_t node = 1, double head = 20, double end = 300) {
  return {line(10 * node, {{east, -end}, {east, -head}}, {node, node + 1}),
          bridge(10 * node + 1, {{east, -head}, {east, head}}, {node + 1, node + 2}),
          line(10 * node + 2, {{east, head}, {east, end}}, {node + 2, node + 3})};
}
std::vector<Road> together(std::initializer_list<std::vector<Road>> some) {
  std::vector<Road> all;
  for (const std::vector<Road>& roads : some) all.insert(all.end(), roads.begin(), roads.end());
  return all;
}
double highest_of(const Built& built) {
  double highest = 0;
  for (const Road& road : built.roads)
    for (const double h : road.height) highest = std::max(highest, h);
  return highest;
}
/// Height of the lanes at a place.
double lane_at(const Built& built, double east, double north) {
  const std::vector<double> heights = MeshProbe(built.lanes).heights(east, north, 1e-4);
  REQUIRE_FALSE(heights.empty());
  return *std::max_element(heights.begin(), heights.end()) - kLift;
}
/// The lowest thing over the water within a band along it (m above the ground).
double room_below(const Built& built, double half_width) {
  double room = 1e9;
  for (const geo::TriangleMesh* mesh : {&built.structures.walls, &built.lanes})
    for (const geo::Vec3& p : mesh->points)
      if (std::fabs(p.z) < half_width) room = std::min(room, p.y);
  return room;
}
void check_drive(const Built& built, EastNorth from, EastNorth to) {
  CAPTURE(from.east);
  CAPTURE(from.north);
  const Drive over = drive(built, from, to, kLift);
  CHECK(over.holes == 0);
  CHECK(over.obstacles == 0);
  CHECK(over.step < 0.25 * 0.1);  // 10 %
}

/// Height of a bridge over a water with these tags.
double height_over(const Tags& water, const Tags& of_bridge = {{"bridge", "yes"}}) {
  StreetMap plan;
  plan.add(1, 0, -300);
  plan.add(2, 0, 300);
  plan.add(3, -200, 0);
  plan.add(4, 200, 0);
  plan.map.add_way(1);
  plan.map.add_ref(osm::Ref(0));
  plan.map.add_ref(osm::Ref(1));
  plan.map.add_tag("highway", "residential");
  for (const auto& [key, value] : of_bridge) plan.map.add_tag(key, value);
  plan.map.add_way(2);
  plan.map.add_ref(osm::Ref(2));
  plan.map.add_ref(osm::Ref(3));
  for (const auto& [key, value] : water) plan.map.add_tag(key, value);
  autosim::HighwayDimensions kinds;
  kinds.kinds.push_back({"residential", {}, 6, 0, 0});
  std::vector<Road> roads = road_lines(plan.map, kinds, plan.frame).roads;
  const MapAreas areas = map_areas(plan.map, plan.frame, level());
  set_levels(roads, {}, areas.parts[static_cast<std::size_t>(Cover::water)], level());
  REQUIRE(roads.size() == 1);
  return roads[0].height.empty() ? 0 : *std::max_element(roads[0].height.begin(), roads[0].height.end());
}
}  // namespace

TEST_CASE("water levels: a bridge over a river, something to drive on and to pass under") {
  const Built built(street(0), river(15));
  CHECK(built.levels.bridges == 1);
  CHECK(built.levels.over_water == 1);
  CHECK(built.levels.low_over_water == 0);
  CHECK(highest_of(built) == doctest::Approx(kRiver + kDeckThickness));
  for (const double side : {-2.5, 0.0, 2.5}) check_drive(built, {side, -290}, {side, 290});
  // The middle half of the river has all of the room; the rest nearly so, and nothing stands in it.
  CHECK(room_below(built, 7.4) == doctest::Approx(kRiver + kLift).epsilon(1e-3));
  CHECK(room_below(built, 14.9) > kRiver - 0.2);
  // The ramps begin over the water, and reach no farther than they must.
  CHECK(built.levels.raised == doctest::Approx(15 + 2 * kRampLength * (kRiver + kDeckThickness)).epsilon(0.05));
}

TEST_CASE("water levels: how high a bridge is depends on what moves on the water") {
  const double deck = kDeckThickness;
  CHECK(height_over({{"waterway", "river"}}) == doctest::Approx(3.5 + deck));
  CHECK(height_over({{"waterway", "canal"}}) == doctest::Approx(3 + deck));
  CHECK(height_over({{"waterway", "river"}}, {{"layer", "1"}}) == doctest::Approx(3.5 + deck));
  CHECK(height_over({{"waterway", "river"}, {"layer", "-1"}}, {{"bridge", "yes"}, {"layer", "0"}}) ==
        doctest::Approx(3.5 + deck));
  for (const char* none : {"stream", "ditch", "drain"}) CHECK(height_over({{"waterway", none}}) == 0);
  CHECK(height_over({{"waterway", "river"}, {"boat", "no"}}) == 0);
  CHECK(height_over({{"waterway", "river"}, {"intermittent", "yes"}}) == 0);
  CHECK(height_over({{"waterway", "river"}, {"tunnel", "culvert"}}) == 0);
  CHECK(height_over({{"waterway", "canal"}, {"bridge", "aqueduct"}}) == 0);  // on the same level, or over the road
  CHECK(height_over({{"waterway", "river"}}, {}) == 0);
  CHECK(height_over({{"waterway", "river"}}, {{"tunnel", "yes"}}) < 0);
  CHECK(height_over({{"waterway", "river"}}, {{"bridge", "yes"}, {"man_made", "pier"}}) == 0);
  // As tagged: the bridge comes first.
  CHECK(height_over({{"waterway", "river"}, {"maxheight:marine", "5"}}) == doctest::Approx(5 + deck));
  CHECK(height_over({{"waterway", "stream"}, {"maxheight:marine", "2.5 m"}}) == doctest::Approx(2.5 + deck).epsilon(2e-3));
  CHECK(height_over({{"waterway", "river"}, {"maxheight:marine", "5"}},
                    {{"bridge", "yes"}, {"seamark:bridge:clearance_height", "6"}}) == doctest::Approx(6 + deck));
  CHECK(height_over({{"waterway", "river"}}, {{"bridge", "yes"}, {"seamark:bridge:clearance_height_closed", "2"}}) ==
        doctest::Approx(2 + deck));
  CHECK(height_over({{"waterway", "river"}}, {{"bridge", "yes"}, {"maxheight:marine", "67"}}) ==
        doctest::Approx(kMostClearance + deck));
  for (const char* wrong : {"high", "-3", "1e300", "nan", "301", ""}) {
    CAPTURE(wrong);
    CHECK(height_over({{"waterway", "river"}}, {{"bridge", "yes"}, {"maxheight:marine", wrong}}) ==
          doctest::Approx(3.5 + deck));
  }
}

TEST_CASE("water levels: a bridge in several pieces is the same as one in one piece") {
  const Built whole(street(0), river(60));
  std::vector<Road> pieces = {line(1, {{0, -300}, {0, -70}}, {1, 2}),
                              bridge(2, {{0, -70}, {0, -59}, {0, -50}, {0, -3}}, {2, 3, 4, 5}),
                              bridge(3, {{0, 10}, {0, -3}}, {6, 5}), bridge(4, {{0, 10}, {0, 59}, {0, 70}}, {6, 7, 8}),
                              line(5, {{0, 70}, {0, 300}}, {8, 9})};
  const Built split(pieces, river(60));
  CHECK(split.levels.over_water == 1);
  CHECK(split.levels.bridges == 1);
  const Built long_bridge(street(0, 1, 70), river(60));
  for (double north = -140; north <= 140; north += 5)
    CHECK(lane_at(split, 0, north) == doctest::Approx(lane_at(long_bridge, 0, north)).epsilon(0.01));
  // Over wide water the ramps begin 25 m from the shore.
  CHECK(lane_at(split, 0, 34) == doctest::Approx(kRiver + kDeckThickness).epsilon(1e-3));
  CHECK(lane_at(split, 0, 60) < kRiver + kDeckThickness - 0.5);
  CHECK(lane_at(split, 0, 60) > (kRiver + kDeckThickness) / 2);
  check_drive(split, {0, -290}, {0, 290});
}

TEST_CASE("water levels: carriageways and paths side by side are one bridge of one height") {
  // The path ends 30 m behind the river: all three are as low as that one can be.
  std::vector<Road> path = {line(90, {{16, -300}, {16, -20}}, {91, 92}), bridge(91, {{16, -20}, {16, 20}}, {92, 93}, 3),
                            line(92, {{16, 20}, {16, 45}}, {93, 94})};
  for (Road& road : path) road.width = 3;
  const Built free(together({street(0, 1), street(10, 10)}), river(15));
  CHECK(free.levels.over_water == 1);
  CHECK(highest_of(free) == doctest::Approx(kRiver + kDeckThickness));
  const Built built(together({street(0, 1), street(10, 10), path}), river(15));
  CHECK(built.levels.over_water == 1);
  CHECK(built.levels.low_over_water == 1);
  const double height = (45 - 7.5) / kRampLength;
  for (const double east : {0.0, 10.0, 16.0}) {
    CHECK(lane_at(built, east, 0) == doctest::Approx(height));
    check_drive(built, {east, -290}, {east, east > 12 ? 44.0 : 290.0});
  }
}

TEST_CASE("water levels: ramps end before what cannot be raised, and go on beyond junctions") {
  const double wanted = kRiver + kDeckThickness;
  SUBCASE("the end of the street") {
    const Built built(street(0, 1, 20, 40), river(15));
    CHECK(built.levels.low_over_water == 1);
    CHECK(highest_of(built) == doctest::Approx((40 - 7.5) / kRampLength));
    check_drive(built, {0, -39}, {0, 39});
  }
  SUBCASE("too near to leave any room") {
    const Built built(street(0, 1, 18, 20), river(15));
    CHECK(built.levels.over_water == 1);
    CHECK(built.levels.low_over_water == 1);
    CHECK(built.levels.bridges == 0);
    CHECK(built.levels.empty());
  }
  SUBCASE("a junction before the end of the street") {
    std::vector<Road> roads = street(0, 1, 20, 40);
    for (const double north : {-40.0, 40.0})
      roads.push_back(
          line(70, {{-300, north}, {0, north}, {300, north}},
               {static_cast<std::uint32_t>(60 + north), north > 0 ? 4U : 1U, static_cast<std::uint32_t>(61 + north)}));
    const Built built(roads, river(15));
    CHECK(built.levels.low_over_water == 0);
    CHECK(highest_of(built) == doctest::Approx(wanted));
    check_drive(built, {-290, 40}, {290, 40});
    check_drive(built, {-290, -41.5}, {290, -41.5});
  }
  SUBCASE("a railway that crosses at its level") {
    for (const bool has_node : {false, true}) {
      CAPTURE(has_node);
      std::vector<Road> roads = street(0);
      roads[2] = line(12, {{0, 20}, {0, 50}, {0, 300}}, {3, 50, 4});
      Road rail = line(99, {{-300, 50}, {0, 50}, {300, 50}}, {51, has_node ? 50U : 53U, 52});
      rail.width = 3.2;
      const Built built(roads, river(15), {rail});
      CHECK(built.levels.low_over_water == 1);
      CHECK(highest_of(built) == doctest::Approx((50 - 7.5 - (has_node ? 0 : 1.6)) / kRampLength));
      CHECK(lane_at(built, 0, 50) == doctest::Approx(0));
    }
  }
  SUBCASE("a street that it crosses without a junction") {
    std::vector<Road> roads = street(0);
    roads.push_back(line(99, {{-300, 60}, {300, 60}}, {51, 52}));
    const Built built(roads, river(15));
    CHECK(built.levels.low_over_water == 1);
    CHECK(highest_of(built) == doctest::Approx((60 - 7.5 - 3) / kRampLength));
    check_drive(built, {0, -290}, {0, 290});
    check_drive(built, {-290, 60}, {290, 60});
  }
}

TEST_CASE("water levels: a bridge over water and a street is as high as both need") {
  std::vector<Road> roads = street(0, 1, 40);
  roads.push_back(line(99, {{-300, 30}, {300, 30}}, {51, 52}));
  const Built built(roads, river(15));
  CHECK(built.levels.low_over_water == 0);
  CHECK(highest_of(built) == doctest::Approx(kDeckHeight));
  CHECK(lane_at(built, 0, 0) >= kRiver + kDeckThickness - 1e-9);
  check_drive(built, {0, -290}, {0, 290});
  check_drive(built, {-290, 30}, {290, 30});
}

TEST_CASE("water levels: where the banks are above the water, a bridge needs less") {
  // A plain 2 m above the sea, into which the water's far corner reaches down.
  HeightGrid plain = level();
  for (std::size_t n = 0; n < plain.heights.size(); ++n)
    plain.heights[n] = static_cast<int>(n) % plain.nx > plain.nx * 3 / 4 ? 0 : 2;
  std::vector<Road> roads = street(0);
  set_levels(roads, {}, river(15), plain);
  const std::vector<double>& heights = roads[1].height;
  REQUIRE_FALSE(heights.empty());
  CHECK(*std::max_element(heights.begin(), heights.end()) == doctest::Approx(kRiver + kDeckThickness - 2));
}

TEST_CASE("water levels: there is no gap between ramp and street where it begins in a bend") {
  for (const auto& [has_node, head] : {std::pair(false, 20.0),
                                       {false, 21.0},
                                       {false, 22.5},
                                       {false, 24.0},
                                       {true, 20.0},
                                       {true, 21.0},
                                       {true, 22.5},
                                       {true, 24.0}}) {
    CAPTURE(has_node);
    CAPTURE(head);
    // The street turns by 0.2 rad every 5 m about where its ramp begins.
    std::vector<Road> roads = street(0, 1, head);
    Road& before = roads[0];
    before.line.assign(1, {0, -head});
    double heading = 0;
    while (before.line.back().north > -150) {
      const EastNorth last = before.line.back();
      heading += last.north < -60 && heading < 1.1 ? 0.2 : 0;
      before.line.push_back({last.east - 5 * std::sin(heading), last.north - 5 * std::cos(heading)});
    }
    std::reverse(before.line.begin(), before.line.end());
    before.at.clear();
    before.nodes.clear();
    for (std::uint32_t k = 0; k < before.line.size(); ++k) {
      const bool is_end = k == 0 || k + 1 == before.line.size();
      if (!is_end && !has_node) continue;
      before.at.push_back(k);
      before.nodes.push_back(is_end ? (k == 0 ? 1 : 2) : 100 + k);
    }
    const Built built(roads, river(15));
    const MeshProbe lanes(built.lanes);
    int holes = 0;
    for (std::size_t k = 1; k + 1 < before.line.size(); ++k)
      for (const double t : {-0.04, 0.0, 0.1, 0.3, 0.34, 0.5, 0.67, 0.9, 0.99})
        for (const double side : {-2.7, 0.0, 2.7}) {
          const EastNorth a = before.line[k], d{before.line[k + 1].east - a.east, before.line[k + 1].north - a.north};
          holes +=
              lanes.covers(a.east + t * d.east - side * d.north / 5, a.north + t * d.north + side * d.east / 5, 1e-4) ? 0 : 1;
        }
    CHECK(holes == 0);
  }
}

TEST_CASE("water levels: from a bridge into a tunnel, no ground lies on the lanes") {
  for (const double portal : {80.0, 81.0, 82.0, 83.0}) {
    CAPTURE(portal);
    std::vector<Road> roads = street(0, 1, 20, portal);
    roads[0].line[0].north = -300;
    roads.push_back(tunnel(50, {{0, portal}, {0, 200}}, {4, 5}));
    roads.push_back(line(51, {{0, 200}, {0, 350}}, {5, 6}));
    const Built built(roads, river(15));
    CHECK(built.levels.low_over_water == 1);
    const Drive over = drive(built, {2, -290}, {2, portal}, kLift);
    CHECK(over.holes == 0);
    CHECK(over.obstacles == 0);
    CHECK(over.lowest < -4);
    CHECK(over.highest > 3);
  }
}

TEST_CASE("water levels: lanes go on in full width where ways meet on a ramp") {
  std::vector<Road> roads = street(0, 1, 30);
  for (Road& road : roads) road.width = 9;
  const Built built(roads, river(15));
  CHECK(built.fitting.pieces == 0);
  for (const double side : {-4.3, 0.0, 4.3}) check_drive(built, {side, -290}, {side, 290});
}

TEST_CASE("water levels: thousands of bridges and waters use up a budget, not minutes") {
  std::vector<Road> roads;
  std::vector<MapPart> water;
  for (std::uint32_t n = 0; n < 3000; ++n) {
    const double north = 0.1 * n;
    roads.push_back(bridge(n, {{-400, -north}, {400, north}}, {2 * n, 2 * n + 1}));
    for (MapPart& part : river(1, kRiver, north)) water.push_back(std::move(part));
  }
  const Budget budget(roads);
  set_levels(roads, {}, water, level(), budget);
  CHECK(budget.crowded());
}
