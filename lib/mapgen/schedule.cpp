#include "lib/mapgen/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lib/mapgen/cells.hpp"

namespace simbatch::mapgen::detail {
namespace {
constexpr double kSquare = 16;  // m; finer means fewer streets that wait in vain
constexpr double kPiece = 64;   // m of a slanting segment whose box is entered as a whole
}  // namespace

Schedule::Schedule(const Town& town, const Streets& streets, double reach) {
  Vec2 low{1e9, 1e9}, high{-1e9, -1e9};
  double metres_along = 0, squares = 0;
  const auto each_segment = [&](std::size_t street, auto use) {
    for (const Streets::Part part : streets.parts(street)) {
      const TownRoad& road = town.roads[part.road];
      for (std::uint32_t k = road.first; k + 1 < road.first + road.count; ++k) use(metres(town.points[k]), metres(town.points[k + 1]));
    }
  };
  const double grown = reach / 2;
  for (std::size_t s = 0; s < streets.size(); ++s)
    each_segment(s, [&](Vec2 a, Vec2 b) {
      low = {std::min({low.x, a.x, b.x}), std::min({low.z, a.z, b.z})};
      high = {std::max({high.x, a.x, b.x}), std::max({high.z, a.z, b.z})};
      metres_along += length(b - a);
      squares += 1;
    });
  if (streets.size() < 2) return;
  const Vec2 margin{grown, grown}, extent = high - low + margin * 2;
  const double pages = static_cast<double>(Cells::pages_for(extent.x, kSquare)) * Cells::pages_for(extent.z, kSquare);
  const double across = 2 * grown / kSquare + 2;
  squares = (squares + metres_along / kPiece) * across * across + metres_along / kSquare * across;
  if (!(pages < 2e6) || !(squares < 2e8)) return;

  Cells cells(low - margin, extent, kSquare);
  std::vector<std::uint32_t> last;  // of each square: the street that came last
  std::vector<std::uint32_t> met(streets.size(), Cells::kNone);  // the street for which a wait was noted last
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  waits_.assign(streets.size(), 0);
  for (std::uint32_t s = 0; s < streets.size(); ++s)
    each_segment(s, [&](Vec2 a, Vec2 b) {
      const int pieces = std::max(1, static_cast<int>(std::ceil(length(b - a) / kPiece)));
      for (int piece = 0; piece < pieces; ++piece) {
        const Vec2 from = a + (b - a) * (static_cast<double>(piece) / pieces), to = a + (b - a) * ((piece + 1.0) / pieces);
        const Cells::Range r =
            cells.range((from + to) * 0.5, Vec2{std::fabs(to.x - from.x) / 2 + grown, std::fabs(to.z - from.z) / 2 + grown});
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
      }
    });
  starts_.assign(streets.size() + 1, 0);
  for (const auto& edge : edges) ++starts_[edge.first + 1];
  for (std::size_t s = 0; s < streets.size(); ++s) starts_[s + 1] += starts_[s];
  followers_.resize(edges.size());
  std::vector<std::uint32_t>& fill = met;  // no longer needed
  std::copy(starts_.begin(), starts_.end() - 1, fill.begin());
  for (const auto& [before, s] : edges) followers_[fill[before]++] = s;
  useful_ = true;
}

}  // namespace simbatch::mapgen::detail
