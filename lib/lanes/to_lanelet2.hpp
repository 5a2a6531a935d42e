#pragma once
/// Roads with lanes as a Lanelet2 map.

#include "base/core/diagnostics.hpp"
#include "formats/osm/osm.hpp"
#include "lib/lanes/network.hpp"

namespace simbatch::lanes {

/// Each lane and each turn is a lanelet: a relation with a left and a right bound. Neighboring lanes share a bound, and
/// lanelets that follow each other share the points at their ends, by which Lanelet2 finds ways. Ids count from 1 over points,
/// bounds and lanelets. Regulatory elements are not made, since the places of lamps and lines that they refer to are not known:
/// reports how many lights and signs are lost.
osm::Model to_lanelet2(const Network& network, Diagnostics& diagnostics);

}  // namespace simbatch::lanes
