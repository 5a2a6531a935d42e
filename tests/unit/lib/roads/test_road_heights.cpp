#include "lib/roads/road_heights.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/unit/lib/roads/level_world.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using namespace simbatch::roads::test;

namespace {

const geo::LatLon kOrigin{48, 11};

/// Ground that rises by a tenth to the north.
HeightGrid slope() {
  HeightGrid grid = level();
  for (int j = 0; j < grid.nz; ++j)
    for (int i = 0; i < grid.nx; ++i)
      grid.heights[static_cast<std::size_t>(j * grid.nx + i)] = 0.1 * (grid.z0 + j * grid.spacing);
  return grid;
}

/// A bridge from west to east over a road to the north, with a road that goes on from it and a side street on its ramp.
RoadHeights bridge(HeightGrid ground) {
  std::vector<Road> roads{line(1, {{0, -300}, {0, 300}}, {1, 2}), line(2, {{-20, 0}, {20, 0}}, {3, 4}, 1),
                          line(3, {{20, 0}, {60, 0}, {300, 0}}, {4, 5, 6}), line(4, {{60, 0}, {60, 200}}, {5, 7})};
  roads[1].is_bridge = true;
  set_levels(roads, {}, {}, {});
  return {roads, std::move(ground), kOrigin};
}

}  // namespace

TEST_CASE("roads: where two ways cross, each has its height") {
  const RoadHeights heights = bridge(level());
  const geo::LocalFrame frame(kOrigin);
  CHECK(heights.is_any_off_ground());
  CHECK(heights.at(1, 1, frame, {0, 0}) == 0);
  CHECK(heights.at(2, 2, frame, {0, 0}) == doctest::Approx(kDeckHeight));
  CHECK(heights.at(2, 2, frame, {0, 2.5}) == doctest::Approx(kDeckHeight));
  CHECK(heights.at(3, 3, frame, {290, 0}) == 0);
  CHECK(heights.has(4));
  CHECK_FALSE(heights.has(5));
  CHECK(heights.at(5, 5, frame, {0, 0}) == 0);
}

TEST_CASE("roads: heights are above the ground, in the plane of any frame") {
  const RoadHeights heights = bridge(slope());
  const geo::LocalFrame own(kOrigin), other({48.01, 11.02});
  const auto moved = [&](geo::EastNorth p) { return other.to_plane(own.to_geographic(p)); };
  CHECK(heights.at(1, 1, own, {0, 100}) == doctest::Approx(10));
  CHECK(heights.at(1, 1, other, moved({0, 100})) == doctest::Approx(10).epsilon(1e-6));
  CHECK(heights.at(2, 2, other, moved({0, 2})) == doctest::Approx(kDeckHeight + 0.2).epsilon(1e-6));
}

TEST_CASE("roads: a side street of a ramp begins in the ramp's plane") {
  const RoadHeights heights = bridge(level());
  const geo::LocalFrame frame(kOrigin);
  const double ramp = heights.at(3, 3, frame, {60, 0});
  CHECK(ramp > 0.5);
  CHECK(heights.at(3, 4, frame, {60, 3}) == doctest::Approx(ramp));
  CHECK(heights.at(4, 4, frame, {60, 4}) == doctest::Approx(ramp));
  // Beside the middle of the side street it is as high as the ramp there.
  CHECK(heights.at(4, 4, frame, {62, 4}) == doctest::Approx(heights.at(3, 3, frame, {62, 0})));
  CHECK(heights.at(4, 4, frame, {60, 190}) == 0);
}

TEST_CASE("roads: heights end with their budget") {
  std::vector<Road> roads{line(1, {{0, -300}, {0, 300}}, {1, 2}), line(2, {{-20, 0}, {20, 0}}, {3, 4}, 1)};
  set_levels(roads, {}, {}, {});
  const Budget none(roads, {.for_all = 1, .for_each = 0});
  const RoadHeights heights(roads, level(), kOrigin, none);
  CHECK(none.crowded());
  CHECK_FALSE(heights.is_any_off_ground());
}
