// Boxes by the slab method (Kay and Kajiya 1986), hulls by clipping against their half-spaces (Haines, "Fast ray-convex
// polyhedron intersection", Graphics Gems II, 1991), quadrics by the stable root of their quadratic equation (Press et al.,
// Numerical Recipes, section 5.6). Capsules, cylinders and cones are unions of sides, disks and spheres, whose first entry is
// the hit.

#include "lib/sim/physics/rays.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lib/sim/physics/hull.hpp"

namespace simbatch::physics::detail {
namespace {

using geo::dot;

/// Smaller root of a t^2 + 2 b t + c = 0 as the entry of a ray into a convex quadric; false if it misses or starts inside.
bool entry_root(double a, double b, double c, double& t) {
  if (c < 0 || a <= 0) return false;
  const double disc = b * b - a * c;
  if (disc < 0 || b >= 0) return false;
  t = c / (-b + std::sqrt(disc));  // the cancellation-free form of (-b - sqrt) / a
  return true;
}

bool enter_sphere(Vec3 center, double r, Vec3 from, Vec3 d, double& t_hit, Vec3& normal) {
  const Vec3 p = from - center;
  double t = 0;
  if (!entry_root(dot(d, d), dot(p, d), dot(p, p) - r * r, t) || t >= t_hit) return false;
  t_hit = t;
  normal = (1 / r) * (p + t * d);
  return true;
}

/// The lateral surface of a cylinder about y, |y| <= half.
bool enter_side(double r, double half, Vec3 from, Vec3 d, double& t_hit, Vec3& normal) {
  double t = 0;
  if (!entry_root(d.x * d.x + d.z * d.z, from.x * d.x + from.z * d.z, from.x * from.x + from.z * from.z - r * r, t) ||
      t >= t_hit)
    return false;
  if (std::abs(from.y + t * d.y) > half) return false;
  t_hit = t;
  normal = {(from.x + t * d.x) / r, 0, (from.z + t * d.z) / r};
  return true;
}

/// A disk of radius r at height y, entered along -up.
bool enter_disc(double r, double y, double up, Vec3 from, Vec3 d, double& t_hit, Vec3& normal) {
  if (d.y * up >= 0 || (from.y - y) * up < 0) return false;
  const double t = (y - from.y) / d.y;
  const double x = from.x + t * d.x, z = from.z + t * d.z;
  if (t >= t_hit || x * x + z * z > r * r) return false;
  t_hit = t;
  normal = {0, up, 0};
  return true;
}

struct Enter {
  Vec3 from, d;
  double& t_hit;
  Vec3& normal;

  bool operator()(const Box& s) const { return enter_box(0.5 * s.size, from, d, t_hit, normal); }
  bool operator()(const Sphere& s) const { return enter_sphere({}, s.radius, from, d, t_hit, normal); }
  bool operator()(const Capsule& s) const {
    const double half = s.length / 2, y = std::clamp(from.y, -half, half);
    if (from.x * from.x + (from.y - y) * (from.y - y) + from.z * from.z < s.radius * s.radius) return false;
    const bool side = enter_side(s.radius, half, from, d, t_hit, normal);
    const bool top = enter_sphere({0, half, 0}, s.radius, from, d, t_hit, normal);
    const bool bottom = enter_sphere({0, -half, 0}, s.radius, from, d, t_hit, normal);
    return side || top || bottom;
  }
  bool operator()(const Cylinder& s) const {
    const double half = s.length / 2;
    const bool side = enter_side(s.radius, half, from, d, t_hit, normal);
    const bool top = enter_disc(s.radius, half, 1, from, d, t_hit, normal);
    const bool bottom = enter_disc(s.radius, -half, -1, from, d, t_hit, normal);
    return side || top || bottom;
  }
  bool operator()(const Cone& s) const {
    // x^2 + z^2 = k^2 (top - y)^2 below the tip.
    const double half = s.length / 2, k = s.radius / s.length, w = half - from.y;
    const double a = d.x * d.x + d.z * d.z - k * k * d.y * d.y, b = from.x * d.x + from.z * d.z + k * k * w * d.y;
    const double c = from.x * from.x + from.z * from.z - k * k * w * w;
    if (c <= 0 && w >= 0 && from.y >= -half) return false;
    bool hit = false;
    const double disc = b * b - a * c;
    if (disc >= 0) {
      const double q = -(b + (b >= 0 ? 1 : -1) * std::sqrt(disc));
      for (const double t : {a != 0 ? q / a : -1.0, q != 0 ? c / q : -1.0}) {
        const Vec3 p = from + t * d;
        const Vec3 n{p.x, k * k * (half - p.y), p.z};
        if (t < 0 || t >= t_hit || p.y < -half || p.y > half || dot(n, d) >= 0) continue;
        t_hit = t;
        normal = geo::normalized(n);
        hit = true;
      }
    }
    return enter_disc(s.radius, -half, -1, from, d, t_hit, normal) || hit;
  }
  bool operator()(const HullPlanes& s) const {
    double in = -1, out = t_hit;
    Vec3 n;
    for (const HullPlanes::Plane& plane : s.planes) {
      const double f = dot(plane.n, from) - plane.d, g = dot(plane.n, d);
      if (g == 0) {
        if (f > 0) return false;
        continue;
      }
      const double t = -f / g;
      if (g < 0 && t > in) {
        in = t;
        n = plane.n;
      } else if (g > 0 && t < out) {
        out = t;
      }
    }
    if (in < 0 || in > out || in >= t_hit) return false;
    t_hit = in;
    normal = n;
    return true;
  }
  bool operator()(const MeshRay&) const { return false; }
};

}  // namespace

RayShape ray_shape(const Shape& shape) {
  return std::visit(
      [](const auto& s) -> RayShape {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, TriangleMesh>) {
          return MeshRay{};
        } else if constexpr (std::is_same_v<S, ConvexHull>) {
          HullPlanes hull;
          hull.surface = hull_triangles(s.points);
          const TriangleMesh& mesh = hull.surface;
          for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
            const Vec3 a = mesh.points[mesh.indices[i]], b = mesh.points[mesh.indices[i + 1]],
                       c = mesh.points[mesh.indices[i + 2]];
            const Vec3 n = geo::normalized(geo::cross(b - a, c - a));
            if (geo::length(n) > 0) hull.planes.push_back({n, dot(n, a)});
          }
          return hull;
        } else {
          return s;
        }
      },
      shape);
}

bool enter(const RayShape& shape, Vec3 from, Vec3 d, double& t_hit, Vec3& normal) {
  return std::visit(Enter{from, d, t_hit, normal}, shape);
}

}  // namespace simbatch::physics::detail
