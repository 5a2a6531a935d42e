// Rays against every shape, the terrain and the world.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/core/random.hpp"
#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::residual;

namespace {

BodySettings fixed(std::string name, Shape shape, Pose pose) {
  BodySettings b;
  b.name = std::move(name);
  b.kind = BodyKind::fixed;
  b.parts = {{std::move(shape), {}}};
  b.pose = pose;
  return b;
}

const std::vector<Vec3> kTetrahedron = {{0, 1, 0}, {1, -1, 0}, {-1, -1, 1}, {-1, -1, -1}};

std::vector<Shape> all_shapes() {
  return {Box{{1, 2, 3}}, Sphere{0.7}, Capsule{0.4, 1.2}, Cylinder{0.6, 1.4}, Cone{0.8, 1.5}, ConvexHull{kTetrahedron}};
}

/// Distance to the surface, negative inside; for checks only.
double outside(const Shape& shape, Vec3 p) {
  struct Distance {
    Vec3 p;
    double operator()(const Box& s) const {
      return std::max({std::abs(p.x) - s.size.x / 2, std::abs(p.y) - s.size.y / 2, std::abs(p.z) - s.size.z / 2});
    }
    double operator()(const Sphere& s) const { return geo::length(p) - s.radius; }
    double operator()(const Capsule& s) const {
      return geo::length(p - Vec3{0, std::min(std::max(p.y, -s.length / 2), s.length / 2), 0}) - s.radius;
    }
    double operator()(const Cylinder& s) const {
      return std::max(std::hypot(p.x, p.z) - s.radius, std::abs(p.y) - s.length / 2);
    }
    double operator()(const Cone& s) const {
      return std::max(std::hypot(p.x, p.z) - s.radius * (0.5 - p.y / s.length), -p.y - s.length / 2);
    }
    double operator()(const ConvexHull& s) const {
      double worst = -1e9;
      const auto& q = s.points;
      const int faces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
      for (const auto& f : faces) {
        const auto at = [&](int i) { return q[static_cast<std::size_t>(f[i])]; };
        Vec3 n = geo::normalized(geo::cross(at(1) - at(0), at(2) - at(0)));
        if (geo::dot(n, at(3) - at(0)) > 0) n = -n;
        worst = std::max(worst, geo::dot(n, p - at(0)));
      }
      return worst;
    }
    double operator()(const TriangleMesh&) const { return 0; }
  };
  return std::visit(Distance{p}, shape);
}

}  // namespace

TEST_CASE("a ray ends on the surface of every shape, and no part of the shape is nearer") {
  RandomStream random(7, "rays");
  const auto symmetric = [&] { return 2 * random.uniform() - 1; };
  double worst = 0;
  for (const Shape& shape : all_shapes()) {
    CAPTURE(shape.index());
    World world;
    const Pose pose{{3, -2, 5}, geo::rotation({1, 2, 3}, 0.8)};
    const BodyId id = world.add_body(fixed("b", shape, pose));
    int hits = 0;
    for (int i = 0; i < 400; ++i) {
      const Vec3 from = pose.p + 3 * geo::normalized(Vec3{symmetric(), symmetric(), symmetric()});
      const Vec3 to = pose.p + Vec3{symmetric(), symmetric(), symmetric()};
      const Vec3 d = 2 * (to - from);
      const auto hit = world.ray_cast(from, from + d);
      const auto local = [&](double t) { return inverse(pose) * (from + t * d); };
      double least = 1e9;
      for (int k = 0; k <= 400; ++k) least = std::min(least, outside(shape, local((hit ? hit->fraction : 1) * k / 400)));
      CHECK(least > -1e-9);  // nothing before the hit, or nothing at all
      if (!hit) continue;
      ++hits;
      CHECK(hit->body == id);
      worst = std::max(worst, std::abs(outside(shape, inverse(pose) * hit->point)));
      CHECK(geo::dot(hit->normal, d) < 0);
      CHECK(outside(shape, inverse(pose) * (hit->point + 1e-3 * hit->normal)) > 0);
    }
    CHECK(hits > 50);
  }
  CHECK(residual("on the surface", worst) < 2e-13);  // 1.1e-14
}

TEST_CASE("a ray that starts inside a body does not see it") {
  for (const Shape& shape : all_shapes()) {
    CAPTURE(shape.index());
    World world;
    world.add_body(fixed("b", shape, {}));
    CHECK(!world.ray_cast({0, 0, 0}, {10, 0.1, 0.2}));
    CHECK(!world.ray_cast({0, 0.1, 0}, {0, 10, 0}));
  }
}

TEST_CASE("a ray hits the nearest body, and leaves out a robot's own and an ignored one") {
  World world;
  BodySettings own = fixed("own", Box{{1, 1, 1}}, {{0, 0, 2}, {}});
  own.group = 3;
  world.add_body(own);
  const BodyId near = world.add_body(fixed("near", Sphere{0.5}, {{0, 0, 5}, {}}));
  const BodyId far = world.add_body(fixed("far", Box{{1, 1, 1}}, {{0, 0, 9}, {}}));
  CHECK(world.name(world.ray_cast({0, 0, 0}, {0, 0, 20})->body) == "own");
  const auto hit = world.ray_cast({0, 0, 0}, {0, 0, 20}, {3, kNoBody});
  REQUIRE(hit);
  CHECK(hit->body == near);
  CHECK(hit->fraction == doctest::Approx(4.5 / 20));
  CHECK(hit->normal == Vec3{0, 0, -1});
  CHECK(world.ray_cast({0, 0, 0}, {0, 0, 20}, {3, near})->body == far);
  CHECK(!world.ray_cast({0, 0, 0}, {0, 20, 0}));
  CHECK(!world.ray_cast({0, 0, 0}, {0, 0, 0}));
  CHECK(!world.ray_cast({0, 0, 0}, {0, 0, NAN}));
}

TEST_CASE("a hit on a compound body names the part") {
  World world;
  BodySettings b = fixed("b", Box{{1, 1, 1}}, {});
  b.parts.push_back({Sphere{0.5}, {{0, 3, 0}, {}}});
  b.parts.push_back({Cone{0.5, 1}, {{0, 6, 0}, geo::rotation({0, 0, 1}, 1)}});
  world.add_body(b);
  for (int i = 0; i < 3; ++i) CHECK(world.ray_cast({0, 3.0 * i, -5}, {0, 3.0 * i, 5})->part == i);
}

// Bullet's compressed tree keeps a triangle's number in 21 bits. A strip of triangles, each its own step of a stair, is longer.
TEST_CASE("meshes of more than 2^21 triangles are hit at any of them") {
  constexpr std::uint32_t kSteps = (1U << 20) + 1000;
  TriangleMesh stair;
  const auto height = [](std::uint32_t step) { return 0.125 * (step % 97); };
  for (std::uint32_t i = 0; i < kSteps; ++i) {
    const double x = 0.5 * i;
    for (const Vec3& p : {Vec3{x, height(i), 0}, {x, height(i), 1}, {x + 0.5, height(i), 0}, {x + 0.5, height(i), 1}})
      stair.points.push_back(p);
    for (const std::uint32_t corner : {0U, 1U, 2U, 2U, 1U, 3U}) stair.indices.push_back(4 * i + corner);
  }
  World world;
  world.add_terrain(std::move(stair));
  for (const std::uint32_t step : {0U, 1U, kSteps / 2, (1U << 20) - 1, 1U << 20, kSteps - 2, kSteps - 1}) {
    const double x = 0.5 * step + 0.25;
    const auto hit = world.ray_cast({x, 20, 0.4}, {x, -1, 0.4});
    REQUIRE_MESSAGE(hit, step);
    CHECK(hit->point.y == doctest::Approx(height(step)).epsilon(1e-9));
  }
}

TEST_CASE("a ray on the height grid agrees with the same triangles as a mesh") {
  RandomStream random(11, "grid");
  HeightGrid grid;
  grid.nx = 17;
  grid.nz = 13;
  grid.spacing = 2;
  grid.x0 = -10;
  grid.z0 = 3;
  for (int i = 0; i < grid.nx * grid.nz; ++i) grid.heights.push_back(3 * random.uniform());
  TriangleMesh mesh;
  for (int z = 0; z < grid.nz; ++z)
    for (int x = 0; x < grid.nx; ++x)
      mesh.points.push_back({grid.x0 + 2 * x, grid.heights[static_cast<std::size_t>(z * grid.nx + x)], grid.z0 + 2 * z});
  for (int z = 0; z + 1 < grid.nz; ++z)
    for (int x = 0; x + 1 < grid.nx; ++x) {
      const auto at = [&](int i, int j) { return static_cast<std::uint32_t>((z + j) * grid.nx + x + i); };
      for (const auto index : {at(0, 0), at(0, 1), at(1, 0), at(1, 0), at(0, 1), at(1, 1)}) mesh.indices.push_back(index);
    }
  World grids, meshes;
  grids.add_terrain(grid);
  meshes.add_terrain(mesh);
  // All triangles, one by one (Moeller and Trumbore 1997, both sides).
  const auto slow = [&](Vec3 from, Vec3 d) {
    double best = 2;
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const Vec3 a = mesh.points[mesh.indices[i]], b = mesh.points[mesh.indices[i + 1]] - a,
                 c = mesh.points[mesh.indices[i + 2]] - a;
      const Vec3 p = geo::cross(d, c);
      const double det = geo::dot(b, p);
      if (det == 0) continue;
      const Vec3 s = from - a, q = geo::cross(s, b);
      const double u = geo::dot(s, p) / det, v = geo::dot(d, q) / det, t = geo::dot(c, q) / det;
      if (u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1) best = std::min(best, t);
    }
    return best;
  };
  int hits = 0, other = 0;
  double worst = 0;
  for (int i = 0; i < 5000; ++i) {
    const auto point = [&](double y) { return Vec3{-12 + 36 * random.uniform(), y, 1 + 30 * random.uniform()}; };
    const Vec3 from = point(-1 + 8 * random.uniform()), to = point(-1 + 5 * random.uniform());
    const auto a = grids.ray_cast(from, to), b = meshes.ray_cast(from, to);
    const double t = slow(from, to - from);
    REQUIRE(a.has_value() == (t <= 1));
    // Bullet sees triangles a ten-thousandth larger than they are: rays past the rim, and edges, may answer otherwise.
    if (a.has_value() != b.has_value() || (a && geo::length(a->point - b->point) > 1e-9)) ++other;
    if (!a) continue;
    ++hits;
    worst = std::max(worst, std::abs(a->fraction - t));
    CHECK(geo::dot(a->normal, to - from) <= 0);
  }
  CHECK(hits > 1000);
  CHECK(other < 10);
  CHECK(residual("grid against triangles", worst) < 2e-14);  // 1.3e-15
  // Straight down, on corners and edges too: no gap between cells.
  for (int i = 0; i <= 64; ++i)
    for (int k = 0; k <= 48; ++k) {
      const double x = grid.x0 + 0.5 * i, z = grid.z0 + 0.5 * k;
      const auto hit = grids.ray_cast({x, 50, z}, {x, -50, z});
      REQUIRE(hit);
      CHECK(std::abs(hit->point.y - *height_at(grid, x, z)) < 1e-9);
      CHECK(std::abs(*meshes.terrain_height(x, z) - *height_at(grid, x, z)) < 1e-6);
    }
  CHECK(!height_at(grid, grid.x0 - 0.01, 5));
  CHECK(!grids.terrain_height(100, 100));
}

TEST_CASE("a plane seen from 100 m away is hit where it is") {
  World world;
  world.add_terrain(test::flat_ground());
  const auto hit = world.ray_cast({-150, 10, -150}, {190, -10, 170});
  REQUIRE(hit);
  CHECK(residual("flat", geo::length(hit->point - Vec3{20, 0, 10})) < 1e-13);  // 0
  CHECK(hit->normal == Vec3{0, 1, 0});
}

TEST_CASE("a short ray, which looks up what is near, meets what a long one meets on its way through the tree") {
  World world(WorldSettings{});
  RandomStream random(5, "near bodies");
  const auto between = [&](double a, double b) { return a + (b - a) * random.uniform(); };
  const auto turn = [&] { return geo::rotation({between(-1, 1), 1, between(-1, 1)}, between(0, 6)); };
  for (int i = 0; i < 300; ++i) {
    const double size = std::pow(10, between(-1, i % 20 == 0 ? 2.3 : 1));
    world.add_body(fixed("fixed" + std::to_string(i), Box{{size, between(0.5, 3), between(0.1, 1) * size}},
                         {{between(-90, 90), between(-1, 2), between(-90, 90)}, turn()}));
  }
  std::vector<BodyId> balls;
  for (int i = 0; i < 60; ++i) {
    BodySettings b = fixed("ball" + std::to_string(i), Sphere{between(0.2, 2)}, {});
    b.kind = i % 3 == 0 ? BodyKind::kinematic : BodyKind::dynamic;
    b.mass = 1;
    b.gravity = false;
    b.pose.p = {between(-90, 90), 200 + between(-1, 2), between(-10, 10)};
    balls.push_back(world.add_body(b));
  }
  int hits = 0, moving_hits = 0;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 400; ++i) {
      const Vec3 from{between(-100, 100), between(-2, 3) + (i % 2 == 0 ? 200 : 0), between(-100, 100) * (i % 2 == 0 ? 0.1 : 1)};
      const Vec3 d = geo::normalized(Vec3{between(-1, 1), between(-0.1, 0.1), between(-1, 1)});
      const auto near = world.ray_cast(from, from + 12.0 * d), far = world.ray_cast(from, from + 120.0 * d);
      const bool expected = far && far->fraction * 120 < 12;
      REQUIRE(near.has_value() == expected);
      if (!near) continue;
      CHECK(near->body == far->body);
      CHECK(near->fraction * 12 == doctest::Approx(far->fraction * 120));
      ++hits;
      moving_hits += world.kind(near->body) != BodyKind::fixed ? 1 : 0;
    }
    // They spread along another axis, swap places, and one more body comes.
    const auto send = [&](double speed) {
      for (const BodyId ball : balls)
        if (world.kind(ball) == BodyKind::dynamic)
          world.set_velocity(ball, {speed * between(-1, 1), 0, speed * between(-1, 1) * (round + 1)}, {});
      world.step();
    };
    send(300);
    send(0);  // boxes are of the start of a step
    world.add_body(fixed("late" + std::to_string(round), Box{{4, 4, 4}}, {{between(-90, 90), 0, between(-90, 90)}, {}}));
  }
  CHECK(hits > 500);
  CHECK(moving_hits > 20);
}
