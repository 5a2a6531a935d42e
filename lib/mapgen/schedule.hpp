#pragma once
/// Which streets must wait for which, so that several threads set the same houses as one. Private to the room.

#include <cstdint>
#include <span>
#include <vector>

#include "lib/mapgen/streets.hpp"
#include "lib/mapgen/town.hpp"

namespace simbatch::mapgen::detail {

/// Streets take turns in their order; but a street only depends on the earlier ones whose houses it can meet. Two streets are
/// taken to be within reach of each other if they come into the same square of a fine mesh, each grown by half the reach.
/// Each street waits for the one before it in every square of its own; by way of that one for all before it there.
class Schedule {
 public:
  /// @param reach  greatest distance (m) between the middle lines of streets whose houses can touch
  Schedule(const Town& town, const Streets& streets, double reach);
  /// False when the squares would be too many (a reach of kilometres, streets over half a continent): then there is no
  /// schedule, and one thread does it all.
  bool useful() const { return useful_; }
  std::span<const std::uint32_t> followers(std::size_t street) const {
    return std::span(followers_).subspan(starts_[street], starts_[street + 1] - starts_[street]);
  }
  /// How many others each street waits for.
  std::vector<std::uint32_t>& waits() { return waits_; }

 private:
  bool useful_ = false;
  std::vector<std::uint32_t> waits_, starts_, followers_;
};

}  // namespace simbatch::mapgen::detail
