// SUMO's format: "Networks/SUMO_Road_Networks" in its documentation; edges, then junctions in the order of the links that their
// requests describe, then connections. The speed of turns is that of netconvert: 5.5 m/s^2 to the side.
#include "lib/lanes/to_sumo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lib/lanes/codes.hpp"
#include "lib/lanes/joining.hpp"
#include "lib/lanes/right_of_way.hpp"
#include "lib/lanes/sampling.hpp"
#include "lib/lanes/surface.hpp"

namespace simbatch::lanes {
namespace {

using detail::Approach;
using detail::Link;
using detail::Rule;
using geo::EastNorth;
using std::numbers::pi;

constexpr double kSideways = 5.5;        // m/s^2
constexpr double kLeastSpeed = 1;        // m/s
constexpr double kWalking = 10 / 3.6;    // m/s: limit of sidewalks
constexpr double kLeastLength = 0.1;     // m
constexpr double kLinkBend = 0.5;        // rad: links with a larger angle are left or right turns
constexpr double kTurnBack = 2.6;        // rad: turns back
constexpr std::size_t kMostLinks = 256;  // of a junction with right of way, in SUMO

/// A lane through a junction: the first of its edge is 0.
struct InnerLane {
  std::string edge;
  std::size_t lane = 0;
  std::string id() const { return sumo::lane_id(edge, lane); }
};
/// Of a link: where its cars enter, and the last one; the same unless they wait inside.
struct InnerLanes {
  InnerLane first, last;
};

/// The usual speed of a kind of road without a limit (km/h).
double usual_speed(std::string_view kind) {
  static constexpr std::pair<std::string_view, double> kKinds[] = {
      {"motorway", 120}, {"motorway_link", 80}, {"trunk", 100}, {"trunk_link", 80}, {"service", 20}, {"living_street", 10}};
  for (const auto& [name, speed] : kKinds)
    if (name == kind) return speed;
  return 50;
}

const char* type_of(Rule rule) {
  switch (rule) {
    case Rule::priority: return "priority";
    case Rule::right_before_left: return "right_before_left";
    case Rule::stop: return "priority_stop";
    case Rule::all_stop: return "allway_stop";
    case Rule::lights: return "traffic_light";
  }
  return "";
}

sumo::Point point_of(const Place& place) { return {place.at.east, place.at.north, place.height}; }

std::vector<sumo::Point> shape_of(const std::vector<Place>& places) {
  std::vector<sumo::Point> shape;
  for (const Place& place : places) shape.push_back(point_of(place));
  return shape;
}

class NetMaker {
 public:
  NetMaker(const Network& network, Diagnostics& diagnostics)
      : crossings_(detail::crossings_of(network)), network_(crossings_.network), diagnostics_(diagnostics) {}

  sumo::Net run() {
    net_.origin = network_.origin;
    net_.has_heights = network_.height_at != nullptr;
    name_roads();
    name_junctions();
    for (std::size_t r = 0; r < network_.roads.size(); ++r)
      if (!crossings_.is_inside[r]) add_road(r);
    for (std::size_t j = 0; j < crossings_.crossings.size(); ++j) add_junction(j);
    for (auto* part : {&internal_edges_, &edges_}) std::move(part->begin(), part->end(), std::back_inserter(net_.edges));
    add_dead_ends();
    add_roundabouts();
    std::move(inner_junctions_.begin(), inner_junctions_.end(), std::back_inserter(net_.junctions));
    std::move(inner_connections_.begin(), inner_connections_.end(), std::back_inserter(net_.connections));
    report();
    return std::move(net_);
  }

 private:
  // Names ------------------------------------------------------------------------------------------------------------------

  static std::string plain(const std::string& source) {
    return source.starts_with('-') ? "n" + source.substr(1) : source;  // a dash marks the direction against the line
  }

  /// Distinct names: those that occur more than once, or are empty, are numbered.
  template <class Items>
  static std::vector<std::string> names_of(const Items& items) {
    std::map<std::string, int> uses, used;
    for (const auto& item : items) ++uses[plain(item.source)];
    std::vector<std::string> names;
    for (const auto& item : items) {
      const std::string name = plain(item.source);
      names.push_back(uses[name] == 1 && !name.empty() ? name : fmt::format("{}#{}", name, used[name]++));
    }
    return names;
  }

  void name_roads() { road_names_ = names_of(network_.roads); }

  void name_junctions() {
    junction_names_ = names_of(crossings_.crossings);
    approaches_.resize(crossings_.crossings.size());
    for (std::size_t r = 0; r < network_.roads.size(); ++r) {
      if (crossings_.is_inside[r]) continue;
      for (const bool at_end : {false, true})
        if (const auto crossing = crossing_at(network_.roads[r], at_end))
          approaches_[*crossing].push_back(approach_of(r, at_end));
    }
  }

  std::optional<std::size_t> crossing_at(const Road& road, bool at_end) const {
    const auto junction = at_end ? road.end_junction : road.start_junction;
    return junction ? std::optional(crossings_.crossing_of[*junction]) : std::nullopt;
  }

  std::string edge_of(std::size_t road, bool is_forward) const { return (is_forward ? "" : "-") + road_names_[road]; }
  std::string junction_of(std::size_t r, bool at_end) const {
    const auto junction = crossing_at(network_.roads[r], at_end);
    return junction ? junction_names_[*junction] : road_names_[r] + (at_end ? "_end" : "_start");
  }

  /// SUMO's number of a lane, from the right.
  std::size_t index_of(std::size_t road, LaneId lane) const {
    const auto& side = lane < 0 ? network_.roads[road].right : network_.roads[road].left;
    return side.size() - static_cast<std::size_t>(std::abs(lane));
  }

  // Roads ------------------------------------------------------------------------------------------------------------------

  double speed_of(const Road& road) const { return road.speed.value_or(usual_speed(road.kind) / 3.6); }

  void add_road(std::size_t r) {
    const Road& road = network_.roads[r];
    const std::vector<double> samples = detail::samples_of(network_, road);
    const double length = road.line.length + detail::climb_of(network_, road);
    if (!road.speed) ++guessed_speeds_;
    for (const bool is_forward : {true, false}) {
      const auto& side = is_forward ? road.right : road.left;
      if (side.empty()) continue;
      sumo::Edge edge;
      edge.id = edge_of(r, is_forward);
      edge.from = junction_of(r, !is_forward);
      edge.to = junction_of(r, is_forward);
      edge.name = road.name;
      edge.type = road.kind == "lane" ? "" : "highway." + road.kind;
      edge.priority = detail::importance_of(road.kind);
      for (auto n = static_cast<int>(side.size()); n > 0; --n)
        edge.lanes.push_back(lane_along(road, is_forward ? -n : n, samples, length));
      edges_.push_back(std::move(edge));
    }
  }

  sumo::Lane lane_along(const Road& road, LaneId id, const std::vector<double>& samples, double length) const {
    const Lane& lane = lane_of(road, id);
    sumo::Lane out;
    out.speed = lane.is_sidewalk ? kWalking : speed_of(road);
    out.length = std::max(length, kLeastLength);
    out.width = lane.width;
    if (lane.is_sidewalk)
      out.allow = "pedestrian";
    else if (road.kind == "busway")
      out.allow = "bus";
    else
      out.disallow = road.kind.starts_with("motorway") ? "pedestrian bicycle" : "pedestrian";
    out.shape = shape_of(detail::lane_path(network_, road, id, samples));
    return out;
  }

  // Junctions --------------------------------------------------------------------------------------------------------------

  Approach approach_of(std::size_t r, bool is_end) const {
    const Road& road = network_.roads[r];
    Approach approach;
    approach.road = r;
    approach.is_end = is_end;
    const double heading = place_at(road.line, is_end ? road.line.length : 0).heading;
    approach.heading = is_end ? wrapped(heading + pi) : heading;
    approach.importance = detail::importance_of(road.kind) + (road.is_roundabout ? 100 : 0);
    for (const Sign& sign : road.signs)
      if (sign.is_forward == is_end) (sign.is_light ? approach.has_light : approach.has_stop) = true;
    return approach;
  }

  /// The links of a junction, in the order of its incoming lanes: approaches clockwise from the north, lanes from the right.
  std::vector<Link> links_of(std::size_t j) {
    auto& approaches = approaches_[j];
    const auto clockwise = [](const Approach& a) {
      const double angle = wrapped(pi / 2 - a.heading);
      return angle < 0 ? angle + 2 * pi : angle;
    };
    std::stable_sort(approaches.begin(), approaches.end(),
                     [&](const Approach& a, const Approach& b) { return clockwise(a) < clockwise(b); });
    std::map<std::pair<std::size_t, bool>, std::size_t> number;
    for (std::size_t i = 0; i < approaches.size(); ++i) number[{approaches[i].road, approaches[i].is_end}] = i;
    std::vector<Link> links = std::move(crossings_.crossings[j].links);
    for (Link& link : links) {
      link.approach = number.at({link.turn.from_road, link.turn.from_lane < 0});
      approaches[link.approach].has_in = true;
    }
    const auto key = [&](const Link& link) {
      return std::tuple(link.approach, index_of(link.turn.from_road, link.turn.from_lane), link.bend, link.turn.to_road,
                        index_of(link.turn.to_road, link.turn.to_lane));
    };
    std::stable_sort(links.begin(), links.end(), [&](const Link& a, const Link& b) { return key(a) < key(b); });
    return links;
  }

  void add_junction(std::size_t j) {
    std::vector<Link> links = links_of(j);
    const auto& approaches = approaches_[j];
    sumo::Junction junction;
    junction.id = junction_names_[j];
    set_place(approaches, junction);
    for (const Approach& approach : approaches) {
      const Road& road = network_.roads[approach.road];
      const auto& side = approach.is_end ? road.right : road.left;
      for (std::size_t i = 0; i < side.size(); ++i)
        junction.incoming.push_back(sumo::lane_id(edge_of(approach.road, approach.is_end), i));
    }
    detail::RightOfWay right;
    const bool is_ordered = links.size() <= kMostLinks;
    if (is_ordered) {
      right = detail::right_of_way(network_, approaches, links);
    } else {
      ++unordered_;
      right.waits_inside.resize(links.size());
    }
    junction.type = is_ordered ? type_of(right.rule) : "unregulated";
    const std::vector<InnerLanes> inner = add_inner_lanes(junction.id, links, right);
    for (const InnerLanes& lanes : inner) junction.internal.push_back(lanes.last.id());
    if (is_ordered) {
      for (std::size_t i = 0; i < links.size(); ++i)
        junction.requests.push_back({right.yields[i], right.foes[i], right.waits_inside[i].has_value()});
      add_inner_junctions(links, right, inner);
      if (right.rule == Rule::lights)
        net_.programs.push_back({junction.id, detail::light_phases(network_, approaches, links, right)});
    }
    add_connections(junction.id, links, right, inner);
    net_.junctions.push_back(std::move(junction));
  }

  void set_place(const std::vector<Approach>& approaches, sumo::Junction& junction) const {
    std::vector<Place> corners;
    for (const Approach& approach : approaches) {
      const Road& road = network_.roads[approach.road];
      const double s = approach.is_end ? road.line.length : 0;
      const Place end = place_at(road.line, s);
      const auto height = [&](EastNorth at) { return detail::height_on(network_, road, s, at); };
      double left = road.shift, right = road.shift;
      for (const Lane& lane : road.left) left += lane.width;
      for (const Lane& lane : road.right) right -= lane.width;
      for (const double t : {left, right}) corners.push_back({left_of(end, t), 0, height(left_of(end, t))});
      junction.at.east += end.at.east / static_cast<double>(approaches.size());
      junction.at.north += end.at.north / static_cast<double>(approaches.size());
      junction.at.height += height(end.at) / static_cast<double>(approaches.size());
    }
    junction.shape = shape_of(detail::hull_of(std::move(corners)));
  }

  double turn_speed(const Link& link) const {
    const double usual = (speed_of(network_.roads[link.turn.from_road]) + speed_of(network_.roads[link.turn.to_road])) / 2;
    const double bend = std::fabs(link.bend);
    return bend < 1e-3 ? usual : std::clamp(std::sqrt(kSideways * link.length / bend), std::min(kLeastSpeed, usual), usual);
  }

  sumo::Lane inner_lane(const Link& link, const std::vector<Place>& path, double length) const {
    sumo::Lane lane;
    lane.speed = turn_speed(link);
    lane.length = std::max(length, kLeastLength);
    lane.width = lane_of(network_.roads[link.turn.from_road], link.turn.from_lane).width;
    lane.shape = shape_of(path);
    const std::string_view kind = network_.roads[link.turn.to_road].kind;
    if (kind == "busway" || network_.roads[link.turn.from_road].kind == "busway")
      lane.allow = "bus";
    else
      lane.disallow = kind.starts_with("motorway") ? "pedestrian bicycle" : "pedestrian";
    return lane;
  }

  /// Adds the edges through a junction. @return  the lanes of each link
  std::vector<InnerLanes> add_inner_lanes(const std::string& junction, const std::vector<Link>& links,
                                          const detail::RightOfWay& right) {
    std::vector<InnerLanes> inner(links.size());
    std::size_t extra = links.size();
    const auto add = [&](std::size_t number, std::vector<sumo::Lane> lanes) {
      sumo::Edge edge;
      edge.is_internal = true;
      edge.id = fmt::format(":{}_{}", junction, number);
      edge.lanes = std::move(lanes);
      internal_edges_.push_back(std::move(edge));
      return internal_edges_.back().id;
    };
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!inner[i].first.edge.empty()) continue;
      if (const auto wait = right.waits_inside[i]) {
        const auto [head, tail] = detail::divided(links[i].path, *wait);
        const double length = *wait + detail::climb_of(head);
        inner[i].first = {add(i, {inner_lane(links[i], head, length)}), 0};
        inner[i].last = {add(extra++, {inner_lane(links[i], tail, links[i].length - length)}), 0};
        continue;
      }
      std::vector<sumo::Lane> lanes;
      std::vector<std::size_t> of;  // links
      double length = 0;
      for (std::size_t k = i; k < links.size() && links[k].approach == links[i].approach; ++k) {
        if (right.waits_inside[k] || links[k].turn.to_road != links[i].turn.to_road ||
            (links[k].turn.to_lane < 0) != (links[i].turn.to_lane < 0))
          continue;
        of.push_back(k);
        lanes.push_back(inner_lane(links[k], links[k].path, links[k].length));
        length += lanes.back().length;
      }
      // Lanes of one edge are equally long for SUMO.
      for (sumo::Lane& lane : lanes) lane.length = length / static_cast<double>(lanes.size());
      const std::string edge = add(i, std::move(lanes));
      for (std::size_t n = 0; n < of.size(); ++n) inner[of[n]] = {{edge, n}, {edge, n}};
    }
    return inner;
  }

  void add_inner_junctions(const std::vector<Link>& links, const detail::RightOfWay& right,
                           const std::vector<InnerLanes>& lanes) {
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (!right.waits_inside[i]) continue;
      sumo::Junction inner;
      inner.id = lanes[i].last.id();
      inner.type = "internal";
      inner.at = point_of(detail::divided(links[i].path, *right.waits_inside[i]).first.back());
      inner.incoming = {lanes[i].first.id()};
      std::set<std::string> seen;
      for (std::size_t k = 0; k < links.size(); ++k) {
        if (right.foes[i][k]) inner.internal.push_back(lanes[k].first.id());
        if (!right.yields[i][k]) continue;
        const std::string lane = from_lane_of(links[k]);
        if (seen.insert(lane).second) inner.incoming.push_back(lane);
      }
      inner_junctions_.push_back(std::move(inner));
    }
  }

  std::string from_lane_of(const Link& link) const {
    return sumo::lane_id(edge_of(link.turn.from_road, link.turn.from_lane < 0),
                         index_of(link.turn.from_road, link.turn.from_lane));
  }

  static char state_of(Rule rule, const Approach& approach, bool yields) {
    switch (rule) {
      case Rule::lights: return yields ? 'o' : 'O';
      case Rule::all_stop: return 'w';
      case Rule::right_before_left: return '=';
      case Rule::stop: return approach.has_stop ? 's' : yields ? 'm' : 'M';
      case Rule::priority: return yields ? 'm' : 'M';
    }
    return 'M';
  }

  void add_connections(const std::string& junction, const std::vector<Link>& links, const detail::RightOfWay& right,
                       const std::vector<InnerLanes>& inner) {
    const auto leave = [](sumo::Connection& connection, const InnerLane& from) {
      connection.from = from.edge;
      connection.from_lane = from.lane;
    };
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Link& link = links[i];
      sumo::Connection connection;
      connection.from = edge_of(link.turn.from_road, link.turn.from_lane < 0);
      connection.from_lane = index_of(link.turn.from_road, link.turn.from_lane);
      connection.to = edge_of(link.turn.to_road, link.turn.to_lane < 0);
      connection.to_lane = index_of(link.turn.to_road, link.turn.to_lane);
      connection.direction = std::fabs(link.bend) > kTurnBack ? 't'
                             : link.bend > kLinkBend          ? 'l'
                             : link.bend < -kLinkBend         ? 'r'
                                                              : 's';
      sumo::Connection through = connection, out = connection;
      connection.via = inner[i].first.id();
      if (right.rule == Rule::lights) connection.light = junction, connection.light_index = i;
      const bool yields =
          !right.yields.empty() && std::find(right.yields[i].begin(), right.yields[i].end(), true) != right.yields[i].end();
      connection.state = state_of(right.rule, approach_of(link), yields);
      net_.connections.push_back(std::move(connection));
      if (right.waits_inside[i]) {
        leave(through, inner[i].first);
        through.via = inner[i].last.id();
        through.state = 'm';
        inner_connections_.push_back(std::move(through));
      }
      leave(out, inner[i].last);
      inner_connections_.push_back(std::move(out));
    }
  }

  const Approach& approach_of(const Link& link) const {
    const Road& road = network_.roads[link.turn.from_road];
    return approaches_[*crossing_at(road, link.turn.from_lane < 0)][link.approach];
  }

  void add_dead_ends() {
    for (std::size_t r = 0; r < network_.roads.size(); ++r)
      for (const bool at_end : {false, true}) {
        const Road& road = network_.roads[r];
        if (crossings_.is_inside[r] || crossing_at(road, at_end)) continue;
        sumo::Junction junction;
        junction.id = junction_of(r, at_end);
        junction.type = "dead_end";
        set_place({approach_of(r, at_end)}, junction);
        const auto& side = at_end ? road.right : road.left;
        for (std::size_t i = 0; i < side.size(); ++i) junction.incoming.push_back(sumo::lane_id(edge_of(r, at_end), i));
        net_.junctions.push_back(std::move(junction));
      }
  }

  /// Pieces of roundabouts that meet are one.
  void add_roundabouts() {
    std::map<std::string, std::vector<std::size_t>> at;  // junction -> pieces
    std::vector<std::size_t> pieces;
    for (std::size_t r = 0; r < network_.roads.size(); ++r)
      if (network_.roads[r].is_roundabout && !crossings_.is_inside[r] && !network_.roads[r].right.empty()) {
        pieces.push_back(r);
        for (const bool at_end : {false, true}) at[junction_of(r, at_end)].push_back(r);
      }
    std::set<std::size_t> done;
    for (const std::size_t first : pieces) {
      if (!done.insert(first).second) continue;
      std::vector<std::size_t> ring = {first};
      std::set<std::string> nodes;
      for (std::size_t i = 0; i < ring.size(); ++i)
        for (const bool at_end : {false, true}) {
          const std::string node = junction_of(ring[i], at_end);
          if (!nodes.insert(node).second) continue;
          for (const std::size_t other : at[node])
            if (done.insert(other).second) ring.push_back(other);
        }
      std::set<std::string> edges;
      for (const std::size_t r : ring) edges.insert(edge_of(r, true));
      net_.roundabouts.push_back({{nodes.begin(), nodes.end()}, {edges.begin(), edges.end()}});
    }
  }

  void report() const {
    if (guessed_speeds_ > 0)
      diagnostics_.report_as(Severity::note, code::kGuess, {},
                             fmt::format("roads without a limit, for which usual speeds are used: {}", guessed_speeds_));
    if (unordered_ > 0)
      diagnostics_.report(
          code::kRightOfWay, {},
          fmt::format("junctions with more than {} turns, which have no right of way: {}", kMostLinks, unordered_));
  }

  detail::Crossings crossings_;
  const Network& network_;
  Diagnostics& diagnostics_;
  sumo::Net net_;
  std::vector<std::string> road_names_, junction_names_;
  std::vector<std::vector<Approach>> approaches_;  // of each junction
  std::vector<sumo::Edge> edges_, internal_edges_;
  std::vector<sumo::Junction> inner_junctions_;
  std::vector<sumo::Connection> inner_connections_;
  std::size_t guessed_speeds_ = 0, unordered_ = 0;
};

}  // namespace

sumo::Net to_sumo(const Network& network, Diagnostics& diagnostics) { return NetMaker(network, diagnostics).run(); }

}  // namespace simbatch::lanes
