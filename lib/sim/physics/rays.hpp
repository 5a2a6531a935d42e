#pragma once
/// Exact intersection of rays with single shapes (Bullet's own uses GJK and includes a margin around edges). For this room and
/// lib/sim/vision.

#include <variant>
#include <vector>

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics::detail {

/// Half-spaces n . x <= d whose intersection is the hull.
struct HullPlanes {
  struct Plane {
    Vec3 n;
    double d = 0;
  };
  std::vector<Plane> planes;
  TriangleMesh surface;  ///< the faces that the planes belong to
};
/// Placeholder for a mesh, which the owner of its tree handles.
struct MeshRay {};
using RayShape = std::variant<Box, Sphere, Capsule, Cylinder, Cone, HullPlanes, MeshRay>;
RayShape ray_shape(const Shape& shape);

/// If from + t d enters the shape at 0 <= t < t_hit, sets t_hit and the outward unit normal and returns true. Everything is in
/// the shape's frame. A ray that starts inside does not enter. False for meshes.
bool enter(const RayShape& shape, Vec3 from, Vec3 d, double& t_hit, Vec3& normal);
/// The same for a box of these half extents; inline for the wheels.
inline bool enter_box(Vec3 half, Vec3 from, Vec3 d, double& t_hit, Vec3& normal) {
  const double p[3] = {from.x, from.y, from.z}, v[3] = {d.x, d.y, d.z}, h[3] = {half.x, half.y, half.z};
  double in = -1, out = t_hit;
  int axis = -1;
  for (int k = 0; k < 3; ++k) {
    if (v[k] == 0) {
      if (p[k] < -h[k] || p[k] > h[k]) return false;
      continue;
    }
    const double a = ((v[k] > 0 ? -h[k] : h[k]) - p[k]) / v[k], b = ((v[k] > 0 ? h[k] : -h[k]) - p[k]) / v[k];
    if (a > in) {
      in = a;
      axis = k;
    }
    if (b < out) out = b;
  }
  if (axis < 0 || in < 0 || in > out || in >= t_hit) return false;
  t_hit = in;
  normal = {0, 0, 0};
  (axis == 0 ? normal.x : axis == 1 ? normal.y : normal.z) = v[axis] > 0 ? -1 : 1;
  return true;
}

}  // namespace simbatch::physics::detail
