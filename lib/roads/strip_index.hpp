#pragma once
/// Finds boxes that touch a box of any size, by sorting them along one axis. Private to the room.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lib/roads/convex.hpp"

namespace simbatch::roads::detail {

/// For boxes of about the same size. A query costs as many comparisons as there are boxes in its range of the east.
class StripIndex {
 public:
  /// Boxes are numbered from 0 in the order of adding.
  void add(const Box& box) {
    boxes_.emplace_back(box, static_cast<std::uint32_t>(boxes_.size()));
    widest_ = std::max(widest_, box.high.east - box.low.east);
  }
  /// Call once, after the last add().
  void build() {
    std::sort(boxes_.begin(), boxes_.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.first.low.east, a.second) < std::pair(b.first.low.east, b.second);
    });
  }
  /// Calls use(number) for each box that touches this one. @return how many were compared
  template <class Use>
  std::size_t near(const Box& box, Use use) const {
    const auto is_before = [](const Entry& entry, double east) { return entry.first.low.east < east; };
    auto entry = std::lower_bound(boxes_.begin(), boxes_.end(), box.low.east - widest_, is_before);
    const auto first = entry;
    for (; entry != boxes_.end() && entry->first.low.east <= box.high.east; ++entry)
      if (entry->first.touches(box)) use(entry->second);
    return static_cast<std::size_t>(entry - first);
  }

 private:
  using Entry = std::pair<Box, std::uint32_t>;
  std::vector<Entry> boxes_;
  double widest_ = 0;
};

}  // namespace simbatch::roads::detail
