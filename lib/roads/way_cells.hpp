#pragma once
/// Which ways of a map are near some of its ways, without projecting any node. Private to the room.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/osm/osm.hpp"

namespace simbatch::roads::detail {

inline constexpr double kLatitudeDegree = 110'500;  ///< m, at least

/// Cells of latitude and longitude that some ways run through, and those beside them.
class WayCells {
 public:
  /// @param reach  m
  WayCells(const osm::Model& map, std::span<const std::size_t> ways, double reach);
  /// True for each way that comes within the reach of one of those, and for some others.
  bool has(std::size_t way) const;

 private:
  /// Row and column.
  using Cell = std::uint64_t;
  template <class Use>
  bool walk(std::size_t way, Use use) const;
  std::size_t bit_of(Cell cell) const { return static_cast<std::size_t>(cell * 0x9E3779B97F4A7C15U >> shift_); }
  bool has_cell(Cell cell) const;

  const osm::Model& map_;
  double lat_step_ = 1, lon_step_ = 1;  // degrees
  bool is_everywhere_ = false;          // more cells than are worth it
  std::vector<Cell> cells_;             // ascending
  std::vector<bool> bits_;              // by bit_of(): whether the cell may be among them
  int shift_ = 64;
};

}  // namespace simbatch::roads::detail
