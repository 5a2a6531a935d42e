#pragma once
/// Sums over the square of cells around each cell of a page, in two passes: along rows, then along columns. Private to the room.
/// (For the general form see Crow, Summed-area tables for texture mapping, 1984.)

#include <array>
#include <cstddef>
#include <cstdint>

namespace simbatch::town::detail {

/// Calls use(x, z, sum) for the cells of a page of kSide x kSide, column by column: the sum of those at most kReach columns and
/// rows away.
/// @param value  value(x, z) of each of them, from -kReach to kSide + kReach - 1
template <std::int32_t kSide, std::int32_t kReach, class Value, class Use>
void box_sums(Value value, Use use) {
  constexpr std::int32_t kWide = kSide + 2 * kReach;
  const auto index = [](std::int32_t x, std::int32_t z) { return static_cast<std::size_t>(z * kSide + x); };
  std::array<std::uint64_t, static_cast<std::size_t>(kWide) * kSide> rows{};  // sums along x
  for (std::int32_t z = 0; z < kWide; ++z) {
    std::array<std::uint64_t, kWide> row{};
    std::uint64_t sum = 0;
    for (std::int32_t x = 0; x < kWide; ++x) {
      sum += row[static_cast<std::size_t>(x)] = value(x - kReach, z - kReach);
      if (x < 2 * kReach) continue;
      rows[index(x - 2 * kReach, z)] = sum;
      sum -= row[static_cast<std::size_t>(x - 2 * kReach)];
    }
  }
  for (std::int32_t x = 0; x < kSide; ++x) {
    std::uint64_t sum = 0;
    for (std::int32_t z = 0; z < kWide; ++z) {
      sum += rows[index(x, z)];
      if (z < 2 * kReach) continue;
      use(x, z - 2 * kReach, sum);
      sum -= rows[index(x, z - 2 * kReach)];
    }
  }
}

}  // namespace simbatch::town::detail
