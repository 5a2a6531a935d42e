// Signals, signs and lamps: beside the lanes, facing the traffic that they are for.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lib/roads/furniture.hpp"
#include "tests/unit/lib/roads/street_map.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {
constexpr double kPi = 3.14159265358979;

/// A street of 6 m to the east with nodes every 50 m, crossed by one to the north at the third; node 8 beside it. Tags of one node.
std::vector<Furniture> furniture_with(int node, const Tags& tags) {
  StreetMap plan{node, tags};
  for (int id = 1; id <= 5; ++id) plan.add(id, 50 * (id - 1), 0);
  plan.add(6, 100, 80);
  plan.add(7, 100, -80);
  plan.add(8, 30, 6);
  plan.map.add_way(1);
  for (std::uint32_t n = 0; n < 5; ++n) plan.map.add_ref(osm::Ref(n));
  plan.map.add_tag("highway", "residential");
  plan.map.add_way(2);
  for (const std::uint32_t n : {6U, 2U, 5U}) plan.map.add_ref(osm::Ref(n));
  plan.map.add_tag("highway", "residential");
  autosim::HighwayDimensions kinds;
  kinds.kinds = {{"residential", {}, 6, 1, 1}};
  const std::vector<Road> roads = road_lines(plan.map, kinds, plan.frame).roads;
  TerrainOptions options;
  options.width = options.height = 1000;
  options.spacing = 20;
  return street_furniture(plan.map, plan.frame, roads, road_marks(plan.map, roads), flat_terrain(options));
}
double degrees(double heading) { return std::remainder(heading * 180 / kPi, 360); }
}  // namespace

TEST_CASE("furniture: a stop sign on the right of who has to stop, facing him") {
  const auto pieces = furniture_with(2, {{"highway", "stop"}});
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].kind == Furniture::Kind::stop);
  CHECK(pieces[0].at.x == doctest::Approx(50).epsilon(1e-3));
  CHECK(pieces[0].at.z == doctest::Approx(-3.4).epsilon(1e-3));  // traffic to the east drives south of the middle line
  CHECK(std::fabs(degrees(pieces[0].heading)) == doctest::Approx(90).epsilon(1e-3));
  CHECK(degrees(pieces[0].heading) < 0);
}

TEST_CASE("furniture: signals at a junction, one for each road that leads to it, none on lanes") {
  const auto pieces = furniture_with(3, {{"highway", "traffic_signals"}});
  REQUIRE(pieces.size() == 4);
  for (const Furniture& piece : pieces) {
    CHECK(piece.kind == Furniture::Kind::signal);
    CHECK(piece.node == 3);
    CHECK(std::fabs(piece.at.z) > 3.2);
    CHECK(std::fabs(piece.at.x - 100) > 3.2);
  }
  CHECK(pieces[3].number == 4);
}

TEST_CASE("furniture: a lamp beside a street shines on it, and one on a street is left out") {
  const auto pieces = furniture_with(8, {{"highway", "street_lamp"}});
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].kind == Furniture::Kind::lamp);
  CHECK(std::fabs(degrees(pieces[0].heading)) == doctest::Approx(180).epsilon(1e-3));
  CHECK(furniture_with(2, {{"highway", "street_lamp"}}).empty());
  CHECK(furniture_with(8, {{"traffic_sign", "maxspeed"}}).size() == 1);
}

TEST_CASE("furniture: boxes from the ground up") {
  for (const auto kind : {Furniture::Kind::signal, Furniture::Kind::stop, Furniture::Kind::give_way, Furniture::Kind::sign,
                          Furniture::Kind::lamp}) {
    const auto boxes = boxes_of(kind);
    REQUIRE(boxes.size() == 2);
    CHECK(boxes[0].middle.y == doctest::Approx(boxes[0].size.y / 2));
    CHECK(boxes[1].middle.y + boxes[1].size.y / 2 > 2.5);
  }
}
