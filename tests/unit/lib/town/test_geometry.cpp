// The tests that placing is made of, against looking at many points one by one.
#include "lib/town/geometry.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "base/core/random.hpp"
#include "lib/town/house_grid.hpp"
#include "lib/town/obstacle_grid.hpp"

namespace simbatch::town {
namespace {

constexpr int kSteps = 400;       // of a line or an outline that is looked at point by point
constexpr double kCoarse = 0.06;  // m; how far two such points lie apart, with some room

double between(RandomStream& random, double low, double high) { return low + (high - low) * random.uniform(); }

Vec2 turned(double angle) { return {std::cos(angle), std::sin(angle)}; }

Box any_box(RandomStream& random) {
  const double angle = between(random, 0, 6.28);
  const Vec2 u = turned(angle);
  return {{between(random, -5, 5), between(random, -5, 5)}, u, {-u.z, u.x}, between(random, 0.5, 9), between(random, 0.5, 9)};
}

/// Distance of a point, in the box's frame, from the box.
double away(const Box& box, Vec2 p) {
  return std::hypot(std::max(0.0, std::fabs(p.x) - box.half_u), std::max(0.0, std::fabs(p.z) - box.half_v));
}

double least_distance(const Box& box, Vec2 a, Vec2 b) {
  double least = HUGE_VAL;
  for (int i = 0; i <= kSteps; ++i) least = std::min(least, away(box, a + (b - a) * (static_cast<double>(i) / kSteps)));
  return least;
}

bool boxes_touch(const Box& a, const Box& b) {
  for (int i = 0; i <= 60; ++i)
    for (int k = 0; k <= 60; ++k) {
      const Vec2 p = b.center + b.u * (b.half_u * (i / 30.0 - 1)) + b.v * (b.half_v * (k / 30.0 - 1));
      if (away(a, a.local(p)) == 0) return true;
    }
  return false;
}

Box moved(Box box, double by) {
  box.center = box.center + box.u * by;
  return box;
}

}  // namespace

TEST_CASE("a segment is near a box when its nearest point is") {
  RandomStream random(1, "segments");
  int near = 0, far = 0;
  for (int n = 0; n < 20'000; ++n) {
    const Box box = any_box(random);
    const Vec2 a{between(random, -15, 15), between(random, -15, 15)};
    const bool disc = n % 7 == 0, along_an_axis = n % 5 == 0;
    const Vec2 b = disc ? a : Vec2{along_an_axis ? a.x : a.x + between(random, -9, 9), a.z + between(random, -9, 9)};
    const double radius = n % 11 == 0 ? 0 : between(random, 0.1, 6);
    const double least = least_distance(box, a, b);
    CAPTURE(n);
    if (least < radius - 1e-9) {
      CHECK(near_segment(box, a, b, radius));
      ++near;
    } else if (least > radius + kCoarse) {
      CHECK_FALSE(near_segment(box, a, b, radius));
      ++far;
    }
  }
  CHECK(near > 4000);
  CHECK(far > 4000);
}

TEST_CASE("moved on by the distance that a corridor asks for, a box was nowhere free, and soon is") {
  RandomStream random(2, "corridors");
  int hits = 0;
  for (int n = 0; n < 4000; ++n) {
    const Box box = any_box(random);
    const Vec2 a{between(random, -20, 20), between(random, -20, 20)}, b{between(random, -20, 20), between(random, -20, 20)};
    const double radius = between(random, 0.2, 5);
    const auto distance = [&](double by) { return least_distance(box, a - Vec2{by, 0}, b - Vec2{by, 0}); };
    const double on = distance_to_clear_segment(box, a, b, radius);
    if (on == 0) continue;
    ++hits;
    CAPTURE(n);
    // A lower bound: wherever the box stands before, it touches.
    for (const double part : {0.0, 0.3, 0.6, 0.9, 0.98}) CHECK(distance(on * part) < radius + kCoarse);
    // A few steps, each a quarter of a meter at least, lead out of it.
    double at = on;
    for (int step = 0; step < 400; ++step) {
      const double more = distance_to_clear_segment(box, a - Vec2{at, 0}, b - Vec2{at, 0}, radius);
      if (more == 0) break;
      at += std::max(more, 0.25);
    }
    CHECK(distance(at) >= radius - 1e-9);
  }
  CHECK(hits > 1000);
}

TEST_CASE("moved on by the distance that another box asks for, a box is free of it, and nearer it was not") {
  RandomStream random(3, "boxes");
  int hits = 0;
  for (int n = 0; n < 4000; ++n) {
    const Box box = any_box(random);
    Box other = any_box(random);
    if (n % 3 == 0) {  // as along a straight street: sides in line
      other.u = n % 2 == 0 ? box.u : box.v;
      other.v = {-other.u.z, other.u.x};
    }
    const double on = distance_to_clear_box(box, other);
    CAPTURE(n);
    if (on == 0) {
      Box smaller = box;
      smaller.half_u -= 1e-9;
      smaller.half_v -= 1e-9;
      CHECK_FALSE(boxes_touch(smaller, other));
      continue;
    }
    ++hits;
    CHECK(distance_to_clear_box(moved(box, on + 1e-9), other) == 0);
    for (const double part : {0.2, 0.7, 0.999}) CHECK(distance_to_clear_box(moved(box, on * part), other) > 0);
  }
  CHECK(hits > 1000);
}

TEST_CASE("the part of a segment within a band that lies farthest along it") {
  CHECK(greatest_u_in_band({0, 5}, {9, 3}, 2) == -HUGE_VAL);
  CHECK(greatest_u_in_band({0, -5}, {9, -3}, 2) == -HUGE_VAL);
  CHECK(greatest_u_in_band({1, 1}, {9, -1}, 2) == 9);
  CHECK(greatest_u_in_band({0, 0}, {10, 10}, 2) == doctest::Approx(2));
  CHECK(greatest_u_in_band({0, 10}, {10, 0}, 2) == 10);
  CHECK(greatest_u_in_band({10, 10}, {0, -10}, 2) == doctest::Approx(6));
  CHECK(greatest_u_in_band({3, 0}, {3, 0}, 2) == 3);
}

TEST_CASE("grids find what looking at every obstacle and house finds") {
  RandomStream random(4, "grids");
  const auto place = [&] { return Vec2{between(random, -700, 700), between(random, -700, 700)}; };
  std::vector<Point> points;
  std::vector<ObstacleGrid::Obstacle> obstacles;
  for (std::uint32_t i = 0; i < 400; ++i) {
    const Vec2 a = place(), along{between(random, -60, 60), between(random, i % 40 == 0 ? -900 : -60, 60)};
    obstacles.push_back({2 * i, static_cast<std::uint16_t>(1 + i % 2), static_cast<std::uint16_t>(i % 3)});
    points.push_back(millimeters(a));
    points.push_back(millimeters(a + along));
  }
  const ObstacleGrid grid(points, obstacles, {{Reason::road, 3}, {Reason::path, 0.5}, {Reason::barrier, 40}});
  const std::vector<HouseSize> sizes{{4, 5}, {1.4, 30}, {0.3, 0.3}};
  HouseGrid houses(grid.empty_cells(), sizes);
  HouseGrid::Inserter inserter;
  std::vector<House> placed;
  for (int i = 0; i < 1500; ++i) {
    placed.push_back({millimeters(place()), static_cast<std::uint16_t>(random.below(36000)),
                      static_cast<std::uint16_t>(random.below(sizes.size()))});
    houses.add(placed.back(), inserter);
  }
  int met = 0;
  for (int i = 0; i < 3000; ++i) {
    Box box = any_box(random);
    box.center = place();
    double farthest = 0;
    for (std::uint32_t n = 0; n < obstacles.size(); ++n) farthest = std::max(farthest, grid.clear_of(n, box));
    Hit hit;
    grid.test(box, hit);
    CHECK(hit.clear_after == farthest);
    CHECK(static_cast<bool>(hit) == (farthest > 0));
    const double gap = between(random, 0, 3);
    Box grown = box;
    grown.half_u += gap;
    grown.half_v += gap;
    double house = 0;
    for (const House& h : placed) house = std::max(house, distance_to_clear_box(grown, houses.box_of(h)));
    Hit of_house;
    houses.test(box, gap, of_house);
    CHECK(of_house.clear_after == house);
    CHECK(static_cast<bool>(houses.any(box, gap)) == (house > 0));
    met += farthest > 0 && house > 0 ? 1 : 0;
  }
  CHECK(met > 50);
}

}  // namespace simbatch::town
