#pragma once
/// Heights of lanes that are not on the ground, at their edges and in junctions. Private to the room; the public side is
/// structures.hpp.

#include <cstdint>
#include <limits>
#include <vector>

#include "lib/roads/junctions.hpp"

namespace simbatch::roads::detail {

/// Lanes are level across. At a junction on a ramp the road that goes on, of the widest legs, keeps its grade: the others
/// end on its plane, and twist back to be level within kTwist. All heights are over the ground (m).
class LaneHeights {
 public:
  static constexpr double kTwist = 40;  // m

  /// @param network  is referred to, and must outlive this
  explicit LaneHeights(const Network& network);
  /// At a place beside a leg, `s` m from its first point.
  double on_leg(std::uint32_t leg, double s, EastNorth p) const;
  /// In a junction, or at its rim, where it is the same as on_leg().
  double in_place(std::uint32_t place, EastNorth p) const;

 private:
  /// Where a leg has the heights of a place's main road: full up to `full`, none from `none` on, both from that end (m).
  struct Influence {
    double full = 0, none = 0;
  };
  double of_main(std::uint32_t place, EastNorth p) const;
  void choose_main(std::uint32_t place);
  Influence influence(const Arm& arm, std::uint32_t place) const;

  const Network& network_;
  std::vector<std::vector<Arm>> main_;  // of each place: two arms, or fewer
  std::vector<Influence> influences_;   // two for each leg, by its ends
};

}  // namespace simbatch::roads::detail
