#pragma once
/// Drapes polygons of the map plane over the terrain. Internal to lib/roads.

#include <cstdint>
#include <span>
#include <vector>

#include "base/geo/point_welder.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads::detail {

/// Drapes convex polygons over a grid: cuts them along the grid's triangles, so that every point of the result is exactly
/// `lift` meters above the terrain. On level terrain nothing is cut. Neighbors share points.
class Drape {
 public:
  explicit Drape(const HeightGrid& terrain);
  /// Adds the part of the polygon inside the grid; normals up. Returns false if it is entirely outside.
  bool add(const Polygon& polygon, double lift, geo::TriangleMesh& mesh);
  /// Adds an upright face along a -> b, from `low` to `high` meters above the terrain, facing the right side of a -> b.
  void add_face(EastNorth a, EastNorth b, double low, double high, geo::TriangleMesh& mesh);

 private:
  bool is_level(int i0, int i1, int j0, int j1) const;
  void emit(const Polygon& polygon, double lift, geo::TriangleMesh& mesh);
  const HeightGrid& terrain_;
  bool all_level_ = false;
  Polygon row_, cell_, half_, other_;
  geo::PointWelder flat_, upright_;  // of polygons and of faces, which are of different meshes in turn
  std::vector<std::uint32_t> corners_;
};

}  // namespace simbatch::roads::detail
