#pragma once
/// Roads with lanes as OpenDRIVE.

#include "formats/opendrive/opendrive.hpp"
#include "lib/lanes/network.hpp"

namespace simbatch::lanes {

/// Roads keep their numbers; each turn becomes a connecting road of one lane, numbered after the roads, followed by the
/// junctions. Turns without length are left out.
opendrive::Network to_opendrive(const Network& network);

}  // namespace simbatch::lanes
