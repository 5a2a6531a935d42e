// What is first below a point, remembered from call to call: always what a ray says.

#include <doctest/doctest.h>

#include "base/core/random.hpp"
#include "lib/sim/physics/first_below.hpp"
#include "lib/sim/physics/world.hpp"

using namespace simbatch;
using namespace simbatch::physics;

namespace {

/// A strip of road with upright curbs that winds over hills, two triangles for every 3 m, and a bridge over it.
TriangleMesh road() {
  TriangleMesh mesh;
  const auto strip = [&](double y, bool across) {
    for (int i = 0; i < 60; ++i) {
      const double s = 3.0 * i - 90, bend = 8 * std::sin(0.05 * s), height = y + 0.5 * std::sin(0.07 * s);
      for (const double side : {-3.5, 3.5})
        mesh.points.push_back(across ? Vec3{s, height, bend + side} : Vec3{bend + side, height, s});
      if (i == 0) continue;
      const auto n = static_cast<std::uint32_t>(mesh.points.size());
      for (const std::uint32_t k : {4u, 3u, 2u, 3u, 1u, 2u}) mesh.indices.push_back(n - k);
    }
  };
  const auto curb = [&](double side) {
    for (int i = 0; i < 60; ++i) {
      const double s = 3.0 * i - 90, x = 8 * std::sin(0.05 * s) + side, height = 1 + 0.5 * std::sin(0.07 * s);
      for (const double up : {-0.1, 0.2}) mesh.points.push_back({x, height + up, s});
      if (i == 0) continue;
      const auto n = static_cast<std::uint32_t>(mesh.points.size());
      for (const std::uint32_t k : {4u, 3u, 2u, 3u, 1u, 2u}) mesh.indices.push_back(n - k);
    }
  };
  strip(1, false);
  curb(-3.5);
  curb(3.5);
  strip(6, true);
  return mesh;
}

}  // namespace

TEST_CASE("what is first below a point that wanders is what a ray says, in each of 30,000 places") {
  World world(WorldSettings{});
  RandomStream random(3, "below");
  const auto between = [&](double a, double b) { return a + (b - a) * random.uniform(); };
  HeightGrid hills;
  hills.nx = hills.nz = 40;
  hills.spacing = 5;
  hills.x0 = hills.z0 = -97.5;
  for (int i = 0; i < 1600; ++i) hills.heights.push_back(between(0, 1.6));
  world.add_terrain(hills, {.name = "hills"});
  const BodyId roads = world.add_terrain(road(), {.name = "roads"});
  for (int i = 0; i < 80; ++i) {
    BodySettings b;
    b.name = "box" + std::to_string(i);
    b.kind = i < 50 ? BodyKind::fixed : BodyKind::dynamic;
    b.mass = 1;
    b.gravity = false;
    b.group = i;
    b.parts = {{Box{{between(0.2, 4), between(0.2, 2), between(0.2, 4)}}, {}}};
    b.pose = {{between(-20, 20), between(0, 9), between(-80, 80)}, geo::rotation({between(-1, 1), 1, 0}, between(0, 6))};
    world.add_body(b);
  }
  FirstBelow memory;
  memory.ground = roads;
  memory.depth = 101;
  memory.filter.ignore_group = 7;
  Vec3 at{0, 3, 0}, way{0.1, 0, 0.2};
  int on = 0, changes = 0;
  bool last = false;
  for (int i = 0; i < 30000; ++i) {
    if (i % 50 == 0) way = {between(-0.2, 0.2), between(-0.05, 0.05), between(-0.3, 0.3)};
    if (i % 1000 == 0) at = {between(-30, 30), between(-1, 12), between(-80, 80)};
    if (i == 15000) {
      BodySettings late;
      late.name = "late";
      late.kind = BodyKind::fixed;
      late.parts = {{Box{{200, 0.1, 30}}, {}}};
      late.pose.p = {0, 4, 0};
      world.add_body(late);
    }
    at += way;
    if (i % 100 == 0) world.step();
    const auto hit = world.ray_cast(at, at - Vec3{0, memory.depth, 0}, memory.filter);
    const bool expected = hit && hit->body == roads;
    REQUIRE(world.is_first_below(memory, at) == expected);
    on += expected ? 1 : 0;
    changes += expected != last ? 1 : 0;
    last = expected;
  }
  CHECK(on > 1500);
  CHECK(on < 27000);
  CHECK(changes > 100);
}

TEST_CASE("on a street between pavements and houses hardly any place asks a ray") {
  World world(WorldSettings{});
  // A street along z, at 1 m; pavements with upright curbs on both sides, as one mesh that is as large as the town, and turned
  // away from the axes; and
  // houses as one body of many boxes, whose box is as large as the town, too.
  const Quat turned = geo::rotation({0, 1, 0}, 0.6);
  const auto quad = [&](TriangleMesh& mesh, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const auto n = static_cast<std::uint32_t>(mesh.points.size());
    for (const Vec3 p : {a, b, c, d}) mesh.points.push_back(turned * p);
    for (const std::uint32_t k : {0u, 1u, 2u, 2u, 1u, 3u}) mesh.indices.push_back(n + k);
  };
  TriangleMesh lanes, pavements;
  BodySettings houses;
  for (int i = -10; i < 10; ++i) {
    const double z = 10 * i, end = z + 10;
    quad(lanes, {-3, 1, z}, {-3, 1, end}, {3, 1, z}, {3, 1, end});
    for (const double side : {-1.0, 1.0}) {
      quad(pavements, {3 * side, 1.15, z}, {3 * side, 1.15, end}, {5 * side, 1.15, z}, {5 * side, 1.15, end});
      quad(pavements, {3 * side, 0.9, z}, {3 * side, 0.9, end}, {3 * side, 1.15, z}, {3 * side, 1.15, end});
      houses.parts.push_back({Box{{6, 8, 7}}, {turned * Vec3{9 * side, 4, z + 5}, turned}});
    }
  }
  houses.name = "houses";
  houses.kind = BodyKind::fixed;
  const BodyId roads = world.add_terrain(lanes, {.name = "roads"});
  world.add_terrain(pavements, {.name = "pavements"});
  world.add_body(houses);
  FirstBelow memory;
  memory.ground = roads;
  memory.depth = 101;
  int on = 0, off = 0;
  for (const double x : {-13.0, -9.0, -5.5, -4.0, -2.5, 0.0, 1.3, 2.8, 3.5, 4.9, 6.5, 12.0}) {
    for (double z = -80; z < 80; z += 0.07) {
      const Vec3 at = turned * Vec3{x, 12, z};
      const auto hit = world.ray_cast(at, at - Vec3{0, memory.depth, 0}, {});
      const bool expected = hit && hit->body == roads;
      REQUIRE(world.is_first_below(memory, at) == expected);
      REQUIRE(expected == (std::abs(x) < 3));
      on += expected ? 1 : 0;
      off += expected ? 0 : 1;
    }
  }
  CAPTURE(memory.rays);
  CHECK(memory.rays < (on + off) / 100);
}
