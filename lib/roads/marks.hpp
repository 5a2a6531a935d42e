#pragma once
/// What is painted across roads: pedestrian crossings and stop lines.

#include <cstdint>
#include <vector>

#include "formats/osm/osm.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

struct RoadMark {
  enum class Kind { crossing, stop_line } kind = Kind::crossing;
  std::uint32_t road = 0;  ///< index
  double along = 0;        ///< of its middle, from the beginning of the road's line (m)
  int direction = 0;  ///< stop lines: for traffic in the direction in which the road is drawn (1), against it (-1), both (0)
  enum class Sign { none, stop, give_way, signal } sign = Sign::none;  ///< at a stop line
  std::uint32_t node = 0;                                              ///< number of the map's node that it comes from
};

/// The marks of a map, by its nodes on roads (OSM wiki, "Tag:highway=crossing", "Tag:highway=stop", "Tag:highway=give_way",
/// "Tag:highway=traffic_signals"), sorted by road and position. A crossing is painted unless it is tagged `crossing=unmarked`
/// or `no`. A node `stop`, `give_way` or `traffic_signals` has a stop line for the direction that it names (`direction`,
/// `traffic_signals:direction`), else for traffic towards the nearest junction, or, at signals, for both directions. If the
/// signals are on the junction itself, each road that leads to it has one, kSetback before the edge of the widest other road.
std::vector<RoadMark> road_marks(const osm::Model& map, const std::vector<Road>& roads, const Budget& budget = {});

inline constexpr double kSetback = 4;  ///< m

}  // namespace simbatch::roads
