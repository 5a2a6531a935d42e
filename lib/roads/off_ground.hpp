#pragma once
/// Where a street map's roads leave the ground: for what is placed beside them.

#include <string>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::roads {

/// Whether a road of the map may leave the ground, by its tags `bridge`, `tunnel` and `layer`. Cost: linear in the ways.
bool may_leave_ground(const osm::Model& map);

/// A straight piece of road on a bridge or a ramp, in a cutting or a tunnel.
struct OffGround {
  geo::EastNorth from, to;                ///< of its middle line (m)
  double half_width = 0;                  ///< of the lanes (m)
  double from_height = 0, to_height = 0;  ///< above the ground (m); negative: below it
  /// Whether it is a tunnel under closed ground.
  bool is_covered() const;
};

/// The pieces of road that set_levels() raises or lowers, on level ground, in the order of the map. Nothing for a map that is too
/// crowded for it. Cost: linear in the map's ways, and in the waters of one with bridges; only roads near one that crosses something
/// get lines and heights.
/// @param kinds  those that are built
/// @param frame  of the places in the result
std::vector<OffGround> roads_off_ground(const osm::Model& map, const autosim::HighwayDimensions& kinds,
                                        const geo::LocalFrame& frame);
/// Keys of the tags that it reads.
std::vector<std::string> off_ground_keys();

}  // namespace simbatch::roads
