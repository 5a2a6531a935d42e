// Our own method: a dependency graph from the squares near each street, so that the houses do not depend on the number of
// threads. The idea of ordering only operations that can conflict: Blelloch, Fineman, Gibbons, Shun, Internally deterministic
// parallel algorithms can be fast, 2012.
#include "lib/town/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/town/cells.hpp"

namespace simbatch::town::detail {
namespace {
constexpr double kPiece = 64;  // m of a street that are entered as one box

/// Calls use(piece) for boxes that together cover a road's line, none much longer than kPiece, unless it is as thin as a quarter
/// of that: then up to eight times as long.
template <class Use>
void each_piece(const Town& town, const TownRoad& road, Use use) {
  Vec2 low = meters(town.points[road.first]), high = low, last = low;
  for (std::uint32_t k = road.first + 1; k < road.first + road.count; ++k) {
    const Vec2 next = meters(town.points[k]);
    // Most are too short for two parts, whatever their length is.
    const bool is_short = std::fabs(next.x - last.x) + std::fabs(next.z - last.z) < 2 * kPiece;
    const int parts = is_short ? 1 : std::max(1, static_cast<int>(length(next - last) / kPiece));
    for (int part = 1; part <= parts; ++part) {
      const Vec2 at = last + (next - last) * (static_cast<double>(part) / parts);
      const Vec2 lower{std::min(low.x, at.x), std::min(low.z, at.z)}, higher{std::max(high.x, at.x), std::max(high.z, at.z)};
      const double width = std::min(higher.x - lower.x, higher.z - lower.z);
      if (std::max(higher.x - lower.x, higher.z - lower.z) <= (width <= kPiece / 4 ? 8 * kPiece : kPiece)) {
        low = lower;
        high = higher;
        continue;
      }
      use(RoadBoxes::Piece{low, high});
      const Vec2 before = last + (next - last) * ((part - 1.0) / parts);
      low = {std::min(before.x, at.x), std::min(before.z, at.z)};
      high = {std::max(before.x, at.x), std::max(before.z, at.z)};
    }
    last = next;
  }
  use(RoadBoxes::Piece{low, high});
}

/// The memory for pieces and squares must not outgrow the map.
double most_of(const Town& town) { return 1e6 + 16 * static_cast<double>(town.points.size()); }
}  // namespace

RoadBoxes::RoadBoxes(const Town& town) {
  const auto most = static_cast<std::size_t>(most_of(town));
  starts_.reserve(town.roads.size() + 1);
  for (const TownRoad& road : town.roads) {
    starts_.push_back(pieces_.size());
    if (!road.is(TownRoad::along) || !useful_) continue;
    each_piece(town, road, [&](const Piece& piece) {
      useful_ = pieces_.size() < most;
      if (useful_) pieces_.push_back(piece);
    });
  }
  starts_.push_back(pieces_.size());
}

Schedule::Schedule(const Town& town, const RoadBoxes& boxes, std::span<const Line> lines, double reach, double finest) {
  if (lines.size() < 2 || !boxes.useful()) return;
  const auto each_box = [&](std::size_t line, auto use) {
    for (const Streets::Part part : lines[line])
      for (const auto& [a, b] : boxes.of(part.road)) use(a, b);
  };
  const double grown = reach / 2, square = std::max(finest, reach / 4);
  Vec2 low{1e9, 1e9}, high{-1e9, -1e9};
  double squares = 0;
  const auto side = [&](double length) { return (length + reach) / square + 1; };
  for (std::size_t s = 0; s < lines.size(); ++s)
    each_box(s, [&](Vec2 a, Vec2 b) {
      low = {std::min(low.x, a.x), std::min(low.z, a.z)};
      high = {std::max(high.x, b.x), std::max(high.z, b.z)};
      squares += side(b.x - a.x) * side(b.z - a.z);
    });
  const Vec2 margin{grown, grown}, extent = high - low + margin * 2;
  const double pages = static_cast<double>(Cells::pages_for(extent.x, square)) * Cells::pages_for(extent.z, square);
  if (!(pages < 65'536 + 4 * static_cast<double>(town.points.size())) || !(squares < most_of(town))) return;

  Cells cells(low - margin, extent, square);
  std::vector<std::uint32_t> last;                             // of each square: its last line
  std::vector<std::uint32_t> met(lines.size(), Cells::kNone);  // the line of the last recorded dependency
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  waits_.assign(lines.size(), 0);
  for (std::uint32_t s = 0; s < lines.size(); ++s)
    each_box(s, [&](Vec2 a, Vec2 b) {
      const Cells::Range r = cells.range((a + b) * 0.5, (b - a) * 0.5 + margin);
      for (std::int32_t z = r.z0; z <= r.z1; ++z)
        for (std::int32_t x = r.x0; x <= r.x1; ++x) {
          const std::uint32_t cell = cells.need(x, z);
          if (cell >= last.size()) last.resize(cells.count(), Cells::kNone);
          const std::uint32_t before = std::exchange(last[cell], s);
          if (before == s || before == Cells::kNone || met[before] == s) continue;
          met[before] = s;
          edges.emplace_back(before, s);
          ++waits_[s];
        }
    });
  starts_.assign(lines.size() + 1, 0);
  for (const auto& edge : edges) ++starts_[edge.first + 1];
  for (std::size_t s = 0; s < lines.size(); ++s) starts_[s + 1] += starts_[s];
  followers_.resize(edges.size());
  std::vector<std::uint32_t>& fill = met;  // no longer needed
  std::copy(starts_.begin(), starts_.end() - 1, fill.begin());
  for (const auto& [before, s] : edges) followers_[fill[before]++] = s;
  useful_ = true;
}

}  // namespace simbatch::town::detail
