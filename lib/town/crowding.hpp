#pragma once
/// Whether a map is so crowded that placing houses would take minutes. Private to the room.

#include <cstdint>
#include <optional>
#include <string>

#include "lib/town/obstacle_grid.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town::detail {

/// Placing takes as long as a house at each place of each street has obstacles nearby: pieces of roads and outlines in its cell of
/// the grid. The sum along all streets is at most this, and this for each obstacle (m).
constexpr double kMostCompared = 1.5e10, kMostComparedEach = 5000;
inline double most_compared(const ObstacleGrid& obstacles) {
  return kMostCompared + kMostComparedEach * static_cast<double>(obstacles.size());
}

struct Crowding {
  double meters = 0;  ///< of streets along which houses are to be placed
  double nearby = 0;  ///< obstacles in the cells that they cross, on average
  double most = 0;    ///< of them, for streets of this length
  Vec2 worst;         ///< the place with most
  std::uint32_t at_worst = 0;
  std::uint32_t road = 0;  ///< the street there, into Town::roads
};
/// @return nothing if it is not too crowded, as all maps of real places
std::optional<Crowding> crowding(const Town& town, const ObstacleGrid& obstacles, double most);
inline std::optional<Crowding> crowding(const Town& town, const ObstacleGrid& obstacles) {
  return crowding(town, obstacles, most_compared(obstacles));
}
/// For a message.
std::string explanation(const Crowding& crowding, const Town& town);

}  // namespace simbatch::town::detail
