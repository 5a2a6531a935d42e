#pragma once
/// Which ways of a map are near some of its ways, without projecting any node. Private to the room.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/osm/osm.hpp"
#include "lib/roads/bit_filter.hpp"

namespace simbatch::roads::detail {

/// Meters of a degree of latitude, and of longitude at this latitude, at least. Never zero.
inline constexpr double kLatitudeDegree = 110'500;
double longitude_degree(double latitude);
/// Greatest distance of a node of these ways from the equator (degrees): where degrees of longitude are shortest.
double farthest_latitude(const osm::Model& map, std::span<const std::size_t> ways);

/// Cells of latitude and longitude that some ways run through, and those beside them.
class WayCells {
 public:
  /// @param map    kept by reference: must outlive this
  /// @param reach  m
  WayCells(const osm::Model& map, std::span<const std::size_t> ways, double reach);
  /// True for each way that comes within the reach of one of those, and for some others.
  bool has(std::size_t way) const;

 private:
  /// Row and column.
  using Cell = std::uint64_t;
  template <class Use>
  bool walk(std::size_t way, Use use) const;
  bool has_cell(Cell cell) const;

  const osm::Model& map_;
  double lat_step_ = 1, lon_step_ = 1;  // degrees
  bool is_everywhere_ = false;          // more cells than are worth it
  std::vector<Cell> cells_;             // ascending
  BitFilter filter_;                    // of these
};

}  // namespace simbatch::roads::detail
