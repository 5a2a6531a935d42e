// Outline: turn ways into streets; split them at the nodes where streets meet; join pieces of a street where only they meet;
// shrink pieces shorter than a meter to a point; halve loops; cut roads back from the crossings; derive turns from angles,
// arrows and restrictions. Tags: OSM wiki, "Relation:restriction", "Tag:highway=traffic_signals", "Tag:highway=stop".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "lib/lanes/codes.hpp"
#include "lib/lanes/crossing.hpp"
#include "lib/lanes/network.hpp"
#include "lib/lanes/street.hpp"

namespace simbatch::lanes {
namespace {

using detail::Arm;
using detail::Street;
using geo::EastNorth;
using NodeNumber = std::uint32_t;

constexpr double kShortest = 1;       // m: shorter pieces between crossings shrink to a point
constexpr double kSignReach = 50;     // m: maximum distance of a light or stop sign from its crossing
constexpr double kMostHeights = 1e6;  // at which heights are looked at
constexpr double kMostOfRoad = 0.4;   // maximum share of a road's length that each of its crossings takes

/// A piece of a way, or of several that are joined.
struct Edge {
  std::vector<NodeNumber> nodes;
  std::size_t street = 0;
  std::vector<std::size_t> ways;  // one between two nodes
};

struct Restriction {
  std::size_t from = 0, to = 0;  // ways
  bool is_only = false;
};

class MapReader {
 public:
  MapReader(const osm::Model& map, Network& network, Diagnostics& diagnostics, const Heights* heights)
      : map_(map), network_(network), diagnostics_(diagnostics), heights_(heights) {}

  bool run() {
    read_ways();
    if (pieces_.empty()) {
      diagnostics_.report(code::kEmpty, {}, "the map has no way that cars drive on, such as highway=residential");
      return false;
    }
    if (!place_nodes()) return false;
    split();
    join();
    shrink();
    halve_loops();
    read_restrictions();
    make_roads();
    make_crossings();
    if (heights_ != nullptr && heights_->at) set_heights();
    report_losses();
    return true;
  }

 private:
  void read_ways() {
    for (std::size_t way = 0; way < map_.ways.size(); ++way) {
      std::string left_out;
      auto street = detail::street_of(map_, map_.tags_of_way(way), left_out);
      if (!left_out.empty()) ++left_out_[left_out];
      if (!street) continue;
      guessed_lanes_ += street->guessed_lanes, guessed_widths_ += street->guessed_width;
      if (street->is_raised && !(heights_ != nullptr && heights_->knows(map_.ways[way].id))) ++raised_;
      street->guessed_lanes = street->guessed_width = street->is_raised = false;
      std::vector<std::vector<NodeNumber>> parts(1);
      for (const osm::Ref ref : map_.refs_of(way)) {
        if (ref.is_missing()) {
          if (!parts.back().empty()) parts.emplace_back();
        } else if (parts.back().empty() || parts.back().back() != ref.number()) {
          parts.back().push_back(ref.number());
        }
      }
      for (auto& nodes : parts) {
        if (nodes.size() < 2) continue;
        if (street->is_reversed) std::reverse(nodes.begin(), nodes.end());
        pieces_.push_back({std::move(nodes), streets_.size(), {way}});
      }
      street->is_reversed = false;
      streets_.push_back(std::move(*street));
    }
  }

  /// The origin is the middle of all roads, rounded to 0.0001 degrees.
  bool place_nodes() {
    double south = 90, north = -90, west = 180, east = -180;
    for (const Edge& piece : pieces_)
      for (const NodeNumber node : piece.nodes) {
        const osm::LatLon at = map_.node_positions[node];
        south = std::min(south, at.lat_deg()), north = std::max(north, at.lat_deg());
        west = std::min(west, at.lon_deg()), east = std::max(east, at.lon_deg());
      }
    network_.origin = {std::round((south + north) * 5000) / 10000, std::round((west + east) * 5000) / 10000};
    if (east - west > 60) {
      diagnostics_.report(code::kExtent, {}, fmt::format("roads reach from {:.4f} to {:.4f} degrees of longitude", west, east));
      return false;
    }
    const geo::LocalFrame frame(network_.origin);
    for (Edge& piece : pieces_) {
      for (const NodeNumber node : piece.nodes)
        if (!places_.contains(node))
          places_[node] = frame.to_plane({map_.node_positions[node].lat_deg(), map_.node_positions[node].lon_deg()});
      // Nodes at the same place are merged.
      std::vector<NodeNumber> kept;
      for (std::size_t i = 0; i < piece.nodes.size(); ++i) {
        const NodeNumber node = piece.nodes[i];
        if (kept.empty() || distance(places_[kept.back()], places_[node]) > kPoint)
          kept.push_back(node);
        else if (i + 1 == piece.nodes.size() && kept.size() > 1)
          kept.back() = node;  // the end node keeps its number, since other ways refer to it
      }
      piece.nodes = std::move(kept);
    }
    std::erase_if(pieces_, [](const Edge& piece) { return piece.nodes.size() < 2; });
    return true;
  }

  /// Cuts pieces where a third one ends.
  void split() {
    std::map<NodeNumber, int> uses;
    for (const Edge& piece : pieces_)
      for (std::size_t i = 0; i < piece.nodes.size(); ++i)
        uses[piece.nodes[i]] += i == 0 || i + 1 == piece.nodes.size() ? 1 : 2;
    for (const Edge& piece : pieces_) {
      Edge edge{{}, piece.street, {}};
      for (std::size_t i = 0; i < piece.nodes.size(); ++i) {
        edge.nodes.push_back(piece.nodes[i]);
        const bool is_last = i + 1 == piece.nodes.size();
        if (edge.nodes.size() < 2 || (!is_last && uses[piece.nodes[i]] < 3)) continue;
        edge.ways.assign(edge.nodes.size() - 1, piece.ways.front());
        edges_.push_back(edge);
        edge.nodes = {piece.nodes[i]};
      }
    }
    pieces_.clear();
  }

  /// Joins edges of equal streets where one ends and the other begins, and no third one meets them.
  void join() {
    struct Meeting {
      std::vector<std::size_t> ending, beginning;
    };
    std::map<NodeNumber, Meeting> meetings;
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      meetings[edges_[e].nodes.front()].beginning.push_back(e);
      meetings[edges_[e].nodes.back()].ending.push_back(e);
    }
    constexpr std::size_t kNone = ~std::size_t{0};
    std::vector<std::size_t> next(edges_.size(), kNone);
    std::vector<bool> has_previous(edges_.size(), false), done(edges_.size(), false);
    for (const auto& [node, meeting] : meetings) {
      if (meeting.ending.size() != 1 || meeting.beginning.size() != 1) continue;
      const std::size_t a = meeting.ending[0], b = meeting.beginning[0];
      if (a == b || !(streets_[edges_[a].street] == streets_[edges_[b].street])) continue;
      next[a] = b;
      has_previous[b] = true;
    }
    std::vector<Edge> joined;
    const auto follow = [&](std::size_t first) {
      Edge edge = edges_[first];
      done[first] = true;
      for (std::size_t e = next[first]; e != kNone && !done[e]; e = next[e]) {
        done[e] = true;
        edge.nodes.insert(edge.nodes.end(), edges_[e].nodes.begin() + 1, edges_[e].nodes.end());
        edge.ways.insert(edge.ways.end(), edges_[e].ways.begin(), edges_[e].ways.end());
      }
      joined.push_back(std::move(edge));
    };
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (!has_previous[e]) follow(e);
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (!done[e]) follow(e);  // rings
    edges_ = std::move(joined);
  }

  NodeNumber root(NodeNumber node) {
    for (auto at = merged_.find(node); at != merged_.end(); at = merged_.find(node)) node = at->second;
    return node;
  }

  double length_of(const Edge& edge) {
    double length = 0;
    for (std::size_t i = 0; i + 1 < edge.nodes.size(); ++i)
      length += distance(places_[edge.nodes[i]], places_[edge.nodes[i + 1]]);
    return length;
  }

  void shrink() {
    std::erase_if(edges_, [&](const Edge& edge) {
      if (length_of(edge) >= kShortest) return false;
      const NodeNumber a = root(edge.nodes.front()), b = root(edge.nodes.back());
      if (a != b) merged_[std::max(a, b)] = std::min(a, b);
      return true;
    });
    for (Edge& edge : edges_) {
      for (NodeNumber* end : {&edge.nodes.front(), &edge.nodes.back()}) *end = root(*end);
      // A merged end may have come to the next node.
      while (edge.nodes.size() > 2 && distance(places_[edge.nodes[0]], places_[edge.nodes[1]]) <= kPoint) {
        edge.nodes.erase(edge.nodes.begin() + 1);
        edge.ways.erase(edge.ways.begin());
      }
      while (edge.nodes.size() > 2 &&
             distance(places_[edge.nodes.back()], places_[edge.nodes[edge.nodes.size() - 2]]) <= kPoint) {
        edge.nodes.erase(edge.nodes.end() - 2);
        edge.ways.pop_back();
      }
    }
    std::erase_if(edges_, [&](const Edge& edge) { return length_of(edge) < kShortest / 2; });
  }

  /// A road from a crossing back to itself becomes two, so that no two ends of a road meet.
  void halve_loops() {
    auto next_node = static_cast<NodeNumber>(map_.node_count());
    for (std::size_t e = 0, n = edges_.size(); e < n; ++e) {
      if (edges_[e].nodes.front() != edges_[e].nodes.back()) continue;
      std::vector<NodeNumber>& nodes = edges_[e].nodes;
      if (nodes.size() == 3) {  // there and back
        nodes.pop_back();
        edges_[e].ways.pop_back();
        continue;
      }
      const NodeNumber a = nodes[nodes.size() / 2 - 1], b = nodes[nodes.size() / 2];
      places_[next_node] = {(places_[a].east + places_[b].east) / 2, (places_[a].north + places_[b].north) / 2};
      Edge rest = edges_[e];
      const auto gone = static_cast<std::ptrdiff_t>(nodes.size() / 2 - 1);
      rest.nodes.erase(rest.nodes.begin(), rest.nodes.begin() + gone);
      rest.ways.erase(rest.ways.begin(), rest.ways.begin() + gone);
      rest.nodes.front() = next_node;
      nodes.resize(nodes.size() / 2);
      edges_[e].ways.resize(nodes.size());
      nodes.push_back(next_node++);
      edges_.push_back(std::move(rest));
    }
  }

  void read_restrictions() {
    for (std::size_t r = 0; r < map_.relations.size(); ++r) {
      const auto tags = map_.tags_of_relation(r);
      const std::string_view type = map_.value_of(tags, "type").value_or("");
      if (!type.starts_with("restriction")) continue;
      const std::string_view value = map_.value_of(tags, "restriction").value_or("");
      const bool is_only = value.starts_with("only_");
      std::vector<std::size_t> from, to;
      std::vector<NodeNumber> via;
      bool is_whole = is_only || value.starts_with("no_");
      for (const osm::Member& member : map_.members_of(r)) {
        const std::string_view role = map_.strings[member.role];
        if (member.ref.is_missing()) is_whole = false;
        if (role == "from" && member.kind == osm::Kind::way) from.push_back(member.ref.number());
        if (role == "to" && member.kind == osm::Kind::way) to.push_back(member.ref.number());
        if (role == "via" && member.kind == osm::Kind::node) via.push_back(member.ref.number());
      }
      if (!is_whole || via.size() != 1 || map_.value_of(tags, "except")) {
        ++lost_restrictions_;
        continue;
      }
      for (const std::size_t f : from)
        for (const std::size_t t : to) restrictions_.emplace(root(via[0]), Restriction{f, t, is_only});
    }
  }

  void make_roads() {
    network_.roads.resize(edges_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const Edge& edge = edges_[e];
      const Street& street = streets_[edge.street];
      Road& road = network_.roads[e];
      road.source = std::to_string(map_.ways[edge.ways.front()].id);
      road.name = street.name;
      road.kind = street.kind;
      road.speed = street.speed;
      road.is_roundabout = street.is_roundabout;
      const auto fill = [&](const detail::Side& side, std::vector<Lane>& lanes) {
        for (int i = 0; i < side.lanes; ++i)
          lanes.push_back({street.lane_width, false, i + 1 < side.lanes ? Mark::broken : Mark::solid});
        if (side.has_sidewalk) lanes.push_back({kSidewalk, true, Mark::none});
      };
      fill(street.forward, road.right);
      fill(street.backward, road.left);
      road.center = street.backward.lanes == 0 ? Mark::solid : Mark::broken;
      road.shift = (street.forward.lanes - street.backward.lanes) * street.lane_width / 2;
      std::vector<EastNorth> points;
      for (const NodeNumber node : edge.nodes) points.push_back(places_[node]);
      road.line = rounded_line(points, {.leave = 0.5, .radius = 1 + half_width(road)});
      for (std::size_t k = 0; k < edge.ways.size(); ++k)
        if (k + 1 == edge.ways.size() || edge.ways[k] != edge.ways[k + 1])
          road.line.ways.push_back({road.line.at_points[k + 1], map_.ways[edge.ways[k]].id});
      arms_[edge.nodes.front()].push_back({e, false});
      arms_[edge.nodes.back()].push_back({e, true});
    }
  }

  static constexpr double kSidewalk = 2;  // m

  static double half_width(const Road& road) {
    double right = -road.shift, left = road.shift;
    for (const Lane& lane : road.right) right += lane.width;
    for (const Lane& lane : road.left) left += lane.width;
    return std::max(right, left);
  }

  Arm arm_of(std::size_t r, bool is_end) const {
    const Road& road = network_.roads[r];
    const Street& street = streets_[edges_[r].street];
    Arm arm;
    arm.road = r;
    arm.is_end = is_end;
    const double heading = place_at(road.line, is_end ? road.line.length : 0).heading;
    arm.heading = is_end ? wrapped(heading + std::numbers::pi) : heading;
    arm.half_width = half_width(road);
    arm.room = kMostOfRoad * road.line.length;
    arm.in = is_end ? street.forward.lanes : street.backward.lanes;
    arm.out = is_end ? street.backward.lanes : street.forward.lanes;
    arm.arrows = is_end ? street.forward.arrows : street.backward.arrows;
    return arm;
  }

  void make_crossings() {
    std::vector<std::pair<double, double>> back(network_.roads.size(), {0, 0});
    for (const auto& [node, ends] : arms_) {
      if (ends.size() < 2) continue;
      std::vector<Arm> arms;
      for (const auto& [road, is_end] : ends) arms.push_back(arm_of(road, is_end));
      const std::vector<double> stays = detail::stay_back(arms);
      for (std::size_t i = 0; i < arms.size(); ++i)
        (arms[i].is_end ? back[arms[i].road].second : back[arms[i].road].first) = stays[i];
      Junction junction{node < map_.node_count() ? std::to_string(map_.node_ids[node]) : "", {}};
      junction.turns =
          detail::turns_of(arms, [&, at = node](std::size_t a, std::size_t b) { return is_forbidden(at, arms, a, b); });
      if (junction.turns.empty()) continue;
      for (const Arm& arm : arms)
        (arm.is_end ? network_.roads[arm.road].end_junction : network_.roads[arm.road].start_junction) =
            network_.junctions.size();
      network_.junctions.push_back(std::move(junction));
    }
    for (std::size_t r = 0; r < network_.roads.size(); ++r) {
      Road& road = network_.roads[r];
      const double end = road.line.length - back[r].second;
      add_signs(road, edges_[r], back[r].first, end);
      road.line = part_of(road.line, back[r].first, end);
    }
  }

  bool is_forbidden(NodeNumber node, const std::vector<Arm>& arms, std::size_t from, std::size_t to) const {
    const auto way_at = [&](const Arm& arm) {
      return arm.is_end ? edges_[arm.road].ways.back() : edges_[arm.road].ways.front();
    };
    bool has_only = false, is_only = false;
    const auto [first, last] = restrictions_.equal_range(node);
    for (auto at = first; at != last; ++at) {
      if (at->second.from != way_at(arms[from])) continue;
      const bool is_goal = at->second.to == way_at(arms[to]);
      if (at->second.is_only) {
        // Only if the goal is an arm here: otherwise the relation is broken.
        const bool is_here =
            std::any_of(arms.begin(), arms.end(), [&](const Arm& arm) { return way_at(arm) == at->second.to; });
        has_only = has_only || is_here;
        is_only = is_only || is_goal;
      } else if (is_goal) {
        return true;
      }
    }
    return has_only && !is_only;
  }

  /// @param begin, end  of the part of the road's line that stays
  void add_signs(Road& road, const Edge& edge, double begin, double end) {
    const double length = road.line.length;
    for (std::size_t i = 0; i < edge.nodes.size(); ++i) {
      if (edge.nodes[i] >= map_.node_count()) continue;
      const auto tags = map_.tags_of_node(edge.nodes[i]);
      const std::string_view kind = map_.value_of(tags, "highway").value_or("");
      const bool is_light = kind == "traffic_signals";
      if (!is_light && kind != "stop") continue;
      const bool is_first = i == 0, is_last = i + 1 == edge.nodes.size();
      if ((is_first || is_last) && !is_light) continue;  // the map does not say which road must stop
      const std::string_view tagged = map_.value_of(tags, is_light ? "traffic_signals:direction" : "direction").value_or("");
      const double at = road.line.at_points[i];
      bool forward = is_last || tagged == "forward" || tagged == "both",
           backward = is_first || tagged == "backward" || tagged == "both";
      if (!forward && !backward) (length - at < at ? forward : backward) = true;
      const double s = std::clamp(at, begin, end) - begin;
      if (forward && !road.right.empty() && road.end_junction && length - at < kSignReach)
        road.signs.push_back({s, is_light, true});
      if (backward && !road.left.empty() && !road.left[0].is_sidewalk && road.start_junction && at < kSignReach)
        road.signs.push_back({s, is_light, false});
    }
  }

  void set_heights() {
    double length = 0;
    for (const Road& road : network_.roads) length += road.line.length;
    network_.height_at = [frame = geo::LocalFrame(network_.origin), at = heights_->at](osm::Id from, osm::Id to, EastNorth p) {
      return at(from, to, frame, p);
    };
    network_.is_above_geoid = heights_->is_above_geoid;
    network_.height_step = std::max(network_.height_step, length / kMostHeights);
  }

  void report_losses() {
    if (!left_out_.empty()) {
      std::string kinds;
      std::size_t count = 0;
      for (const auto& [kind, n] : left_out_) {
        kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", n, kind);
        count += n;
      }
      diagnostics_.report(code::kWays, {},
                          fmt::format("ways left out because cars do not drive on them: {} ({})", count, quoted(kinds, 200)));
    }
    if (raised_ > 0)
      diagnostics_.report(code::kHeight, {},
                          fmt::format("bridges and tunnels that become roads on the {}: {}",
                                      heights_ == nullptr ? "plane" : "ground", raised_));
    if (lost_restrictions_ > 0)
      diagnostics_.report(
          code::kRestriction, {},
          fmt::format("turn restrictions left out (across ways, with exceptions, or incomplete): {}", lost_restrictions_));
    const auto guess = [&](const std::string& text) { diagnostics_.report_as(Severity::note, code::kGuess, {}, text); };
    if (guessed_lanes_ > 0 && guessed_widths_ > 0)
      guess(fmt::format("ways for which usual values are used: {} without lanes, {} without width", guessed_lanes_,
                        guessed_widths_));
    else if (guessed_lanes_ > 0)
      guess(fmt::format("ways without lanes, for which usual numbers are used: {}", guessed_lanes_));
    else if (guessed_widths_ > 0)
      guess(fmt::format("ways without width, for which usual ones are used: {}", guessed_widths_));
  }

  const osm::Model& map_;
  Network& network_;
  Diagnostics& diagnostics_;
  const Heights* heights_;  // null: none
  std::vector<Street> streets_;
  std::vector<Edge> pieces_, edges_;
  std::map<NodeNumber, EastNorth> places_;
  std::map<NodeNumber, NodeNumber> merged_;                               // node -> the one it was merged into
  std::map<NodeNumber, std::vector<std::pair<std::size_t, bool>>> arms_;  // roads, and whether it is their end
  std::multimap<NodeNumber, Restriction> restrictions_;                   // by their node
  std::map<std::string, std::size_t> left_out_;
  std::size_t guessed_lanes_ = 0, guessed_widths_ = 0, raised_ = 0, lost_restrictions_ = 0;
};

}  // namespace

std::optional<Network> from_osm(const osm::Model& map, const std::string& name, Diagnostics& diagnostics,
                                std::optional<Heights> heights) {
  Network network;
  network.name = name;
  if (!MapReader(map, network, diagnostics, heights ? &*heights : nullptr).run()) return std::nullopt;
  return network;
}

}  // namespace simbatch::lanes
