#include <doctest/doctest.h>

#include "base/geo/point_welder.hpp"

using namespace simbatch::geo;

TEST_CASE("welder: points with the same bits are one point of a mesh, in the order in which they came first") {
  PointWelder welder;
  TriangleMesh mesh;
  CHECK(welder.add(mesh, {1, 2, 3}) == 0);
  CHECK(welder.add(mesh, {4, 5, 6}) == 1);
  CHECK(welder.add(mesh, {1, 2, 3}) == 0);
  CHECK(welder.add(mesh, {0, 0, 0}) == 2);
  CHECK(welder.add(mesh, {-0.0, 0, 0}) == 3);
  CHECK(mesh.points.size() == 4);
}

TEST_CASE("welder: what it knows of one mesh is not used in another") {
  PointWelder welder;
  TriangleMesh first, second;
  for (int i = 0; i < 10; ++i) welder.add(first, {static_cast<double>(i), 0, 0});
  CHECK(welder.add(second, {7, 0, 0}) == 0);
  CHECK(welder.add(second, {8, 0, 0}) == 1);
  CHECK(second.points[1] == Vec3{8, 0, 0});
}

TEST_CASE("welder: a strip of any length has two points a step") {
  PointWelder welder;
  TriangleMesh strip;
  for (int i = 0; i < 100'000; ++i)
    for (const double x : {i + 0.0, i + 1.0})
      for (const double z : {0.0, 2.0}) strip.indices.push_back(welder.add(strip, {0.1 * x, 0, z}));
  CHECK(strip.points.size() == 200'002);
}
