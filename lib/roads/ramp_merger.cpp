// Our own method: each pair of arms at a node, the narrower of which follows the wider.
#include "lib/roads/ramp_merger.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "lib/roads/convex.hpp"
#include "lib/roads/smooth.hpp"

namespace simbatch::roads::detail {
namespace {

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
      if (distance(at, line[arm.point]) > kShortest) break;
    }
    return unit(minus(at, line[arm.point]));
  }
  bool gives_way(const Arm& arm, const Arm& other) const {
    const Road &a = roads_[arm.road], &b = roads_[other.road];
    if (a.height.empty() || std::pair(a.width, other.road) > std::pair(b.width, arm.road)) return false;
    return dot(direction(arm), direction(other)) > kAngle;
  }

  /// Distance from a place to an arm's line, and the height there.
  std::pair<double, double> beside(const Arm& arm, EastNorth p) const {
    const Road& road = roads_[arm.road];
    std::pair<double, double> best{1e9, 0};
    std::uint64_t compared = 0;
    for (std::int64_t k = arm.point; !is_end(arm, k + arm.step); k += arm.step) {
      ++compared;
      const auto i = static_cast<std::size_t>(k), j = static_cast<std::size_t>(k + arm.step);
      const EastNorth d = minus(road.line[j], road.line[i]);
      const double l2 = dot(d, d), t = l2 > 0 ? std::clamp(dot(minus(p, road.line[i]), d) / l2, 0.0, 1.0) : 0;
      const double off = distance(p, plus(road.line[i], times(t, d)));
      if (off < best.first) best = {off, road.height.empty() ? 0 : road.height[i] + t * (road.height[j] - road.height[i])};
      if (distance(road.line[i], road.line[arm.point]) > 2 * kReach) break;
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
      if (!along.empty()) s += distance(road.line[i], road.line[corrections.back().first]);
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
      height += corrections[n].second * (1 - smooth((along[n] - start) / std::max(1e-6, end - start)));
      if (std::fabs(height) <= kLowestRamp) height = 0;
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

void merge_ramps(std::vector<Road>& roads, const Budget& budget) { Merger(roads, budget).run(); }

}  // namespace simbatch::roads::detail
