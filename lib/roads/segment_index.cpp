// Our own method: a sorted list of (square, piece).
#include "lib/roads/segment_index.hpp"

#include <algorithm>

#include "base/geo/cell_key.hpp"

namespace simbatch::roads::detail {
namespace {
constexpr double kSquare = 64;      // m
constexpr int kBlock = 2;           // squares along a block: 2^2
constexpr std::int64_t kMost = 16;  // squares or blocks that are looked up

inline int cell(double m) {
  const double squares = std::clamp(m, -1e8, 1e8) / kSquare;
  const int truncated = static_cast<int>(squares);  // without a call, unlike std::floor()
  return truncated - (squares < truncated ? 1 : 0);
}

bool may_have_any(const BitFilter& filter, int south, int north, int west, int east) {
  if (std::int64_t{north - south + 1} * (east - west + 1) > kMost) return true;
  for (int row = south; row <= north; ++row)
    for (int column = west; column <= east; ++column)
      if (filter.may_have(geo::cell_key(row, column))) return true;
  return false;
}

void sort_once(std::vector<std::uint32_t>& found) {
  if (found.size() < 2) return;
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
}
}  // namespace

Nearest nearest_on(const Segment& segment, EastNorth p) {
  const EastNorth d = minus(segment.b, segment.a);
  const double l2 = dot(d, d), t = l2 > 0 ? std::clamp(dot(minus(p, segment.a), d) / l2, 0.0, 1.0) : 0;
  return {distance(p, plus(segment.a, times(t, d))), t};
}

template <class Use>
void SegmentIndex::visit(const Segment& s, Use use) {
  const auto [south, north] = std::minmax(s.a.north, s.b.north);
  for (int row = cell(south); row <= cell(north); ++row) {
    // The part of the segment in this row of squares.
    const double dn = s.b.north - s.a.north;
    double from = 0, to = 1;
    if (dn != 0) {
      const double t = (row * kSquare - s.a.north) / dn, u = ((row + 1) * kSquare - s.a.north) / dn;
      from = std::clamp(std::min(t, u), 0.0, 1.0);
      to = std::clamp(std::max(t, u), 0.0, 1.0);
    }
    const double e0 = s.a.east + from * (s.b.east - s.a.east), e1 = s.a.east + to * (s.b.east - s.a.east);
    for (int column = cell(std::min(e0, e1)); column <= cell(std::max(e0, e1)); ++column) use(row, column);
  }
}

void SegmentIndex::add(const Segment& segment) {
  const auto number = static_cast<std::uint32_t>(segments_.size());
  segments_.push_back(segment);
  visit(segment, [&](int row, int column) { cells_.emplace_back(std::pair(row, column), number); });
}

void SegmentIndex::build() {
  std::sort(cells_.begin(), cells_.end());
  squares_.reset(cells_.size());
  blocks_.reset(cells_.size());
  for (const auto& [square, piece] : cells_) {
    squares_.add(geo::cell_key(square.first, square.second));
    blocks_.add(geo::cell_key(square.first >> kBlock, square.second >> kBlock));
  }
}

void SegmentIndex::take(int row, int column, std::vector<std::uint32_t>& found) const {
  if (!squares_.may_have(geo::cell_key(row, column))) return;
  for (auto entry = std::lower_bound(cells_.begin(), cells_.end(), std::pair(std::pair(row, column), 0U));
       entry != cells_.end() && entry->first == std::pair(row, column); ++entry)
    found.push_back(entry->second);
}

void SegmentIndex::near(const Segment& segment, std::vector<std::uint32_t>& found) const {
  found.clear();
  visit(segment, [&](int row, int column) { take(row, column, found); });
  sort_once(found);
}

void SegmentIndex::near(EastNorth low, EastNorth high, std::vector<std::uint32_t>& found) const {
  found.clear();
  const int south = cell(low.north), north = cell(high.north), west = cell(low.east), east = cell(high.east);
  for (int row = south; row <= north; ++row)
    for (int column = west; column <= east; ++column) take(row, column, found);
  sort_once(found);
}

bool SegmentIndex::may_have_near(EastNorth low, EastNorth high) const {
  const int south = cell(low.north), north = cell(high.north), west = cell(low.east), east = cell(high.east);
  return may_have_any(blocks_, south >> kBlock, north >> kBlock, west >> kBlock, east >> kBlock) &&
         may_have_any(squares_, south, north, west, east);
}

}  // namespace simbatch::roads::detail
