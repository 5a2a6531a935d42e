// Our own method: find the pairs of pieces that obstruct each other; cut those roads into short pieces; give each as much width
// as there is room for; join adjacent pieces of the same width.
#include "lib/roads/level_widths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "lib/roads/carriageway.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/segment_index.hpp"

namespace simbatch::roads {
namespace {
using namespace detail;

constexpr double kWidthPart = 4;      // m
constexpr double kLeastStep = 0.3;    // m: smaller differences in height do not separate lanes
constexpr double kBelow = 4.6;        // m: from this difference on, one road passes below the other
constexpr double kGap = 0.1;          // m between lanes
constexpr double kJunction = 25;      // m
constexpr double kCrossing = 0.5;     // m: center lines closer than this count as crossing
constexpr double kAhead = 0.7;        // cosine: what is within 45 degrees of a road's direction is not beside it
constexpr double kWidestBeside = 25;  // m: maximum half width of a road considered in the search
constexpr std::uint32_t kNoPlace = 0xFFFFFFFF,
                        kFirstWidthCut = 0xD0000000;  // fit_roads() uses smaller numbers, split_levels() larger ones

class LevelFitter {
 public:
  LevelFitter(std::vector<Road>& roads, const Budget& budget) : roads_(roads), budget_(budget) {}

  LevelFitting run() {
    find_junctions();
    index();
    std::vector<bool> is_cut(roads_.size(), false);
    each_pair([&](std::uint32_t s, std::uint32_t t, double) { is_cut[index_[s].span] = is_cut[index_[t].span] = true; });
    for (std::size_t r = 0; r < roads_.size(); ++r)
      if (is_cut[r] && !budget_.crowded()) refine(roads_[r]);
    if (budget_.crowded()) return {};
    index();
    each_pair([&](std::uint32_t s, std::uint32_t t, double apart) { share(index_[s], index_[t], apart); });
    if (budget_.crowded()) return {};
    std::vector<Road> fitted;
    fitted.reserve(roads_.size());
    for (std::uint32_t r = 0; r < roads_.size(); ++r) split(r, fitted);
    roads_ = std::move(fitted);
    return result_;
  }

 private:
  struct Room {
    double half = std::numeric_limits<double>::infinity(), pavement = std::numeric_limits<double>::infinity();
    bool operator==(const Room&) const = default;
  };
  struct Junction {
    EastNorth at;
    double height = 0;
  };

  static double height_of(const Road& road, std::size_t point) { return road.height.empty() ? 0 : road.height[point]; }

  /// Segment::along is the number of the segment's first point.
  void index() {
    index_ = SegmentIndex();
    for (std::uint32_t r = 0; r < roads_.size(); ++r)
      for (std::size_t k = 0; k + 1 < roads_[r].line.size(); ++k)
        if (distance(roads_[r].line[k], roads_[r].line[k + 1]) < 20'000)
          index_.add({roads_[r].line[k], roads_[r].line[k + 1], r, static_cast<double>(k)});
    index_.build();
  }

  void find_junctions() {
    std::map<std::uint32_t, std::pair<int, Junction>> nodes;
    for (const Road& road : roads_)
      for (std::size_t i = 0; i < road.at.size(); ++i) {
        auto& node = nodes[road.nodes[i]];
        node.first += i == 0 || i + 1 == road.at.size() ? 1 : 2;
        node.second = {road.line[road.at[i]], height_of(road, road.at[i])};
      }
    for (const auto& node : nodes) {
      if (node.second.first == 2) joints_.insert(node.first);
      if (node.second.first > 2) {
        const EastNorth at = node.second.second.at;
        junctions_.add({at, at, static_cast<std::uint32_t>(junction_heights_.size()), 0});
        junction_heights_.push_back(node.second.second.height);
      }
    }
    junctions_.build();
  }

  /// Whether one road is the continuation of the other.
  bool go_on(std::uint32_t r, std::uint32_t other) const {
    for (const std::uint32_t a : {roads_[r].nodes.front(), roads_[r].nodes.back()})
      for (const std::uint32_t b : {roads_[other].nodes.front(), roads_[other].nodes.back()})
        if (a == b && joints_.contains(a)) return true;
    return false;
  }

  /// Whether both places belong to one junction.
  bool meet(EastNorth p, double p_height, EastNorth q, double q_height) {
    const EastNorth reach{kJunction, kJunction};
    junctions_.near(minus(p, reach), plus(p, reach), found_junctions_);
    budget_.take(found_junctions_.size(), p);
    return std::any_of(found_junctions_.begin(), found_junctions_.end(), [&](std::uint32_t n) {
      const Segment& junction = junctions_[n];
      const double height = junction_heights_[junction.span];
      return distance(junction.a, p) < kJunction && distance(junction.a, q) < kJunction &&
             std::fabs(height - p_height) < 0.1 * kJunction && std::fabs(height - q_height) < 0.1 * kJunction;
    });
  }

  /// Calls use(s, t, distance) for pieces at different heights whose lanes obstruct each other; `s` is off the ground.
  template <class Use>
  void each_pair(Use use) {
    std::uint32_t s = 0;
    for (std::uint32_t r = 0; r < roads_.size(); ++r)
      for (std::size_t k = 0; k + 1 < roads_[r].line.size(); ++k) {
        if (budget_.crowded()) return;
        if (distance(roads_[r].line[k], roads_[r].line[k + 1]) >= 20'000) continue;
        const std::uint32_t own = s++;
        const double height = (height_of(roads_[r], k) + height_of(roads_[r], k + 1)) / 2;
        if (std::fabs(height) < kLeastStep) continue;
        const Segment segment = index_[own];
        const double half = roads_[r].width / 2, reach = half + kWidestBeside;
        const EastNorth middle = times(0.5, plus(segment.a, segment.b));
        index_.near(minus(middle, {reach, reach}), plus(middle, {reach, reach}), found_);
        budget_.take(4 * found_.size(), middle);
        for (const std::uint32_t t : found_) {
          const Segment& other = index_[t];
          if (other.span == r) continue;
          const Road& road = roads_[other.span];
          const Nearest nearest = nearest_on(other, middle);
          if (nearest.distance >= half + road.width / 2 + kGap || nearest.distance < kCrossing) continue;
          const auto k2 = static_cast<std::size_t>(other.along);
          const double h = height_of(road, k2) + nearest.t * (height_of(road, k2 + 1) - height_of(road, k2));
          if (std::fabs(h - height) < kLeastStep || std::fabs(h - height) > kBelow) continue;
          const EastNorth beside = plus(other.a, times(nearest.t, minus(other.b, other.a)));
          const bool is_ahead =
              std::fabs(dot(minus(beside, middle), unit(minus(segment.b, segment.a)))) > kAhead * nearest.distance;
          if (is_ahead && go_on(r, other.span)) continue;
          if (!meet(middle, height, beside, h)) use(own, t, nearest.distance);
        }
      }
  }

  void refine(Road& road) const {
    Road fine = without_line(road);
    fine.nodes = road.nodes;
    fine.is_closed = road.is_closed;
    std::size_t node = 0;
    for (std::size_t k = 0; k < road.line.size(); ++k) {
      if (k == road.at[node]) {
        fine.at.push_back(static_cast<std::uint32_t>(fine.line.size()));
        ++node;
      }
      const bool is_last = k + 1 == road.line.size();
      const EastNorth d = is_last ? EastNorth{} : minus(road.line[k + 1], road.line[k]);
      const int n = is_last ? 1 : std::max(1, static_cast<int>(std::ceil(std::min(length(d), 20'000.0) / kWidthPart)));
      if (!is_last && !budget_.cut(static_cast<std::uint64_t>(n) - 1, kGroundPointBytes, road.line[k])) return;
      for (int i = 0; i < n; ++i) {
        const double t = static_cast<double>(i) / n;
        fine.line.push_back(plus(road.line[k], times(t, d)));
        if (!road.height.empty())
          fine.height.push_back(is_last ? road.height[k] : road.height[k] + t * (road.height[k + 1] - road.height[k]));
      }
    }
    road = std::move(fine);
  }

  void share(const Segment& s, const Segment& t, double apart) {
    const double a = roads_[s.span].width / 2, b = roads_[t.span].width / 2, room = std::max(0.0, apart - kGap);
    const double least_a = std::min(a, kNarrowest / 2), least_b = std::min(b, kNarrowest / 2);
    const double shrink = std::min(1.0, room / (a + b));
    double half_a = std::max(least_a, a * shrink), half_b = std::max(least_b, b * shrink);
    if (half_a + half_b > room) {
      half_a = std::max(least_a, std::min(half_a, room - half_b));
      half_b = std::max(least_b, std::min(half_b, room - half_a));
    }
    limit(s, half_a, std::max(0.0, room - half_b - half_a));
    limit(t, half_b, std::max(0.0, room - half_a - half_b));
  }
  void limit(const Segment& segment, double half, double pavement) {
    Room& room = rooms_[{segment.span, static_cast<std::uint32_t>(segment.along)}];
    // In steps, so that adjacent pieces often have the same width.
    room.half = std::min(room.half, std::max(std::floor(half * 4) / 4, kNarrowest / 2));
    room.pavement = std::min(room.pavement, std::floor(pavement * 4) / 4);
  }
  Room room_of(std::uint32_t road, std::size_t point) const {
    const auto found = rooms_.find({road, static_cast<std::uint32_t>(point)});
    return found == rooms_.end() ? Room{} : found->second;
  }

  void split(std::uint32_t r, std::vector<Road>& pieces) {
    Road& road = roads_[r];
    const auto first_room = rooms_.lower_bound({r, 0});
    if (first_room == rooms_.end() || first_room->first.first != r) {
      pieces.push_back(std::move(road));
      return;
    }
    std::vector<std::uint32_t> nodes(road.line.size(), kNoPlace);
    for (std::size_t i = 0; i < road.at.size(); ++i) nodes[road.at[i]] = road.nodes[i];
    for (std::size_t first = 0; first + 1 < road.line.size();) {
      const Room room = room_of(r, first);
      std::size_t last = first + 1;
      while (last + 1 < road.line.size() && room_of(r, last) == room) ++last;
      if (nodes[last] == kNoPlace) nodes[last] = next_node_++;
      budget_.hold(kRoadBytes, road.line[first]);
      Road piece = without_line(road);
      piece.width = std::min(road.width, 2 * room.half);
      piece.left_pavement = std::min(road.left_pavement, room.pavement);
      piece.right_pavement = std::min(road.right_pavement, room.pavement);
      for (std::size_t k = first; k <= last; ++k) {
        if (nodes[k] != kNoPlace) {
          piece.at.push_back(static_cast<std::uint32_t>(piece.line.size()));
          piece.nodes.push_back(nodes[k]);
        }
        piece.line.push_back(road.line[k]);
        if (!road.height.empty()) piece.height.push_back(road.height[k]);
        if (k > first && piece.width < road.width) result_.meters += distance(road.line[k - 1], road.line[k]);
      }
      if (piece.width < road.width) ++result_.pieces;
      piece.is_closed = road.is_closed && first == 0 && last + 1 == road.line.size();
      pieces.push_back(std::move(piece));
      first = last;
    }
  }

  std::vector<Road>& roads_;
  const Budget& budget_;
  SegmentIndex index_, junctions_;
  std::set<std::uint32_t> joints_;  // nodes at which exactly two ends meet, or a road passes through
  std::vector<double> junction_heights_;
  std::vector<std::uint32_t> found_, found_junctions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Room> rooms_;  // by road and point
  std::uint32_t next_node_ = kFirstWidthCut;
  LevelFitting result_;
};
}  // namespace

LevelFitting fit_levels(std::vector<Road>& roads, const Budget& budget) {
  if (std::all_of(roads.begin(), roads.end(), [](const Road& road) { return road.height.empty(); })) return {};
  return LevelFitter(roads, budget).run();
}

}  // namespace simbatch::roads
