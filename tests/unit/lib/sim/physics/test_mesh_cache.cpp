// Meshes that worlds share: nothing else about these worlds changes.

#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "lib/sim/physics/mesh_cache.hpp"
#include "lib/sim/physics/world.hpp"

using namespace simbatch;
using namespace simbatch::physics;

namespace {

/// A field of hills as a mesh of 2 * 30 * 30 triangles.
TriangleMesh hills(double height) {
  TriangleMesh mesh;
  constexpr std::uint32_t kSide = 31;
  for (std::uint32_t i = 0; i < kSide; ++i)
    for (std::uint32_t k = 0; k < kSide; ++k)
      mesh.points.push_back({i - 15.0, height * std::sin(0.7 * i) * std::cos(0.5 * k), k - 15.0});
  for (std::uint32_t i = 0; i + 1 < kSide; ++i)
    for (std::uint32_t k = 0; k + 1 < kSide; ++k) {
      const std::uint32_t a = i * kSide + k;
      for (const std::uint32_t corner : {a, a + 1, a + kSide, a + kSide, a + 1, a + kSide + 1}) mesh.indices.push_back(corner);
    }
  return mesh;
}

/// The hash after boxes have tumbled over the hills, onto a shed that is a mesh of its own, and what a ray meets there.
std::uint64_t end_of(const std::shared_ptr<MeshCache>& cache, double height = 1) {
  WorldSettings settings;
  settings.meshes = cache;
  World world(settings);
  const BodyId ground = world.add_terrain(hills(height), {.name = "hills"});
  BodySettings shed;
  shed.name = "shed";
  shed.kind = BodyKind::fixed;
  shed.pose = {{2, 1.5, 2}, geo::rotation({0, 1, 0}, 0.4)};
  TriangleMesh roof = hills(0.2);
  for (Vec3& p : roof.points) p = 0.1 * p;
  shed.parts = {{roof, {}}, {Box{{1, 1, 1}}, {{0, -0.5, 0}, {}}}};
  world.add_body(shed);
  for (int i = 0; i < 12; ++i) {
    BodySettings box;
    box.name = "box" + std::to_string(i);
    box.parts = {{Box{{0.4, 0.5, 0.6}}, {}}};
    box.pose = {{1.3 * (i % 4) - 1.5, 4.0 + i, 1.1 * (i % 3)}, geo::rotation({1, 0.3, 0}, 0.5 * i)};
    world.add_body(box);
  }
  for (int i = 0; i < 600; ++i) world.step();
  const auto hit = world.ray_cast({-6.2, 9, 7.1}, {-6.2, -9, 7.1}, {});
  REQUIRE(hit);
  CHECK(hit->body == ground);
  return world.state_hash();
}

}  // namespace

TEST_CASE("mesh cache: worlds that share their meshes are those that do not") {
  const std::uint64_t alone = end_of(nullptr);
  const auto cache = std::make_shared<MeshCache>();
  CHECK(cache->size() == 0);
  CHECK(end_of(cache) == alone);
  CHECK(cache->size() == 2);
  CHECK(end_of(cache) == alone);
  CHECK(cache->size() == 2);
  // Another mesh, be it by a single bit, is not taken for the one that is kept.
  const double higher = std::nextafter(1.0, 2.0);
  CHECK(end_of(cache, higher) == end_of(nullptr, higher));
  CHECK(cache->size() == 3);
}

TEST_CASE("mesh cache: a world outlives the cache that its meshes came from") {
  auto cache = std::make_shared<MeshCache>();
  WorldSettings settings;
  settings.meshes = cache;
  auto first = std::make_unique<World>(settings);
  first->add_terrain(hills(1), {.name = "hills"});
  World second(settings);
  second.add_terrain(hills(1), {.name = "hills"});
  CHECK(cache->size() == 1);
  first->step();
  first.reset();
  const auto below = [&] { return second.ray_cast({0, 9, 0}, {0, -9, 0}, {}); };
  const double height = below()->point.y;
  settings.meshes.reset();
  cache.reset();
  second.step();
  CHECK(below()->point.y == height);
}
