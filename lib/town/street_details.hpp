#pragma once
/// What makes a street of a row of houses: trees, gardens, parked cars. Private to the room.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lib/town/placer.hpp"
#include "lib/town/streets.hpp"

namespace simbatch::town::detail {

/// Walks along streets whose houses are placed. One per thread.
class StreetDetails {
 public:
  explicit StreetDetails(Placer& placer);
  /// @param plots  of the street's houses
  void street(std::span<const Streets::Part> parts, bool ring, std::span<const Plot> plots);
  /// Greatest distance from the middle line of any road to the middle of a thing (m). @param beyond  the greatest TownRoad::beyond
  static double farthest(const Town& town, double beyond, double farthest_house);

 private:
  struct Walk {
    const Stretch& stretch;
    Side side = Side::right;
    Vec2 point, along, out;
    std::int64_t number = 0;  // of the place along the street
  };
  void trees(std::span<const Streets::Part> parts, bool ring);
  void tree(const Walk& walk, std::uint16_t model);
  void cars(std::span<const Streets::Part> parts, bool ring);
  double margin_at(const Walk& walk);
  double bend_beyond(const Stretch& stretch, bool at_end) const;
  void car(const Walk& walk);
  bool is_clear_of_lanes(const Box& box, double from_middle) const;
  void garden(const Plot& plot);
  void hedges(const Plot& plot, std::string_view type, std::uint64_t draw);
  std::optional<std::uint16_t> longest(std::string_view type, double room) const;
  /// Calls use(walk) every `spacing` m of straight pieces, on both sides.
  template <class Use>
  void each_place(std::span<const Streets::Part> parts, bool ring, double spacing, Use use);
  bool put(House house, Small kind, double from_houses);
  const Use* use_of(Small kind) const {
    const std::uint16_t use = context_.town.small_uses[static_cast<std::size_t>(kind)];
    return use == kNoUse ? nullptr : &context_.town.uses[use];
  }

  Placer& placer_;
  const PlacingContext& context_;
  std::vector<double> arc_offset_;
  SideLines lines_;
  std::vector<std::uint32_t> own_;  // the street's roads, by their first points
};

}  // namespace simbatch::town::detail
