// Our own method; the meaning of the tags is that of the OSM wiki.
#include "lib/roads/marks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

#include "lib/roads/convex.hpp"

namespace simbatch::roads {
namespace {

/// The marks that the tags of a node call for.
struct Sign {
  bool is_crossing = false, is_stop = false, is_signal = false;
  int direction = 0;
  RoadMark::Sign kind = RoadMark::Sign::none;
};

Sign sign_of(const osm::Model& map, std::span<const osm::TagId> tags) {
  const auto value = [&](std::string_view key) { return map.value_of(tags, key).value_or(""); };
  const std::string_view highway = value("highway"), crossing = value("crossing");
  Sign sign;
  sign.is_crossing = highway == "crossing" && crossing != "unmarked" && crossing != "no";
  sign.is_signal = highway == "traffic_signals";
  sign.kind = sign.is_signal          ? RoadMark::Sign::signal
              : highway == "stop"     ? RoadMark::Sign::stop
              : highway == "give_way" ? RoadMark::Sign::give_way
                                      : RoadMark::Sign::none;
  sign.is_stop = sign.kind != RoadMark::Sign::none;
  const std::string_view direction = sign.is_signal ? value("traffic_signals:direction") : value("direction");
  sign.direction = direction == "forward" ? 1 : direction == "backward" ? -1 : 0;
  return sign;
}

/// A road's place at a node.
struct Use {
  std::uint32_t road = 0, index = 0;  // index into Road::at
};

class Marker {
 public:
  Marker(const osm::Model& map, const std::vector<Road>& roads, const Budget& budget) : roads_(roads), budget_(budget) {
    for (std::size_t t = 0; t < map.tagged_nodes.size(); ++t) {
      const Sign sign = sign_of(map, map.tags_of_tagged_node(t));
      if (sign.is_crossing || sign.is_stop) signs_[map.tagged_nodes[t]] = sign;
    }
    if (signs_.empty()) return;
    along_.resize(roads.size());
    for (std::uint32_t r = 0; r < roads.size(); ++r) {
      const Road& road = roads[r];
      double along = 0;
      for (std::uint32_t k = 0, i = 0; k < road.line.size(); ++k) {
        if (k > 0) along += detail::distance(road.line[k - 1], road.line[k]);
        if (i < road.at.size() && road.at[i] == k) {
          along_[r].push_back(along);
          uses_[road.nodes[i]].push_back({r, i++});
        }
      }
    }
  }

  std::vector<RoadMark> run() {
    for (const auto& entry : signs_) {
      const auto uses = uses_.find(entry.first);
      if (uses == uses_.end()) continue;
      if (budget_.crowded()) return {};
      const bool is_junction = arms(uses->second) > 2;
      if (entry.second.is_signal && is_junction)
        add_signal(uses->second, entry.first);
      else if (!is_junction)
        for (const Use& use : uses->second) add(entry.second, use, entry.first);
    }
    const auto key = [](const RoadMark& m) { return std::tuple(m.road, m.along, static_cast<int>(m.kind), m.direction); };
    std::sort(marks_.begin(), marks_.end(), [&](const RoadMark& a, const RoadMark& b) { return key(a) < key(b); });
    marks_.erase(
        std::unique(marks_.begin(), marks_.end(), [&](const RoadMark& a, const RoadMark& b) { return key(a) == key(b); }),
        marks_.end());
    return std::move(marks_);
  }

 private:
  bool is_end(const Use& use) const { return use.index == 0 || use.index + 1 == roads_[use.road].at.size(); }
  int arms(const std::vector<Use>& uses) const {
    int n = 0;
    for (const Use& use : uses) n += is_end(use) ? 1 : 2;
    return n;
  }

  void add(const Sign& sign, const Use& use, std::uint32_t node) {
    const double along = along_[use.road][use.index];
    if (sign.is_crossing) {
      // Where two ways meet, only one of them gets it.
      const auto& all = uses_[roads_[use.road].nodes[use.index]];
      if (all.front().road == use.road)
        marks_.push_back({RoadMark::Kind::crossing, use.road, along, 0, RoadMark::Sign::none, node});
      return;
    }
    int direction = sign.direction;
    if (direction == 0 && !sign.is_signal) direction = towards_junction(use);
    const int one_way = roads_[use.road].one_way;
    if (one_way != 0 && direction == -one_way) return;
    marks_.push_back({RoadMark::Kind::stop_line, use.road, along, one_way != 0 ? one_way : direction, sign.kind, node});
  }

  /// 1 if the nearest junction on the road is ahead, -1 if it is behind, 0 if there is none.
  int towards_junction(const Use& use) const {
    const Road& road = roads_[use.road];
    double nearest = std::numeric_limits<double>::infinity();
    int direction = 0;
    for (std::uint32_t i = 0; i < road.at.size(); ++i) {
      const double off = along_[use.road][i] - along_[use.road][use.index];
      const auto uses = uses_.find(road.nodes[i]);
      if (!budget_.take(8 + (uses == uses_.end() ? 0 : uses->second.size()), road.line[road.at[i]])) return 0;
      if (i == use.index || std::fabs(off) >= nearest || uses == uses_.end() || arms(uses->second) < 3) continue;
      nearest = std::fabs(off);
      direction = off > 0 ? 1 : -1;
    }
    return direction;
  }

  void add_signal(const std::vector<Use>& uses, std::uint32_t node) {
    const Road& first = roads_[uses.front().road];
    if (!budget_.take(uses.size() * uses.size(), first.line[first.at[uses.front().index]])) return;
    for (const Use& use : uses) {
      double widest = 0;
      for (const Use& other : uses)
        if (other.road != use.road) widest = std::max(widest, roads_[other.road].width);
      const double back = widest / 2 + kSetback, here = along_[use.road][use.index];
      const Road& road = roads_[use.road];
      // Before the node for traffic along the way, and after it for oncoming traffic.
      if (road.one_way >= 0 && here - back > 0)
        marks_.push_back({RoadMark::Kind::stop_line, use.road, here - back, 1, RoadMark::Sign::signal, node});
      if (road.one_way <= 0 && here + back < along_[use.road].back())
        marks_.push_back({RoadMark::Kind::stop_line, use.road, here + back, -1, RoadMark::Sign::signal, node});
    }
  }

  const std::vector<Road>& roads_;
  const Budget& budget_;
  std::map<std::uint32_t, Sign> signs_;             // by node
  std::map<std::uint32_t, std::vector<Use>> uses_;  // by node
  std::vector<std::vector<double>> along_;          // of each road's nodes
  std::vector<RoadMark> marks_;
};
}  // namespace

std::vector<RoadMark> road_marks(const osm::Model& map, const std::vector<Road>& roads, const Budget& budget) {
  return Marker(map, roads, budget).run();
}

}  // namespace simbatch::roads
