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
#include "lib/town/street_lengths.hpp"

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
  /// Those that count where they are dense.
  void set_streets(StreetLengths streets) { streets_ = std::move(streets); }
  /// Call after the last sign.
  void build();
  /// The page of the last query.
  struct Near {
    double first_x = HUGE_VAL, first_z = 0;  // its first squares
    const std::array<std::uint64_t, 64>* page = nullptr;
  };
  bool at(Vec2 place, Near& near) const;

 private:
  static constexpr std::int32_t kSide = 64;  // squares along a page
  using Page = std::array<std::uint64_t, kSide>;
  using Key = StreetLengths::Key;  // pages are as large
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
  /// The page that holds a place.
  static Key key_of(Vec2 place);
  Signs& signs_of(const Key& key);

  std::map<Key, Signs> signs_;
  StreetLengths streets_;
  Key last_key_{INT32_MIN, 0};
  Signs* last_ = nullptr;
};

}  // namespace simbatch::town
