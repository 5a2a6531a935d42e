#pragma once
/// Houses beyond the first row of a street. Private to the room.

#include <cstdint>
#include <span>
#include <vector>

#include "lib/town/placer.hpp"
#include "lib/town/streets.hpp"

namespace simbatch::town::detail {

/// Greatest distance from the middle line of any road to the middle of a house beyond the first row (m).
/// @param beyond  the greatest TownRoad::beyond
double farthest_back(const Town& town, std::span<const HouseSize> sizes, double beyond);

/// Walks along streets whose first rows are placed, and puts houses behind them where a gap leaves room for a drive: the drive is
/// straight, from the middle of the house's front to the edge of the street, and kept free. One per thread.
class BackRowPlacer {
 public:
  explicit BackRowPlacer(Placer& placer);
  /// Both sides of a street, or of a part of it.
  void section(std::span<const Streets::Part> parts);

 private:
  /// One side of a straight stretch.
  struct Row {
    const Stretch& stretch;
    Vec2 out, front;            // unit vectors away from the street, and to it: as `heading` has it
    std::uint16_t heading = 0;  // of houses
    double edge = 0;            // from the middle line to where nothing may be placed (m)
    double lanes = 0;           // and to the edge of the lanes
  };
  /// A piece of one side of a road.
  struct Gap {
    std::uint32_t road = 0xFFFFFFFF;
    std::int64_t number = 0;
    bool is_wanted = false;
    std::uint64_t hash = 0;
  };
  void row(const Stretch& stretch, Side side);
  double fill(const Stretch& stretch, Side side, double from, double to);
  Row row_of(const Stretch& stretch, Side side) const;
  void decide(const Stretch& stretch, Side side, std::int64_t number, double d);
  bool is_garden_behind(const Stretch& stretch, Side side, double d);
  double attempt(const Row& row, Vec2 point);
  double place_behind(const Row& row, Vec2 point);
  bool is_garden(Vec2 place, const AreaIndex::Answer& ground);
  bool is_good(const Row& row, Vec2 point, const Box& box);

  Placer& placer_;
  const PlacingContext& context_;
  std::vector<Stretch> line_;
  Gap gap_;                      // the current one
  std::uint64_t of_road_ = 0;    // a hash of its road and side
  std::vector<Hit> in_the_way_;  // by distance from the street: what the last house there would have touched
};

}  // namespace simbatch::town::detail
