// Mass properties: closed forms for primitive solids, tetrahedra for polyhedra, and the parallel axis theorem for their sum.

#include "lib/sim/physics/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/sim/physics/hull.hpp"
#include "lib/sim/physics/matrix.hpp"

namespace simbatch::physics {
namespace {

using detail::Mat3;
using std::numbers::pi;

/// A solid of density 1, in the shape's frame; `tensor` is about the center.
struct Solid {
  double volume = 0;
  Vec3 center;
  Mat3 tensor;
};

/// Sums tetrahedra from the origin to each triangle: integral of x x^T over one is V/20 (s s^T + sum v v^T), s = sum v
/// (F. Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor, J. Math. Stat. 1, 2005).
Solid solid_of(const TriangleMesh& mesh) {
  Solid solid;
  Mat3 second = detail::diagonal(0, 0, 0);
  // Relative to the first point, so that a mesh far from its origin loses no precision.
  const Vec3 base = mesh.points.empty() ? Vec3{} : mesh.points[0];
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const Vec3 a = mesh.points[mesh.indices[i]] - base, b = mesh.points[mesh.indices[i + 1]] - base,
               c = mesh.points[mesh.indices[i + 2]] - base;
    const double v = geo::dot(a, geo::cross(b, c)) / 6;
    const Vec3 s = a + b + c;
    solid.volume += v;
    solid.center += (v / 4) * s;
    second = second + (v / 20) * (detail::outer(s, s) + detail::outer(a, a) + detail::outer(b, b) + detail::outer(c, c));
  }
  if (solid.volume <= 0) return {};
  solid.center = (1 / solid.volume) * solid.center;
  const double trace = second.r0.x + second.r1.y + second.r2.z;
  solid.tensor = detail::diagonal(trace, trace, trace) + -1.0 * second + -solid.volume * detail::point_inertia(solid.center);
  solid.center += base;
  return solid;
}

struct SolidOf {
  Solid operator()(const Box& s) const {
    const double v = s.size.x * s.size.y * s.size.z, x = s.size.x * s.size.x, y = s.size.y * s.size.y, z = s.size.z * s.size.z;
    return {v, {}, (v / 12) * detail::diagonal(y + z, x + z, x + y)};
  }
  Solid operator()(const Sphere& s) const {
    const double v = 4 * pi / 3 * s.radius * s.radius * s.radius, i = 0.4 * v * s.radius * s.radius;
    return {v, {}, detail::diagonal(i, i, i)};
  }
  Solid operator()(const Cylinder& s) const {
    const double r2 = s.radius * s.radius, v = pi * r2 * s.length, i = v * (3 * r2 + s.length * s.length) / 12;
    return {v, {}, detail::diagonal(i, v * r2 / 2, i)};
  }
  Solid operator()(const Capsule& s) const {
    // A cylinder and two hemispheres, whose centers of mass are 3/8 r beyond the cylinder's ends.
    const Solid middle = (*this)(Cylinder{s.radius, s.length});
    const double r = s.radius, l = s.length, v = 4 * pi / 3 * r * r * r;
    const double i = v * (0.4 * r * r + l * l / 4 + 0.375 * r * l);
    return {middle.volume + v, {}, middle.tensor + detail::diagonal(i, 0.4 * v * r * r, i)};
  }
  Solid operator()(const Cone& s) const {
    const double r2 = s.radius * s.radius, l = s.length, v = pi * r2 * l / 3, i = v * (0.15 * r2 + 0.0375 * l * l);
    return {v, {0, -l / 4, 0}, detail::diagonal(i, 0.3 * v * r2, i)};
  }
  Solid operator()(const ConvexHull& s) const { return solid_of(detail::hull_triangles(s.points)); }
  Solid operator()(const TriangleMesh& s) const { return solid_of(s); }
};

bool positive(double v) { return std::isfinite(v) && v > 0; }

std::string check_points(const std::vector<Vec3>& points) {
  for (const Vec3& p : points)
    if (!geo::is_finite(p)) return "a point is not finite";
  return {};
}

struct Check {
  std::string operator()(const Box& s) const {
    return positive(s.size.x) && positive(s.size.y) && positive(s.size.z) ? "" : "box sizes must be positive";
  }
  std::string operator()(const Sphere& s) const { return positive(s.radius) ? "" : "radius must be positive"; }
  std::string operator()(const Capsule& s) const { return round(s.radius, s.length); }
  std::string operator()(const Cylinder& s) const { return round(s.radius, s.length); }
  std::string operator()(const Cone& s) const { return round(s.radius, s.length); }
  std::string operator()(const ConvexHull& s) const {
    if (s.points.size() < 4) return "a convex hull needs at least 4 points";
    if (std::string bad = check_points(s.points); !bad.empty()) return bad;
    return solid_of(detail::hull_triangles(s.points)).volume > 0 ? "" : "the points of the hull are coplanar";
  }
  std::string operator()(const TriangleMesh& s) const {
    if (s.indices.empty()) return "a mesh needs at least one triangle";
    if (s.indices.size() % 3 != 0) return "the number of indices is not a multiple of 3";
    for (const std::uint32_t i : s.indices)
      if (i >= s.points.size()) return "an index is out of range";
    return check_points(s.points);
  }
  static std::string round(double radius, double length) {
    return positive(radius) && positive(length) ? "" : "radius and length must be positive";
  }
};

}  // namespace

MassProperties mass_properties(const std::vector<Part>& parts, double mass) {
  std::vector<Solid> solids;
  double volume = 0;
  Vec3 center;
  for (const Part& part : parts) {
    Solid solid = std::visit(SolidOf{}, part.shape);
    const Mat3 r = detail::matrix(part.pose.q);
    solid.tensor = r * solid.tensor * detail::transposed(r);
    solid.center = part.pose * solid.center;
    volume += solid.volume;
    center += solid.volume * solid.center;
    solids.push_back(solid);
  }
  MassProperties result{mass, {}, {}};
  if (volume <= 0) return result;
  result.center = (1 / volume) * center;
  Mat3 tensor = detail::diagonal(0, 0, 0);
  for (const Solid& solid : solids)
    tensor = tensor + solid.tensor + solid.volume * detail::point_inertia(solid.center - result.center);
  result.inertia = detail::inertia(mass / volume * tensor);
  return result;
}

bool is_sound(const Inertia& tensor) {
  for (const double x : {tensor.xx, tensor.yy, tensor.zz, tensor.xy, tensor.xz, tensor.yz})
    if (!std::isfinite(x)) return false;
  const Vec3 m = detail::principal(tensor).moments;
  const double largest = std::max({tensor.xx, tensor.yy, tensor.zz}), sum = tensor.xx + tensor.yy + tensor.zz;
  return geo::is_finite(m) && m.x > 0 && m.y > 0 && m.z > 0 && sum - 2 * largest >= -1e-6 * sum;
}

std::string check_shape(const Shape& shape) { return std::visit(Check{}, shape); }

}  // namespace simbatch::physics
