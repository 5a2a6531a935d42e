#pragma once
/// Index of straight pieces of roads by the grid squares that they touch. Private to the room.

#include <cstdint>
#include <utility>
#include <vector>

#include "lib/roads/bit_filter.hpp"
#include "lib/roads/convex.hpp"

namespace simbatch::roads::detail {

struct Segment {
  EastNorth a, b;
  std::uint32_t span = 0;  ///< what it belongs to
  double along = 0;        ///< distance of `a` from the beginning of the span (m)
};
/// Distance of a place from a piece (m), and the position of the nearest point on it, from 0 at `a` to 1 at `b`.
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
  std::size_t entries() const { return cells_.size(); }
  const Segment& operator[](std::uint32_t n) const { return segments_[n]; }
  /// Ascending numbers (counted in the order of addition) of the pieces in the squares that the segment touches.
  void near(const Segment& segment, std::vector<std::uint32_t>& found) const;
  /// The same for the squares that a rectangle touches, which should measure no more than a few hundred meters.
  void near(EastNorth low, EastNorth high, std::vector<std::uint32_t>& found) const;
  /// False: no piece is in the squares that the rectangle touches. Quick where all pieces are some hundred meters away.
  bool may_have_near(EastNorth low, EastNorth high) const;

 private:
  template <class Use>
  static void visit(const Segment& s, Use use);
  void take(int row, int column, std::vector<std::uint32_t>& found) const;

  std::vector<Segment> segments_;
  std::vector<std::pair<std::pair<int, int>, std::uint32_t>> cells_;
  BitFilter squares_, blocks_;  // with pieces: squares, and blocks of 4 x 4 of them
};

}  // namespace simbatch::roads::detail
