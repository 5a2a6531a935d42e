#pragma once
/// Boxes against roads, buildings and each other: the tests used by the placement. Meters, on the map plane. Separating axes:
/// Ericson, Real-Time Collision Detection, 2005, 4.4.1 and 5.2. The distance to move along u is our own addition.
///
/// Tests work in the frame of the candidate box: u along the street (the direction in which a candidate is moved when it does
/// not fit), v from the street outwards; the box is |u| <= half_u, |v| <= half_v. Obstacles are transformed into that frame. A
/// test returns the minimum distance by which the box must be moved along +u to be free of the obstacle: 0 if it is free. For
/// convex obstacles with straight sides the answer is exact; for round ones (a corridor's cap) it is a lower bound, so that
/// moving by it never skips a free position.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/town/plane.hpp"

namespace simbatch::town {

/// Meters on the map plane: x east, z north.
struct Vec2 {
  double x = 0, z = 0;  ///< m
  friend Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.z + b.z}; }
  friend Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.z - b.z}; }
  friend Vec2 operator*(Vec2 a, double s) { return {a.x * s, a.z * s}; }
  friend bool operator==(Vec2, Vec2) = default;
};
inline double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.z * b.z; }
inline double cross(Vec2 a, Vec2 b) { return a.x * b.z - a.z * b.x; }
inline double length(Vec2 a) { return std::sqrt(dot(a, a)); }
inline Vec2 meters(Point p) { return {p.x * 1e-3, p.z * 1e-3}; }
inline Point millimeters(Vec2 p) {
  return {static_cast<std::int32_t>(std::lrint(p.x * 1000)), static_cast<std::int32_t>(std::lrint(p.z * 1000))};
}

/// A box on the plane: `center`, unit vectors `u` (along the street) and `v` (away from it), half sizes along them (m).
struct Box {
  Vec2 center, u, v;
  double half_u = 0, half_v = 0;
  Vec2 local(Vec2 p) const {
    const Vec2 d = p - center;
    return {dot(d, u), dot(d, v)};
  }
  Vec2 local(Point p) const { return local(meters(p)); }
  /// Half the extent along the map's x and z axes, of the box grown at all sides.
  Vec2 reach(double grown = 0) const {
    const double hu = half_u + grown, hv = half_v + grown;
    return {std::fabs(u.x) * hu + std::fabs(v.x) * hv, std::fabs(u.z) * hu + std::fabs(v.z) * hv};
  }
};

/// Greatest u of the part of segment a-b with |v| <= half_v; -infinity if there is none.
inline double greatest_u_in_band(Vec2 a, Vec2 b, double half_v) {
  // Here x is u and z is v.
  if ((a.z > half_v && b.z > half_v) || (a.z < -half_v && b.z < -half_v)) return -HUGE_VAL;
  const auto cut = [half_v](Vec2 from, Vec2 to) {  // where the path from one end enters the band
    if (std::fabs(from.z) <= half_v) return from.x;
    return from.x + (std::copysign(half_v, from.z) - from.z) / (to.z - from.z) * (to.x - from.x);
  };
  return std::max(cut(a, b), cut(b, a));
}

/// True if the segment a-b (in the box's frame) comes closer to the box than `radius`.
inline bool near_segment(const Box& box, Vec2 a, Vec2 b, double radius) {
  const double hu = box.half_u, hv = box.half_v;
  if (std::min(a.x, b.x) >= hu + radius || std::max(a.x, b.x) <= -hu - radius) return false;
  if (std::min(a.z, b.z) >= hv + radius || std::max(a.z, b.z) <= -hv - radius) return false;
  // The third separating axis of box and segment is across the segment.
  const Vec2 d = b - a;
  const double length2 = dot(d, d);
  if (std::fabs(cross(a, d)) > hu * std::fabs(d.z) + hv * std::fabs(d.x) + radius * std::sqrt(length2)) return false;
  // None of the three separates them; a fourth axis can only be between an end of the segment and the nearest corner.
  for (const Vec2 end : {a, b}) {
    const Vec2 off{std::fabs(end.x) - hu, std::fabs(end.z) - hv};
    if (off.x <= 0 || off.z <= 0 || dot(off, off) < radius * radius) continue;
    const Vec2 corner{std::copysign(hu, end.x), std::copysign(hv, end.z)};
    const Vec2 back = end == a ? d : d * -1.0;       // along the segment, away from this end
    if (dot(corner - end, back) <= 0) return false;  // the end is the nearest point of the segment
  }
  return true;
}

/// How far the box must be moved along +u, at least, to leave a corridor of `radius` (m) about the segment a-b (both in the
/// box's frame). 0 if it is free. For a disc, a = b.
inline double distance_to_clear_segment(const Box& box, Vec2 a, Vec2 b, double radius) {
  if (!near_segment(box, a, b, radius)) return 0;
  double best = greatest_u_in_band(a, b, box.half_v) + radius;
  for (const Vec2 end : {a, b}) {  // any point of the core must be cleared; points in the band already are
    const double dv = std::fabs(end.z) - box.half_v;
    if (dv > 0 && dv < radius) best = std::max(best, end.x + std::sqrt(radius * radius - dv * dv));
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

/// The same for another box, both in map coordinates; the first one is grown at all sides. (By arguments, because a grown copy of
/// the box would be read in larger pieces than it was just written in, which stalls.)
inline double distance_to_clear_box(const Box& box, const Box& other, double grown_u = 0, double grown_v = 0) {
  const double half_u = box.half_u + grown_u, half_v = box.half_v + grown_v;
  const Vec2 d = other.center - box.center;
  // Separating axes: the two of this box, the two of the other.
  const Vec2 c{dot(d, box.u), dot(d, box.v)};
  const double uu = dot(other.u, box.u), vu = dot(other.v, box.u);
  if (std::fabs(c.x) >= half_u + std::fabs(uu) * other.half_u + std::fabs(vu) * other.half_v) return 0;
  const double uv = dot(other.u, box.v), vv = dot(other.v, box.v);
  if (std::fabs(c.z) >= half_v + std::fabs(uv) * other.half_u + std::fabs(vv) * other.half_v) return 0;
  if (std::fabs(dot(d, other.u)) >= other.half_u + std::fabs(uu) * half_u + std::fabs(uv) * half_v) return 0;
  if (std::fabs(dot(d, other.v)) >= other.half_v + std::fabs(vu) * half_u + std::fabs(vv) * half_v) return 0;
  // No axis separates them: they touch. The greatest u within the band |v| <= half_v is at the farthest corner or, if that is
  // outside the band, where the side from it enters the band.
  const double s = uu >= 0 ? 1 : -1, t = vu >= 0 ? 1 : -1;
  const Vec2 du{s * uu * other.half_u, s * uv * other.half_u}, dv{t * vu * other.half_v, t * vv * other.half_v};
  const Vec2 corner = c + du + dv;
  double best = corner.x;
  if (std::fabs(corner.z) > half_v) {
    const double edge = std::copysign(half_v, corner.z);
    const Vec2 side = (du.z > dv.z) == (edge > 0) ? du : dv;  // the corner's sides are -2 du and -2 dv
    if (side.z != 0) best -= std::clamp((corner.z - edge) / side.z, 0.0, 2.0) * side.x;
  }
  return std::max(best + half_u, 1e-3);
}

}  // namespace simbatch::town
