#pragma once
/// Roads as pieces between neighboring nodes. Private to the room.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "lib/roads/road_lines.hpp"
#include "lib/roads/segment_index.hpp"

namespace simbatch::roads::detail {

/// Limits of the search for crossings: longer straight pieces cross nothing (m); at flatter angles (their sines), plateaus get no
/// longer.
inline constexpr double kLongestCrossing = 20'000, kFlattestSine = 0.3;

/// A piece of road between two of its points that have a node.
struct Span {
  std::uint32_t road = 0, first = 0;  ///< first: index into Road::at
  double length = 0;                  ///< m
};

struct SpanNetwork {
  /// @param all  kept by reference: must outlive this; spans are of their lines as long as these do not change
  /// @param own  roads with this number or a higher one have no ramps and are not moved
  SpanNetwork(const std::vector<Road>& all, std::size_t own_roads) : roads(all), own(own_roads) {
    for (std::uint32_t r = 0; r < roads.size(); ++r) {
      first_span.push_back(static_cast<std::uint32_t>(spans.size()));
      for (std::uint32_t i = 0; i + 1 < roads[r].at.size(); ++i) {
        Span span{r, i, 0};
        for (std::uint32_t k = roads[r].at[i]; k < roads[r].at[i + 1]; ++k)
          span.length += distance(roads[r].line[k], roads[r].line[k + 1]);
        spans.push_back(span);
      }
    }
  }
  /// Fills `spans_at`.
  void link() {
    for (std::uint32_t s = 0; s < spans.size() && is_own(s); ++s)
      for (const bool last : {false, true}) spans_at[node(s, last)].push_back(s);
  }
  const Road& road(std::uint32_t span) const { return roads[spans[span].road]; }
  std::uint32_t node(std::uint32_t span, bool last) const { return road(span).nodes[spans[span].first + (last ? 1 : 0)]; }
  bool is_own(std::uint32_t span) const { return spans[span].road < own; }
  /// Calls use(segment) for the straight pieces of a span.
  template <class Use>
  void each_segment(std::uint32_t s, Use use) const {
    const Road& of = road(s);
    double along = 0;
    for (std::uint32_t k = of.at[spans[s].first]; k < of.at[spans[s].first + 1]; ++k) {
      use(Segment{of.line[k], of.line[k + 1], s, along});
      along += distance(of.line[k], of.line[k + 1]);
    }
  }

  const std::vector<Road>& roads;
  std::size_t own;
  std::vector<Span> spans;
  std::vector<std::uint32_t> first_span;                         ///< of each road
  std::map<std::uint32_t, std::vector<std::uint32_t>> spans_at;  ///< own ones, by node
};

}  // namespace simbatch::roads::detail
