#pragma once
/// Boxes against roads, buildings and each other: the tests that placing is made of. Metres, on the map plane.
///
/// A candidate box is looked at from its own frame: u along the street (the direction in which a candidate is moved on when
/// it does not fit), v from the street outwards; the box is |u| <= half_u, |v| <= half_v. Everything else is carried into
/// that frame. A test answers how far the box must at least be moved along +u to be free of the obstacle: 0 if it is free.
/// For convex obstacles with straight sides the answer is exact; for round ones (a corridor's cap) it is a lower bound, so
/// that going on by it never jumps over a place that would have been free.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/mapgen/plane.hpp"

namespace simbatch::mapgen {

/// Metres on the map plane: x east, z north.
struct Vec2 {
  double x = 0, z = 0;
  friend Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.z + b.z}; }
  friend Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.z - b.z}; }
  friend Vec2 operator*(Vec2 a, double s) { return {a.x * s, a.z * s}; }
  friend bool operator==(Vec2, Vec2) = default;
};
inline double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.z * b.z; }
inline double cross(Vec2 a, Vec2 b) { return a.x * b.z - a.z * b.x; }
inline double length(Vec2 a) { return std::sqrt(dot(a, a)); }
inline Vec2 metres(Point p) { return {p.x * 1e-3, p.z * 1e-3}; }
inline Point millimetres(Vec2 p) {
  return {static_cast<std::int32_t>(std::lrint(p.x * 1000)), static_cast<std::int32_t>(std::lrint(p.z * 1000))};
}

/// A box on the plane: `centre`, unit vectors `u` (along the street) and `v` (away from it), half sizes along them.
struct Box {
  Vec2 centre, u, v;
  double half_u = 0, half_v = 0;
  Vec2 local(Vec2 p) const {
    const Vec2 d = p - centre;
    return {dot(d, u), dot(d, v)};
  }
  Vec2 local(Point p) const { return local(metres(p)); }
  /// Half the extent along the map's x and z axes.
  Vec2 reach() const {
    return {std::fabs(u.x) * half_u + std::fabs(v.x) * half_v, std::fabs(u.z) * half_u + std::fabs(v.z) * half_v};
  }
};

/// The part of the segment a-b with |v| <= half_v gives the greatest u; -infinity if there is none.
inline double greatest_u_in_band(Vec2 a, Vec2 b, double half_v) {
  // Here x is u and z is v.
  if ((a.z > half_v && b.z > half_v) || (a.z < -half_v && b.z < -half_v)) return -HUGE_VAL;
  double best = -HUGE_VAL;
  if (std::fabs(a.z) <= half_v) best = a.x;
  if (std::fabs(b.z) <= half_v) best = std::max(best, b.x);
  const double dz = b.z - a.z;
  if (dz != 0)
    for (const double edge : {-half_v, half_v}) {
      const double t = (edge - a.z) / dz;
      if (t >= 0 && t <= 1) best = std::max(best, a.x + t * (b.x - a.x));
    }
  return best;
}

/// Does the segment a-b (in the box's frame) come nearer to the box than `radius`?
inline bool near_segment(const Box& box, Vec2 a, Vec2 b, double radius) {
  const double hu = box.half_u, hv = box.half_v;
  if (std::min(a.x, b.x) >= hu + radius || std::max(a.x, b.x) <= -hu - radius) return false;
  if (std::min(a.z, b.z) >= hv + radius || std::max(a.z, b.z) <= -hv - radius) return false;
  // Clip to the box grown by the radius: a segment that misses it is free.
  const Vec2 d = b - a;
  double t0 = 0, t1 = 1;
  const auto clip = [&](double p, double q, double half) {  // |p + t q| <= half
    if (std::fabs(q) < 1e-12) return std::fabs(p) <= half;
    double enter = (-half - p) / q, leave = (half - p) / q;
    if (enter > leave) std::swap(enter, leave);
    t0 = std::max(t0, enter);
    t1 = std::min(t1, leave);
    return t0 <= t1;
  };
  if (!clip(a.x, d.x, hu + radius) || !clip(a.z, d.z, hv + radius)) return false;
  // Inside the grown box all is near but what lies in its four corner squares: there the corner's distance decides.
  const Vec2 p = a + d * t0, q = a + d * t1;
  const auto cornered = [&](Vec2 e) { return std::fabs(e.x) > hu && std::fabs(e.z) > hv; };
  if (!cornered(p) || !cornered(q)) return true;
  if ((p.x > 0) != (q.x > 0) || (p.z > 0) != (q.z > 0)) {
    // From one corner square to another: through the middle or past a single corner; the nearest of all four decides,
    // or the segment crosses the box.
    double u0 = 0, u1 = 1;
    const Vec2 e = q - p;
    const auto inside = [&](double from, double by, double half) {
      if (std::fabs(by) < 1e-12) return std::fabs(from) <= half;
      double enter = (-half - from) / by, leave = (half - from) / by;
      if (enter > leave) std::swap(enter, leave);
      u0 = std::max(u0, enter);
      u1 = std::min(u1, leave);
      return u0 <= u1;
    };
    if (inside(p.x, e.x, hu) && inside(p.z, e.z, hv)) return true;
  }
  const double length2 = dot(d, d);
  for (const double cx : {-hu, hu})
    for (const double cz : {-hv, hv}) {
      const Vec2 corner{cx, cz};
      const double t = length2 > 0 ? std::clamp(dot(corner - a, d) / length2, 0.0, 1.0) : 0.0;
      const Vec2 off = corner - (a + d * t);
      if (dot(off, off) < radius * radius) return true;
    }
  return false;
}

/// How far the box must be moved along +u, at least, to leave a corridor of `radius` (m) about the segment a-b (both in the
/// box's frame). 0 if it is free. For a disc, a = b.
inline double distance_to_clear_segment(const Box& box, Vec2 a, Vec2 b, double radius) {
  if (!near_segment(box, a, b, radius)) return 0;
  double best = greatest_u_in_band(a, b, box.half_v) + radius;
  for (const Vec2 end : {a, b}) {  // any point of the core is to be cleared
    const double dv = std::max(0.0, std::fabs(end.z) - box.half_v);
    if (dv < radius) best = std::max(best, end.x + std::sqrt(radius * radius - dv * dv));
  }
  return std::max(best + box.half_u, 1e-3);
}

/// How far the box must be moved along +u to leave a ring (closed polygon without repeated end) of n >= 3 points, given in
/// the box's frame. 0 if box and polygon do not touch. A box inside the polygon, or around it, touches it.
inline double distance_to_clear_ring(const Box& box, std::span<const Vec2> ring) {
  double lowest_u = HUGE_VAL, highest_u = -HUGE_VAL, lowest_v = HUGE_VAL, highest_v = -HUGE_VAL;
  for (const Vec2 p : ring) {
    lowest_u = std::min(lowest_u, p.x);
    highest_u = std::max(highest_u, p.x);
    lowest_v = std::min(lowest_v, p.z);
    highest_v = std::max(highest_v, p.z);
  }
  if (lowest_u >= box.half_u || highest_u <= -box.half_u || lowest_v >= box.half_v || highest_v <= -box.half_v) return 0;
  bool touches = false, inside = false;
  double best = -HUGE_VAL;
  Vec2 a = ring.back();
  for (const Vec2 b : ring) {
    const double in_band = greatest_u_in_band(a, b, box.half_v);
    best = std::max(best, in_band);
    if (!touches && in_band > -HUGE_VAL) touches = near_segment(box, a, b, 0);
    if ((a.z > 0) != (b.z > 0) && (b.x - a.x) * (0 - a.z) / (b.z - a.z) + a.x > 0) inside = !inside;
    a = b;
  }
  if (!touches && !inside) return 0;
  return std::max(best + box.half_u, 1e-3);
}

/// The same for another box, both boxes as they are.
inline double distance_to_clear_box(const Box& box, const Box& other) {
  const Vec2 d = other.centre - box.centre;
  // Separating axes: the two of this box, the two of the other.
  const Vec2 c{dot(d, box.u), dot(d, box.v)};
  const double uu = dot(other.u, box.u), vu = dot(other.v, box.u);
  if (std::fabs(c.x) >= box.half_u + std::fabs(uu) * other.half_u + std::fabs(vu) * other.half_v) return 0;
  const double uv = dot(other.u, box.v), vv = dot(other.v, box.v);
  if (std::fabs(c.z) >= box.half_v + std::fabs(uv) * other.half_u + std::fabs(vv) * other.half_v) return 0;
  if (std::fabs(dot(d, other.u)) >= other.half_u + std::fabs(uu) * box.half_u + std::fabs(uv) * box.half_v) return 0;
  if (std::fabs(dot(d, other.v)) >= other.half_v + std::fabs(vu) * box.half_u + std::fabs(vv) * box.half_v) return 0;
  // No axis separates them: they touch.
  const Vec2 du{uu * other.half_u, uv * other.half_u}, dv{vu * other.half_v, vv * other.half_v};
  const Vec2 ring[4] = {c + du + dv, c - du + dv, c - du - dv, c + du - dv};
  double best = -HUGE_VAL;
  for (std::size_t i = 0; i < 4; ++i) best = std::max(best, greatest_u_in_band(ring[i], ring[(i + 1) % 4], box.half_v));
  return std::max(best + box.half_u, 1e-3);
}

}  // namespace simbatch::mapgen
