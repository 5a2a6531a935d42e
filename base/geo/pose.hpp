#pragma once
/// Vectors, rotations and poses: plain doubles, no dependencies. Formulas are the usual ones; in the world frame (x east,
/// y up, z north) a rotation by +a about +y turns +z towards +x, so the angle about y is the compass heading.

#include <cmath>
#include <numbers>

namespace simbatch::geo {

struct Vec3 {
  double x = 0, y = 0, z = 0;  ///< in the unit and frame of the member or parameter that it is
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr Vec3 operator*(Vec3 a, double s) { return s * a; }
constexpr Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
constexpr Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
/// cross(x, y) = z, by components.
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }
/// A vector of length 1; the zero vector stays zero.
inline Vec3 normalized(Vec3 a) {
  const double l = length(a);
  return l > 0 ? (1 / l) * a : a;
}
inline bool is_finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// A rotation as a unit quaternion w + xi + yj + zk.
struct Quat {
  double w = 1, x = 0, y = 0, z = 0;
  friend bool operator==(const Quat&, const Quat&) = default;
};

/// By `angle` (rad) about `axis` (any length but 0).
Quat rotation(Vec3 axis, double angle);
/// First b, then a.
constexpr Quat operator*(Quat a, Quat b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
constexpr Quat inverse(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
Quat normalized(Quat q);
/// Rotates a vector.
constexpr Vec3 operator*(Quat q, Vec3 v) {
  const Vec3 u{q.x, q.y, q.z};
  const Vec3 t = 2 * cross(u, v);
  return v + q.w * t + cross(u, t);
}
/// The shortest rotation that turns direction `from` into direction `to` (any lengths but 0).
Quat rotation_between(Vec3 from, Vec3 to);

/// A pose X_AB of frame B in frame A: rotates by q, then translates by p. X_AB * X_BC = X_AC; X_AB * (a point in B) = it in A.
struct Pose {
  Vec3 p;  ///< m, in A
  Quat q;
  friend bool operator==(const Pose&, const Pose&) = default;
};
constexpr Pose operator*(const Pose& a, const Pose& b) { return {a.p + a.q * b.p, a.q * b.q}; }
constexpr Vec3 operator*(const Pose& a, Vec3 v) { return a.p + a.q * v; }
constexpr Pose inverse(const Pose& a) {
  const Quat q = inverse(a.q);
  return {q * -a.p, q};
}
/// Compass heading (rad, in (-pi, pi]; 0 = north, pi/2 = east) of a frame's +z axis; 0 where it points straight up or down.
double heading(Quat q);

// ---------------------------------------------------------------------------------------------------------------------

inline Quat normalized(Quat q) {
  const double l = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return l > 0 ? Quat{q.w / l, q.x / l, q.y / l, q.z / l} : Quat{};
}
inline Quat rotation(Vec3 axis, double angle) {
  const Vec3 n = std::sin(angle / 2) * normalized(axis);
  return {std::cos(angle / 2), n.x, n.y, n.z};
}
inline Quat rotation_between(Vec3 from, Vec3 to) {
  const Vec3 a = normalized(from), b = normalized(to);
  const double c = dot(a, b);
  if (c > -0.5) {
    const Vec3 n = cross(a, b);
    return normalized(Quat{1 + c, n.x, n.y, n.z});
  }
  // Nearly opposite: 1 + c and a x b would cancel, a + b is exact. Half its length is the cosine of half the angle.
  const Vec3 sum = a + b;
  if (dot(sum, sum) < 1e-30) return rotation(std::abs(a.x) < 0.9 ? cross(a, {1, 0, 0}) : cross(a, {0, 1, 0}), std::numbers::pi);
  const Vec3 n = length(a - b) * normalized(cross(a, sum));
  return normalized(Quat{length(sum), n.x, n.y, n.z});
}
inline double heading(Quat q) {
  const Vec3 forward = q * Vec3{0, 0, 1};
  return forward.x == 0 && forward.z == 0 ? 0 : std::atan2(forward.x, forward.z);
}

}  // namespace simbatch::geo
