#pragma once
/// The context shared by all placing threads, and the placer of each thread. Private to the room.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/town/area_index.hpp"
#include "lib/town/hash.hpp"
#include "lib/town/house_grid.hpp"
#include "lib/town/obstacle_grid.hpp"
#include "lib/town/place_options.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town::detail {

/// Constant during the placement, except `houses`.
struct PlacingContext {
  const Town& town;
  const PlaceOptions& options;
  const std::vector<HouseSize>& sizes;  ///< by House::model; those beyond the town's models are of reserved ground
  const ObstacleGrid& obstacles;
  const AreaIndex& islands;  ///< of roundabouts
  const Coast& coast;
  HouseGrid& houses;
  bool has_details = false;  ///< a pass for gardens, trees and cars follows, which needs the plots
};

/// A house and the ground before it, for its garden.
struct Plot {
  House house;
  float setback = 0;  ///< from the front to where nothing may be placed (m)
  float beside = 0;   ///< half the gap to its neighbors (m)
  bool has_garden = false;
  bool is_reserved = false;  ///< the way to its door
};

/// Places houses in one thread and counts candidates. Cache-line aligned.
class alignas(64) Placer {
 public:
  explicit Placer(const PlacingContext& shared);

  void set(const House& house, std::uint16_t use);
  void reject(Reason reason) { ++rejected[static_cast<std::size_t>(reason)]; }
  /// The obstacles that the box touches or is too close to.
  Hit touched(const Box& box) const { return touched(box, gap_); }
  /// @param gap  to keep from other houses (m)
  Hit touched(const Box& box, double gap) const {
    Hit hit;
    touch(box, gap, hit);
    return hit;
  }
  /// Adds them to `hit`.
  void touch(const Box& box, double gap, Hit& hit) const {
    context.obstacles.test(box, hit);
    context.houses.test(box, gap, hit);
  }
  /// The houses that the box touches, or if there are none, the obstacles: clears them in two steps, but each is sooner known.
  Hit first_touched(const Box& box, double gap) const {
    Hit hit;
    context.houses.test(box, gap, hit);
    if (!hit) context.obstacles.test(box, hit);
    return hit;
  }
  /// The distance to clear the obstacle hit last; 0: the box no longer touches it.
  double clear_of(const Hit& hit, const Box& box, double gap) const {
    return hit.is_house ? context.houses.clear_of(hit.number, box, gap) : context.obstacles.clear_of(hit.number, box);
  }
  /// The areas of the map that contain a place.
  AreaIndex::Answer ground(Vec2 place) const { return context.town.areas.at(place); }
  /// The land use there, into Town::uses.
  std::uint16_t use_of(const AreaIndex::Answer& ground) const {
    return ground.area == AreaIndex::kNone ? std::uint16_t{0} : context.town.areas.meaning(ground.area).use;
  }
  /// Whether nothing can be there: inside a blocking area, or the island of a roundabout.
  std::optional<Reason> blocked(Vec2 place, const AreaIndex::Answer& ground) const;
  /// Whether the street at a place on its middle line is not on the ground.
  bool is_ramp(Vec2 street) const;
  bool is_sea(Vec2 place) { return context.coast.is_sea(place, near_coast_); }
  /// With PlaceOptions::clip_to_bounds, whether all of it is inside the map's; else true.
  bool in_bounds(const Box& box);
  /// Whether a box that touches nothing can be where it is: all of the above.
  bool is_open(const Box& box, const AreaIndex::Answer& ground) {
    return in_bounds(box) && !blocked(box.center, ground) && !is_sea(box.center);
  }
  /// With Rules::settlement, whether anything shows that people live there; else true. Outside all areas, the land use is only
  /// assumed.
  bool is_settled(Vec2 place, const AreaIndex::Answer& ground);
  /// What the place is like.
  const Neighborhoods::Character& character(Vec2 place) { return context.town.neighborhoods.at(place, near_character_); }
  std::uint16_t model_of(std::uint16_t use, std::uint64_t draw) const {
    const Use& of = context.town.uses[use];
    if (of.shares.empty()) return static_cast<std::uint16_t>(of.first_model + draw % of.models);
    const double share = share_of(draw);
    const auto found = std::upper_bound(of.shares.begin(), of.shares.end() - 1, share);
    return static_cast<std::uint16_t>(of.first_model + (found - of.shares.begin()));
  }

  /// The same, but models about as high as `height` (m) more often, among those at most `widest` wide (m). @return nothing if
  /// none is
  std::optional<std::uint16_t> model_like(std::uint16_t use, std::uint64_t draw, double height, double widest = 1e9) const;
  /// Keeps a strip of ground free, kDrive wide, between two points. @param heading  from one to the other
  void reserve(Vec2 from, Vec2 to, std::uint16_t heading);
  /// The way from a house's door to the street's corridor, and this much farther (m), unless it already is.
  void reserve(Plot& plot, double farther = 0);
  static constexpr double kDrive = 2.8;          ///< m
  static constexpr std::size_t kReserved = 160;  ///< sizes of strips: 0.5 m, 1 m, 1.5 m, ... long

  double gap() const { return gap_; }  ///< to keep from houses of other rows (m)

  const PlacingContext& context;
  std::vector<House> houses;  ///< placed since the last flush
  std::vector<Plot> plots;    ///< the same, with Rules::has_drives()
  std::array<std::uint64_t, kReasons> rejected{};
  std::vector<std::uint64_t> placed, nothing;  ///< by land use

 private:
  double gap_;
  std::optional<Plane> plane_;  // for bounds
  HouseGrid::Inserter inserter_;
  Coast::Near near_coast_;
  Settlement::Near near_signs_;
  Neighborhoods::Near near_character_;
};

}  // namespace simbatch::town::detail
