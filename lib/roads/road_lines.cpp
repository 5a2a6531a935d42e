// Outline: choose the ways; project their nodes; give each node a tangent; walk the cubic pieces with chords short enough.
// Source: centripetal Catmull-Rom curves in Hermite form (Catmull and Rom, A class of local interpolating splines, 1974;
// Yuksel, Schaefer, Keyser, Parameterization and applications of Catmull-Rom curves, 2011); the bend limits are our own.
#include "lib/roads/road_lines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/roads/carriageway.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/tag_values.hpp"
#include "lib/roads/waterways.hpp"

namespace simbatch::roads {
namespace {
using detail::EastNorth;

constexpr double kCorner = 50 * std::numbers::pi / 180;  ///< sharper bends stay corners (rad)
constexpr double kMaxLeave = 0.5;                        ///< m: maximum distance of the curve from the chord between two nodes
constexpr double kChordError = 0.05;                     ///< m
constexpr double kRailwayWidth = 3.2;                    ///< m
constexpr double kMinStep = 0.01;                        ///< m; nodes closer than this are merged

bool is_set(std::string_view value) { return !value.empty() && value != "no" && value != "false" && value != "0"; }

struct Choice {
  const autosim::HighwayKind* kind = nullptr;
  enum class Why { build, no_road, kind, area } why = Why::no_road;
};

Choice choose(const osm::Model& map, std::size_t way, const autosim::HighwayDimensions& kinds) {
  const auto tags = map.tags_of_way(way);
  const auto highway = map.value_of(tags, "highway");
  if (!highway) return {};
  const autosim::HighwayKind* kind = kinds.find(*highway);
  if (kind == nullptr) return {nullptr, Choice::Why::kind};
  if (is_set(map.value_of(tags, "area").value_or(""))) return {kind, Choice::Why::area};
  return {kind, Choice::Why::build};
}

/// Sets layer and direction from the tags of a way.
void read_level(const osm::Model& map, std::size_t way, Road& road) {
  const auto tags = map.tags_of_way(way);
  const auto value = [&](std::string_view key) { return map.value_of(tags, key).value_or(""); };
  const WayLevel level = level_of_way(map, way);
  road.layer = level.layer;
  road.is_tunnel = level.is_tunnel;
  road.is_bridge = level.is_bridge;
  road.clearance = tagged_clearance(map, tags);
  const std::string_view one_way = value("oneway");
  if (one_way == "yes" || one_way == "true" || one_way == "1")
    road.one_way = 1;
  else if (one_way == "-1" || one_way == "reverse")
    road.one_way = -1;
  else if (one_way.empty() && (value("junction") == "roundabout" || road.kind == "motorway"))
    road.one_way = 1;  // OSM wiki, "Key:oneway": implied
  const auto lanes = parse_integer<int>(trimmed(value("lanes")));
  if (lanes && lanes.value >= 1 && lanes.value <= 16) road.lanes = lanes.value;
}

/// Some ways of a map, or all of them.
struct SomeWays {
  std::size_t count = 0;
  const std::size_t* numbers = nullptr;  // null: all
  std::size_t operator[](std::size_t n) const { return numbers != nullptr ? numbers[n] : n; }
};

/// Positions of a way's nodes, without repetitions.
struct Nodes {
  std::vector<EastNorth> places;
  std::vector<std::uint32_t> numbers;
};

/// Splits a way into pieces: a node that is missing from the file or outside the projection's range ends a piece.
std::vector<Nodes> pieces_of(const osm::Model& map, std::size_t way, const geo::LocalFrame& frame) {
  std::vector<Nodes> pieces(1);
  for (const osm::Ref ref : map.refs_of(way)) {
    const bool is_there = !ref.is_missing() && std::fabs(map.node_positions[ref.number()].lon_deg() - frame.origin().lon) < 60;
    if (!is_there) {
      if (!pieces.back().places.empty()) pieces.emplace_back();
      continue;
    }
    const osm::LatLon at = map.node_positions[ref.number()];
    const EastNorth place = frame.to_plane({at.lat_deg(), at.lon_deg()});
    Nodes& nodes = pieces.back();
    if (!nodes.places.empty() && detail::distance(nodes.places.back(), place) < kMinStep) continue;
    nodes.places.push_back(place);
    nodes.numbers.push_back(ref.number());
  }
  std::erase_if(pieces, [](const Nodes& nodes) { return nodes.places.size() < 2; });
  return pieces;
}

/// A node at which roads begin and end.
struct Joint {
  int ends = 0;
  EastNorth next[2];
};
/// Where exactly two ends meet and no road passes through, the curve of each continues towards the other's next node.
std::map<std::uint32_t, Joint> joints_of(const std::vector<Nodes>& roads) {
  std::map<std::uint32_t, Joint> joints;
  for (const Nodes& nodes : roads) {
    const std::size_t last = nodes.numbers.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
      Joint& joint = joints[nodes.numbers[i]];
      if (i != 0 && i != last) joint.ends += 2;  // a road passes through: not a free joint
      if (i == 0 && joint.ends++ < 2) joint.next[joint.ends - 1] = nodes.places[1];
      if (i == last && joint.ends++ < 2) joint.next[joint.ends - 1] = nodes.places[last - 1];
    }
  }
  return joints;
}

/// Unit tangent of the centripetal Catmull-Rom curve at b, or nothing at a corner.
std::optional<EastNorth> tangent(EastNorth a, EastNorth b, EastNorth c) {
  const EastNorth u = detail::minus(b, a), v = detail::minus(c, b);
  const double angle = std::atan2(detail::cross(u, v), detail::dot(u, v));
  if (std::fabs(angle) > kCorner) return std::nullopt;
  // d/dt at b with knots sqrt(|u|), sqrt(|v|): u/t1 - (u+v)/(t1+t2) + v/t2.
  const double t1 = std::sqrt(detail::length(u)), t2 = std::sqrt(detail::length(v));
  const EastNorth direction = detail::plus(
      detail::minus(detail::times(1 / t1, u), detail::times(1 / (t1 + t2), detail::plus(u, v))), detail::times(1 / t2, v));
  return detail::unit(direction);
}

/// Appends the points of the cubic from p (already present) to q, q included. Tangents are unit vectors.
void append_curve(std::vector<EastNorth>& line, EastNorth p, EastNorth q, std::optional<EastNorth> tp,
                  std::optional<EastNorth> tq) {
  const EastNorth chord = detail::minus(q, p), along = detail::unit(chord);
  const double l = detail::length(chord);
  EastNorth m0 = detail::times(l, tp.value_or(along)), m1 = detail::times(l, tq.value_or(along));
  // The cubic leaves its chord by at most 4/27 (|m0 across| + |m1 across|).
  const double across = 4.0 / 27 * (std::fabs(detail::cross(along, m0)) + std::fabs(detail::cross(along, m1)));
  if (across > kMaxLeave) {
    m0 = detail::times(kMaxLeave / across, m0);
    m1 = detail::times(kMaxLeave / across, m1);
  }
  // Chord error of n equal steps is at most max|f''| / (8 n^2), across the chord.
  const double bend = 6 * std::max(std::fabs(detail::cross(along, m0)), std::fabs(detail::cross(along, m1)));
  const int n = std::clamp(static_cast<int>(std::ceil(std::sqrt(bend / (8 * kChordError)))), 1, 32);
  for (int i = 1; i < n; ++i) {
    const double t = static_cast<double>(i) / n, t2 = t * t, t3 = t2 * t;
    const EastNorth point =
        detail::plus(detail::plus(detail::times(2 * t3 - 3 * t2 + 1, p), detail::times(t3 - 2 * t2 + t, m0)),
                     detail::plus(detail::times(-2 * t3 + 3 * t2, q), detail::times(t3 - t2, m1)));
    if (detail::distance(point, line.back()) > kMinStep && detail::distance(point, q) > kMinStep) line.push_back(point);
  }
  line.push_back(q);
}

std::vector<Road> railways_among(SomeWays ways, const osm::Model& map, const geo::LocalFrame& frame) {
  std::vector<Road> lines;
  for (std::size_t n = 0; n < ways.count; ++n) {
    const std::size_t way = ways[n];
    const auto tags = map.tags_of_way(way);
    const auto railway = map.value_of(tags, "railway");
    if (!railway || (*railway != "rail" && *railway != "light_rail" && *railway != "narrow_gauge")) continue;
    Road road;
    road.id = map.ways[way].id;
    road.kind = "railway";
    road.width = kRailwayWidth;
    read_level(map, way, road);
    if (road.is_tunnel || road.layer != 0) continue;
    for (Nodes& nodes : pieces_of(map, way, frame)) {
      Road piece = without_line(road);
      piece.line = nodes.places;
      piece.nodes = nodes.numbers;
      for (std::uint32_t k = 0; k < piece.line.size(); ++k) piece.at.push_back(k);
      lines.push_back(std::move(piece));
    }
  }
  return lines;
}

RoadSelection roads_among(SomeWays ways, const osm::Model& map, const autosim::HighwayDimensions& kinds,
                          const geo::LocalFrame& frame) {
  RoadSelection selection;
  std::vector<Nodes> nodes_of_road;
  for (std::size_t n = 0; n < ways.count; ++n) {
    const std::size_t way = ways[n];
    const Choice choice = choose(map, way, kinds);
    if (choice.why == Choice::Why::kind)
      selection.count_other(*map.value_of(map.tags_of_way(way), "highway"), map.ways[way].id);
    if (choice.why == Choice::Why::area) ++selection.areas_skipped;
    if (choice.why != Choice::Why::build) continue;
    std::vector<Nodes> pieces = pieces_of(map, way, frame);
    if (pieces.empty()) ++selection.broken;
    if (std::string tag = unused_width(map, map.tags_of_way(way)); !tag.empty() && selection.unused_widths.ways++ == 0)
      selection.unused_widths = {1, map.ways[way].id, std::move(tag)};
    for (Nodes& nodes : pieces) {
      Road road;
      road.id = map.ways[way].id;
      road.kind = choice.kind->kind;
      road.name = map.value_of(map.tags_of_way(way), "name").value_or("");
      read_level(map, way, road);
      road.width = carriageway_width(map, map.tags_of_way(way), *choice.kind, road.one_way != 0);
      road.left_pavement = choice.kind->left_pavement;
      road.right_pavement = choice.kind->right_pavement;
      road.nodes = nodes.numbers;
      road.is_closed = nodes.numbers.size() > 2 && nodes.numbers.front() == nodes.numbers.back();
      selection.roads.push_back(std::move(road));
      nodes_of_road.push_back(std::move(nodes));
    }
  }

  const std::map<std::uint32_t, Joint> joints = joints_of(nodes_of_road);
  for (std::size_t r = 0; r < selection.roads.size(); ++r) {
    Road& road = selection.roads[r];
    const auto& places = nodes_of_road[r].places;
    const std::size_t last = places.size() - 1;
    const auto beyond = [&](std::size_t end, EastNorth own_next) -> std::optional<EastNorth> {
      const Joint& joint = joints.find(road.nodes[end])->second;
      if (joint.ends != 2) return std::nullopt;
      return joint.next[0] == own_next ? joint.next[1] : joint.next[0];
    };
    const auto tangent_at = [&](std::size_t i) -> std::optional<EastNorth> {
      if (i != 0 && i != last) return tangent(places[i - 1], places[i], places[i + 1]);
      const auto outside = i == 0 ? beyond(0, places[1]) : beyond(last, places[last - 1]);
      if (!outside || detail::distance(*outside, places[i]) < kMinStep) return std::nullopt;
      return i == 0 ? tangent(*outside, places[0], places[1]) : tangent(places[last - 1], places[last], *outside);
    };
    road.line.push_back(places[0]);
    road.at.push_back(0);
    auto before = tangent_at(0);
    for (std::size_t i = 1; i <= last; ++i) {
      const auto here = tangent_at(i);
      append_curve(road.line, places[i - 1], places[i], before, here);
      road.at.push_back(static_cast<std::uint32_t>(road.line.size() - 1));
      before = here;
    }
  }
  return selection;
}

}  // namespace

WayLevel level_of_way(const osm::Model& map, std::size_t way) {
  const auto tags = map.tags_of_way(way);
  const auto value = [&](std::string_view key) { return map.value_of(tags, key).value_or(""); };
  const std::string_view tunnel = value("tunnel");
  const bool is_bridge = is_set(value("bridge"));
  WayLevel level;
  level.is_tunnel = is_set(tunnel) && tunnel != "building_passage" && tunnel != "covered" && tunnel != "avalanche_protector";
  const auto layer = detail::tag_layer(map, tags);
  if (layer) level.layer = *layer;
  if (level.is_tunnel) level.layer = std::min(level.layer, -1);
  if (is_set(tunnel) && !level.is_tunnel) level.layer = std::max(level.layer, 0);  // through a building, on the ground
  if (is_bridge && !layer) level.layer = 1;
  level.is_bridge = (is_bridge || level.layer > 0) && !level.is_tunnel && value("man_made") != "pier";
  return level;
}

std::vector<Road> railway_lines(const osm::Model& map, const geo::LocalFrame& frame) {
  return railways_among({map.ways.size()}, map, frame);
}
std::vector<Road> railway_lines(const osm::Model& map, const geo::LocalFrame& frame, std::span<const std::size_t> ways) {
  return railways_among({ways.size(), ways.data()}, map, frame);
}

RoadSelection road_lines(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame) {
  return roads_among({map.ways.size()}, map, kinds, frame);
}
RoadSelection road_lines(const osm::Model& map, const autosim::HighwayDimensions& kinds, const geo::LocalFrame& frame,
                         std::span<const std::size_t> ways) {
  return roads_among({ways.size(), ways.data()}, map, kinds, frame);
}

std::size_t RoadSelection::kinds_skipped() const {
  std::size_t ways = 0;
  for (const auto& [kind, other] : other_kinds) ways += other.ways;
  return ways;
}

void RoadSelection::count_other(std::string_view kind, osm::Id way) {
  auto found = other_kinds.find(kind);
  if (found == other_kinds.end()) found = other_kinds.emplace(kind, OtherKind{0, way}).first;
  ++found->second.ways;
}

Road without_line(const Road& road) {
  Road result;
  result.id = road.id;
  result.kind = road.kind;
  result.name = road.name;
  result.width = road.width;
  result.left_pavement = road.left_pavement;
  result.right_pavement = road.right_pavement;
  result.layer = road.layer;
  result.is_tunnel = road.is_tunnel;
  result.is_bridge = road.is_bridge;
  result.clearance = road.clearance;
  result.one_way = road.one_way;
  result.lanes = road.lanes;
  return result;
}

Extent extent_of(const std::vector<Road>& roads) {
  Extent extent;
  bool is_first = true;
  for (const Road& road : roads)
    for (const EastNorth p : road.line) {
      if (is_first) extent = {p, p};
      is_first = false;
      extent.low = {std::min(extent.low.east, p.east), std::min(extent.low.north, p.north)};
      extent.high = {std::max(extent.high.east, p.east), std::max(extent.high.north, p.north)};
    }
  return extent;
}

}  // namespace simbatch::roads
