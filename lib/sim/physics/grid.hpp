#pragma once
/// The surface of a HeightGrid or an infinite plane: heights and ray intersection. Internal to this room.
///
/// A ray is split at cell borders and diagonals. On each piece the surface is a plane, so the ray's height above it is linear
/// and a sign change is a hit: no cracks between triangles, no epsilon.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics::detail {

struct GridHit {
  double fraction = 1;
  Vec3 normal;  ///< unit, opposing the ray
};

class Grid {
 public:
  explicit Grid(HeightGrid grid);
  /// A plane at a height (m); heights(), at() and cell_range() must not be called on it.
  explicit Grid(double height) : is_plane_(true), lowest_(height), highest_(height) {}
  bool is_plane() const { return is_plane_; }
  const HeightGrid& heights() const { return grid_; }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  double at(int x, int z) const { return grid_.heights[index(x, z)]; }
  /// Heights of the lowest and highest corner of a cell (m).
  std::pair<double, double> cell_range(int x, int z) const {
    const std::size_t i = index(x, z), far = i + static_cast<std::size_t>(grid_.nx);
    const double a = grid_.heights[i], b = grid_.heights[i + 1], c = grid_.heights[far], d = grid_.heights[far + 1];
    return {std::min(std::min(a, b), std::min(c, d)), std::max(std::max(a, b), std::max(c, d))};
  }
  /// Upward unit normal of a triangle by its index: 2 * (z * nx + x), plus 1 for the second triangle of the cell.
  Vec3 facet(int index) const;
  /// Index of the triangle at a position on the surface.
  int triangle_at(double x, double z) const;
  std::optional<double> height(double x, double z) const;
  /// First point of the segment on the surface, from above or below, before fraction `limit`.
  bool ray(Vec3 from, Vec3 to, double limit, GridHit& hit) const;

 private:
  std::size_t index(int x, int z) const {
    return static_cast<std::size_t>(z) * static_cast<std::size_t>(grid_.nx) + static_cast<std::size_t>(x);
  }
  bool cell_ray(int ix, int iz, Vec3 from, Vec3 d, double t0, double t1, GridHit& hit) const;
  bool walk(Vec3 from, Vec3 d, double t0, double t1, GridHit& hit) const;
  bool plane_ray(double from, double to, double limit, GridHit& hit) const;

  HeightGrid grid_;
  bool is_plane_ = false;
  double inverse_ = 1;  // 1 / spacing
  double lowest_ = 0, highest_ = 0;
};

}  // namespace simbatch::physics::detail
