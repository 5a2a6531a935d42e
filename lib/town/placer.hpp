#pragma once
/// The context shared by all placing threads, and the placer of each thread. Private to the room.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/town/area_index.hpp"
#include "lib/town/house_grid.hpp"
#include "lib/town/obstacle_grid.hpp"
#include "lib/town/place_options.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town::detail {

/// Constant during the placement, except `houses`.
struct PlacingContext {
  const Town& town;
  const PlaceOptions& options;
  const std::vector<HouseSize>& sizes;  ///< by House::model
  const ObstacleGrid& obstacles;
  const AreaIndex& islands;  ///< of roundabouts
  const Coast& coast;
  HouseGrid& houses;
};

/// Hashes three numbers into one with uniformly distributed bits (the finalizer of splitmix64; Steele, Lea, Flood: Fast
/// splittable pseudorandom number generators, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t x);
std::uint64_t hash(std::int64_t id, std::int64_t a, std::int64_t b);

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
    context.obstacles.test(box, hit);
    context.houses.test(box, gap, hit);
    return hit;
  }
  /// The distance to clear the obstacle hit last; 0: the box no longer touches it.
  double clear_of(const Hit& hit, const Box& box, double gap) const {
    return hit.is_house ? context.houses.clear_of(hit.number, box, gap) : context.obstacles.clear_of(hit.number, box);
  }
  bool in_bounds(const Box& box);
  std::uint16_t model_of(std::uint16_t use, std::uint64_t draw) const {
    const Use& of = context.town.uses[use];
    if (of.shares.empty()) return static_cast<std::uint16_t>(of.first_model + draw % of.models);
    const double share = static_cast<double>(draw >> 11) * 0x1p-53;
    const auto found = std::upper_bound(of.shares.begin(), of.shares.end() - 1, share);
    return static_cast<std::uint16_t>(of.first_model + (found - of.shares.begin()));
  }

  double gap() const { return gap_; }  ///< to keep from houses of other rows (m)

  const PlacingContext& context;
  std::vector<House> houses;  ///< placed since the last flush
  std::array<std::uint64_t, kReasons> rejected{};
  std::vector<std::uint64_t> placed, nothing;  ///< by land use

 private:
  double gap_;
  std::optional<Plane> plane_;  // for bounds
  HouseGrid::Inserter inserter_;
};

}  // namespace simbatch::town::detail
