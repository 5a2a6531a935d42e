#pragma once
/// Roads with lanes as a Lanelet2 map.

#include "base/core/diagnostics.hpp"
#include "formats/osm/osm.hpp"
#include "lib/lanes/network.hpp"

namespace simbatch::lanes {

/// Each lane and each turn is a lanelet: a relation with a left and a right bound. Neighboring lanes share a bound, and
/// consecutive lanelets share the points at their ends, from which Lanelet2 derives its routing graph. Ids count from 1 over
/// points, bounds and lanelets. Regulatory elements are not written, since the positions of lamps and lines that they refer to
/// are unknown: reports how many lights and signs are lost.
osm::Model to_lanelet2(const Network& network, Diagnostics& diagnostics);

}  // namespace simbatch::lanes
