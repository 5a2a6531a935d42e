// Triangles that are copied, and those of meshes kept elsewhere: rays cannot tell them apart.
#include "lib/sim/vision/surface.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

using namespace simbatch;
using namespace simbatch::sim::vision;

namespace {

/// A ramp of n x n squares of 1 m from (x0, 0) on, two triangles each, which share their points.
geo::TriangleMesh ramp(double x0, std::uint32_t n) {
  geo::TriangleMesh mesh;
  for (std::uint32_t z = 0; z <= n; ++z)
    for (std::uint32_t x = 0; x <= n; ++x) mesh.points.push_back({x0 + x, 0.1 * x + 0.03 * z * z, static_cast<double>(z)});
  for (std::uint32_t z = 0; z < n; ++z)
    for (std::uint32_t x = 0; x < n; ++x) {
      const std::uint32_t a = z * (n + 1) + x, b = a + n + 1;
      mesh.indices.insert(mesh.indices.end(), {a, b, a + 1, a + 1, b, b + 1});
    }
  return mesh;
}

struct Seen {
  bool hit = false;
  std::uint32_t tag = 0;
  Vec3 normal;
  double distance = 0;
  bool operator==(const Seen&) const = default;
};

Seen look(const Surface& surface, Vec3 from, Vec3 d) {
  Seen seen;
  Surface::Triangle triangle;
  seen.hit = surface.first_hit(from, d, 0, 1000, triangle);
  if (!seen.hit) return seen;
  seen = {true, surface.tag(triangle), surface.normal(triangle), surface.distance(triangle, from, d)};
  const Surface::Meeting met = surface.meet(triangle, from, d);
  CHECK(seen == Seen{true, met.tag, met.normal, met.distance});
  return seen;
}

/// Both surfaces, looked at from above and along the ground.
void check_same(const Surface& a, const Surface& b) {
  std::size_t hits = 0;
  for (double x = -0.7; x < 32; x += 0.37)
    for (double z = -0.3; z < 12; z += 0.41)
      for (const Vec3 d : {Vec3{0, -1, 0}, normalized(Vec3{1, -0.2, 0.3}), normalized(Vec3{0.7, 0.0701, 0.1})}) {
        const Seen seen = look(a, {x, 5, z}, d);
        CHECK(seen == look(b, {x, 5, z}, d));
        hits += seen.hit ? 1 : 0;
      }
  CHECK(hits > 500);
}

}  // namespace

TEST_CASE("surface: meshes kept elsewhere are hit like copies, between copied triangles and after them") {
  const auto device = std::make_shared<EmbreeDevice>();
  const geo::TriangleMesh first = ramp(0, 10), third = ramp(20, 10);
  const auto second = std::make_shared<const geo::TriangleMesh>(ramp(10, 10));
  const auto fourth = std::make_shared<const geo::TriangleMesh>(ramp(29.5, 4));
  const Surface::TagRun runs[] = {{0, 7}, {50, 8}, {50, 9}, {120, 10}};
  std::vector<std::uint32_t> tags(50, 7);
  tags.resize(120, 9);
  tags.resize(200, 10);
  const Surface::TagRun one[] = {{0, 12}};

  Surface copied(device), shared(device);
  copied.add_triangles(first.points, first.indices, 1);
  copied.add_triangles(second->points, second->indices, tags);
  copied.add_triangles(third.points, third.indices, 11);
  copied.add_triangles(fourth->points, fourth->indices, 12);
  copied.commit();
  shared.reserve(400, 400);
  shared.add_triangles(first.points, first.indices, 1);
  shared.add_mesh(second, runs);
  shared.add_triangles(third.points, third.indices, 11);
  shared.add_mesh(fourth, one);
  shared.commit();
  CHECK(shared.triangles() == copied.triangles());
  check_same(copied, shared);
}

TEST_CASE("surface: a mesh with triangles without area is copied without them") {
  const auto device = std::make_shared<EmbreeDevice>();
  geo::TriangleMesh mesh = ramp(0, 10);
  mesh.indices.insert(mesh.indices.begin() + 90, {3, 3, 4});
  const Surface::TagRun runs[] = {{0, 1}, {31, 2}};
  std::vector<std::uint32_t> tags(31, 1);
  tags.resize(201, 2);
  Surface copied(device), shared(device);
  copied.add_triangles(mesh.points, mesh.indices, tags);
  copied.commit();
  shared.add_mesh(std::make_shared<const geo::TriangleMesh>(mesh), runs);
  shared.commit();
  CHECK(shared.triangles() == 200);
  check_same(copied, shared);
}

TEST_CASE("surface: a mesh lives as long as a surface refers to it, and one without triangles adds nothing") {
  const auto device = std::make_shared<EmbreeDevice>();
  const Surface::TagRun tag[] = {{0, 5}};
  Surface surface(device);
  surface.add_mesh(std::make_shared<const geo::TriangleMesh>(), tag);
  CHECK(surface.empty());
  auto mesh = std::make_shared<const geo::TriangleMesh>(ramp(0, 10));
  surface.add_mesh(mesh, tag);
  CHECK(mesh.use_count() == 2);
  mesh.reset();
  surface.commit();
  const Seen seen = look(surface, {5.2, 5, 0.1}, {0, -1, 0});
  CHECK(seen.hit);
  CHECK(seen.tag == 5);
  CHECK(seen.normal.y > 0.9);
}
