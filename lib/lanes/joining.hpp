#pragma once
/// Crossings for simulators in which cars stop in front of junctions: junctions with lights that are so close to each other that
/// their lights have to agree are one. Internal to lib/lanes.

#include <cstddef>
#include <string>
#include <vector>

#include "lib/lanes/network.hpp"
#include "lib/lanes/right_of_way.hpp"

namespace simbatch::lanes::detail {

/// Junctions as one, with the links across them all. Their approaches and ranks are not set.
struct Crossing {
  std::string source;  ///< of the first junction
  std::vector<Link> links;
};

struct Crossings {
  Network network;                       ///< with roads from a crossing to itself divided in two
  std::vector<Crossing> crossings;       ///< may have no links
  std::vector<std::size_t> crossing_of;  ///< of each junction
  std::vector<bool> is_inside;           ///< of each road: a part of a crossing
};

/// Junctions with lights become one if a road under 20 m joins them; no link turns back across it. At most 16 become one, so that the time stays linear.
Crossings crossings_of(const Network& network);

}  // namespace simbatch::lanes::detail
