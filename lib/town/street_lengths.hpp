#pragma once
/// Lengths of streets on the map plane: what Settlement and Neighborhoods know of them.

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "lib/town/geometry.hpp"

namespace simbatch::town {

/// The row or column of squares that holds a coordinate. @param side  of the squares, like the coordinate (m)
inline std::int32_t square_of(double at, double side) {
  const double squares = at / side;
  const auto truncated = static_cast<std::int32_t>(squares);  // without a call, unlike std::floor()
  return truncated - (squares < truncated ? 1 : 0);
}

/// By squares of 32 m, in pages of 1024 m that exist where there are streets: 4 KB a square kilometer.
class StreetLengths {
 public:
  static constexpr double kSquare = 32;      ///< m
  static constexpr std::int32_t kSide = 32;  ///< squares along a page
  /// Row and column of a page.
  using Key = std::pair<std::int32_t, std::int32_t>;
  /// Millimeters in each square, row by row; more than 10 km counts as that.
  using Page = std::array<std::uint32_t, static_cast<std::size_t>(kSide) * kSide>;

  /// Adds a straight piece of a street. One of 2 km and more is a road across the country, not a street, and does not count.
  void add(Vec2 a, Vec2 b);
  const std::map<Key, Page>& pages() const { return pages_; }
  /// A page and the eight around it.
  class Around {
   public:
    Around(const StreetLengths& streets, const Key& middle);
    /// Millimeters in a square, by its column and row in the page in the middle: -kSide to 2 kSide - 1.
    std::uint32_t at(std::int32_t column, std::int32_t row) const {
      const auto x = static_cast<std::uint32_t>(column + kSide), z = static_cast<std::uint32_t>(row + kSide);
      const Page* const page = pages_[z / kSide * 3 + x / kSide];
      return page == nullptr ? 0 : (*page)[z % kSide * kSide + x % kSide];
    }

   private:
    std::array<const Page*, 9> pages_{};
  };

 private:
  std::uint32_t& at(std::int32_t column, std::int32_t row);
  std::map<Key, Page> pages_;
  Key last_key_{INT32_MIN, 0};
  Page* last_ = nullptr;
};

}  // namespace simbatch::town
