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
  /// One side of a street, or of a part of it.
  void row(std::span<const Streets::Part> parts, Side side);

 private:
  struct Spot {
    const Stretch& stretch;
    Vec2 point, along, out;  // of the middle line; unit vectors along the street and away from it
    double edge = 0;         // from the middle line to where nothing may be placed (m)
    double lanes = 0;        // and to the edge of the lanes
  };
  double attempt(const Spot& spot, Side side);
  bool place_behind(const Spot& spot, std::uint64_t draw, double height);
  bool is_garden(Vec2 place, const AreaIndex::Answer& ground);
  bool is_good(const Spot& spot, const Box& box);
  bool is_wanted(const Spot& spot, Side side);

  Placer& placer_;
  const PlacingContext& context_;
  std::vector<Stretch> line_;
  std::vector<Hit> in_the_way_;  // by distance from the street: what the last house there would have touched
};

}  // namespace simbatch::town::detail
