// Own: round shapes as surfaces of revolution: rings of points about +y, joined by quads of two triangles, and triangles at the
// poles.

#include "lib/sim/scene/tessellate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "lib/sim/physics/hull.hpp"

namespace simbatch::scene {
namespace {

using physics::TriangleMesh;

/// A surface of revolution about y: (radius, y) from the bottom up; a radius of 0 is a point.
TriangleMesh turned(const std::vector<std::pair<double, double>>& profile, int around) {
  TriangleMesh mesh;
  const auto n = static_cast<std::uint32_t>(around);
  for (const auto& ring : profile)
    for (int i = 0; i < around; ++i) {
      const double a = 2 * std::numbers::pi * i / around;
      mesh.points.push_back({ring.first * std::sin(a), ring.second, ring.first * std::cos(a)});
    }
  for (std::uint32_t r = 0; r + 1 < profile.size(); ++r)
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = r * n + i, b = r * n + (i + 1) % n, c = a + n, d = b + n;
      if (profile[r].first > 0) mesh.indices.insert(mesh.indices.end(), {a, b, c});
      if (profile[r + 1].first > 0) mesh.indices.insert(mesh.indices.end(), {b, d, c});
    }
  return mesh;
}

struct Make {
  int around;

  TriangleMesh operator()(const physics::Box& s) const {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i)
      mesh.points.push_back(
          {(i & 1 ? 0.5 : -0.5) * s.size.x, (i & 2 ? 0.5 : -0.5) * s.size.y, (i & 4 ? 0.5 : -0.5) * s.size.z});
    mesh.indices = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    return mesh;
  }
  TriangleMesh operator()(const physics::Sphere& s) const { return capsule(s.radius, 0); }
  TriangleMesh operator()(const physics::Capsule& s) const { return capsule(s.radius, s.length); }
  TriangleMesh operator()(const physics::Cylinder& s) const {
    const double h = s.length / 2;
    return turned({{0, -h}, {s.radius, -h}, {s.radius, h}, {0, h}}, around);
  }
  TriangleMesh operator()(const physics::Cone& s) const {
    const double h = s.length / 2;
    return turned({{0, -h}, {s.radius, -h}, {0, h}}, around);
  }
  TriangleMesh operator()(const physics::ConvexHull& s) const { return physics::detail::hull_triangles(s.points); }
  TriangleMesh operator()(const TriangleMesh& s) const { return s; }

  TriangleMesh capsule(double radius, double length) const {
    const int half = std::max(around / 4, 1);
    std::vector<std::pair<double, double>> profile;
    for (int i = -half; i <= half; ++i) {
      const double a = std::numbers::pi / 2 * i / half;
      const double r = i == -half || i == half ? 0 : radius * std::cos(a);
      profile.emplace_back(r, radius * std::sin(a) + (i < 0 ? -length / 2 : length / 2));
      if (i == 0 && length > 0) profile.insert(profile.end() - 1, {radius, -length / 2});
    }
    return turned(profile, around);
  }
};

}  // namespace

TriangleMesh triangles_of(const physics::Shape& shape, int around) { return std::visit(Make{around}, shape); }

TriangleMesh triangles_of(const physics::HeightGrid& grid) {
  TriangleMesh mesh;
  const bool level = std::all_of(grid.heights.begin(), grid.heights.end(), [&](double y) { return y == grid.heights[0]; });
  const int nx = level ? 2 : grid.nx, nz = level ? 2 : grid.nz;
  const double dx = level ? grid.spacing * (grid.nx - 1) : grid.spacing,
               dz = level ? grid.spacing * (grid.nz - 1) : grid.spacing;
  const auto columns = static_cast<std::size_t>(nx), rows = static_cast<std::size_t>(nz);
  mesh.points.reserve(columns * rows);
  mesh.indices.reserve(6 * (columns - 1) * (rows - 1));
  for (int z = 0; z < nz; ++z)
    for (int x = 0; x < nx; ++x)
      mesh.points.push_back(
          {grid.x0 + x * dx,
           level ? grid.heights[0]
                 : grid.heights[static_cast<std::size_t>(z) * static_cast<std::size_t>(nx) + static_cast<std::size_t>(x)],
           grid.z0 + z * dz});
  for (int z = 0; z + 1 < nz; ++z)
    for (int x = 0; x + 1 < nx; ++x) {
      const auto a = static_cast<std::uint32_t>(z * nx + x), b = a + static_cast<std::uint32_t>(nx), c = a + 1, d = b + 1;
      mesh.indices.insert(mesh.indices.end(), {a, b, c, c, b, d});
    }
  return mesh;
}

}  // namespace simbatch::scene
