#pragma once
/// Straight pieces of roads, found by the squares of a grid that they touch. Private to the room.

#include <cstdint>
#include <utility>
#include <vector>

#include "lib/roads/convex.hpp"

namespace simbatch::roads::detail {

struct Segment {
  EastNorth a, b;
  std::uint32_t span = 0;  ///< what it is a part of
  double along = 0;        ///< of `a` from the beginning of that (m)
};
/// Distance of a place from a piece (m), and where on it the nearest point lies: 0 at `a` to 1 at `b`.
struct Nearest {
  double distance = 0, t = 0;
};
Nearest nearest_on(const Segment& segment, EastNorth p);

class SegmentIndex {
 public:
  void add(const Segment& segment);
  /// Call once, after the last add().
  void build();
  bool empty() const { return segments_.empty(); }
  const Segment& operator[](std::uint32_t n) const { return segments_[n]; }
  /// Numbers, in the order of adding, of those in the squares that the segment touches, ascending.
  void near(const Segment& segment, std::vector<std::uint32_t>& found) const;
  /// Likewise of those in the squares that a rectangle of at most some hundred meters touches.
  void near(EastNorth low, EastNorth high, std::vector<std::uint32_t>& found) const;

 private:
  template <class Use>
  static void visit(const Segment& s, Use use);
  void take(int row, int column, std::vector<std::uint32_t>& found) const;

  std::vector<Segment> segments_;
  std::vector<std::pair<std::pair<int, int>, std::uint32_t>> cells_;
};

}  // namespace simbatch::roads::detail
