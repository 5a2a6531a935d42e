#include "lib/roads/prism_index.hpp"

#include <cmath>

namespace simbatch::roads {

PrismIndex::PrismIndex(const std::vector<Prism>& prisms, double reach, const Budget& budget) {
  for (std::uint32_t n = 0; n < prisms.size(); ++n) {
    geo::EastNorth low = prisms[n].outer[0], high = low;
    for (const geo::EastNorth p : prisms[n].outer) {
      low = {std::min(low.east, p.east), std::min(low.north, p.north)};
      high = {std::max(high.east, p.east), std::max(high.north, p.north)};
    }
    const Cell first = cell_of(low.east - reach, low.north - reach), last = cell_of(high.east + reach, high.north + reach);
    if (std::int64_t{last.first - first.first + 1} * (last.second - first.second + 1) > 4096) continue;  // no building
    for (int row = first.first; row <= last.first; ++row)
      for (int column = first.second; column <= last.second; ++column) cells_.push_back({{row, column}, n});
    if (!budget.fits(cells_.size(), low)) return;
  }
  std::sort(cells_.begin(), cells_.end());
}

PrismIndex::Cell PrismIndex::cell_of(double east, double north) {
  const auto part = [](double v) { return static_cast<int>(std::floor(std::clamp(v, -1e8, 1e8) / 64)); };
  return {part(north), part(east)};
}

}  // namespace simbatch::roads
