// Cells of grids, and edges of polygons.
#include <doctest/doctest.h>

#include "base/geo/cell_key.hpp"
#include "base/geo/ring.hpp"

using namespace simbatch::geo;

TEST_CASE("a cell's number is its own, and ordered by rows") {
  CHECK(cell_key(0, 0) == 0);
  CHECK(cell_key(0, 1) == 1);
  CHECK(cell_key(1, 0) == std::uint64_t{1} << 32);
  CHECK(cell_key(-1, 2) != cell_key(2, -1));
  CHECK(cell_key(-1, -1) == ~std::uint64_t{0});
}

TEST_CASE("an edge crosses the ray to the east from places left of it, at heights from its lower end up to its upper one") {
  const EastNorth a{2, 0}, b{4, 2};
  CHECK(is_crossed_eastward(a, b, {2, 1}));
  CHECK(is_crossed_eastward(b, a, {2, 1}));
  CHECK_FALSE(is_crossed_eastward(a, b, {3.5, 1}));
  CHECK_FALSE(is_crossed_eastward(a, b, {2, 3}));
  // Each corner belongs to one of its edges, so that a ray through it counts once.
  CHECK(is_crossed_eastward(a, b, {0, 0}));
  CHECK_FALSE(is_crossed_eastward(a, b, {0, 2}));
  CHECK_FALSE(is_crossed_eastward(a, {9, 0}, {0, 0}));
}
