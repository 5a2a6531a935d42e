// Our own method: heights follow distances along the network from each crossing (Dijkstra, A note on two problems in connexion
// with graphs, 1959), by the cubic 3 s^2 - 2 s^3, whose steepest grade is 1.5 times the mean.
#include "lib/roads/levels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "lib/roads/convex.hpp"
#include "lib/roads/segment_index.hpp"
#include "lib/roads/smooth.hpp"

namespace simbatch::roads {
namespace {
using detail::EastNorth;
using detail::Segment;
using detail::SegmentIndex;

constexpr double kPlateau = 3;       // m of level deck beyond the edges of the road below
constexpr double kStep = 3;          // m between two points of a road that is not on the ground
constexpr double kLow = 0.01;        // m: lower heights count as on the ground
constexpr double kLongest = 20'000;  // m: length of the straight pieces in the search for crossings
constexpr std::size_t kMostCrossings = 4000;
constexpr std::uint32_t kUnnamed = 0xFFFFFFFF, kFirstCut = 0xE0000000;  // fit_roads() uses smaller numbers

/// A piece of road between two of its points that have a node.
struct Span {
  std::uint32_t road = 0, first = 0;  // first: index into Road::at
  double length = 0;
};
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
  Leveler(std::vector<Road>& roads, std::size_t own, const Budget& budget) : roads_(roads), own_(own), budget_(budget) {
    for (std::uint32_t r = 0; r < roads.size(); ++r) {
      first_span_.push_back(static_cast<std::uint32_t>(spans_.size()));
      for (std::uint32_t i = 0; i + 1 < roads[r].at.size(); ++i) {
        Span span{r, i, 0};
        for (std::uint32_t k = roads[r].at[i]; k < roads[r].at[i + 1]; ++k)
          span.length += detail::distance(roads[r].line[k], roads[r].line[k + 1]);
        spans_.push_back(span);
      }
    }
  }

  Levels run() {
    Levels levels;
    const auto end_of_own = roads_.begin() + static_cast<std::ptrdiff_t>(own_);
    if (std::none_of(roads_.begin(), end_of_own, [](const Road& road) { return road.layer != 0; })) return levels;
    for (std::uint32_t s = 0; s < spans_.size() && is_own(s); ++s)
      for (const bool last : {false, true}) spans_at_[node(spans_[s], last)].push_back(s);
    sources_.resize(spans_.size());
    for (std::uint32_t r = 0; r < own_ && !budget_.crowded(); ++r)
      if (roads_[r].is_tunnel) sink_tunnel(r, levels);
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
    for (std::uint32_t r = 0; r < own_ && !budget_.crowded(); ++r) set_heights(r, levels);
    return levels;
  }

 private:
  std::uint32_t node(const Span& span, bool last) const { return roads_[span.road].nodes[span.first + (last ? 1 : 0)]; }
  bool is_own(std::uint32_t span) const { return spans_[span].road < own_; }
  int layer(std::uint32_t span) const { return roads_[spans_[span].road].layer; }

  template <class Use>
  void each_segment(std::uint32_t s, Use use) const {
    const Road& road = roads_[spans_[s].road];
    double along = 0;
    for (std::uint32_t k = road.at[spans_[s].first]; k < road.at[spans_[s].first + 1]; ++k) {
      use(Segment{road.line[k], road.line[k + 1], s, along});
      along += detail::distance(road.line[k], road.line[k + 1]);
    }
  }

  void sink_tunnel(std::uint32_t r, Levels& levels) {
    ++levels.tunnels;
    const double height = -kTunnelDepth * std::max(1, -roads_[r].layer);
    std::vector<std::pair<double, std::uint32_t>> starts;
    for (const std::uint32_t n : roads_[r].nodes) starts.emplace_back(0, n);
    for (std::uint32_t i = 0; i + 1 < roads_[r].at.size(); ++i) {
      const std::uint32_t s = first_span_[r] + i;
      sources_[s].push_back({0, 0, 0, spans_[s].length, height});
    }
    spread(starts, height, r, kUnnamed);
  }

  void find_crossings() {
    SegmentIndex index;
    const auto fits = [](const Segment& s) { return detail::distance(s.a, s.b) <= kLongest; };
    for (std::uint32_t s = 0; s < spans_.size(); ++s)
      if (layer(s) != 0)
        each_segment(s, [&](const Segment& segment) {
          if (fits(segment)) index.add(segment);
        });
    index.build();
    std::vector<std::uint32_t> found;
    for (std::uint32_t s = 0; s < spans_.size(); ++s)
      each_segment(s, [&](const Segment& segment) {
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
        if (node(spans_[upper.span], last1) == node(spans_[lower.span], last2)) return;  // they meet
    const EastNorth u = detail::minus(upper.b, upper.a), v = detail::minus(lower.b, lower.a);
    const double n = detail::cross(u, v);
    if (n == 0) return;
    const EastNorth between = detail::minus(lower.a, upper.a);
    const double t = detail::cross(between, v) / n, w = detail::cross(between, u) / n;
    if (!(t >= 0 && t <= 1 && w >= 0 && w <= 1)) return;
    const double lu = detail::length(u), lv = detail::length(v), sine = std::max(0.3, std::fabs(n) / (lu * lv));
    const auto half = [&](const Segment& s) {
      const Road& road = roads_[spans_[s.span].road];
      return (road.width / 2 + std::max(road.left_pavement, road.right_pavement)) / sine + kPlateau;
    };
    crossings_.push_back({upper.span, lower.span, upper.along + t * lu, lower.along + w * lv, half(lower), half(upper)});
  }

  void separate(const Crossing& c, Levels& levels) {
    if (is_own(c.lower) && layer(c.lower) < 0 && layer(c.upper) <= 0 &&
        height_at(c.lower, c.lower_along) > -kTunnelDepth + kLow) {
      ++levels.tunnels;
      add_source(c.lower, c.lower_along, c.lower_plateau, -kTunnelDepth * -layer(c.lower));
    }
    const double height = height_at(c.lower, c.lower_along) + kDeckHeight;
    if (!is_own(c.upper) || height <= 0.3 || height_at(c.upper, c.upper_along) >= height - 0.3) return;  // room enough
    ++levels.bridges;
    add_source(c.upper, c.upper_along, c.upper_plateau, height);
  }

  void add_source(std::uint32_t s, double along, double plateau, double height) {
    const Span& span = spans_[s];
    const double first = std::max(0.0, along - plateau), last = std::max(0.0, span.length - along - plateau);
    sources_[s].push_back({first, last, std::max(0.0, along - plateau), std::min(span.length, along + plateau), height});
    // The part of the plateau beyond the ends of the span is a head start.
    spread({{along - plateau, node(span, false)}, {span.length - along - plateau, node(span, true)}}, height, kUnnamed, s);
  }

  EastNorth first_of(std::uint32_t span) const {
    const Road& road = roads_[spans_[span].road];
    return road.line[road.at[spans_[span].first]];
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
      if (!spans_at_[entry.second].empty())
        budget_.take(32 * spans_at_[entry.second].size(), first_of(spans_at_[entry.second].front()));
      for (const std::uint32_t s : spans_at_[entry.second]) {
        if (s == own_span || spans_[s].road == own_road) continue;
        touched[s] = true;
        const bool from_last = node(spans_[s], false) != entry.second;
        queue.emplace(entry.first + spans_[s].length, node(spans_[s], !from_last));
      }
    }
    if (!touched.empty() && !budget_.hold(touched.size() * sizeof(Source), first_of(touched.begin()->first))) return;
    for (const auto& entry : touched) {
      const auto of = [&](bool last) {
        const auto found = distance.find(node(spans_[entry.first], last));
        return found == distance.end() ? 2 * reach : found->second;
      };
      sources_[entry.first].push_back({of(false), of(true), 1, 0, height});
    }
  }

  /// Height over the ground at a place of a span (m): the highest bridge less the deepest tunnel.
  double height_at(std::uint32_t s, double along) const {
    double up = 0, down = 0;
    for (const Source& source : sources_[s]) {
      double d = std::min(source.from_first + along, source.from_last + spans_[s].length - along);
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
    for (std::uint32_t i = 0; i < count; ++i) is_off = is_off || !sources_[first_span_[r] + i].empty();
    if (!is_off) return;
    std::vector<EastNorth> line;
    std::vector<double> heights;
    std::vector<std::uint32_t> at;
    std::uint64_t made = 0;
    for (std::uint32_t i = 0; i < count && !budget_.crowded(); ++i) {
      const std::uint32_t s = first_span_[r] + i;
      at.push_back(static_cast<std::uint32_t>(line.size()));
      each_segment(s, [&](const Segment& segment) {
        const double l = detail::distance(segment.a, segment.b);
        const int n = sources_[s].empty() ? 1 : std::max(1, static_cast<int>(std::ceil(std::min(l, kLongest) / kStep)));
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
          if (std::fabs(heights.back()) > kLow) (heights.back() > 0 ? levels.raised : levels.lowered) += l / n;
        }
      });
    }
    if (budget_.crowded()) return;
    at.push_back(static_cast<std::uint32_t>(line.size()));
    line.push_back(road.line.back());
    heights.push_back(height_at(first_span_[r] + count - 1, spans_[first_span_[r] + count - 1].length));
    for (double& height : heights)
      if (std::fabs(height) <= kLow) height = 0;
    if (std::all_of(heights.begin(), heights.end(), [](double h) { return h == 0; })) {
      budget_.join(made, kLevelPointBytes);
      return;
    }
    road.line = std::move(line);
    road.height = std::move(heights);
    road.at = std::move(at);
  }

  std::vector<Road>& roads_;
  std::size_t own_;
  const Budget& budget_;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> first_span_;                         // of each road
  std::map<std::uint32_t, std::vector<std::uint32_t>> spans_at_;  // by node
  std::vector<std::vector<Source>> sources_;                      // of each span
  std::vector<Crossing> crossings_;
};

/// Where a road branches off at a small angle, their lanes overlap for some distance: there it has the other's height, and its
/// own only after that.
class Merger {
 public:
  Merger(std::vector<Road>& roads, const Budget& budget) : roads_(roads), budget_(budget) {
    for (std::uint32_t r = 0; r < roads.size(); ++r)
      for (std::uint32_t i = 0; i < roads[r].at.size(); ++i) {
        if (i > 0) arms_[roads[r].nodes[i]].push_back({r, roads[r].at[i], -1});
        if (i + 1 < roads[r].at.size()) arms_[roads[r].nodes[i]].push_back({r, roads[r].at[i], 1});
      }
  }
  void run() {
    for (const auto& entry : arms_)
      for (const Arm& arm : entry.second) {
        if (roads_[arm.road].height.empty()) continue;  // never gives way
        if (!budget_.take(8 * entry.second.size(), roads_[arm.road].line[arm.point])) return;
        for (const Arm& other : entry.second)
          if (arm.road != other.road && gives_way(arm, other)) merge(arm, other);
      }
  }

 private:
  /// A road as it leaves a node: from a point of its line, with or against its direction.
  struct Arm {
    std::uint32_t road = 0, point = 0;
    int step = 1;
  };
  static constexpr double kAngle = 0.77;   // cosine of 40 degrees
  static constexpr double kReach = 150;    // m
  static constexpr double kBlend = 40;     // m
  static constexpr double kShortest = 10;  // m

  bool is_end(const Arm& arm, std::int64_t k) const {
    return k < 0 || k >= static_cast<std::int64_t>(roads_[arm.road].line.size());
  }
  EastNorth direction(const Arm& arm) const {
    const std::vector<EastNorth>& line = roads_[arm.road].line;
    EastNorth at = line[arm.point];
    for (std::int64_t k = arm.point; !is_end(arm, k); k += arm.step) {
      at = line[static_cast<std::size_t>(k)];
      if (detail::distance(at, line[arm.point]) > kShortest) break;
    }
    return detail::unit(detail::minus(at, line[arm.point]));
  }
  bool gives_way(const Arm& arm, const Arm& other) const {
    const Road &a = roads_[arm.road], &b = roads_[other.road];
    if (a.height.empty() || std::pair(a.width, other.road) > std::pair(b.width, arm.road)) return false;
    return detail::dot(direction(arm), direction(other)) > kAngle;
  }

  /// Distance from a place to an arm's line, and the height there.
  std::pair<double, double> beside(const Arm& arm, EastNorth p) const {
    const Road& road = roads_[arm.road];
    std::pair<double, double> best{1e9, 0};
    std::uint64_t compared = 0;
    for (std::int64_t k = arm.point; !is_end(arm, k + arm.step); k += arm.step) {
      ++compared;
      const auto i = static_cast<std::size_t>(k), j = static_cast<std::size_t>(k + arm.step);
      const EastNorth d = detail::minus(road.line[j], road.line[i]);
      const double l2 = detail::dot(d, d),
                   t = l2 > 0 ? std::clamp(detail::dot(detail::minus(p, road.line[i]), d) / l2, 0.0, 1.0) : 0;
      const double off = detail::distance(p, detail::plus(road.line[i], detail::times(t, d)));
      if (off < best.first) best = {off, road.height.empty() ? 0 : road.height[i] + t * (road.height[j] - road.height[i])};
      if (detail::distance(road.line[i], road.line[arm.point]) > 2 * kReach) break;
    }
    budget_.take(compared, p);
    return best;
  }

  void merge(const Arm& arm, const Arm& other) {
    Road& road = roads_[arm.road];
    const double apart = (road.width + roads_[other.road].width) / 2 + 0.5;
    // Up to the next junction or the road's end; the correction at each point.
    std::vector<std::pair<std::size_t, double>> corrections;
    std::vector<double> along;
    double s = 0, separated = -1;
    for (std::int64_t k = arm.point; !is_end(arm, k) && s < kReach + kBlend; k += arm.step) {
      const auto i = static_cast<std::size_t>(k);
      if (!along.empty()) s += detail::distance(road.line[i], road.line[corrections.back().first]);
      const auto [off, height] = beside(other, road.line[i]);
      if (budget_.crowded()) return;
      if (separated < 0 && off > apart) separated = s;
      const double before = corrections.empty() ? 0 : corrections.back().second;
      corrections.emplace_back(i, separated < 0 ? height - road.height[i] : before);
      along.push_back(s);
      if (k != arm.point && is_junction(road, i)) break;
      if (separated >= 0 && s > separated + kBlend) break;
    }
    if (separated < 0) separated = s;
    const double start = std::min(separated, s / 2), end = std::min(s, separated + kBlend);
    for (std::size_t n = 0; n < corrections.size(); ++n) {
      double& height = road.height[corrections[n].first];
      height += corrections[n].second * (1 - detail::smooth((along[n] - start) / std::max(1e-6, end - start)));
      if (std::fabs(height) <= kLow) height = 0;
    }
  }

  bool is_junction(const Road& road, std::size_t point) const {
    const auto at = std::lower_bound(road.at.begin(), road.at.end(), point);
    if (at == road.at.end() || *at != point) return false;
    const std::uint32_t node = road.nodes[static_cast<std::size_t>(at - road.at.begin())];
    const auto found = arms_.find(node);
    return found != arms_.end() && found->second.size() > 2;
  }

  std::vector<Road>& roads_;
  const Budget& budget_;
  std::map<std::uint32_t, std::vector<Arm>> arms_;  // by node
};
}  // namespace

Levels set_levels(std::vector<Road>& roads, const std::vector<Road>& railways, const Budget& budget) {
  const std::size_t own = roads.size();
  roads.insert(roads.end(), railways.begin(), railways.end());
  const Levels levels = Leveler(roads, own, budget).run();
  roads.resize(own);
  if (levels.empty() || budget.crowded()) return levels;
  Merger(roads, budget).run();
  return levels;
}

LevelPieces split_levels(const std::vector<Road>& roads) {
  LevelPieces pieces;
  std::uint32_t next_node = kFirstCut;
  for (const Road& road : roads) {
    if (road.height.empty()) {
      pieces.ground.push_back(road);
      continue;
    }
    std::vector<std::uint32_t> nodes(road.line.size(), kUnnamed);  // of each point of the line
    for (std::size_t i = 0; i < road.at.size(); ++i) nodes[road.at[i]] = road.nodes[i];
    const auto is_off = [&](std::size_t k) { return road.height[k] != 0 || road.height[k + 1] != 0; };
    for (std::size_t first = 0; first + 1 < road.line.size();) {
      std::size_t last = first + 1;
      while (last + 1 < road.line.size() && is_off(last) == is_off(first)) ++last;
      if (nodes[last] == kUnnamed) nodes[last] = next_node++;
      Road piece = without_line(road);
      for (std::size_t k = first; k <= last; ++k) {
        if (nodes[k] != kUnnamed) {
          piece.at.push_back(static_cast<std::uint32_t>(piece.line.size()));
          piece.nodes.push_back(nodes[k]);
        }
        piece.line.push_back(road.line[k]);
        if (is_off(first)) piece.height.push_back(road.height[k]);
      }
      piece.is_closed = road.is_closed && first == 0 && last + 1 == road.line.size();
      (is_off(first) ? pieces.off_ground : pieces.ground).push_back(std::move(piece));
      first = last;
    }
  }
  return pieces;
}

}  // namespace simbatch::roads
