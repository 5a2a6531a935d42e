#pragma once
/// Heights of lanes that are not on the ground, at their edges and in junctions. Private to the room; the public interface is
/// structures.hpp.

#include <cstdint>
#include <limits>
#include <vector>

#include "lib/roads/junctions.hpp"

namespace simbatch::roads::detail {

/// Lanes are level across their width. At a junction on a ramp, the through road (formed by the widest legs) keeps its grade;
/// the others end in its plane and twist back to level within kTwist, but before the deck of a bridge if that is kLeastTwist away.
/// All heights are above the ground (m).
class LaneHeights {
 public:
  static constexpr double kTwist = 40, kLeastTwist = 10;  // m

  /// @param network  kept by reference: must outlive this
  explicit LaneHeights(const Network& network);
  /// At a place beside leg `number`, `s` m from its first point.
  double on_leg(std::uint32_t number, double s, EastNorth p) const;
  /// In junction `number`, or at its rim, where it is the same as on_leg().
  double in_place(std::uint32_t number, EastNorth p) const;

 private:
  /// How far a leg follows the heights of the main road at one of its ends: fully up to `full`, not at all beyond `none`, both
  /// measured from that end (m).
  struct Influence {
    double full = 0, none = 0;
  };
  double of_main(std::uint32_t place, EastNorth p) const;
  void choose_main(std::uint32_t place);
  Influence influence(const Arm& arm, std::uint32_t place) const;

  const Network& network_;
  std::vector<std::vector<Arm>> main_;  // main road at each place: at most two arms
  std::vector<Influence> influences_;   // two for each leg, one per end
};

}  // namespace simbatch::roads::detail
