#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lib/lanes/codes.hpp"
#include "lib/lanes/network.hpp"
#include "lib/lanes/to_lanelet2.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::lanes;

namespace {

/// A road of 100 m to the east with two lanes there and one back, and one of a lane behind it, joined by a turn.
Network two_roads() {
  const std::vector<geo::EastNorth> first = {{0, 0}, {100, 0}}, second = {{106, 0}, {160, 0}};
  Network network;
  network.origin = {48, 11};
  Road road;
  road.source = "7";
  road.kind = "primary";
  road.speed = 50 / 3.6;
  road.line = rounded_line(first, {});
  road.right = {{3, false, Mark::broken}, {3, false, Mark::solid}, {2, true, Mark::none}};
  road.left = {{3, false, Mark::solid}};
  road.center = Mark::double_yellow;
  road.end_junction = 0;
  road.signs = {{100, true, true}};
  network.roads.push_back(road);
  road.line = rounded_line(second, {});
  road.right = {{3.5, false, Mark::solid}};
  road.left.clear();
  road.signs.clear();
  road.speed.reset();
  network.roads.push_back(road);
  network.junctions = {{"5", {{0, -2, 1, -1}}}};
  return network;
}

std::string tag(const osm::Model& map, std::span<const osm::TagId> tags, std::string_view key) {
  return std::string(map.value_of(tags, key).value_or("-"));
}

std::uint32_t way_of(const osm::Model& map, std::size_t relation, std::size_t member) {
  return map.members_of(relation)[member].ref.number();
}

}  // namespace

TEST_CASE("lanes: lanelets share bounds with their neighbors and points with those that follow") {
  Diagnostics diagnostics;
  const osm::Model map = to_lanelet2(two_roads(), diagnostics);
  // Three lanes and a sidewalk, one lane, one turn.
  REQUIRE(map.relations.size() == 6);
  for (std::size_t r = 0; r < 6; ++r) {
    const auto members = map.members_of(r);
    REQUIRE(members.size() == 2);
    CHECK(map.strings[members[0].role] == "left");
    CHECK(map.strings[members[1].role] == "right");
    CHECK(tag(map, map.tags_of_relation(r), "type") == "lanelet");
  }
  CHECK(way_of(map, 0, 1) == way_of(map, 1, 0));  // neighbors
  CHECK(way_of(map, 0, 0) == way_of(map, 3, 0));  // the middle of the road, for both directions
  const auto front = [&](std::uint32_t way) { return map.refs_of(way).front(); };
  const auto back = [&](std::uint32_t way) { return map.refs_of(way).back(); };
  for (std::size_t side = 0; side < 2; ++side) {
    CHECK(back(way_of(map, 1, side)) == front(way_of(map, 5, side)));  // lane -2 and the turn
    CHECK(back(way_of(map, 5, side)) == front(way_of(map, 4, side)));  // the turn and the lane behind
  }
  CHECK(map.node_count() == 5 * 2 + 2 * 2 + 2 * 11);
}

TEST_CASE("lanes: lanelets say what they are, bounds how they are marked; lights are lost and said") {
  Diagnostics diagnostics;
  const osm::Model map = to_lanelet2(two_roads(), diagnostics);
  const auto lanelet = [&](std::size_t r, std::string_view key) { return tag(map, map.tags_of_relation(r), key); };
  CHECK(lanelet(0, "subtype") == "road");
  CHECK(lanelet(0, "one_way") == "yes");
  CHECK(lanelet(0, "speed_limit") == "50 km/h");
  CHECK(lanelet(2, "subtype") == "walkway");
  CHECK(lanelet(2, "participant:pedestrian") == "yes");
  CHECK(lanelet(4, "speed_limit") == "-");
  CHECK(lanelet(5, "turn_direction") == "straight");
  const auto bound = [&](std::size_t way, std::string_view key) { return tag(map, map.tags_of_way(way), key); };
  CHECK(bound(way_of(map, 0, 0), "subtype") == "solid_solid");
  CHECK(bound(way_of(map, 0, 0), "color") == "yellow");
  CHECK(bound(way_of(map, 0, 1), "subtype") == "dashed");
  CHECK(bound(way_of(map, 1, 1), "subtype") == "solid");
  CHECK(bound(way_of(map, 5, 0), "type") == "virtual");
  test::Expected expected(diagnostics);
  expected.take(lanes::code::kSign);
  // Ids are those of one space: no two objects have the same.
  std::map<osm::Id, int> ids;
  for (const osm::Id id : map.node_ids) ++ids[id];
  for (const osm::Way& way : map.ways) ++ids[way.id];
  for (const osm::Relation& relation : map.relations) ++ids[relation.id];
  CHECK(ids.size() == map.node_count() + map.ways.size() + map.relations.size());
}

TEST_CASE("lanes: a bound on the inner side of a bend that is too narrow for it goes forward all the same") {
  const std::vector<geo::EastNorth> bend = {{0, 0}, {20, 0}, {20, 20}};
  Network network;
  network.origin = {48, 11};
  Road road;
  road.line = rounded_line(bend, {.leave = 0, .radius = 1});
  road.left = {{4, false, Mark::solid}};
  network.roads = {road};
  Diagnostics diagnostics;
  const osm::Model map = to_lanelet2(network, diagnostics);
  REQUIRE(map.ways.size() == 2);
  const auto nodes = map.refs_of(1);  // the left border, 4 m inside a bend of 1 m
  REQUIRE(nodes.size() >= 2);
  double north = 48;
  for (const osm::Ref node : nodes) {
    CHECK(map.node_positions[node.number()].lat_deg() >= north);
    north = map.node_positions[node.number()].lat_deg();
  }
}

namespace {

/// A road of 3 m to the north that ends at the origin, and one that leaves from `at` in the direction `heading` (rad).
Network sharp_turn(geo::EastNorth at, double heading) {
  const std::vector<geo::EastNorth> first = {{0, -50}, {0, 0}},
                                    second = {at, {at.east + 50 * std::cos(heading), at.north + 50 * std::sin(heading)}};
  Network network;
  network.origin = {48, 11};
  Road road;
  road.line = rounded_line(first, {});
  road.right = {{3, false, Mark::solid}};
  network.roads.push_back(road);
  road.line = rounded_line(second, {});
  network.roads.push_back(road);
  network.junctions = {{"5", {{0, -1, 1, -1}}}};
  return network;
}

struct Bounds {
  std::vector<geo::EastNorth> left, right;
};
Bounds bounds_of(const osm::Model& map, std::size_t relation) {
  const geo::LocalFrame frame({48, 11});
  const auto points = [&](std::size_t member) {
    std::vector<geo::EastNorth> result;
    for (const osm::Ref ref : map.refs_of(way_of(map, relation, member))) {
      const osm::LatLon at = map.node_positions[ref.number()];
      result.push_back(frame.to_plane({at.lat_deg(), at.lon_deg()}));
    }
    return result;
  };
  return {points(0), points(1)};
}

}  // namespace

TEST_CASE("lanes: the inner bound of a sharp turn does not fold, and shares its ends with the lanes") {
  Diagnostics diagnostics;
  const osm::Model map = to_lanelet2(sharp_turn({5.7, -1}, geo::radians(-120)), diagnostics);
  REQUIRE(map.relations.size() == 3);
  const Bounds turn = bounds_of(map, 2);
  REQUIRE(turn.right.size() == 2);  // half a meter forward
  CHECK(turn.right[0].north == doctest::Approx(0));
  CHECK(turn.right[1].north == doctest::Approx(0.5).epsilon(0.02));
  CHECK(turn.left.size() == 13);
  CHECK(map.refs_of(way_of(map, 2, 1)).front() == map.refs_of(way_of(map, 0, 1)).back());
  CHECK(map.refs_of(way_of(map, 2, 1)).back() == map.refs_of(way_of(map, 1, 1)).front());
}

TEST_CASE("lanes: between lanes that overlap no bound runs backward") {
  // Lanelet2's rule (geometry::align): the middle of each bound is on its side of the nearest piece of the other one.
  const auto is_left = [](geo::EastNorth p, const std::vector<geo::EastNorth>& line) {
    double nearest = HUGE_VAL;
    bool result = false;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const geo::EastNorth a = line[i - 1], d{line[i].east - a.east, line[i].north - a.north},
                           q{p.east - a.east, p.north - a.north};
      const double square = d.east * d.east + d.north * d.north;
      const double t = square > 0 ? std::clamp((q.east * d.east + q.north * d.north) / square, 0.0, 1.0) : 0;
      const double far = std::hypot(q.east - t * d.east, q.north - t * d.north);
      if (far < nearest) nearest = far, result = d.east * q.north - d.north * q.east > 0;
    }
    return result;
  };
  const auto middle = [](const std::vector<geo::EastNorth>& line) {
    if (line.size() > 2) return line[line.size() / 2];
    return geo::EastNorth{(line[0].east + line[1].east) / 2, (line[0].north + line[1].north) / 2};
  };
  // Back again beside the lane, over it, and around its edge.
  int hairpins = 0;
  for (double east = 0.5; east <= 1.5; east += 0.25)
    for (double north = -0.4; north <= 0.5; north += 0.2)
      for (int degrees = -120; degrees <= -60; degrees += 15) {
        CAPTURE(east);
        CAPTURE(north);
        CAPTURE(degrees);
        Diagnostics diagnostics;
        const osm::Model map = to_lanelet2(sharp_turn({east, north}, geo::radians(degrees)), diagnostics);
        REQUIRE(map.relations.size() == 3);
        CHECK(diagnostics.items().empty());
        const Bounds turn = bounds_of(map, 2);
        CHECK_FALSE(is_left(middle(turn.right), turn.left));
        CHECK(is_left(middle(turn.left), turn.right));
        hairpins += turn.left.size() == 3 || turn.right.size() == 3;
      }
  CHECK(hairpins > 20);
  // Where the lane that follows begins far behind the end of the one before, it is told.
  Diagnostics diagnostics;
  to_lanelet2(sharp_turn({1, -2}, geo::radians(90)), diagnostics);
  test::Expected expected(diagnostics);
  expected.take(lanes::code::kOverlap);
}
