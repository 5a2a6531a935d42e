// Our own method: pieces of bridges cut by the convex parts of waters; pieces that share a node over water are one bridge, along
// which distances from the shore are shortest paths (Dijkstra 1959).
#include "lib/roads/water_crossings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "lib/roads/convex.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/strip_index.hpp"

namespace simbatch::roads::detail {
namespace {

constexpr double kPieceOfBridge = 64;      // m
constexpr double kLongestBridge = 20'000;  // m: length of the straight pieces in the search
constexpr double kIsland = 1;              // m: narrower ground between two parts of water is none
constexpr double kAtNode = 0.05;           // m
constexpr double kRampOverWater = 25;      // m
constexpr double kSideBySide = 20;         // m between the middles of bridges that have the same height
constexpr std::size_t kMostOverWater = 4000;

/// The numbers of groups that are joined in pairs.
class Groups {
 public:
  explicit Groups(std::size_t count) : of_(count) { std::iota(of_.begin(), of_.end(), 0U); }
  std::uint32_t find(std::uint32_t n) {
    while (of_[n] != n) n = of_[n] = of_[of_[n]];
    return n;
  }
  void join(std::uint32_t a, std::uint32_t b) { of_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> of_;
};

class WaterFinder {
 public:
  WaterFinder(const std::vector<Road>& roads, const std::vector<MapPart>& water, const HeightGrid& terrain,
              const Budget& budget)
      : roads_(roads), water_(water), terrain_(terrain), budget_(budget) {}

  std::vector<WaterCrossing> run() {
    gather_bridges();
    if (segments_.empty()) return {};
    find_water();
    if (pieces_.empty() || budget_.crowded()) return {};
    Groups groups(pieces_.size());
    for (const auto& entry : at_node_)
      for (const End& end : entry.second) groups.join(end.piece, entry.second.front().piece);
    find_shores();
    find_middles(groups);
    join_neighbors(groups);
    return crossings(groups);
  }

 private:
  struct BridgeSegment {
    std::uint32_t road = 0, first = 0;
    EastNorth a, b;
    double along = 0;  // of `a`
  };
  /// A stretch over water.
  struct Stretch {
    std::uint32_t road = 0, first = 0;
    double low = 0, high = 0, height = 0;
    double shore[2] = {0, 0};  // distances of its ends from the shore, along the bridge
    bool goes_on[2] = {false, false};
    std::uint32_t node[2] = {0, 0};  // if it goes on there
    double length() const { return high - low; }
    /// Greatest distance from the shore.
    double farthest() const { return (shore[0] + shore[1] + length()) / 2; }
  };
  struct End {
    std::uint32_t piece = 0;
    int end = 0;
  };

  void gather_bridges() {
    for (std::uint32_t r = 0; r < roads_.size() && !budget_.crowded(); ++r) {
      const Road& road = roads_[r];
      for (std::uint32_t i = 0; road.is_bridge && i + 1 < road.at.size(); ++i) {
        double along = 0;
        for (std::uint32_t k = road.at[i]; k < road.at[i + 1]; ++k) {
          const EastNorth a = road.line[k], d = minus(road.line[k + 1], a);
          const double l = detail::length(d);
          const int n = l <= kLongestBridge ? std::max(1, static_cast<int>(std::ceil(l / kPieceOfBridge))) : 0;
          if (!budget_.take(static_cast<std::uint64_t>(n), a)) return;
          for (int m = 0; m < n; ++m) {
            const EastNorth p = plus(a, times(static_cast<double>(m) / n, d)),
                            q = plus(a, times(static_cast<double>(m + 1) / n, d));
            segments_.push_back({r, i, p, q, along + m * l / n});
            const EastNorth ends[] = {p, q};
            index_.add(box_of(ends));
          }
          along += l;
        }
      }
    }
    index_.build();
  }

  /// Height that a bridge needs above the ground on a stretch from p to q over a water (m).
  double height_over(const MapPart& part, double lowest, const Road& road, EastNorth p, EastNorth q) const {
    const double clearance = road.clearance.value_or(part.clearance);
    if (clearance <= 0 || part.layer >= std::max(road.layer, 1)) return 0;
    const EastNorth middle = times(0.5, plus(p, q));
    double ground = height_at(terrain_, middle.east, middle.north);
    for (const EastNorth at : {p, q}) ground = std::min(ground, height_at(terrain_, at.east, at.north));
    return clearance + kDeckThickness - (ground - lowest);
  }

  void find_water() {
    const std::map<std::uint32_t, double> lowest = lowest_ground(water_, terrain_);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Stretch>> found;  // by road and node
    for (const MapPart& part : water_) {
      const Piece shape = piece_of(part.outline);
      const std::size_t compared = index_.near(box_of(part.outline), [&](std::uint32_t n) {
        const BridgeSegment& s = segments_[n];
        double from = 0, to = 0;
        if (!interval_in(shape, s.a, s.b, from, to)) return;
        const EastNorth d = minus(s.b, s.a);
        const double l = detail::length(d);
        const double height =
            height_over(part, lowest.at(part.area), roads_[s.road], plus(s.a, times(from, d)), plus(s.a, times(to, d)));
        if (height > 0) found[{s.road, s.first}].push_back({s.road, s.first, s.along + from * l, s.along + to * l, height});
      });
      if (!budget_.take(1 + 4 * compared, part.outline[0])) return;
    }
    for (auto& entry : found) add_pieces(entry.second);
  }

  /// Adds stretches of one span, joined where they touch.
  void add_pieces(std::vector<Stretch>& stretches) {
    std::sort(stretches.begin(), stretches.end(),
              [](const Stretch& a, const Stretch& b) { return std::pair(a.low, a.high) < std::pair(b.low, b.high); });
    const Road& road = roads_[stretches[0].road];
    const std::uint32_t first = stretches[0].first;
    double length = 0;
    for (std::uint32_t k = road.at[first]; k < road.at[first + 1]; ++k) length += distance(road.line[k], road.line[k + 1]);
    for (std::size_t i = 0; i < stretches.size() && pieces_.size() < kMostOverWater; ++i) {
      Stretch piece = stretches[i];
      for (; i + 1 < stretches.size() && stretches[i + 1].low <= piece.high + kIsland; ++i) {
        piece.high = std::max(piece.high, stretches[i + 1].high);
        piece.height = std::max(piece.height, stretches[i + 1].height);
      }
      const auto number = static_cast<std::uint32_t>(pieces_.size());
      pieces_.push_back(piece);
      if (piece.low < kAtNode) at_node_[road.nodes[first]].push_back({number, 0});
      if (piece.high > length - kAtNode) at_node_[road.nodes[first + 1]].push_back({number, 1});
    }
  }

  void find_shores() {
    using Entry = std::pair<double, std::uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (const auto& entry : at_node_)
      for (const End& end : entry.second) {
        pieces_[end.piece].node[end.end] = entry.first;
        pieces_[end.piece].goes_on[end.end] = entry.second.size() > 1;
      }
    for (std::uint32_t n = 0; n < pieces_.size(); ++n)
      for (const int end : {0, 1})
        if (!pieces_[n].goes_on[end] && pieces_[n].goes_on[1 - end])
          queue.emplace(pieces_[n].length(), pieces_[n].node[1 - end]);
    std::map<std::uint32_t, double> distance_of;
    while (!queue.empty()) {
      const Entry entry = queue.top();
      queue.pop();
      if (!distance_of.emplace(entry.second, entry.first).second) continue;
      for (const End& end : at_node_[entry.second])
        if (pieces_[end.piece].goes_on[1 - end.end])
          queue.emplace(entry.first + pieces_[end.piece].length(), pieces_[end.piece].node[1 - end.end]);
    }
    for (std::uint32_t n = 0; n < pieces_.size(); ++n)
      for (const int end : {0, 1}) {
        if (!pieces_[n].goes_on[end]) continue;
        const auto known = distance_of.find(pieces_[n].node[end]);
        pieces_[n].shore[end] = known == distance_of.end() ? kRampOverWater : known->second;  // a ring without a shore
      }
  }

  EastNorth middle_of(const Stretch& piece) const {
    const Road& road = roads_[piece.road];
    double left = (piece.low + piece.high) / 2;
    for (std::uint32_t k = road.at[piece.first]; k < road.at[piece.first + 1]; ++k) {
      const EastNorth d = minus(road.line[k + 1], road.line[k]);
      const double l = detail::length(d);
      if (left <= l && l > 0) return plus(road.line[k], times(left / l, d));
      left -= l;
    }
    return road.line[road.at[piece.first + 1]];
  }

  /// For each bridge, by the number of its group: where its ramps begin, and its middle.
  void find_middles(Groups& groups) {
    for (std::uint32_t n = 0; n < pieces_.size(); ++n) {
      Bridge& bridge = bridges_[groups.find(n)];
      bridge.inset = std::max(bridge.inset, std::min(kRampOverWater, pieces_[n].farthest() / 2));
      bridge.middle = plus(bridge.middle, times(pieces_[n].length(), middle_of(pieces_[n])));
      bridge.length += pieces_[n].length();
    }
    insets_.resize(pieces_.size());
    for (std::uint32_t n = 0; n < pieces_.size(); ++n) insets_[n] = bridges_[groups.find(n)].inset;
  }

  void join_neighbors(Groups& groups) {
    for (auto one = bridges_.begin(); one != bridges_.end(); ++one) {
      if (!budget_.take(bridges_.size(), pieces_[one->first].low > 0 ? middle_of(pieces_[one->first]) : EastNorth{})) return;
      for (auto other = std::next(one); other != bridges_.end(); ++other)
        if (distance(times(1 / one->second.length, one->second.middle), times(1 / other->second.length, other->second.middle)) <
            kSideBySide)
          groups.join(one->first, other->first);
    }
  }

  std::vector<WaterCrossing> crossings(Groups& groups) const {
    std::map<std::uint32_t, std::uint32_t> numbers;
    std::map<std::uint32_t, double> heights;
    for (std::uint32_t n = 0; n < pieces_.size(); ++n)
      heights[groups.find(n)] = std::max(heights[groups.find(n)], pieces_[n].height);
    std::vector<WaterCrossing> result;
    for (std::uint32_t n = 0; n < pieces_.size(); ++n) {
      const Stretch& piece = pieces_[n];
      const std::uint32_t group = groups.find(n);
      const double low = piece.low + std::max(0.0, insets_[n] - piece.shore[0]),
                   high = piece.high - std::max(0.0, insets_[n] - piece.shore[1]);
      if (low > high) continue;
      const auto number = numbers.emplace(group, static_cast<std::uint32_t>(numbers.size())).first->second;
      result.push_back({piece.road, piece.first, low, high, heights[group], number});
    }
    return result;
  }

  struct Bridge {
    double inset = 0, length = 0;
    EastNorth middle;  // times length
  };
  const std::vector<Road>& roads_;
  const std::vector<MapPart>& water_;
  const HeightGrid& terrain_;
  const Budget& budget_;
  std::vector<BridgeSegment> segments_;
  StripIndex index_;
  std::vector<Stretch> pieces_;
  std::map<std::uint32_t, std::vector<End>> at_node_;  // ends of pieces that reach a node
  std::map<std::uint32_t, Bridge> bridges_;
  std::vector<double> insets_;
};

}  // namespace

std::vector<WaterCrossing> water_crossings(const std::vector<Road>& roads, const std::vector<MapPart>& water,
                                           const HeightGrid& terrain, const Budget& budget) {
  return WaterFinder(roads, water, terrain, budget).run();
}

}  // namespace simbatch::roads::detail
