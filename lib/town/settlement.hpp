#pragma once
/// Signs of settlement: places where houses may be generated because the map shows that people live there.

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "lib/town/geometry.hpp"
#include "lib/town/plane.hpp"

namespace simbatch::town {

/// A bit for each 16 m square of the map plane, in pages of 1024 m that exist only where there is a sign, and are drawn when they
/// are first asked for: where the map has areas of land use, few are. A page takes 512 bytes, and a sign touches at most four of
/// them, so memory is proportional to the map. Once built, any number of threads may query it.
///
/// Signs are discs (about a mapped building or a `place` node) and dense streets: at least kDense meters of them in the 9 x 9
/// squares of 32 m around a square (288 m x 288 m). A grid of streets 100 m apart has 1650 m there, a single straight road at
/// most 410 m, and a crossing of two 800 m.
class Settlement {
 public:
  static constexpr double kSquare = 16;  ///< m
  static constexpr double kDense = 700;  ///< m of streets

  /// Everything within `radius` (m, at most 512) of the middle.
  void add_disc(Vec2 middle, double radius);
  /// A straight piece of a street; only if it is shorter than 2 km.
  void add_street(Vec2 a, Vec2 b);
  /// Call after the last sign.
  void build();
  /// The page of the last query.
  struct Near {
    double first_x = HUGE_VAL, first_z = 0;  // its first squares
    const std::array<std::uint64_t, 64>* page = nullptr;
  };
  bool at(Vec2 place, Near& near) const;

 private:
  static constexpr std::int32_t kSide = 64;     // squares along a page
  static constexpr std::int32_t kLengths = 32;  // squares of 32 m along a page
  using Page = std::array<std::uint64_t, kSide>;
  using Lengths = std::array<std::uint32_t, static_cast<std::size_t>(kLengths) * kLengths>;  // mm of street in each square
  using Key = std::pair<std::int32_t, std::int32_t>;                                         // row, column
  struct Disc {
    Vec2 middle;
    double radius = 0;
  };
  struct Signs {
    std::vector<Disc> discs;
    mutable std::once_flag drawn;
    mutable Page page{};
  };
  const Page& page_of(const Key& key, const Signs& signs) const;
  static void draw_disc(const Key& key, const Disc& disc, Page& page);
  void draw_streets(const Key& key, Page& page) const;
  std::uint64_t length_at(std::int32_t column, std::int32_t row, const std::array<const Lengths*, 9>& pages) const;

  std::map<Key, Signs> signs_;
  std::map<Key, Lengths> lengths_;
  Key last_lengths_key_{INT32_MIN, 0};
  Lengths* last_lengths_ = nullptr;
};

}  // namespace simbatch::town
