#pragma once
/// 3 x 3 matrices for inertia tensors. Internal to this room.

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics::detail {

/// Rows of a matrix.
struct Mat3 {
  Vec3 r0, r1, r2;
};
constexpr Vec3 operator*(const Mat3& m, Vec3 v) { return {geo::dot(m.r0, v), geo::dot(m.r1, v), geo::dot(m.r2, v)}; }
constexpr Mat3 operator+(const Mat3& a, const Mat3& b) { return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2}; }
constexpr Mat3 operator*(double s, const Mat3& a) { return {s * a.r0, s * a.r1, s * a.r2}; }
constexpr Mat3 diagonal(double x, double y, double z) { return {{x, 0, 0}, {0, y, 0}, {0, 0, z}}; }
constexpr Mat3 transposed(const Mat3& m) {
  return {{m.r0.x, m.r1.x, m.r2.x}, {m.r0.y, m.r1.y, m.r2.y}, {m.r0.z, m.r1.z, m.r2.z}};
}
constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
  const Mat3 t = transposed(b);
  return {t * a.r0, t * a.r1, t * a.r2};
}
/// a b^T
constexpr Mat3 outer(Vec3 a, Vec3 b) { return {a.x * b, a.y * b, a.z * b}; }
constexpr Mat3 matrix(Quat q) { return transposed({q * Vec3{1, 0, 0}, q * Vec3{0, 1, 0}, q * Vec3{0, 0, 1}}); }
/// The quaternion of a rotation matrix (Shepperd's method).
Quat quaternion(const Mat3& m);

/// Inertia tensor about the origin of a unit point mass at r: |r|^2 1 - r r^T.
constexpr Mat3 point_inertia(Vec3 r) {
  const double d = geo::dot(r, r);
  return diagonal(d, d, d) + -1.0 * outer(r, r);
}
constexpr Mat3 matrix(const Inertia& i) { return {{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}}; }
constexpr Inertia inertia(const Mat3& m) {
  return {m.r0.x, m.r1.y, m.r2.z, (m.r0.y + m.r1.x) / 2, (m.r0.z + m.r2.x) / 2, (m.r1.z + m.r2.y) / 2};
}

/// Principal axes: m = R diag(moments) R^T; R = identity if m is already diagonal (Jacobi's method).
struct Principal {
  Vec3 moments;
  Quat rotation;
};
Principal principal(const Inertia& tensor);

}  // namespace simbatch::physics::detail
