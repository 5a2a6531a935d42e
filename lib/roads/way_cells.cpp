// A place of a way is at most an eighth of a cell from one of its samples, so that those of two ways within the reach of each
// other are less than a cell apart.
#include "lib/roads/way_cells.hpp"

#include <algorithm>
#include <cmath>

#include "base/geo/geo.hpp"

namespace simbatch::roads::detail {
namespace {
constexpr double kReachInCells = 0.7;
constexpr double kSamples = 4;          // for each cell
constexpr double kNarrowest = 0.01;     // cosine of the latitude
constexpr double kLongest = 1000;       // samples between two nodes: no street
constexpr std::size_t kMostCells = 32;  // for each node of the map: nine for one, and some between them
constexpr std::size_t kFewNodes = 10'000;
}  // namespace

double longitude_degree(double latitude) {
  return kLatitudeDegree * std::max(kNarrowest, std::cos(geo::radians(std::min(90.0, latitude))));
}

double farthest_latitude(const osm::Model& map, std::span<const std::size_t> ways) {
  double farthest = 0;
  for (const std::size_t way : ways)
    for (const osm::Ref ref : map.refs_of(way))
      if (!ref.is_missing()) farthest = std::max(farthest, std::fabs(map.node_positions[ref.number()].lat_deg()));
  return farthest;
}

WayCells::WayCells(const osm::Model& map, std::span<const std::size_t> ways, double reach) : map_(map) {
  const double width = reach / kReachInCells;
  lat_step_ = width / kLatitudeDegree;
  lon_step_ = width / longitude_degree(farthest_latitude(map, ways) + lat_step_);
  const std::size_t most = kMostCells * (map.node_count() + kFewNodes);
  for (const std::size_t way : ways) {
    is_everywhere_ = walk(way, [&](Cell cell) {
      constexpr Cell kRow = Cell{1} << 32;
      for (Cell row = cell - kRow; row != cell + 2 * kRow; row += kRow)
        for (Cell near = row - 1; near != row + 2; ++near) cells_.push_back(near);
      return cells_.size() > most;
    });
    if (is_everywhere_) return;
  }
  std::sort(cells_.begin(), cells_.end());
  cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
  filter_.reset(cells_.size());
  for (const Cell marked : cells_) filter_.add(marked);
}

bool WayCells::has(std::size_t way) const {
  return is_everywhere_ || walk(way, [this](Cell cell) { return has_cell(cell); });
}

bool WayCells::has_cell(Cell cell) const {
  return filter_.may_have(cell) && std::binary_search(cells_.begin(), cells_.end(), cell);
}

/// Calls use(cell) for the cells of the way's samples until it returns true. @return whether it did, or samples would be too many
template <class Use>
bool WayCells::walk(std::size_t way, Use use) const {
  constexpr double kFirst = 1U << 31U;  // no row or column is negative
  double row = 0, column = 0;
  Cell before = 0;
  bool is_first = true;
  for (const osm::Ref ref : map_.refs_of(way)) {
    if (ref.is_missing()) continue;
    const osm::LatLon at = map_.node_positions[ref.number()];
    const double next_row = at.lat_deg() / lat_step_ + kFirst, next_column = at.lon_deg() / lon_step_ + kFirst;
    const double steps =
        is_first ? 1 : std::ceil(kSamples * std::max(std::fabs(next_row - row), std::fabs(next_column - column)));
    if (steps > kLongest) return true;
    for (double k = 1; k <= steps; ++k) {
      const double rest = 1 - k / steps;
      const Cell cell = static_cast<Cell>(next_row - rest * (next_row - row)) << 32 |
                        static_cast<Cell>(next_column - rest * (next_column - column));
      if (!is_first && cell == before) continue;
      if (use(cell)) return true;
      before = cell;
      is_first = false;
    }
    row = next_row;
    column = next_column;
  }
  return false;
}

}  // namespace simbatch::roads::detail
