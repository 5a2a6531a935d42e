// Our own method: heights follow distances along the network from each crossing (Dijkstra, A note on two problems in connexion
// with graphs, 1959), by the cubic 3 s^2 - 2 s^3, whose steepest grade is 1.5 times the mean.
#include "lib/roads/levels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "lib/roads/convex.hpp"
#include "lib/roads/ramp_merger.hpp"
#include "lib/roads/ramp_room.hpp"
#include "lib/roads/segment_index.hpp"
#include "lib/roads/smooth.hpp"
#include "lib/roads/span_network.hpp"
#include "lib/roads/water_crossings.hpp"
#include "lib/roads/waterways.hpp"

namespace simbatch::roads {
namespace {
using detail::EastNorth;
using detail::RampRoom;
using detail::Segment;
using detail::SegmentIndex;
using detail::Span;
using detail::SpanNetwork;
using detail::WaterCrossing;

constexpr double kPlateau = 3;     // m of level deck beyond the edges of the road below
constexpr double kLowestDeck = 1;  // m: with less, nothing would fit under a bridge
constexpr double kStep = 3;        // m between two points of a road that is not on the ground
constexpr std::size_t kMostCrossings = 4000;
constexpr std::uint32_t kUnnamed = 0xFFFFFFFF, kFirstCut = 0xE0000000;  // fit_roads() uses smaller numbers

/// A place where a road crosses over another.
struct Crossing {
  std::uint32_t upper = 0, lower = 0;           // spans
  double upper_along = 0, lower_along = 0;      // m from the spans' beginnings
  double upper_plateau = 0, lower_plateau = 0;  // m of full height to both sides
};
/// Effect of a crossing or a tunnel on a span: distances along the network from where the height is reached in full.
struct Source {
  double from_first = 0, from_last = 0;  // of the span's ends (m)
  double low = 1, high = 0;              // where the height is full; low > high: nowhere on this span
  double height = 0;                     // m; negative: below the ground
};

class Leveler {
 public:
  /// @param own  roads with this number or a higher one have no ramps and are not moved
  Leveler(std::vector<Road>& roads, std::size_t own, const std::vector<WaterCrossing>& water, const Budget& budget)
      : roads_(roads), net_(roads, own), water_(water), budget_(budget) {}

  Levels run() {
    Levels levels;
    const auto end_of_own = roads_.begin() + static_cast<std::ptrdiff_t>(net_.own);
    if (water_.empty() && std::none_of(roads_.begin(), end_of_own, [](const Road& road) { return road.layer != 0; }))
      return levels;
    net_.link();
    sources_.resize(net_.spans.size());
    for (std::uint32_t r = 0; r < net_.own && !budget_.crowded(); ++r)
      if (roads_[r].is_tunnel) sink_tunnel(r, levels);
    raise_over_water(levels);
    find_crossings();
    // From the lowest layer up, since the height of a bridge depends on what is below it.
    // If it crosses several roads, the highest of them comes first, so that a bridge is counted once.
    std::stable_sort(crossings_.begin(), crossings_.end(), [&](const Crossing& a, const Crossing& b) {
      return std::pair(layer(a.upper), -layer(a.lower)) < std::pair(layer(b.upper), -layer(b.lower));
    });
    for (const Crossing& crossing : crossings_) {
      if (budget_.crowded()) return levels;
      separate(crossing, levels);
    }
    count_low(levels);
    for (std::uint32_t r = 0; r < net_.own && !budget_.crowded(); ++r) set_heights(r, levels);
    return levels;
  }

 private:
  int layer(std::uint32_t span) const { return net_.road(span).layer; }

  void sink_tunnel(std::uint32_t r, Levels& levels) {
    ++levels.tunnels;
    const double height = -kTunnelDepth * std::max(1, -roads_[r].layer);
    std::vector<std::pair<double, std::uint32_t>> starts;
    for (const std::uint32_t n : roads_[r].nodes) starts.emplace_back(0, n);
    for (std::uint32_t i = 0; i + 1 < roads_[r].at.size(); ++i) {
      const std::uint32_t s = net_.first_span[r] + i;
      sources_[s].push_back({0, 0, 0, net_.spans[s].length, height});
    }
    spread(starts, height, r, kUnnamed);
  }

  void find_crossings() {
    SegmentIndex index;
    const auto fits = [](const Segment& s) { return detail::distance(s.a, s.b) <= detail::kLongestCrossing; };
    for (std::uint32_t s = 0; s < net_.spans.size(); ++s)
      if (layer(s) != 0)
        net_.each_segment(s, [&](const Segment& segment) {
          if (fits(segment)) index.add(segment);
        });
    index.build();
    std::vector<std::uint32_t> found;
    for (std::uint32_t s = 0; s < net_.spans.size(); ++s)
      net_.each_segment(s, [&](const Segment& segment) {
        if (!fits(segment) || crossings_.size() >= kMostCrossings || budget_.crowded()) return;
        index.near(segment, found);
        // Three squares of 64 m for each 100 m, more or less.
        budget_.take(static_cast<std::uint64_t>(0.25 * detail::distance(segment.a, segment.b)) + 4 * found.size(), segment.a);
        for (const std::uint32_t n : found) {
          // Each pair only once, since both are in the index.
          if (layer(s) == layer(index[n].span) || (layer(s) != 0 && index[n].span < s)) continue;
          if (layer(s) > layer(index[n].span))
            cross(segment, index[n]);
          else
            cross(index[n], segment);
        }
      });
  }

  void cross(const Segment& upper, const Segment& lower) {
    if (crossings_.size() >= kMostCrossings) return;
    for (const bool last1 : {false, true})
      for (const bool last2 : {false, true})
        if (net_.node(upper.span, last1) == net_.node(lower.span, last2)) return;  // they meet
    const EastNorth u = detail::minus(upper.b, upper.a), v = detail::minus(lower.b, lower.a);
    const double n = detail::cross(u, v);
    if (n == 0) return;
    const EastNorth between = detail::minus(lower.a, upper.a);
    const double t = detail::cross(between, v) / n, w = detail::cross(between, u) / n;
    if (!(t >= 0 && t <= 1 && w >= 0 && w <= 1)) return;
    const double lu = detail::length(u), lv = detail::length(v),
                 sine = std::max(detail::kFlattestSine, std::fabs(n) / (lu * lv));
    const auto half = [&](const Segment& s) {
      const Road& road = roads_[net_.spans[s.span].road];
      return (road.width / 2 + std::max(road.left_pavement, road.right_pavement)) / sine + kPlateau;
    };
    crossings_.push_back({upper.span, lower.span, upper.along + t * lu, lower.along + w * lv, half(lower), half(upper)});
  }

  void separate(const Crossing& c, Levels& levels) {
    if (net_.is_own(c.lower) && layer(c.lower) < 0 && layer(c.upper) <= 0 &&
        height_at(c.lower, c.lower_along) > -kTunnelDepth + detail::kLowestRamp) {
      ++levels.tunnels;
      add_source(c.lower, c.lower_along - c.lower_plateau, c.lower_along + c.lower_plateau, -kTunnelDepth * -layer(c.lower));
    }
    const double height = height_at(c.lower, c.lower_along) + kDeckHeight;
    if (!net_.is_own(c.upper) || height <= 0.3 || height_at(c.upper, c.upper_along) >= height - 0.3) return;  // room enough
    ++levels.bridges;
    add_source(c.upper, c.upper_along - c.upper_plateau, c.upper_along + c.upper_plateau, height);
  }

  /// @param low, high  ends of the plateau (m from the span's beginning)
  void add_source(std::uint32_t s, double low, double high, double height) {
    const Span& span = net_.spans[s];
    sources_[s].push_back(
        {std::max(0.0, low), std::max(0.0, span.length - high), std::max(0.0, low), std::min(span.length, high), height});
    // The part of the plateau beyond the ends of the span is a head start.
    spread({{low, net_.node(s, false)}, {span.length - high, net_.node(s, true)}}, height, kUnnamed, s);
  }

  /// Raises bridges over water as high as they should be, or as their ramps allow.
  void raise_over_water(Levels& levels) {
    if (water_.empty()) return;
    RampRoom room(net_, budget_);
    std::vector<double> wanted, height;  // of each bridge
    for (const WaterCrossing& c : water_) {
      if (c.bridge >= wanted.size()) {
        wanted.resize(c.bridge + 1, 0);
        height.resize(c.bridge + 1, kMostClearance + kDeckThickness);
      }
      wanted[c.bridge] = c.height;
      height[c.bridge] = std::min(height[c.bridge], room.highest(net_.first_span[c.road] + c.first, c.low, c.high, c.height));
      if (budget_.crowded()) return;
    }
    for (std::size_t b = 0; b < wanted.size(); ++b) {
      if (height[b] < kLowestDeck) height[b] = 0;
      ++levels.over_water;
      if (height[b] > 0) ++levels.bridges;
    }
    for (const WaterCrossing& c : water_)
      if (height[c.bridge] > 0 && !budget_.crowded())
        add_source(net_.first_span[c.road] + c.first, c.low, c.high, height[c.bridge]);
  }
  /// Counts those that are lower than they should be: ramps do not fit, or those of a tunnel lead below.
  void count_low(Levels& levels) const {
    std::set<std::uint32_t> low;
    for (const WaterCrossing& c : water_)
      if (height_at(net_.first_span[c.road] + c.first, (c.low + c.high) / 2) < c.height - 0.05) low.insert(c.bridge);
    levels.low_over_water = low.size();
  }

  EastNorth first_of(std::uint32_t span) const {
    const Road& road = roads_[net_.spans[span].road];
    return road.line[road.at[net_.spans[span].first]];
  }

  /// Adds sources to all spans within the ramp's reach, except those of the road `own_road` and the span `own_span`.
  void spread(const std::vector<std::pair<double, std::uint32_t>>& starts, double height, std::uint32_t own_road,
              std::uint32_t own_span) {
    const double reach = kRampLength * std::fabs(height);
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue(std::greater<>{}, starts);
    std::map<std::uint32_t, double> distance;  // of nodes
    std::map<std::uint32_t, bool> touched;     // spans
    while (!queue.empty() && !budget_.crowded()) {
      const Entry entry = queue.top();
      queue.pop();
      if (entry.first >= reach || !distance.emplace(entry.second, entry.first).second) continue;
      if (!net_.spans_at[entry.second].empty())
        budget_.take(32 * net_.spans_at[entry.second].size(), first_of(net_.spans_at[entry.second].front()));
      for (const std::uint32_t s : net_.spans_at[entry.second]) {
        if (s == own_span || net_.spans[s].road == own_road) continue;
        touched[s] = true;
        const bool from_last = net_.node(s, false) != entry.second;
        queue.emplace(entry.first + net_.spans[s].length, net_.node(s, !from_last));
      }
    }
    if (!touched.empty() && !budget_.hold(touched.size() * sizeof(Source), first_of(touched.begin()->first))) return;
    for (const auto& entry : touched) {
      const auto of = [&](bool last) {
        const auto found = distance.find(net_.node(entry.first, last));
        return found == distance.end() ? 2 * reach : found->second;
      };
      sources_[entry.first].push_back({of(false), of(true), 1, 0, height});
    }
  }

  /// Height over the ground at a place of a span (m): the highest bridge less the deepest tunnel.
  double height_at(std::uint32_t s, double along) const {
    double up = 0, down = 0;
    for (const Source& source : sources_[s]) {
      double d = std::min(source.from_first + along, source.from_last + net_.spans[s].length - along);
      if (source.low <= source.high) d = std::max({0.0, source.low - along, along - source.high});
      const double share = detail::smooth(1 - d / (kRampLength * std::fabs(source.height)));
      up = std::max(up, source.height * share);
      down = std::min(down, source.height * share);
    }
    return up + down;
  }

  void set_heights(std::uint32_t r, Levels& levels) {
    Road& road = roads_[r];
    const std::uint32_t count = static_cast<std::uint32_t>(road.at.size()) - 1;
    bool is_off = false;
    for (std::uint32_t i = 0; i < count; ++i) is_off = is_off || !sources_[net_.first_span[r] + i].empty();
    if (!is_off) return;
    std::vector<EastNorth> line;
    std::vector<double> heights;
    std::vector<std::uint32_t> at;
    std::uint64_t made = 0;
    for (std::uint32_t i = 0; i < count && !budget_.crowded(); ++i) {
      const std::uint32_t s = net_.first_span[r] + i;
      at.push_back(static_cast<std::uint32_t>(line.size()));
      net_.each_segment(s, [&](const Segment& segment) {
        const double l = detail::distance(segment.a, segment.b);
        const int n =
            sources_[s].empty() ? 1 : std::max(1, static_cast<int>(std::ceil(std::min(l, detail::kLongestCrossing) / kStep)));
        const auto points = static_cast<std::uint64_t>(n);
        if (!sources_[s].empty()) {
          made += points;
          budget_.cut(points, kLevelPointBytes, segment.a);
        }
        if (!budget_.take(points * sources_[s].size(), segment.a)) return;
        for (int k = 0; k < n; ++k) {
          const double t = static_cast<double>(k) / n;
          line.push_back(detail::plus(segment.a, detail::times(t, detail::minus(segment.b, segment.a))));
          heights.push_back(height_at(s, segment.along + t * l));
          if (std::fabs(heights.back()) > detail::kLowestRamp) (heights.back() > 0 ? levels.raised : levels.lowered) += l / n;
        }
      });
    }
    if (budget_.crowded()) return;
    at.push_back(static_cast<std::uint32_t>(line.size()));
    line.push_back(road.line.back());
    heights.push_back(height_at(net_.first_span[r] + count - 1, net_.spans[net_.first_span[r] + count - 1].length));
    for (double& height : heights)
      if (std::fabs(height) <= detail::kLowestRamp) height = 0;
    if (std::all_of(heights.begin(), heights.end(), [](double h) { return h == 0; })) {
      budget_.join(made, kLevelPointBytes);
      return;
    }
    road.line = std::move(line);
    road.height = std::move(heights);
    road.at = std::move(at);
  }

  std::vector<Road>& roads_;
  SpanNetwork net_;
  const std::vector<WaterCrossing>& water_;
  const Budget& budget_;
  std::vector<std::vector<Source>> sources_;  // of each span
  std::vector<Crossing> crossings_;
};
}  // namespace

Levels set_levels(std::vector<Road>& roads, const std::vector<Road>& railways, const std::vector<MapPart>& water,
                  const HeightGrid& terrain, const Budget& budget) {
  const std::size_t own = roads.size();
  const std::vector<WaterCrossing> over_water =
      water.empty() ? std::vector<WaterCrossing>() : detail::water_crossings(roads, water, terrain, budget);
  roads.insert(roads.end(), railways.begin(), railways.end());
  const Levels levels = Leveler(roads, own, over_water, budget).run();
  roads.resize(own);
  if (levels.empty() || budget.crowded()) return levels;
  detail::merge_ramps(roads, budget);
  return levels;
}

namespace {
/// The points of a road, each with its height, its node, and whether the piece after it is off the ground.
struct LevelLine {
  struct Point {
    EastNorth at;
    double height = 0;
    std::uint32_t node = kUnnamed;
    bool is_off = false;
  };
  std::vector<Point> points;

  explicit LevelLine(const Road& road) {
    for (std::size_t k = 0; k < road.line.size(); ++k) {
      const bool is_off = k + 1 < road.line.size() && (road.height[k] != 0 || road.height[k + 1] != 0);
      points.push_back({road.line[k], road.height[k], kUnnamed, is_off});
    }
    for (std::size_t i = 0; i < road.at.size(); ++i) points[road.at[i]].node = road.nodes[i];
  }

  /// Lanes end at right angles to their pieces: where a ramp begins in a bend, there would be a wedge between its lanes and those
  /// on the ground. It begins in the straight piece before the bend instead.
  /// @param ways  number of roads that lead away from each node
  void move_cuts(const std::map<std::uint32_t, int>& ways) {
    std::vector<Point> moved;
    const std::size_t n = points.size();
    const auto is_bent_cut = [&](std::size_t k) {
      return k > 0 && k + 1 < n && (points[k].node == kUnnamed || ways.at(points[k].node) == 2) &&
             points[k - 1].is_off != points[k].is_off &&
             std::fabs(detail::cross(detail::unit(detail::minus(points[k].at, points[k - 1].at)),
                                     detail::unit(detail::minus(points[k + 1].at, points[k].at)))) > 1e-6;
    };
    for (std::size_t k = 0; k < n; ++k) {
      moved.push_back(points[k]);
      if (k + 1 == n || points[k].is_off) continue;
      const auto add = [&](double t, bool is_off) {
        const EastNorth along = detail::minus(points[k + 1].at, points[k].at);
        moved.push_back({detail::plus(points[k].at, detail::times(t, along)), 0, kUnnamed, is_off});
      };
      if (is_bent_cut(k)) {
        moved.back().is_off = true;
        add(1.0 / 3, false);
      }
      if (is_bent_cut(k + 1)) add(2.0 / 3, true);
    }
    points = std::move(moved);
  }
};
}  // namespace

LevelPieces split_levels(const std::vector<Road>& roads) {
  LevelPieces pieces;
  std::uint32_t next_node = kFirstCut;
  std::map<std::uint32_t, int> ways;
  if (std::any_of(roads.begin(), roads.end(), [](const Road& road) { return !road.height.empty(); }))
    for (const Road& road : roads)
      for (std::size_t i = 0; i < road.nodes.size(); ++i) ways[road.nodes[i]] += i == 0 || i + 1 == road.nodes.size() ? 1 : 2;
  for (const Road& road : roads) {
    if (road.height.empty()) {
      pieces.ground.push_back(road);
      continue;
    }
    LevelLine line(road);
    line.move_cuts(ways);
    std::vector<LevelLine::Point>& points = line.points;
    for (std::size_t first = 0; first + 1 < points.size();) {
      const bool is_off = points[first].is_off;
      std::size_t last = first + 1;
      while (last + 1 < points.size() && points[last].is_off == is_off) ++last;
      if (points[last].node == kUnnamed) points[last].node = next_node++;
      Road piece = without_line(road);
      for (std::size_t k = first; k <= last; ++k) {
        if (points[k].node != kUnnamed) {
          piece.at.push_back(static_cast<std::uint32_t>(piece.line.size()));
          piece.nodes.push_back(points[k].node);
        }
        piece.line.push_back(points[k].at);
        if (is_off) piece.height.push_back(points[k].height);
      }
      piece.is_closed = road.is_closed && first == 0 && last + 1 == points.size();
      (is_off ? pieces.off_ground : pieces.ground).push_back(std::move(piece));
      first = last;
    }
  }
  return pieces;
}

}  // namespace simbatch::roads
