#pragma once
/// Axis-aligned bounding boxes, grown point by point from an empty one.

#include <limits>

#include "base/geo/pose.hpp"

namespace simbatch::geo {

/// An interval; empty at first: then low > high.
struct Bounds1 {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  /// NaN is ignored.
  void add(double x) {
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
  bool is_empty() const { return !(low <= high); }
  double size() const { return high - low; }
  friend bool operator==(const Bounds1&, const Bounds1&) = default;
};

/// A rectangle in any plane.
struct Bounds2 {
  Bounds1 x, y;
  void add(double px, double py) {
    x.add(px);
    y.add(py);
  }
  bool is_empty() const { return x.is_empty() || y.is_empty(); }
  friend bool operator==(const Bounds2&, const Bounds2&) = default;
};

/// A box.
struct Bounds3 {
  Bounds1 x, y, z;
  void add(const Vec3& p) {
    x.add(p.x);
    y.add(p.y);
    z.add(p.z);
  }
  bool is_empty() const { return x.is_empty() || y.is_empty() || z.is_empty(); }
  Vec3 low() const { return {x.low, y.low, z.low}; }
  Vec3 high() const { return {x.high, y.high, z.high}; }
  Vec3 size() const { return high() - low(); }
  Vec3 center() const { return 0.5 * (low() + high()); }
  friend bool operator==(const Bounds3&, const Bounds3&) = default;
};

}  // namespace simbatch::geo
