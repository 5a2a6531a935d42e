// Our own method. Point in polygon by the even-odd rule: Shimrat, Algorithm 112, 1962.
#include "lib/roads/passages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "lib/roads/convex.hpp"
#include "lib/roads/prism_index.hpp"

namespace simbatch::roads {
namespace {
using detail::contains;
using detail::EastNorth;

/// A part of a road inside a building that begins or ends with the road itself.
struct Inside {
  std::uint32_t prism = 0;
  std::uint32_t node[2] = {kNone, kNone};  // in which the road begins or ends
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  /// Whether the road leaves the building at its other end.
  bool is_exit() const { return node[0] == kNone || node[1] == kNone; }
};

/// Goes along roads and notes where they are inside buildings.
class Passages {
 public:
  Passages(const std::vector<Prism>& prisms, const Budget& budget)
      : prisms_(prisms), index_(prisms, 0, budget), budget_(budget), is_crossed_(prisms.size(), false) {}

  const std::vector<bool>& is_crossed() const { return is_crossed_; }
  /// @return false when the budget is used up
  bool add(const Road& road) {
    ways_at_node(road);
    if (road.is_tunnel) return true;
    std::vector<Inside> open;  // the buildings in which the last sample was
    bool is_first = true;
    for (std::size_t i = 1; i < road.line.size(); ++i) {
      const EastNorth a = road.line[i - 1], step = detail::minus(road.line[i], a);
      const int n = std::max(1, static_cast<int>(std::ceil(detail::length(step))));
      for (int k = 0; k < n; ++k) {
        // In the middle of each meter: nodes at walls may be on either side.
        const std::uint64_t corners = find(detail::plus(a, detail::times((k + 0.5) / n, step)));
        if (!budget_.take(1 + corners / 4, a)) return false;  // 2 ns each
        leave(open);
        for (const std::uint32_t prism : here_)
          if (std::none_of(open.begin(), open.end(), [prism](const Inside& o) { return o.prism == prism; }))
            open.push_back({prism, {is_first && !road.nodes.empty() ? road.nodes.front() : Inside::kNone, Inside::kNone}});
        is_first = false;
      }
    }
    for (Inside& inside : open) {
      inside.node[1] = road.nodes.empty() ? Inside::kNone : road.nodes.back();
      inside_.push_back(inside);
    }
    return true;
  }
  /// Looks for ways through that several roads make together. Call it after the last add().
  void join() {
    std::sort(inside_.begin(), inside_.end(), [](const Inside& a, const Inside& b) { return a.prism < b.prism; });
    for (std::size_t first = 0, last = 0; first < inside_.size(); first = last) {
      while (last < inside_.size() && inside_[last].prism == inside_[first].prism) ++last;
      if (has_way_through({inside_.data() + first, last - first})) is_crossed_[inside_[first].prism] = true;
    }
  }

 private:
  /// Makes here_ the buildings that contain a place. @return  number of corners compared
  std::uint64_t find(EastNorth place) {
    here_.clear();
    std::uint64_t corners = 0;
    index_.each_near(place, [&](std::uint32_t prism) {
      corners += prisms_[prism].outer.size();
      if (contains(prisms_[prism].outer, place)) here_.push_back(prism);
    });
    return corners;
  }
  /// Every node counts the ways that lead away from it.
  void ways_at_node(const Road& road) {
    for (std::size_t n = 0; n < road.nodes.size(); ++n) ways_[road.nodes[n]] += n == 0 || n + 1 == road.nodes.size() ? 1 : 2;
  }
  /// Takes the buildings out of `open` in which the road is no more.
  void leave(std::vector<Inside>& open) {
    std::erase_if(open, [this](const Inside& inside) {
      if (std::find(here_.begin(), here_.end(), inside.prism) != here_.end()) return false;
      if (inside.node[0] == Inside::kNone)
        is_crossed_[inside.prism] = true;
      else
        inside_.push_back(inside);
      return true;
    });
  }
  /// Whether those of one building that hang together leave it in two places.
  bool has_way_through(std::span<const Inside> parts) const {
    struct Place {
      std::size_t group = 0;
      int inside = 0;  // ways that lead away from the node and are in the building
    };
    std::map<std::uint32_t, Place> places;
    for (const Inside& part : parts)
      for (const std::uint32_t node : part.node)
        if (node != Inside::kNone) ++places[node].inside;
    std::vector<std::size_t> parents;
    for (auto& [node, place] : places) {
      place.group = parents.size();
      parents.push_back(place.group);
    }
    const auto root = [&parents](std::size_t group) {
      while (parents[group] != group) group = parents[group] = parents[parents[group]];
      return group;
    };
    for (const Inside& part : parts)
      if (!part.is_exit()) parents[root(places[part.node[0]].group)] = root(places[part.node[1]].group);
    std::vector<int> exits(parents.size(), 0);
    for (const auto& [node, place] : places)
      if (ways_.at(node) > place.inside) ++exits[root(place.group)];  // the others are outside
    for (const Inside& part : parts)
      if (part.is_exit()) ++exits[root(places[part.node[part.node[0] == Inside::kNone ? 1 : 0]].group)];
    return std::any_of(exits.begin(), exits.end(), [](int n) { return n > 1; });
  }

  const std::vector<Prism>& prisms_;
  PrismIndex index_;
  const Budget& budget_;
  std::vector<bool> is_crossed_;
  std::vector<Inside> inside_;
  std::map<std::uint32_t, int> ways_;
  std::vector<std::uint32_t> here_;
};
}  // namespace

void open_passages(BuildingSelection& selection, const std::vector<Road>& roads, const Budget& budget) {
  Passages passages(selection.prisms, budget);
  for (const Road& road : roads)
    if (budget.crowded() || !passages.add(road)) return;
  passages.join();
  std::size_t n = 0;
  std::erase_if(selection.prisms, [&](const Prism&) { return passages.is_crossed()[n++]; });
  selection.crossed += n - selection.prisms.size();
}

}  // namespace simbatch::roads
