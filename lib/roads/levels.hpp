#pragma once
/// Heights of roads that cross others without meeting them: bridges over the ground, tunnels under it, and the ramps to them.

#include <cstddef>
#include <vector>

#include "lib/roads/road_lines.hpp"

namespace simbatch::roads {

/// Height of a deck over the road below it (m): a truck's 4 m, the deck, and some room.
inline constexpr double kDeckHeight = 5.5;
/// Depth of a tunnel's road for each layer under the ground (m).
inline constexpr double kTunnelDepth = 5.7;
/// Length of a ramp for each meter of height: at most 1.5 / 16 = 9.4 % steep.
inline constexpr double kRampLength = 16;

struct Levels {
  std::size_t bridges = 0;  ///< places where a raised road leads over another
  std::size_t tunnels = 0;  ///< ways under the ground, and places where a road is lowered to pass under another
  double raised = 0;        ///< m of road over the ground
  double lowered = 0;       ///< m of road under it
  bool empty() const { return raised == 0 && lowered == 0; }
};

/// Gives roads their heights. A tunnel lies kTunnelDepth under the ground for each layer, all along. Another road of a layer
/// under 0 lies there where one of layer 0 leads over it. Elsewhere, where two roads of different layers cross without a common
/// node, the upper one is raised until it is kDeckHeight over the lower, for the width of that; it stays on the ground where
/// the lower is deep enough. From there the height falls off smoothly along all roads that are connected, over kRampLength for
/// each meter. Where a road leaves another at less than 40 degrees, it has the other's height until their lanes are apart.
/// Roads that stay on the ground are not changed; in others, `line` has a point at least every 3 m, so that they follow the
/// curve to 1 cm. Of more than 4,000 crossings the rest stays on the ground. Cost: linear, but for each crossing a walk over
/// the roads within the ramp's length.
/// @param railways  stay on the ground: roads of a higher layer lead over them, those of a lower one under them
Levels set_levels(std::vector<Road>& roads, const std::vector<Road>& railways = {});

/// Pieces of roads on the ground, and pieces over or under it, in the order of the roads. Where a road is cut between nodes, the
/// pieces' ends have node numbers of their own (0xE0000000 and up).
struct LevelPieces {
  std::vector<Road> ground, off_ground;
};
LevelPieces split_levels(const std::vector<Road>& roads);

}  // namespace simbatch::roads
