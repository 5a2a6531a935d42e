#include "lib/roads/effort.hpp"

#include "lib/roads/convex.hpp"

namespace simbatch::roads {

Budget::Budget(const std::vector<Road>& roads, const Effort& effort) : for_each_(effort.for_each), entries_(effort.entries) {
  double meters = 0, longest = -1;
  std::int64_t points = 0;
  geo::EastNorth place{};
  for (const Road& road : roads) {
    points += static_cast<std::int64_t>(road.line.size());
    for (std::size_t k = 0; k + 1 < road.line.size(); ++k) {
      const double length = detail::distance(road.line[k], road.line[k + 1]);
      meters += length;
      if (length <= longest) continue;
      longest = length;
      place = detail::times(0.5, detail::plus(road.line[k], road.line[k + 1]));
    }
  }
  left_->comparisons = effort.for_all + effort.for_each * points;
  left_->bytes = effort.bytes_for_all + effort.bytes_for_each * points;
  check(meters <= effort.meters_for_all + effort.meters_for_each * static_cast<double>(points), place);
}

Budget::Budget(std::size_t pieces, const Effort& effort) : for_each_(effort.for_each), entries_(effort.entries) {
  left_->comparisons = effort.for_all + effort.for_each * static_cast<std::int64_t>(pieces);
  left_->bytes = effort.bytes_for_all + effort.bytes_for_each * static_cast<std::int64_t>(pieces);
}

bool Budget::check(bool is_good, geo::EastNorth place) const {
  if (!is_good && !left_->crowded) left_->crowded = place;
  return !left_->crowded;
}

bool Budget::take(std::uint64_t comparisons, geo::EastNorth place) const {
  left_->comparisons -= static_cast<std::int64_t>(comparisons);
  return check(left_->comparisons >= 0, place);
}

bool Budget::hold(std::uint64_t bytes, geo::EastNorth place) const {
  left_->bytes -= static_cast<std::int64_t>(bytes);
  return check(left_->bytes >= 0, place);
}

bool Budget::cut(std::uint64_t points, std::uint64_t bytes_each, geo::EastNorth place) const {
  left_->comparisons += for_each_ / 2 * static_cast<std::int64_t>(points);
  return hold(points * bytes_each, place);
}

void Budget::join(std::uint64_t points, std::uint64_t bytes_each) const {
  left_->comparisons -= for_each_ / 2 * static_cast<std::int64_t>(points);
  left_->bytes += static_cast<std::int64_t>(points * bytes_each);
}

bool Budget::fits(std::size_t entries, geo::EastNorth place) const { return check(entries <= entries_, place); }

}  // namespace simbatch::roads
