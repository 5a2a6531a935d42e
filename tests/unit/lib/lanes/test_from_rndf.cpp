#include <doctest/doctest.h>

#include <string>

#include "formats/rndf/rndf.hpp"
#include "lib/lanes/codes.hpp"
#include "lib/lanes/network.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::lanes;

namespace {

/// Waypoints of lane 1.1 every 0.0001 degrees (11.08 m) northwards.
rndf::Lane lane_of(int segment, int number, double lon, int waypoints) {
  rndf::Lane lane;
  lane.segment = segment, lane.number = number;
  for (int i = 0; i < waypoints; ++i) lane.waypoints.push_back({{segment, number, i + 1}, true, 30 + i * 1e-4, lon, {}});
  return lane;
}

}  // namespace

TEST_CASE("lanes: a lane of a network is one road, with its width, marks and stops") {
  rndf::Rndf rndf;
  rndf.segments = {{1, "Main", {}, {lane_of(1, 1, -98, 5)}, {}}};
  rndf::Lane& lane = rndf.segments[0].lanes[0];
  lane.width_ft = 10;
  lane.left = rndf::Boundary::double_yellow;
  lane.right = rndf::Boundary::solid_white;
  lane.stops = {{{1, 1, 5}, {}}};
  Diagnostics diagnostics;
  const auto network = from_rndf(rndf, diagnostics);
  REQUIRE(network.has_value());
  REQUIRE(network->roads.size() == 1);
  const Road& road = network->roads[0];
  CHECK(road.source == "1.1");
  CHECK(road.line.length == doctest::Approx(44.34).epsilon(0.001));
  CHECK(road.right[0].width == doctest::Approx(3.048));
  CHECK(road.shift == doctest::Approx(1.524));  // the lane's middle is the waypoints' line
  CHECK(road.center == Mark::double_yellow);
  CHECK(road.right[0].outer == Mark::solid);
  REQUIRE(road.signs.size() == 1);
  CHECK(road.signs[0].s == doctest::Approx(road.line.length));
  CHECK_FALSE(road.signs[0].is_light);
  CHECK(diagnostics.empty());
}

TEST_CASE("lanes: a lane is cut where exits leave and arrive, and goes on through the cut") {
  rndf::Rndf rndf;
  rndf.segments = {{1, "", {}, {lane_of(1, 1, -98, 5)}, {}}, {2, "", {}, {lane_of(2, 1, -97.9998, 5)}, {}}};
  rndf.segments[0].lanes[0].exits = {{{1, 1, 3}, {2, 1, 3}, {}}};
  Diagnostics diagnostics;
  const auto network = from_rndf(rndf, diagnostics);
  REQUIRE(network.has_value());
  REQUIRE(network->roads.size() == 4);
  REQUIRE(network->junctions.size() == 1);
  CHECK(network->junctions[0].turns.size() == 3);
  // The exit leaves from its waypoint, the entry begins at its own; 2 m are between the parts of each lane.
  CHECK(network->roads[0].line.length == doctest::Approx(22.17).epsilon(0.001));
  CHECK(network->roads[1].line.length == doctest::Approx(20.17).epsilon(0.001));
  CHECK(network->roads[2].line.length == doctest::Approx(20.17).epsilon(0.001));
  CHECK(network->roads[3].line.length == doctest::Approx(22.17).epsilon(0.001));
  test::Expected expected(diagnostics);
  expected.take(lanes::code::kGuess);
}

TEST_CASE("lanes: zones, checkpoints and exits that lead nowhere are lost, and said") {
  rndf::Rndf rndf;
  rndf.segments = {{1, "", {}, {lane_of(1, 1, -98, 3), lane_of(1, 2, -97.9999, 3)}, {}}};
  rndf.zones.resize(1);
  rndf.zones[0].id = 2;
  rndf.segments[0].lanes[0].checkpoints = {{{1, 1, 2}, 7, {}}};
  // To the zone; from a lane's first waypoint; to a lane's last one.
  rndf.segments[0].lanes[0].exits = {{{1, 1, 3}, {2, 0, 1}, {}}, {{1, 1, 1}, {1, 2, 1}, {}}, {{1, 1, 3}, {1, 2, 3}, {}}};
  Diagnostics diagnostics;
  const auto network = from_rndf(rndf, diagnostics);
  REQUIRE(network.has_value());
  CHECK(network->junctions.empty());
  test::Expected expected(diagnostics);
  expected.take(lanes::code::kZone);
  expected.take(lanes::code::kCheckpoint);
  expected.take(lanes::code::kExit);
  expected.take(lanes::code::kGuess);
}

TEST_CASE("lanes: a width that no lane has counts as unknown") {
  rndf::Rndf rndf;
  rndf.segments = {{1, "", {}, {lane_of(1, 1, -98, 3)}, {}}};
  rndf.segments[0].lanes[0].width_ft = 1e300;
  Diagnostics diagnostics;
  const auto network = from_rndf(rndf, diagnostics);
  REQUIRE(network.has_value());
  CHECK(network->roads[0].right[0].width == doctest::Approx(3.6576));
  test::Expected expected(diagnostics);
  expected.take(lanes::code::kGuess);
}

TEST_CASE("lanes: a network without lanes, or around the world, is refused") {
  rndf::Rndf rndf;
  Diagnostics diagnostics;
  CHECK_FALSE(from_rndf(rndf, diagnostics).has_value());
  test::Expected expected(diagnostics);
  expected.take(lanes::code::kEmpty);
  rndf.segments = {{1, "", {}, {lane_of(1, 1, -98, 3), lane_of(1, 2, 60, 3)}, {}}};
  Diagnostics wide;
  CHECK_FALSE(from_rndf(rndf, wide).has_value());
  test::Expected of_wide(wide);
  of_wide.take(lanes::code::kExtent);
}
