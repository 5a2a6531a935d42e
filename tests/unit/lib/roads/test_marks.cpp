// Crossings and stop lines: where the nodes of a map have them.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "lib/roads/marks.hpp"
#include "tests/unit/lib/roads/street_map.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {

/// A street of 200 m to the east with nodes every 50 m, the middle one at a junction with a street to the north; tags of one node, 1 to 6,
/// and of the street.
std::vector<RoadMark> marks_with(int node, const Tags& tags, const Tags& street = {}) {
  StreetMap plan{node, tags};
  for (int id = 1; id <= 5; ++id) plan.add(id, 50 * (id - 1), 0);
  plan.add(6, 100, 80);
  plan.map.add_way(1);
  for (std::uint32_t n = 0; n < 5; ++n) plan.map.add_ref(osm::Ref(n));
  plan.map.add_tag("highway", "residential");
  for (const auto& [key, value] : street) plan.map.add_tag(key, value);
  plan.map.add_way(2);
  plan.map.add_ref(osm::Ref(2));
  plan.map.add_ref(osm::Ref(5));
  plan.map.add_tag("highway", "residential");
  autosim::HighwayDimensions kinds;
  kinds.kinds = {{"residential", {}, 6, 1, 1}};
  return road_marks(plan.map, road_lines(plan.map, kinds, plan.frame).roads);
}
}  // namespace

TEST_CASE("marks: a crossing at its node, unless it is not painted") {
  const auto marks = marks_with(2, {{"highway", "crossing"}});
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].kind == RoadMark::Kind::crossing);
  CHECK(marks[0].road == 0);
  CHECK(marks[0].along == doctest::Approx(50).epsilon(1e-3));
  CHECK(marks_with(2, {{"highway", "crossing"}, {"crossing", "unmarked"}}).empty());
  CHECK(marks_with(2, {{"highway", "bus_stop"}}).empty());
}

TEST_CASE("marks: a stop line is for traffic towards the junction, or as the node says") {
  CHECK(marks_with(2, {{"highway", "stop"}}).at(0).direction == 1);
  CHECK(marks_with(4, {{"highway", "give_way"}}).at(0).direction == -1);
  CHECK(marks_with(2, {{"highway", "stop"}, {"direction", "backward"}}).at(0).direction == -1);
  CHECK(marks_with(2, {{"highway", "traffic_signals"}}).at(0).direction == 0);
  // Nothing comes from there on a one-way street.
  CHECK(marks_with(4, {{"highway", "give_way"}}, {{"oneway", "yes"}}).empty());
  CHECK(marks_with(2, {{"highway", "traffic_signals"}}, {{"oneway", "yes"}}).at(0).direction == 1);
}

TEST_CASE("marks: signals on a junction stop all roads that lead to it") {
  const auto marks = marks_with(3, {{"highway", "traffic_signals"}});
  REQUIRE(marks.size() == 3);
  CHECK(marks[0].along == doctest::Approx(100 - 3 - kSetback).epsilon(1e-3));
  CHECK(marks[0].direction == 1);
  CHECK(marks[1].along == doctest::Approx(100 + 3 + kSetback).epsilon(1e-3));
  CHECK(marks[1].direction == -1);
  CHECK(marks[2].road == 1);
  CHECK(marks[2].along == doctest::Approx(3 + kSetback).epsilon(1e-3));
  CHECK(marks[2].direction == -1);
}
