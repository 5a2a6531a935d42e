#pragma once
/// Dependencies between streets, so that several threads place the same houses as one. Private to the room.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/town/streets.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town::detail {

/// Calls use(low, high) for boxes that together cover a road's line, none much longer than `longest` (m), unless it is as thin
/// as a quarter of that: then up to eight times as long.
template <class Use>
void each_piece(const Town& town, const TownRoad& road, double longest, Use use) {
  Vec2 low = meters(town.points[road.first]), high = low, last = low;
  for (std::uint32_t k = road.first + 1; k < road.first + road.count; ++k) {
    const Vec2 next = meters(town.points[k]);
    const int parts = std::max(1, static_cast<int>(length(next - last) / longest));
    for (int part = 1; part <= parts; ++part) {
      const Vec2 at = last + (next - last) * (static_cast<double>(part) / parts);
      const Vec2 lower{std::min(low.x, at.x), std::min(low.z, at.z)}, higher{std::max(high.x, at.x), std::max(high.z, at.z)};
      const double width = std::min(higher.x - lower.x, higher.z - lower.z);
      if (std::max(higher.x - lower.x, higher.z - lower.z) <= (width <= longest / 4 ? 8 * longest : longest)) {
        low = lower;
        high = higher;
        continue;
      }
      use(low, high);
      const Vec2 before = last + (next - last) * ((part - 1.0) / parts);
      low = {std::min(before.x, at.x), std::min(before.z, at.z)};
      high = {std::max(before.x, at.x), std::max(before.z, at.z)};
    }
    last = next;
  }
  use(low, high);
}

/// Streets, or parts of them, are processed in order, but one depends only on earlier ones whose houses could touch its own. Two
/// count as being within reach of each other if both, grown by half the reach, touch the same square of a fine mesh. Each
/// waits for its predecessor in each of its squares, and thereby for all earlier ones there.
class Schedule {
 public:
  using Line = std::span<const Streets::Part>;
  /// @param reach  greatest distance (m) between the middle lines of streets whose houses can touch
  /// @param finest  least side (m) of a square; a finer mesh causes fewer unnecessary waits
  Schedule(const Town& town, std::span<const Line> lines, double reach, double finest);
  /// False if there would be too many squares (a reach of kilometers, or streets that span half a continent): then there is no
  /// schedule, and a single thread places all houses.
  bool useful() const { return useful_; }
  std::span<const std::uint32_t> followers(std::size_t line) const {
    return std::span(followers_).subspan(starts_[line], starts_[line + 1] - starts_[line]);
  }
  /// Number of lines that each line waits for.
  std::vector<std::uint32_t>& waits() { return waits_; }

 private:
  bool useful_ = false;
  std::vector<std::uint32_t> waits_, starts_, followers_;
};

}  // namespace simbatch::town::detail
