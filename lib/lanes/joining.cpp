// Our own; junctions are joined by a union-find with path halving (Tarjan and van Leeuwen 1984), ways across them found by
// Dijkstra's algorithm.
#include "lib/lanes/joining.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "lib/lanes/sampling.hpp"
#include "lib/lanes/surface.hpp"

namespace simbatch::lanes::detail {
namespace {

constexpr double kApart = 20;            // m: lights with more between them are independent
constexpr std::size_t kMostJoined = 16;  // junctions
constexpr double kBackBend = 2.6;        // rad: ways that bend more turn back
constexpr double kDetour = 1.4;          // a way may be longer than the direct one
constexpr double kTiny = 0.1;            // m: length of a link where one lane begins at the end of another

class Joiner {
 public:
  explicit Joiner(const Network& network) { out_.network = network; }

  Crossings run() {
    find_inside();
    divide_loops();
    std::map<std::size_t, std::size_t> numbers;  // first junction -> crossing
    for (std::size_t j = 0; j < junctions().size(); ++j) {
      const auto [at, is_new] = numbers.try_emplace(root(j), out_.crossings.size());
      if (is_new) out_.crossings.push_back({junctions()[j].source, {}});
      out_.crossing_of.push_back(at->second);
    }
    for (std::size_t j = 0; j < junctions().size(); ++j)
      for (const Turn& turn : junctions()[j].turns)
        if (!out_.is_inside[turn.from_road]) add_links(turn, out_.crossings[out_.crossing_of[j]]);
    return std::move(out_);
  }

 private:
  std::vector<Road>& roads() { return out_.network.roads; }
  std::vector<Junction>& junctions() { return out_.network.junctions; }

  std::size_t root(std::size_t j) {
    while (parent_[j] != j) j = parent_[j] = parent_[parent_[j]];
    return j;
  }

  void find_inside() {
    parent_.resize(junctions().size());
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    std::vector<std::size_t> size(parent_.size(), 1), candidates;
    std::vector<bool> has_light(junctions().size(), false);
    for (const Road& road : roads())
      for (const Sign& sign : road.signs)
        if (const auto at = sign.is_forward ? road.end_junction : road.start_junction; at && sign.is_light)
          has_light[*at] = true;
    for (std::size_t r = 0; r < roads().size(); ++r) {
      const Road& road = roads()[r];
      if (road.line.length < kApart && !road.is_roundabout && road.start_junction && road.end_junction &&
          road.start_junction != road.end_junction && has_light[*road.start_junction] && has_light[*road.end_junction])
        candidates.push_back(r);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::size_t a, std::size_t b) { return roads()[a].line.length < roads()[b].line.length; });
    out_.is_inside.resize(roads().size());
    for (const std::size_t r : candidates) {
      const std::size_t a = root(*roads()[r].start_junction), b = root(*roads()[r].end_junction);
      if (a != b && size[a] + size[b] > kMostJoined) continue;
      out_.is_inside[r] = true;
      if (a == b) continue;
      parent_[std::max(a, b)] = std::min(a, b);
      size[std::min(a, b)] += size[std::max(a, b)];
    }
    divide_unreached();
  }

  /// Junctions stay apart if all roads at them would be inside: no car could enter their crossing.
  void divide_unreached() {
    std::vector<bool> is_reached(junctions().size(), false);
    for (std::size_t r = 0; r < roads().size(); ++r)
      for (const auto& at : {roads()[r].start_junction, roads()[r].end_junction})
        if (at && !out_.is_inside[r]) is_reached[root(*at)] = true;
    for (std::size_t r = 0; r < roads().size(); ++r)
      if (out_.is_inside[r] && !is_reached[root(*roads()[r].start_junction)]) out_.is_inside[r] = false;
    std::vector<std::size_t> roots;
    for (std::size_t j = 0; j < junctions().size(); ++j) roots.push_back(root(j));
    for (std::size_t j = 0; j < junctions().size(); ++j)
      if (!is_reached[roots[j]]) parent_[j] = j;
  }

  /// Roads from a crossing to itself become two, joined by a junction.
  void divide_loops() {
    for (std::size_t r = 0, n = roads().size(); r < n; ++r) {
      if (out_.is_inside[r] || !roads()[r].start_junction || !roads()[r].end_junction) continue;
      if (root(*roads()[r].start_junction) != root(*roads()[r].end_junction)) continue;
      Road &first = roads()[r], second = first;
      const double middle = first.line.length / 2, gap = std::min(kTiny, middle / 2);
      const Line whole = first.line;
      first.line = part_of(whole, 0, middle - gap / 2);
      second.line = part_of(whole, middle + gap / 2, whole.length);
      std::erase_if(first.signs, [](const Sign& sign) { return sign.is_forward; });
      std::erase_if(second.signs, [](const Sign& sign) { return !sign.is_forward; });
      for (std::size_t j : {*first.start_junction, *first.end_junction})
        for (Turn& turn : junctions()[j].turns) {
          if (turn.from_road == r && turn.from_lane < 0) turn.from_road = roads().size();
          if (turn.to_road == r && turn.to_lane > 0) turn.to_road = roads().size();
        }
      Junction between{first.source, {}};
      const auto follow = [&](const std::vector<Lane>& side, int sign) {
        for (std::size_t i = 0; i < side.size(); ++i) {
          const LaneId lane = sign * static_cast<int>(i + 1);
          const std::size_t rest = roads().size(), from = sign < 0 ? r : rest, to = sign < 0 ? rest : r;
          if (!side[i].is_sidewalk) between.turns.push_back({from, lane, to, lane});
        }
      };
      follow(first.right, -1);
      follow(first.left, 1);
      first.end_junction = second.start_junction = junctions().size();
      parent_.push_back(parent_.size());
      junctions().push_back(std::move(between));
      roads().push_back(std::move(second));
      out_.is_inside.push_back(false);
    }
  }

  Link link_of(const Turn& turn) {
    Link link;
    link.turn = turn;
    const Place start = lane_end(out_.network, roads()[turn.from_road], turn.from_lane, turn.from_lane < 0);
    link.bend = wrapped(lane_place(roads()[turn.to_road], turn.to_lane, turn.to_lane > 0).heading - start.heading);
    if (const auto curve = curve_of(out_.network, turn)) {
      link.path = turn_path(out_.network, turn, *curve);
      link.length = curve->length + climb_of(link.path);
    } else {
      link.path = {start, start};
      link.path[1].at = {start.at.east + kTiny * std::cos(start.heading), start.at.north + kTiny * std::sin(start.heading)};
      link.length = kTiny;
    }
    return link;
  }

  static void append(std::vector<Place>& path, const std::vector<Place>& more) {
    for (const Place& place : more)
      if (path.empty() || distance(path.back().at, place.at) > kPoint) path.push_back(place);
  }

  /// True if a way leads along no road inside.
  bool is_single(const Link& way) {
    const Turn& turn = way.turn;
    const auto from = turn.from_lane < 0 ? roads()[turn.from_road].end_junction : roads()[turn.from_road].start_junction,
               to = turn.to_lane < 0 ? roads()[turn.to_road].start_junction : roads()[turn.to_road].end_junction;
    return from == to;
  }

  /// A way along roads inside, or a turn from its first lane to its last where that is not much shorter.
  Link direct(const Link& way) {
    Link turn = link_of(way.turn);
    return std::fabs(way.bend) < kBackBend && way.length < kDetour * turn.length ? turn : way;
  }

  /// The shortest ways from a turn into a crossing to each lane that leads out of it.
  void add_links(const Turn& entry, Crossing& crossing) {
    using Key = std::pair<std::size_t, LaneId>;
    std::map<Key, Link> best;
    std::set<std::pair<double, Key>> queue;
    std::set<Key> done;
    const auto reach = [&](Link link) {
      const Key key{link.turn.to_road, link.turn.to_lane};
      const auto known = best.find(key);
      if (known != best.end()) {
        if (known->second.length <= link.length) return;
        queue.erase({known->second.length, key});
      }
      queue.insert({link.length, key});
      best[key] = std::move(link);
    };
    reach(link_of(entry));
    while (!queue.empty()) {
      const Key key = queue.begin()->second;
      queue.erase(queue.begin());
      if (!done.insert(key).second) continue;
      const Link& way = best.at(key);
      if (!out_.is_inside[key.first]) {
        if (key.first != entry.from_road && (std::fabs(way.bend) < kBackBend || is_single(way)))
          crossing.links.push_back(direct(way));
        continue;
      }
      const Road& inside = roads()[key.first];
      for (const Turn& turn : junctions()[key.second < 0 ? *inside.end_junction : *inside.start_junction].turns) {
        if (turn.from_road != key.first || turn.from_lane != key.second) continue;
        Link next = way;
        const Link last = link_of(turn);
        const std::vector<Place> along = lane_path(out_.network, inside, key.second, samples_of(out_.network, inside));
        append(next.path, along);
        append(next.path, last.path);
        next.turn.to_road = turn.to_road;
        next.turn.to_lane = turn.to_lane;
        next.bend += last.bend + wrapped(along.back().heading - along.front().heading);
        next.length += inside.line.length + climb_of(along) + last.length;
        reach(std::move(next));
      }
    }
  }

  Crossings out_;
  std::vector<std::size_t> parent_;
};

/// Of several links between the same lanes the shortest.
void remove_repeated(Crossing& crossing) {
  std::map<std::tuple<std::size_t, LaneId, std::size_t, LaneId>, double> shortest;
  const auto key = [](const Link& link) {
    return std::tuple(link.turn.from_road, link.turn.from_lane, link.turn.to_road, link.turn.to_lane);
  };
  for (const Link& link : crossing.links) {
    const auto [at, is_new] = shortest.try_emplace(key(link), link.length);
    if (!is_new) at->second = std::min(at->second, link.length);
  }
  std::erase_if(crossing.links, [&](const Link& link) {
    const auto at = shortest.find(key(link));
    if (at == shortest.end() || at->second != link.length) return true;
    shortest.erase(at);
    return false;
  });
}

}  // namespace

Crossings crossings_of(const Network& network) {
  Crossings result = Joiner(network).run();
  for (Crossing& crossing : result.crossings) remove_repeated(crossing);
  return result;
}

}  // namespace simbatch::lanes::detail
