#pragma once
/// Who yields to whom at a junction, and the phases of its lights, for simulators that need to know. Internal to lib/lanes.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/sumo/sumo.hpp"
#include "lib/lanes/network.hpp"

namespace simbatch::lanes::detail {

/// A road's end at a junction.
struct Approach {
  std::size_t road = 0;
  bool is_end = false;
  double heading = 0;   ///< outwards (rad)
  int importance = 0;   ///< of the road, by its kind; larger in a roundabout
  bool has_in = false;  ///< turns lead from it
  bool has_light = false, has_stop = false;
};

/// A turn, and where it leads.
struct Link {
  std::size_t approach = 0;
  Turn turn;
  double bend = 0;          ///< change of direction, positive to the left
  int rank = 0;             ///< links of higher rank go first
  std::vector<Place> path;  ///< from its start to its end
  double length = 0;
};

/// The rules at a junction.
enum class Rule { priority, right_before_left, stop, all_stop, lights };

using Bits = std::vector<std::vector<bool>>;
struct RightOfWay {
  Rule rule = Rule::priority;
  Bits foes;                                        ///< [a][b]: a and b meet or cross. Symmetric
  Bits yields;                                      ///< [a][b]: a waits for b
  std::vector<std::vector<std::size_t>> phases;     ///< approaches with a green light at the same time
  std::vector<std::optional<double>> waits_inside;  ///< of each link, where left turns wait for oncoming cars (m on its path)
};

/// How important roads of a kind are: 0 (service) to 13 (motorway).
int importance_of(std::string_view kind);

/// Lights, or else stop signs, or else the classes of roads, or else right before left; left turns yield to oncoming traffic.
/// Sets the ranks of the links. Links from one lane do not meet; those into one do. Cars need 1.9 m.
RightOfWay right_of_way(const Network& network, const std::vector<Approach>& approaches, std::vector<Link>& links);

/// A program of the lights: each phase green, yellow (3 to 5 s, by the speed) and red for all, 90 s if there is time.
/// @pre right.rule is Rule::lights
std::vector<sumo::Phase> light_phases(const Network& network, const std::vector<Approach>& approaches,
                                      const std::vector<Link>& links, const RightOfWay& right);

}  // namespace simbatch::lanes::detail
