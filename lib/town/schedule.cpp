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
}  // namespace

Schedule::Schedule(const Town& town, std::span<const Line> lines, double reach, double finest) {
  if (lines.size() < 2) return;
  const auto each_box = [&](std::size_t line, auto use) {
    for (const Streets::Part part : lines[line]) each_piece(town, town.roads[part.road], kPiece, use);
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
  // The memory for squares must not outgrow the map.
  const auto points = static_cast<double>(town.points.size());
  if (!(pages < 65'536 + 4 * points) || !(squares < 1e6 + 16 * points)) return;

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
