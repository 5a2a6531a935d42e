// Areas in cells, against every single area.
#include "lib/town/area_index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <vector>

#include "base/core/random.hpp"

namespace simbatch::town {
namespace {

/// A star about a middle (m): any shape without a pattern, with small corners where it has many.
std::vector<Point> star(RandomStream& random, Vec2 middle, double size, int corners) {
  std::vector<Point> ring;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners, r = size * (0.3 + 0.7 * random.uniform());
    ring.push_back(millimeters(middle + Vec2{std::sin(angle), std::cos(angle)} * r));
  }
  return ring;
}

AreaIndex::Answer one_by_one(const AreaIndex& areas, Vec2 place) {
  AreaIndex::Answer answer;
  for (std::uint32_t i = 0; i < areas.size(); ++i) {
    if (!areas.contains(i, place)) continue;
    std::uint32_t& best = areas.meaning(i).blocks ? answer.blocking : answer.area;
    const auto rank = [&](std::uint32_t n) { return std::tuple(areas.square_meters(n), areas.id(n)); };
    if (best == AreaIndex::kNone || rank(i) < rank(best)) best = i;
  }
  return answer;
}

void check(const AreaIndex& areas, Vec2 place) {
  const auto found = areas.at(place), expected = one_by_one(areas, place);
  CAPTURE(place.x);
  CAPTURE(place.z);
  REQUIRE(found.area == expected.area);
  REQUIRE(found.blocking == expected.blocking);
}

}  // namespace

TEST_CASE("areas: places are where every single area says") {
  RandomStream random(7, "areas");
  for (const double extent : {300.0, 3000.0, 400'000.0}) {  // the last one with larger cells
    CAPTURE(extent);
    const auto somewhere = [&] { return Vec2{random.uniform() - 0.5, random.uniform() - 0.5} * extent; };
    AreaIndex areas;
    for (int i = 0; i < 150; ++i) {
      areas.begin_area({static_cast<std::uint16_t>(i), i % 3 == 0, 0}, i);
      const Vec2 middle = somewhere();
      const double size = std::pow(extent / 2, 0.3 + 0.7 * random.uniform());
      areas.add_ring(star(random, middle, size, 3 + static_cast<int>(random.next32() % 60)));
      if (i % 4 == 0) areas.add_ring(star(random, middle, size * 0.3, 5), false);
    }
    // Along the borders of cells, and on their corners.
    areas.begin_area({150, false, 0}, 150);
    areas.add_ring(std::vector<Point>{{0, 0}, {64'000, 0}, {64'000, 64'000}, {0, 64'000}});
    areas.begin_area({151, false, 0}, 151);
    areas.build();
    for (int k = 0; k < 5000; ++k) check(areas, somewhere() * 1.2);
    for (std::uint32_t i = 0; i < areas.size(); ++i)
      for (std::size_t r = 0; r < areas.ring_count(i); ++r)
        for (const Point corner : areas.ring(i, r))
          for (const double off : {-0.001, 0.0, 0.001}) check(areas, meters(corner) + Vec2{off, off});
    for (const double far : {-1e6, 1e6}) check(areas, {far, far});
  }
  AreaIndex none;
  none.build();
  CHECK(none.at({0, 0}).area == AreaIndex::kNone);
}

}  // namespace simbatch::town
