#pragma once
/// Looks straight down at a mesh: brute force over a grid of cells, sharing no code with the builder.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/geo/triangle_mesh.hpp"

namespace simbatch::roads::test {

class MeshProbe {
 public:
  explicit MeshProbe(const geo::TriangleMesh& mesh) : mesh_(mesh) {
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
      double x0 = 1e300, x1 = -1e300, z0 = 1e300, z1 = -1e300;
      for (int c = 0; c < 3; ++c) {
        const geo::Vec3 p = corner(t, c);
        x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), z0 = std::min(z0, p.z), z1 = std::max(z1, p.z);
      }
      for (int j = cell(z0); j <= cell(z1); ++j)
        for (int i = cell(x0); i <= cell(x1); ++i) cells_[{i, j}].push_back(t);
    }
  }
  /// Heights of the triangles at a place; a triangle's rim counts to it up to `tolerance` (m).
  std::vector<double> heights(double x, double z, double tolerance = 1e-6) const {
    std::vector<double> found;
    const auto in_cell = cells_.find({cell(x), cell(z)});
    if (in_cell == cells_.end()) return found;
    for (const std::size_t t : in_cell->second) {
      const geo::Vec3 a = corner(t, 0), b = corner(t, 1), c = corner(t, 2);
      // Beyond the tip of a needle both its rims are near: it still ends there.
      if (x < std::min({a.x, b.x, c.x}) - tolerance || x > std::max({a.x, b.x, c.x}) + tolerance ||
          z < std::min({a.z, b.z, c.z}) - tolerance || z > std::max({a.z, b.z, c.z}) + tolerance)
        continue;
      const double whole = (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
      const double u = ((x - a.x) * (c.z - a.z) - (z - a.z) * (c.x - a.x)) / whole;
      const double v = ((b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x)) / whole;
      // Distances to the rims are these shares times the heights of the triangle.
      const auto far = [&](double share, geo::Vec3 p, geo::Vec3 q) {
        return share * std::fabs(whole) / std::hypot(q.x - p.x, q.z - p.z) < -tolerance;
      };
      if (far(u, a, c) || far(v, a, b) || far(1 - u - v, b, c)) continue;
      found.push_back(a.y + u * (b.y - a.y) + v * (c.y - a.y));
    }
    return found;
  }
  bool covers(double x, double z, double tolerance = 1e-6) const { return !heights(x, z, tolerance).empty(); }

 private:
  geo::Vec3 corner(std::size_t triangle, int c) const {
    return mesh_.points[mesh_.indices[3 * triangle + static_cast<std::size_t>(c)]];
  }
  static int cell(double value) { return static_cast<int>(std::floor(value / 4)); }
  const geo::TriangleMesh& mesh_;
  std::map<std::pair<int, int>, std::vector<std::size_t>> cells_;
};

/// Triangles whose normal does not point up, or that have no area.
inline std::size_t inverted(const geo::TriangleMesh& mesh) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const geo::Vec3 a = mesh.points[mesh.indices[3 * t]], b = mesh.points[mesh.indices[3 * t + 1]],
                    c = mesh.points[mesh.indices[3 * t + 2]];
    count += geo::cross(b - a, c - a).y > 0 ? 0 : 1;
  }
  return count;
}

}  // namespace simbatch::roads::test
