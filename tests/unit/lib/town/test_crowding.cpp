// Maps whose ways cross so often that each house would have to be tested against hundreds of them.
#include <doctest/doctest.h>

#include <string>

#include "base/core/random.hpp"
#include "lib/town/crowding.hpp"
#include "tests/unit/lib/town/town_maker.hpp"

namespace {
using namespace simbatch;
using test::make_houses;
using test::MapText;

/// Straight ways between random places of a square.
std::string random_ways(int count, double side) {
  RandomStream random(5, "ways");
  const auto place = [&] {
    const double east = side * random.uniform();
    return geo::EastNorth{east, side * random.uniform()};
  };
  MapText map;
  for (int i = 0; i < count; ++i) {
    const geo::EastNorth from = place();
    map.way({from, place()}, "highway=residential");
  }
  return map.text();
}
}  // namespace

TEST_CASE("random ways: a few get houses, very many are refused before any house is placed") {
  const test::Made few = make_houses(random_ways(200, 16'000), {});
  CHECK(few.placed.refused.empty());
  CHECK(few.placed.placed > 1000);

  const test::Made many = make_houses(random_ways(20'000, 16'000), {});
  CAPTURE(many.placed.refused);
  CHECK(many.placed.refused.find("the map is too crowded for houses: along its 16") == 0);
  CHECK(many.placed.placed == 0);
  CHECK(many.placed.houses.empty());
  for (const std::uint64_t rejected : many.placed.rejected) CHECK(rejected == 0);

  // A piece of it is as dense.
  const test::Made piece = make_houses(random_ways(20'000 / 256, 1'000), {});
  CHECK(piece.placed.refused.empty());
}

TEST_CASE("crowding is the number of obstacles around streets, summed over their length") {
  MapText map;
  for (int i = 0; i < 4; ++i) map.way({{0, 0}, {480, 0}}, "highway=residential");
  test::Made made = make_houses(map.text(), {});
  REQUIRE(made.placed.refused.empty());
  // Four that are one: each has all four in all its cells.
  made.town.obstacles.clear();
  for (const town::TownRoad& road : made.town.roads)
    made.town.obstacles.push_back({road.first, 2, made.town.road_obstacle_kind[road.kind]});
  const town::ObstacleGrid grid(made.town.points, made.town.obstacles, made.town.obstacle_kinds);
  CHECK(grid.listed_at(town::meters(made.town.points[0])) == 4);
  CHECK_FALSE(town::detail::crowding(made.town, grid));
  const auto found = town::detail::crowding(made.town, grid, 4 * 4 * 479.0);
  REQUIRE(found);
  CHECK(found->meters == doctest::Approx(4 * 480).epsilon(0.001));
  CHECK(found->nearby == doctest::Approx(4));
  CHECK(found->most == doctest::Approx(4).epsilon(0.01));
  CHECK(found->at_worst == 4);
  CHECK_FALSE(town::detail::crowding(made.town, grid, 4 * 4 * 481.0));
}

TEST_CASE("a town is not crowded because something else is far away") {
  const auto town = [](bool stray) {
    MapText map;
    int number = 0;
    for (double at = 0; at <= 2000; at += 50) {
      map.way({{at, 0}, {at, 2000}}, "highway=residential name=N" + std::to_string(++number));
      map.way({{0, at}, {2000, at}}, "highway=residential name=E" + std::to_string(number));
    }
    if (stray) map.way({{900'000, 900'000}, {900'100, 900'000}}, "highway=motorway");
    return make_houses(map.text(), {});
  };
  const test::Made alone = town(false), stray = town(true);
  CHECK(alone.placed.refused.empty());
  CHECK(stray.placed.refused.empty());
  CHECK(alone.placed.placed > 1000);
  CHECK(stray.placed.houses == alone.placed.houses);
}
