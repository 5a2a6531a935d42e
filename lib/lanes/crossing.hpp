#pragma once
/// Crossings: how far each road is set back, and which lane leads into which. Internal to lib/lanes.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lib/lanes/network.hpp"
#include "lib/lanes/street.hpp"

namespace simbatch::lanes::detail {

/// A road end at a crossing, seen from the crossing.
struct Arm {
  std::size_t road = 0;
  bool is_end = false;         ///< the road's end, not its start
  double heading = 0;          ///< outwards (rad)
  double half_width = 0;       ///< m, with sidewalks
  double room = 0;             ///< m, how far the road may be set back
  int in = 0, out = 0;         ///< lanes for cars towards the crossing, and away from it
  std::vector<Arrows> arrows;  ///< of the lanes that lead in, from left to right; may be empty
};

/// Distance from the middle of the crossing at which each arm ends, so that neighboring roads do not overlap (m).
std::vector<double> stay_back(std::span<const Arm> arms);

/// The turns. Lanes follow their arrows; without arrows the leftmost lane turns left, the rightmost right, and all go straight
/// on. Every lane of an arm has a turn if any of them has.
/// @param is_forbidden  of two arm numbers
template <class Forbidden>
std::vector<Turn> turns_of(std::span<const Arm> arms, Forbidden is_forbidden);

struct Goal {
  std::size_t arm = 0;
  double bend = 0;  ///< rad, positive to the left
};
/// Adds the turns from one arm to its goals, which go from right to left.
void add_turns(std::span<const Arm> arms, std::size_t from, std::span<const Goal> goals, std::vector<Turn>& turns);
/// The goals of an arm, from right to left; turning back into the same arm is not one.
std::vector<Goal> goals_of(std::span<const Arm> arms, std::size_t from);

template <class Forbidden>
std::vector<Turn> turns_of(std::span<const Arm> arms, Forbidden is_forbidden) {
  std::vector<Turn> turns;
  for (std::size_t from = 0; from < arms.size(); ++from) {
    std::vector<Goal> goals = goals_of(arms, from);
    std::erase_if(goals, [&](const Goal& goal) { return is_forbidden(from, goal.arm); });
    if (arms[from].in > 0 && !goals.empty()) add_turns(arms, from, goals, turns);
  }
  return turns;
}

}  // namespace simbatch::lanes::detail
