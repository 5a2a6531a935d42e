#pragma once
/// Houses beyond the first row of a street. Private to the room.

#include <cstdint>
#include <optional>
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
    Side side;
    Vec2 out;                   // unit vector away from the street
    double edge = 0;            // from the middle line to where nothing may be placed (m)
    double lanes = 0;           // and to the edge of the lanes
    std::uint16_t heading = 0;  // of a house
    Vec2 front;                 // unit vector: the same
  };
  void row(Row row);
  std::optional<std::uint64_t> wanted(const Row& row, std::int64_t gap, double middle);
  double attempt(const Row& row, Vec2 point, std::uint64_t draw);
  bool place_behind(const Row& row, Vec2 point, std::uint64_t draw);
  bool is_garden(Vec2 place, const AreaIndex::Answer& ground);
  bool is_good(const Row& row, Vec2 point, const Box& box);

  Placer& placer_;
  const PlacingContext& context_;
  std::vector<Stretch> line_;
  std::vector<Hit> in_the_way_;  // by distance from the street: what the last house there would have touched
};

}  // namespace simbatch::town::detail
