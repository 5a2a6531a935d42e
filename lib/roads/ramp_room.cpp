// Our own method: shortest paths along the network (Dijkstra 1959) from the ends of the bridge to the nearest place that cannot be
// raised.
#include "lib/roads/ramp_room.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>

#include "lib/roads/levels.hpp"

namespace simbatch::roads::detail {
namespace {
constexpr double kLongestPiece = 20'000;  // m: of the straight pieces in the search
}

RampRoom::RampRoom(const SpanNetwork& network, const Budget& budget) : network_(network), budget_(budget) {
  for (std::uint32_t s = 0; s < network.spans.size(); ++s)
    network.each_segment(s, [&](const Segment& segment) {
      if (distance(segment.a, segment.b) <= kLongestPiece) index_.add(segment);
    });
  index_.build();
  for (std::size_t r = network.own; r < network.roads.size(); ++r)
    railway_nodes_.insert(network.roads[r].nodes.begin(), network.roads[r].nodes.end());
}

bool RampRoom::meet(std::uint32_t a, std::uint32_t b) const {
  for (const bool last_a : {false, true})
    for (const bool last_b : {false, true})
      if (network_.node(a, last_a) == network_.node(b, last_b)) return true;
  return false;
}

const std::vector<RampRoom::Stop>& RampRoom::stops_of(std::uint32_t span) {
  const auto [entry, is_new] = stops_.try_emplace(span);
  if (!is_new) return entry->second;
  std::vector<Stop>& stops = entry->second;
  network_.each_segment(span, [&](const Segment& own) {
    if (distance(own.a, own.b) > kLongestPiece || budget_.crowded()) return;
    index_.near(own, found_);
    budget_.take(static_cast<std::uint64_t>(0.25 * distance(own.a, own.b)) + 4 * found_.size(), own.a);
    for (const std::uint32_t n : found_) {
      const Segment& other = index_[n];
      const Road& road = network_.road(other.span);
      if (other.span == span || road.layer != network_.road(span).layer || meet(span, other.span)) continue;
      const EastNorth u = minus(own.b, own.a), v = minus(other.b, other.a), between = minus(other.a, own.a);
      const double sine = cross(u, v);
      if (sine == 0) continue;
      const double t = cross(between, v) / sine, w = cross(between, u) / sine;
      if (t >= 0 && t <= 1 && w >= 0 && w <= 1) stops.push_back({own.along + t * length(u), road.width / 2});
    }
  });
  return stops;
}

double RampRoom::highest(std::uint32_t span, double low, double high, double wanted) {
  double room = kRampLength * wanted;
  for (const Stop& stop : stops_of(span))
    room = std::min(room, std::max({0.0, low - stop.along, stop.along - high}) - stop.half);
  // Distance, node, and whether no junction lies between it and the bridge.
  using Entry = std::tuple<double, std::uint32_t, bool>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.emplace(low, network_.node(span, false), true);
  queue.emplace(network_.spans[span].length - high, network_.node(span, true), true);
  std::set<std::uint32_t> visited;
  while (!queue.empty() && !budget_.crowded()) {
    const auto [meters, node, is_straight] = queue.top();
    queue.pop();
    if (meters >= room) break;
    if (!visited.insert(node).second) continue;
    const std::vector<std::uint32_t>& spans = network_.spans_at.at(node);
    if (railway_nodes_.contains(node) || (spans.size() == 1 && is_straight)) room = std::min(room, meters);
    for (const std::uint32_t next : spans) {
      if (next == span) continue;
      const double length = network_.spans[next].length;
      const bool is_reversed = network_.node(next, false) != node;
      for (const Stop& stop : stops_of(next))
        room = std::min(room, meters + (is_reversed ? length - stop.along : stop.along) - stop.half);
      queue.emplace(meters + length, network_.node(next, is_reversed ? false : true), is_straight && spans.size() == 2);
    }
  }
  return std::clamp(room / kRampLength, 0.0, wanted);
}

}  // namespace simbatch::roads::detail
