#pragma once
/// Where bridges cross water, and how high they should be for what moves on it. Private to the room.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/roads/areas.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

namespace detail {

/// A stretch of a bridge, between two neighboring nodes of a road, that should have its full height.
struct WaterCrossing {
  std::uint32_t road = 0, first = 0;  ///< the stretch follows the node of index `first` in Road::at
  double low = 0, high = 0;           ///< its ends (m from that node)
  double height = 0;                  ///< of the lanes above the ground (m), > 0
  std::uint32_t bridge = 0;           ///< stretches of one bridge, and of those beside it, share a number from 0 up
};

/// Roads that are bridges (Road::is_bridge), of a higher layer than the water, over water that needs clearance. The full height
/// is kept over the middle half of the water at least, and over all of it but 25 m on either side: a ramp may begin over the
/// water. The surface of a water is that of the lowest ground at its edge; where the ground along the bridge is higher, the bridge
/// needs less.
/// Cost: linear in the number of pairs of a piece of bridge and a piece of water in the same range of the east.
/// @param budget  where it ends, the result is not complete
std::vector<WaterCrossing> water_crossings(const std::vector<Road>& roads, const std::vector<MapPart>& water,
                                           const HeightGrid& terrain, const Budget& budget);

}  // namespace detail
}  // namespace simbatch::roads
