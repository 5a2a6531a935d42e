#pragma once
/// Triangles from shapes. Internal to this room.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "formats/inventor/inventor.hpp"

namespace simbatch::inventor::detail {

/// An affine map, columns as usual: p -> m p + t.
struct Affine {
  std::array<double, 9> m{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row by row
  std::array<double, 3> t{0, 0, 0};

  Point operator()(const Point& p) const {
    return {m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + t[0], m[3] * p[0] + m[4] * p[1] + m[5] * p[2] + t[1],
            m[6] * p[0] + m[7] * p[1] + m[8] * p[2] + t[2]};
  }
  bool is_identity() const { return *this == Affine{}; }
  double determinant() const {
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
  }
  friend bool operator==(const Affine&, const Affine&) = default;
};
Affine operator*(const Affine& a, const Affine& b);
Affine translation(const Point& t);
Affine scale(const Point& s);
/// About an axis (normalized here; a zero axis means no rotation), radians.
Affine rotation(const std::array<double, 4>& axis_angle);

/// Appends triangles of the primitive shapes, in the mesh's frame. Each function follows the toolkit's facets (Coin 4.0,
/// measured vertex by vertex). Triangles with two equal vertices are left out, as those of face sets are.
class Facets {
 public:
  Facets(Mesh& mesh, const Affine& to_mesh, bool flip) : mesh_(mesh), to_mesh_(to_mesh), flip_(flip) {}
  void cube(double width, double height, double depth);
  void sphere(double radius, double complexity);
  void cylinder(double radius, double height, double complexity, bool sides, bool top, bool bottom);
  void cone(double radius, double height, double complexity, bool sides, bool bottom);
  std::size_t dropped() const { return dropped_; }  ///< triangles left out

 private:
  std::uint32_t point(double x, double y, double z);
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  Mesh& mesh_;
  const Affine& to_mesh_;
  bool flip_;
  std::size_t dropped_ = 0;
};

/// Cuts a polygon that may be concave into triangles (ear clipping after Meisters, "Polygons have ears", 1975), in the
/// plane of its Newell normal.
/// @param polygon  n >= 3 vertices; a polygon that is convex, or whose ears run out, becomes a fan from the first
/// @param emit     called n - 2 times with indexes into `polygon`
/// Cost: O(n^2) for concave ones; more than 4096 vertices are always a fan.
void cut_polygon(std::span<const Point> polygon, const std::function<void(std::size_t, std::size_t, std::size_t)>& emit);

}  // namespace simbatch::inventor::detail
