#include "lib/town/crowding.hpp"

#include <fmt/format.h>

namespace simbatch::town::detail {

std::optional<Crowding> crowding(const Town& town, const ObstacleGrid& obstacles, double most) {
  // A bound that takes no time: each street is an obstacle itself in each cell that it crosses.
  if (obstacles.listed_pairs() * obstacles.cell() * 2 <= most) return std::nullopt;
  Crowding found;
  double sum = 0;
  for (std::uint32_t r = 0; r < town.roads.size(); ++r) {
    const TownRoad& road = town.roads[r];
    if (!road.is(TownRoad::along)) continue;
    for (std::uint32_t k = road.first; k + 1 < road.first + road.count; ++k) {
      const Vec2 a = meters(town.points[k]), by = meters(town.points[k + 1]) - a;
      const double whole = length(by);
      const int parts = 1 + static_cast<int>(whole / obstacles.cell());
      for (int part = 0; part < parts; ++part) {
        const Vec2 at = a + by * ((part + 0.5) / parts);
        const std::uint32_t nearby = obstacles.listed_at(at);
        sum += nearby * whole / parts;
        if (nearby > found.at_worst) {
          found.worst = at;
          found.at_worst = nearby;
          found.road = r;
        }
      }
      found.meters += whole;
    }
  }
  if (sum <= most) return std::nullopt;
  found.nearby = sum / found.meters;
  found.most = most / found.meters;
  return found;
}

std::string explanation(const Crowding& crowding, const Town& town) {
  Plane plane = town.plane;
  const osm::LatLon at = plane.to_geographic(millimeters(crowding.worst));
  return fmt::format(
      "the map is too crowded for houses: along its {:.0f} km of streets, a house would have {:.0f} pieces of roads and outlines "
      "around it on average, expected at most {:.0f}; most of them, {}, at {:.6f}, {:.6f} along way {}",
      crowding.meters / 1000, crowding.nearby, crowding.most, crowding.at_worst, at.lat_deg(), at.lon_deg(),
      town.roads[crowding.road].id);
}

}  // namespace simbatch::town::detail
