#pragma once
/// Buildings by the squares of the map that they reach.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/geo/geo.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/effort.hpp"

namespace simbatch::roads {

class PrismIndex {
 public:
  /// @param reach  how far from a building a place is still near it, at least (m)
  /// @param budget  where it ends, the index is not complete
  PrismIndex(const std::vector<Prism>& prisms, double reach, const Budget& budget);
  /// Calls use(n) for the numbers of the buildings that may be within reach of a place, ascending. A building of more than 4096
  /// squares of 64 m is none.
  template <class Use>
  void each_near(geo::EastNorth place, Use use) const {
    const Cell cell = cell_of(place.east, place.north);
    for (auto at = std::lower_bound(cells_.begin(), cells_.end(), std::pair{cell, 0u}); at != cells_.end() && at->first == cell;
         ++at)
      use(at->second);
  }

 private:
  using Cell = std::pair<int, int>;
  static Cell cell_of(double east, double north);
  std::vector<std::pair<Cell, std::uint32_t>> cells_;
};

}  // namespace simbatch::roads
