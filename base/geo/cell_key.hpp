#pragma once
/// Cells of grids as numbers.

#include <cstdint>

namespace simbatch::geo {

/// A cell's row and column in one number: ordered by rows, and in them by columns, where neither is negative.
constexpr std::uint64_t cell_key(std::int32_t row, std::int32_t column) {
  return std::uint64_t{static_cast<std::uint32_t>(row)} << 32 | static_cast<std::uint32_t>(column);
}

}  // namespace simbatch::geo
