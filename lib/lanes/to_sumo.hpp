#pragma once
/// Roads with lanes as a network for SUMO.

#include "base/core/diagnostics.hpp"
#include "formats/sumo/sumo.hpp"
#include "lib/lanes/network.hpp"

namespace simbatch::lanes {

/// Each direction of a road is an edge, named after the road's source, with "#0", "#1", ... if several roads have it, and "-" before
/// it against the road's line; each turn is a connection with a lane through the junction, those from one edge to another side by
/// side. Right of way and the programs of lights are derived from the roads: detail::right_of_way. Reports for how many roads
/// without a limit usual speeds are used, and junctions with more links than SUMO can order.
sumo::Net to_sumo(const Network& network, Diagnostics& diagnostics);

}  // namespace simbatch::lanes
