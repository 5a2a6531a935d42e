#pragma once
/// Heights of roads that cross others without meeting them, or water: bridges over the ground, tunnels under it, and the ramps
/// to them.

#include <cstddef>
#include <vector>

#include "lib/roads/areas.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

/// Height of a deck above the road below it (m): 4 m for a truck, plus the thickness of the deck and some clearance.
inline constexpr double kDeckHeight = 5.5;
/// Thickness of a deck (m).
inline constexpr double kDeckThickness = 0.7;
/// Depth of a tunnel's road for each layer under the ground (m).
inline constexpr double kTunnelDepth = 5.7;
/// Length of a ramp for each meter of height: at most 1.5 / 16 = 9.4 % steep.
inline constexpr double kRampLength = 16;

struct Levels {
  std::size_t bridges = 0;         ///< places where a raised road crosses over another, or over water
  std::size_t tunnels = 0;         ///< ways under the ground, and places where a road is lowered to pass under another
  std::size_t over_water = 0;      ///< bridges over water that needs clearance; those side by side are one
  std::size_t low_over_water = 0;  ///< of these, without all of it
  double raised = 0;               ///< length of road above the ground (m)
  double lowered = 0;              ///< length of road below it (m)
  bool empty() const { return raised == 0 && lowered == 0; }
};

/// Assigns heights to roads. A tunnel is kTunnelDepth below the ground for each layer, over its entire length. Any other road
/// with a negative layer is at that depth only where a road of layer 0 crosses over it. Elsewhere, where two roads of different
/// layers cross without a common node, the upper one is raised to kDeckHeight above the lower, across the lower one's width; it
/// stays on the ground if the lower one is deep enough. From there the height decreases smoothly along all connected roads,
/// over kRampLength for each meter. Where a road branches off at less than 40 degrees, it keeps the other's height until their
/// lanes have separated. Roads that stay on the ground are unchanged; in others, `line` has a point at least every 3 m, so that
/// they follow the curve to 1 cm.
///
/// Bridges over water that boats use (MapPart::clearance) are raised to that clearance plus the deck, less what the ground is
/// above the water there. Bridges side by side have the same height. They get less where a ramp would otherwise reach a
/// railway or road that crosses it at its own level, or the end of its road before any junction; and stay on the ground if that
/// is less than 1 m.
///
/// Only the first 4,000 crossings are raised or lowered. Cost: linear, plus, for each crossing,
/// a walk over the roads within the ramp's length.
/// @param railways  stay on the ground: roads of a higher layer cross over them, those of a lower layer under them
/// @param water     the parts of the map's waters
/// @param terrain   the ground under them; read only if there is any water
/// @param budget    where it ends, the result is not complete
Levels set_levels(std::vector<Road>& roads, const std::vector<Road>& railways, const std::vector<MapPart>& water,
                  const HeightGrid& terrain, const Budget& budget = {});

/// Pieces of roads on the ground, and pieces over or under it, in the order of the roads. Where a road is cut between nodes, the
/// pieces' ends have node numbers of their own (0xE0000000 and up).
struct LevelPieces {
  std::vector<Road> ground, off_ground;
};
LevelPieces split_levels(const std::vector<Road>& roads);

}  // namespace simbatch::roads
