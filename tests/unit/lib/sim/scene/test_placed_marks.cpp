// Crossings and stop lines as rectangles on the map.
#include "lib/sim/scene/placed_marks.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace simbatch;
using namespace simbatch::scene;

namespace {
/// 50 m to the east, then 50 m to the north; 6 m wide.
RoadAppearance bent() {
  RoadAppearance road{{{0, 0}, {50, 0}, {50, 50}}, 6};
  road.y = {1, 2, 4};
  return road;
}
}  // namespace

TEST_CASE("placed marks: lie across their road, at its height") {
  RoadAppearance road = bent();
  road.marks = {{20, false, 0}, {75, true, 1}};
  const std::vector<PlacedMark> marks = placed_marks({road});
  REQUIRE(marks.size() == 2);
  CHECK(marks[0].x == doctest::Approx(20));
  CHECK(marks[0].z == doctest::Approx(0));
  CHECK(marks[0].dx == doctest::Approx(1));
  CHECK(marks[0].y == doctest::Approx(1.4));
  CHECK_FALSE(marks[0].is_stop_line);
  CHECK(marks[0].width == 6);
  CHECK(marks[1].x == doctest::Approx(50));
  CHECK(marks[1].z == doctest::Approx(25));
  CHECK(marks[1].dz == doctest::Approx(1));
  CHECK(marks[1].y == doctest::Approx(3));
  CHECK(marks[1].side == 1);
}

TEST_CASE("placed marks: at a bend across the mean of both directions") {
  RoadAppearance road = bent();
  road.marks = {{50, false, 0}};
  const std::vector<PlacedMark> marks = placed_marks({road});
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].dx == doctest::Approx(std::sqrt(0.5)));
  CHECK(marks[0].dz == doctest::Approx(std::sqrt(0.5)));
}

TEST_CASE("placed marks: none beyond the ends or on roads without paint, over all of a one-way road") {
  RoadAppearance road = bent(), track = bent();
  road.y.clear();
  road.is_one_way = true;
  road.marks = {{-3, false, 0}, {10, true, -1}, {100, false, 0}, {103, false, 0}};
  track.is_marked = false;
  track.marks = {{10, true, 0}};
  const std::vector<PlacedMark> marks = placed_marks({track, road});
  REQUIRE(marks.size() == 2);
  CHECK(marks[0].side == 0);
  CHECK(std::isnan(marks[0].y));
  CHECK(marks[1].z == doctest::Approx(50));
}
