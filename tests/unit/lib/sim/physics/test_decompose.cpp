// Convex parts of meshes: exact for solids of boxes, enclosing for others.

#include "lib/sim/physics/decompose.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace simbatch::physics;

namespace {

void add_box(TriangleMesh& mesh, Vec3 low, Vec3 high) {
  const auto first = static_cast<std::uint32_t>(mesh.points.size());
  for (int i = 0; i < 8; ++i) mesh.points.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
  for (const std::uint32_t i :
       {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5})
    mesh.indices.push_back(first + i);
}

double volume(const std::vector<ConvexHull>& hulls) {
  double sum = 0;
  for (const ConvexHull& hull : hulls) {
    // A uniform body's tensor says nothing of its volume, so measure by two bodies of known masses: box and hull share one
    // mass.
    const MassProperties with_box = mass_properties({{hull, {}}, {Box{{1, 1, 1}}, {{1000, 0, 0}, {}}}}, 1);
    const double center = mass_properties({{hull, {}}}, 1).center.x;
    // center = (V c + 1000) / (V + 1)
    sum += (1000 - with_box.center.x) / (with_box.center.x - center);
  }
  return sum;
}

}  // namespace

TEST_CASE("decompose: solids of boxes come out exactly, with as many hulls as they need") {
  TriangleMesh cube, l_shape, u_shape;
  add_box(cube, {0, 0, 0}, {2, 1, 1});
  add_box(l_shape, {0, 0, 0}, {3, 1, 1});
  add_box(l_shape, {0, 1, 0}, {1, 4, 1});
  add_box(u_shape, {0, 0, 0}, {5, 1, 1});
  add_box(u_shape, {0, 1, 0}, {1, 3, 1});
  add_box(u_shape, {4, 1, 0}, {5, 3, 1});
  CHECK(convex_parts(cube, 8).size() == 1);
  CHECK(convex_parts(l_shape, 1).size() == 1);
  CHECK(volume(convex_parts(l_shape, 1)) ==
        doctest::Approx(12 - 3).epsilon(1e-3));  // 3 x 4 without the corner's triangle 2 x 3 / 2
  CHECK(convex_parts(l_shape, 8).size() == 2);
  CHECK(volume(convex_parts(l_shape, 8)) == doctest::Approx(6).epsilon(1e-3));
  CHECK(convex_parts(u_shape, 8).size() == 3);
  CHECK(volume(convex_parts(u_shape, 8)) == doctest::Approx(9).epsilon(1e-3));
  CHECK(convex_parts(u_shape, 2).size() == 2);
}

TEST_CASE("decompose: a ring keeps its hole, and no triangle's winding or order matters") {
  TriangleMesh ring;
  constexpr int n = 24;
  for (int i = 0; i < n; ++i)
    for (const double r : {1.0, 2.0})
      for (const double y : {0.0, 0.5})
        ring.points.push_back({r * std::cos(2 * 3.14159265358979 * i / n), y, r * std::sin(2 * 3.14159265358979 * i / n)});
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i % n * 4 + k); };
  for (int i = 0; i < n; ++i)
    for (const auto& [a, b] : {std::pair{0, 1}, std::pair{1, 3}, std::pair{3, 2}, std::pair{2, 0}})
      for (const std::uint32_t index : {at(i, a), at(i, b), at(i + 1, a), at(i + 1, a), at(i, b), at(i + 1, b)})
        ring.indices.push_back(index);
  const std::vector<ConvexHull> hulls = convex_parts(ring, 16);
  CHECK(hulls.size() > 6);
  CHECK(hulls.size() <= 16);
  CHECK(volume(hulls) < 1.35 * 3.14159 * 3 * 0.5);  // the hull of the whole has 1.33 times the ring's 4.71 m^3 more
  CHECK(volume(convex_parts(ring, 1)) > 1.3 * 3.14159 * 3 * 0.5);
  TriangleMesh turned = ring;
  std::reverse(turned.indices.begin(), turned.indices.end());
  const std::vector<ConvexHull> again = convex_parts(turned, 16);
  REQUIRE(again.size() == hulls.size());
  CHECK(volume(again) == doctest::Approx(volume(hulls)).epsilon(1e-3));
}

TEST_CASE("decompose: what encloses nothing has no parts") {
  TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {0, 1, 2}};
  CHECK(convex_parts(flat, 4).empty());
  CHECK(convex_parts({}, 4).empty());
}
