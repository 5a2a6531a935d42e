#pragma once
/// Square cells over a part of the map plane, in pages of 8 x 8 that are allocated on first use (our own design: a two-level
/// page table, as for virtual memory).

#include <emmintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "lib/town/geometry.hpp"

namespace simbatch::town {

/// Rounded down, also of negative numbers. @pre b > 0
inline std::int32_t floor_div(std::int64_t a, std::int64_t b) {
  return static_cast<std::int32_t>(a >= 0 ? a / b : -((-a + b - 1) / b));
}

/// Numbers the cells of the allocated pages from 0, in the order of allocation.
class Cells {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr std::int32_t kPage = 8;  ///< cells along a page's side
  static constexpr std::uint32_t kPageCells = kPage * kPage;

  struct Range {
    std::int32_t x0, x1, z0, z1;  ///< first and last column and row
  };

  Cells() = default;
  /// @param low     corner of cell (0, 0) (m)
  /// @param extent  size of the part that has cells (m); points outside belong to the cells at the edge
  /// @param cell    side of a cell (m)
  Cells(Vec2 low, Vec2 extent, double cell)
      : low_(low),
        cell_(cell),
        scale_(1 / cell),
        pages_x_(pages_for(extent.x, cell)),
        pages_z_(pages_for(extent.z, cell)),
        last_{pages_x_ * kPage - 1.0, pages_z_ * kPage - 1.0},
        pages_(static_cast<std::size_t>(pages_x_) * static_cast<std::size_t>(pages_z_), kNone) {}
  static std::int32_t pages_for(double extent, double cell) {
    return std::max(1, static_cast<std::int32_t>(std::ceil(extent / (cell * kPage))));
  }

  Vec2 low() const { return low_; }
  double cell() const { return cell_; }
  /// x and z side by side.
  static __m128d both(Vec2 a) { return _mm_set_pd(a.z, a.x); }
  Range range(Vec2 center, Vec2 reach) const { return range(both(center), both(reach)); }
  /// The same with x and z side by side.
  Range range(__m128d center, __m128d reach) const {
    return range_of(cell_of(_mm_sub_pd(center, reach)), cell_of(_mm_add_pd(center, reach)));
  }
  /// The cell of a place alone.
  Range range(Vec2 place) const {
    const __m128i cell = cell_of(both(place));
    return range_of(cell, cell);
  }
  /// The number of the first cell of a page (by its column and row among the pages); kNone if it is not in use.
  std::uint32_t page_at(std::int32_t column, std::int32_t row) const {
    return pages_[static_cast<std::size_t>(row) * static_cast<std::size_t>(pages_x_) + static_cast<std::size_t>(column)];
  }
  /// The cell's number; kNone if its page is not in use.
  std::uint32_t at(std::int32_t x, std::int32_t z) const {
    const std::uint32_t page = pages_[page_of(x, z)];
    return page == kNone ? kNone : page + within(x, z);
  }
  /// The same for the cell of a place.
  std::uint32_t at(Vec2 place) const {
    const Range cell = range(place);
    return at(cell.x0, cell.z0);
  }
  Vec2 middle(std::int32_t x, std::int32_t z) const { return low_ + Vec2{(x + 0.5) * cell_, (z + 0.5) * cell_}; }
  /// Calls use(column, row, bits) for the pages of a range, until it returns false: bit n is set if the range contains the n-th
  /// cell of the page.
  template <class Use>
  static void each_page(const Range& r, Use use) {
    const auto x0 = static_cast<std::uint32_t>(r.x0), x1 = static_cast<std::uint32_t>(r.x1);
    const auto z0 = static_cast<std::uint32_t>(r.z0), z1 = static_cast<std::uint32_t>(r.z1);
    constexpr std::uint64_t kAll = ~std::uint64_t{0}, kRow = 0xFF, kColumn = 0x0101010101010101;
    const std::uint64_t from_z0 = kAll << z0 % kPage * kPage, to_z1 = kAll >> (kPage - 1 - z1 % kPage) * kPage;
    const std::uint64_t from_x0 = (kRow << x0 % kPage & kRow) * kColumn, to_x1 = (kRow >> (kPage - 1 - x1 % kPage)) * kColumn;
    std::uint64_t rows = from_z0;
    for (std::uint32_t row = z0 / kPage; row <= z1 / kPage; ++row, rows = kAll) {
      if (row == z1 / kPage) rows &= to_z1;
      std::uint64_t bits = rows & from_x0;
      for (std::uint32_t column = x0 / kPage; column <= x1 / kPage; ++column, bits = rows) {
        if (column == x1 / kPage) bits &= to_x1;
        if (!use(static_cast<std::int32_t>(column), static_cast<std::int32_t>(row), bits)) return;
      }
    }
  }
  /// The cell's number; allocates its page if necessary.
  std::uint32_t need(std::int32_t x, std::int32_t z) {
    std::uint32_t& page = pages_[page_of(x, z)];
    if (page == kNone) {
      page = count_;
      count_ += kPageCells;
    }
    return page + within(x, z);
  }
  /// Cells of all pages in use.
  std::uint32_t count() const { return count_; }
  std::size_t memory() const { return pages_.capacity() * sizeof(std::uint32_t); }

 private:
  static Range range_of(__m128i low, __m128i high) {
    Range range{};
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&range), _mm_unpacklo_epi32(low, high));
    return range;
  }
  /// Column and row of a place, both at once. (Limits before rounding to zero give the same as after it.)
  __m128i cell_of(__m128d place) const {
    const __m128d cells = _mm_mul_pd(_mm_sub_pd(place, both(low_)), _mm_set1_pd(scale_));
    return _mm_cvttpd_epi32(_mm_min_pd(_mm_max_pd(cells, _mm_setzero_pd()), both(last_)));
  }
  std::size_t page_of(std::int32_t x, std::int32_t z) const {
    return static_cast<std::size_t>(static_cast<std::uint32_t>(z) / kPage) * static_cast<std::size_t>(pages_x_) +
           static_cast<std::uint32_t>(x) / kPage;
  }
  static std::uint32_t within(std::int32_t x, std::int32_t z) {
    return static_cast<std::uint32_t>(z) % kPage * kPage + static_cast<std::uint32_t>(x) % kPage;
  }

  Vec2 low_;
  double cell_ = 32, scale_ = 1.0 / 32;
  std::int32_t pages_x_ = 1, pages_z_ = 1;
  Vec2 last_{kPage - 1, kPage - 1};                                          // column and row
  std::vector<std::uint32_t> pages_ = std::vector<std::uint32_t>(1, kNone);  // first cell of each page
  std::uint32_t count_ = 0;
};

}  // namespace simbatch::town
