#pragma once
/// The carriageways of a road network, as pictures show them. Internal to this room.

#include <functional>

#include "formats/rndf/rndf.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/scene/appearance.hpp"

namespace simbatch::scenario::detail {

/// Lanes, parking places, shoulders, exits and zones lie `lift` m over the ground.
/// @param ground_at  height of the ground at x, z (m); nothing where there is none: what lies there is left out. Empty: the ground
///                   is level, at 0
/// @param name       of the surface
scene::Appearance lane_appearance(const rndf::Rndf& network, geo::LatLon origin, double lift,
                                  const std::function<std::optional<double>(double, double)>& ground_at, std::string name);

/// The middle lines of lanes and the perimeters of zones; points that are not placed are left out. @param name  before their ids
std::vector<NetworkLine> network_lines(const rndf::Rndf& network, geo::LatLon origin, const std::string& name);

}  // namespace simbatch::scenario::detail
