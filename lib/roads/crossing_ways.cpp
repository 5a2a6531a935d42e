// Places are degrees in meters of the smallest size that a degree has anywhere near a layered way, so that distances are at most
// the real ones, and lines that cross on the map cross here.
#include "lib/roads/crossing_ways.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/roads/convex.hpp"
#include "lib/roads/span_network.hpp"
#include "lib/roads/way_cells.hpp"

namespace simbatch::roads::detail {
namespace {
constexpr std::int64_t kComparisons = 1'000;      // for each reference; real maps need fewer than ten
constexpr double kNear = 4;                       // m: curves leave the chords between nodes by at most 0.5 m
constexpr double kShort = 0.1;                    // m: nodes so close to each other may be one for a road
constexpr double kStraight = 2'000, kQuery = 64;  // m

bool are_near(const Segment& s, const Segment& t) {
  const auto is_between = [](const Segment& line, const Segment& ends) {
    return (twice_area(line.a, line.b, ends.a) > 0) != (twice_area(line.a, line.b, ends.b) > 0);
  };
  return (is_between(s, t) && is_between(t, s)) || nearest_on(s, t.a).distance < kNear || nearest_on(s, t.b).distance < kNear ||
         nearest_on(t, s.a).distance < kNear || nearest_on(t, s.b).distance < kNear;
}
}  // namespace

CrossingWays::CrossingWays(const osm::Model& map, std::span<const LayeredWay> layered)
    : map_(map), layered_(layered), budget_(map.refs.size(), Effort{.for_each = kComparisons}), found_(layered.size(), false) {
  const Effort effort;
  const double longest = effort.meters_for_all + effort.meters_for_each * static_cast<double>(map.refs.size());
  double farthest = 0;
  for (const LayeredWay& of : layered) farthest = std::max(farthest, farthest_latitude(map, std::span(&of.way, 1)));
  east_ = longitude_degree(farthest);
  double meters = 0;
  for (std::uint32_t n = 0; n < layered.size() && !is_crowded(); ++n)
    each_chord(layered[n].way, [&](Segment segment, std::uint32_t first, std::uint32_t last) {
      meters += distance(segment.a, segment.b);
      is_long_ = is_long_ || meters > longest;
      if (is_crowded() || !budget_.fits(index_.entries(), segment.a)) return;
      segment.span = static_cast<std::uint32_t>(chords_.size());
      chords_.push_back({n, first, last});
      index_.add(segment);
    });
  index_.build();
}

EastNorth CrossingWays::place_of(osm::LatLon at) const { return {at.lon_deg() * east_, at.lat_deg() * kLatitudeDegree}; }

/// By the box around its nodes: most ways are far from all layered ones.
bool CrossingWays::may_cross(std::size_t way) const {
  osm::LatLon low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
  for (const osm::Ref ref : map_.refs_of(way)) {
    if (ref.is_missing()) continue;
    const osm::LatLon at = map_.node_positions[ref.number()];
    low = {std::min(low.lat_e7, at.lat_e7), std::min(low.lon_e7, at.lon_e7)};
    high = {std::max(high.lat_e7, at.lat_e7), std::max(high.lon_e7, at.lon_e7)};
  }
  constexpr EastNorth kAround{2 * kNear, 2 * kNear};
  return low.lat_e7 <= high.lat_e7 && index_.may_have_near(minus(place_of(low), kAround), plus(place_of(high), kAround));
}

void CrossingWays::compare(std::size_t way, int layer) {
  if (!may_cross(way)) return;
  each_chord(way, [&](const Segment& segment, std::uint32_t first, std::uint32_t last) {
    const double length = distance(segment.a, segment.b);
    const int parts = length > kQuery ? static_cast<int>(std::ceil(length / kQuery)) : 1;
    const EastNorth step = times(1.0 / parts, minus(segment.b, segment.a));
    for (int part = 0; part < parts && !is_crowded(); ++part) {
      const EastNorth a = plus(segment.a, times(part, step)), b = plus(a, step);
      index_.near({std::min(a.east, b.east) - kNear, std::min(a.north, b.north) - kNear},
                  {std::max(a.east, b.east) + kNear, std::max(a.north, b.north) + kNear}, near_);
      if (!budget_.take(1 + 4 * near_.size(), a)) return;  // they are sorted
      for (const std::uint32_t n : near_) {
        const Segment& other = index_[n];
        const Chord& chord = chords_[other.span];
        if (layered_[chord.layered].layer == layer || found_[chord.layered]) continue;
        const bool meet = first == chord.first || first == chord.last || last == chord.first || last == chord.last;
        if (meet && length > kShort && distance(other.a, other.b) > kShort) continue;
        // Long lines are bent by the projection.
        if (length > kStraight || distance(other.a, other.b) > kStraight || are_near(segment, other))
          found_[chord.layered] = true;
      }
    }
  });
}

/// Calls use(segment, first node, last node) for the chords of a way that may be crossed.
template <class Use>
void CrossingWays::each_chord(std::size_t way, Use use) const {
  std::optional<EastNorth> before;
  std::uint32_t last = 0;
  for (const osm::Ref ref : map_.refs_of(way)) {
    if (ref.is_missing()) {
      before.reset();
      continue;
    }
    const EastNorth here = place_of(map_.node_positions[ref.number()]);
    if (before && distance(*before, here) <= kLongestCrossing) use(Segment{*before, here, 0, 0}, last, ref.number());
    before = here;
    last = ref.number();
  }
}

}  // namespace simbatch::roads::detail
