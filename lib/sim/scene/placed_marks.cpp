// Own.
#include "lib/sim/scene/placed_marks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace simbatch::scene {
namespace {

constexpr double kAtBend = 0.01;  // m: a mark that close to a point of the line is at the bend there

/// A piece of a road's line between two points.
struct Piece {
  std::size_t first = 0;                      // point at which it begins
  double dx = 0, dz = 1, begin = 0, end = 0;  // direction; along the line (m)
};

std::vector<Piece> pieces_of(const RoadAppearance& road) {
  std::vector<Piece> pieces;
  double along = 0;
  for (std::size_t i = 0; i + 1 < road.line.size(); ++i) {
    const double dx = road.line[i + 1].east - road.line[i].east, dz = road.line[i + 1].north - road.line[i].north;
    const double length = std::sqrt(dx * dx + dz * dz);
    if (!(length > 0)) continue;
    pieces.push_back({i, dx / length, dz / length, along, along + length});
    along += length;
  }
  return pieces;
}

std::optional<PlacedMark> placed(const RoadAppearance& road, const std::vector<Piece>& pieces, const RoadMarkAppearance& mark) {
  const auto piece = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& p) { return mark.along <= p.end + kAtBend; });
  if (piece == pieces.end() || mark.along < -kAtBend) return std::nullopt;
  const double t = mark.along - piece->begin;
  double dx = piece->dx, dz = piece->dz;
  if (const auto next = piece + 1; next != pieces.end() && std::abs(mark.along - piece->end) <= kAtBend) {
    const double x = dx + next->dx, z = dz + next->dz, length = std::sqrt(x * x + z * z);
    if (length > 0) dx = x / length, dz = z / length;
  }
  const std::size_t i = piece->first;
  double y = std::numeric_limits<double>::quiet_NaN();
  if (i + 1 < road.y.size()) y = road.y[i] + (road.y[i + 1] - road.y[i]) * t / (piece->end - piece->begin);
  return PlacedMark{
      road.line[i].east + t * piece->dx, road.line[i].north + t * piece->dz, dx, dz, y, road.width, mark.is_stop_line,
      road.is_one_way ? 0 : mark.side};
}

}  // namespace

std::vector<PlacedMark> placed_marks(const std::vector<RoadAppearance>& roads) {
  std::vector<PlacedMark> marks;
  for (const RoadAppearance& road : roads) {
    if (road.marks.empty() || !road.is_marked) continue;
    const std::vector<Piece> pieces = pieces_of(road);
    for (const RoadMarkAppearance& mark : road.marks)
      if (const std::optional<PlacedMark> at = placed(road, pieces, mark)) marks.push_back(*at);
  }
  return marks;
}

}  // namespace simbatch::scene
