#pragma once
/// The character of a place: how densely it is built, how high, under what roofs.

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "lib/town/geometry.hpp"
#include "lib/town/plane.hpp"
#include "lib/town/street_lengths.hpp"

namespace simbatch::town {

/// By the streets around, which outlast the houses: a village or its edge, a suburb, a town's older quarters, its core.
enum class Density : std::uint8_t { scattered, loose, dense, core };
inline constexpr std::size_t kDensities = 4;

enum class Roof : std::uint8_t { unknown, flat, gabled, hipped };

/// What a mapped building says of itself.
struct MappedLook {
  Point at;                      ///< one of its corners
  std::uint16_t decimeters = 0;  ///< of its height; 0: unknown
  Roof roof = Roof::unknown;
};

/// Streets and mapped buildings by squares of 64 m, in pages that exist where there are any: 14 KB a square kilometer.
class Neighborhoods {
 public:
  static constexpr double kSquare = 64;  ///< m
  /// Meters of street in the 5 x 5 squares around a place (10 ha) from which on it is loose, dense, a core. Streets 100 m apart
  /// both ways have 2050 m there, a village street 320 m, the old quarter of Valencia in the corpus 2800 to 4400 m.
  static constexpr double kLoose = 700, kDense = 2100, kCore = 3100;

  /// Call at most once.
  void add_streets(const StreetLengths& streets);
  void add_building(const MappedLook& building);
  /// Call after the last of them: looks around every square, so that at() does not have to.
  void build();

  struct Character {
    Density density = Density::loose;
    double height = 0;            ///< usual height of a house here (m)
    Roof roof = Roof::gabled;     ///< usual roof of a house of up to three stories
    bool is_known = false;        ///< the height is that of mapped buildings
    std::uint64_t variation = 0;  ///< a number of the place, equal within 256 m x 256 m
  };
  /// The page of the last query; outside all pages, its square and answer.
  class Near;
  /// Heights: the mean of mapped buildings in the 3 x 3 squares around if there are two or more that say theirs; else 6, 7, 9.5
  /// and 13 m by density, 15 % less or more by `variation`. Roofs: what most mapped ones there have; else by density and
  /// `variation`. @return valid until the next query with this `near`
  const Character& at(Vec2 place, Near& near) const;

 private:
  static constexpr std::int32_t kSide = 16;  // squares along a page
  struct Square {
    std::uint32_t street = 0, height = 0;  // mm, dm: sums
    std::uint16_t heights = 0;             // how many
    std::array<std::uint16_t, 4> roofs{};  // by Roof
  };
  using Key = StreetLengths::Key;  // pages are as large
  using Page = std::array<Square, static_cast<std::size_t>(kSide) * kSide>;
  Square& square(std::int32_t column, std::int32_t row);
  using Characters = std::array<Character, static_cast<std::size_t>(kSide) * kSide>;  // of a page's squares
  using Pages = std::array<const Page*, 9>;                                           // 3 x 3
  Pages pages_around(const Key& key) const;
  static const Square* square_in(const Pages& pages, std::int32_t column, std::int32_t row);
  static std::uint32_t street_at(const Pages& pages, std::int32_t column, std::int32_t row);
  static Character character_of(const Key& key, const Pages& pages, std::int32_t x, std::int32_t z, std::uint64_t street);
  const Character& find(Vec2 place, Near& near) const;
  void enter_page(const Key& key, Near& near) const;
  const Character& find_outside(std::int32_t column, std::int32_t row, Near& near) const;

  std::map<Key, Page> pages_;
  std::map<Key, Characters> characters_;
  Key last_key_{INT32_MIN, 0};
  Page* last_ = nullptr;
};

class Neighborhoods::Near {
  friend class Neighborhoods;
  double low_x_ = HUGE_VAL, low_z_ = HUGE_VAL;  // corner of the square of the last answer (m)
  const Character* last_ = nullptr;
  Key key_{INT32_MIN, 0};
  const Characters* page_ = nullptr;
  std::int32_t column_ = INT32_MIN, row_ = 0;
  Character character_;
};

}  // namespace simbatch::town
