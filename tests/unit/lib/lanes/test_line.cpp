#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "lib/lanes/line.hpp"

using namespace simbatch;
using namespace simbatch::lanes;
using std::numbers::pi;

TEST_CASE("lanes: a right angle becomes a quarter of a circle between two straight pieces") {
  const std::vector<geo::EastNorth> points = {{0, 0}, {100, 0}, {100, 50}};
  const Line line = rounded_line(points, {.leave = 0, .radius = 10});
  REQUIRE(line.pieces.size() == 3);
  CHECK(line.pieces[1].curvature == doctest::Approx(0.1));
  CHECK(line.length == doctest::Approx(90 + 10 * pi / 2 + 40));
  CHECK(line.at_points == std::vector<double>{0, line.at_points[1], line.length});
  CHECK(line.at_points[1] == doctest::Approx(90 + 10 * pi / 4));
  const Place middle = place_at(line, line.at_points[1]);
  CHECK(middle.heading == doctest::Approx(pi / 4));
  CHECK(std::hypot(middle.at.east - 90, middle.at.north - 10) == doctest::Approx(10));
  const Place end = place_at(line, line.length);
  CHECK(end.at.east == doctest::Approx(100));
  CHECK(end.at.north == doctest::Approx(50));
  CHECK(end.heading == doctest::Approx(pi / 2));
}

TEST_CASE("lanes: a line passes its points no farther than it may, and has no kinks or gaps") {
  std::vector<geo::EastNorth> points;
  for (int i = 0; i < 40; ++i) points.push_back({10.0 * i, (i % 3) * 2.5 + (i % 7 == 0 ? 4.0 : 0.0)});
  const Line line = rounded_line(points, {.leave = 0.25, .radius = 0});
  REQUIRE(line.at_points.size() == points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Place place = place_at(line, line.at_points[i]);
    CHECK(std::hypot(place.at.east - points[i].east, place.at.north - points[i].north) <= 0.2501);
  }
  for (std::size_t i = 0; i + 1 < line.pieces.size(); ++i) {
    const double s = line.pieces[i + 1].s;
    const Place before = place_at(line, s - 1e-9), after = place_at(line, s + 1e-9);
    CHECK(std::hypot(before.at.east - after.at.east, before.at.north - after.at.north) < 1e-8);
    CHECK(std::fabs(wrapped(before.heading - after.heading)) < 1e-6);
  }
}

TEST_CASE("lanes: a turn back stays a kink, and a part of a line is that part") {
  const std::vector<geo::EastNorth> points = {{0, 0}, {100, 0}, {0, 0.001}};
  const Line line = rounded_line(points, {.leave = 0.5, .radius = 3});
  CHECK(line.length == doctest::Approx(200));
  const Line part = part_of(line, 90, 120);
  CHECK(part.length == doctest::Approx(30));
  CHECK(place_at(part, 0).at.east == doctest::Approx(90));
  CHECK(place_at(part, 30).at.east == doctest::Approx(80));
}

TEST_CASE("lanes: left of a place, and angles about a whole turn") {
  const geo::EastNorth at = left_of({{1, 2}, pi / 2}, 3);
  CHECK(at.east == doctest::Approx(-2));
  CHECK(at.north == doctest::Approx(2));
  CHECK(wrapped(3 * pi / 2) == doctest::Approx(-pi / 2));
}
