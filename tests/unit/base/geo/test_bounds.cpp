#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/bounds.hpp"

using namespace simbatch::geo;

TEST_CASE("bounds: empty at first, then the smallest box around the points") {
  Bounds3 box;
  CHECK(box.is_empty());
  box.add({1, 2, 3});
  CHECK_FALSE(box.is_empty());
  CHECK(box.size() == Vec3{0, 0, 0});
  box.add({-1, 5, 3});
  CHECK(box.low() == Vec3{-1, 2, 3});
  CHECK(box.high() == Vec3{1, 5, 3});
  CHECK(box.center() == Vec3{0, 3.5, 3});
  Bounds2 rectangle;
  rectangle.add(NAN, 1);
  CHECK(rectangle.is_empty());
  rectangle.add(1e308, -1);
  CHECK(rectangle.x == Bounds1{1e308, 1e308});
  CHECK(rectangle.y.size() == 2);
}
