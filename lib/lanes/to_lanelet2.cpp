// Lanelet2's format: lanelet2_core/doc/LaneletPrimitives.md and lanelet2_io (Poggenhans et al., Lanelet2: A high-definition map
// framework for the future of automated driving, ITSC 2018); `turn_direction` is Autoware's.
#include "lib/lanes/to_lanelet2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/core/number.hpp"
#include "lib/lanes/codes.hpp"
#include "lib/lanes/sampling.hpp"
#include "lib/lanes/surface.hpp"

namespace simbatch::lanes {
namespace {

using geo::EastNorth;
using Way = std::size_t;  // index of a bound

constexpr double kTurnBend = 0.5;    // rad: turns with a larger angle are left or right turns
constexpr double kAside = 0.1;       // m
constexpr double kPointSize = 0.05;  // m

/// Whether the point is on the left of the line, by the piece nearest to it.
bool is_left_of(EastNorth p, std::span<const EastNorth> line) {
  double nearest = HUGE_VAL;
  bool is_left = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const EastNorth a = line[i - 1], b = line[i], along{b.east - a.east, b.north - a.north};
    const double square = along.east * along.east + along.north * along.north;
    if (square == 0) continue;
    const double f = std::clamp(((p.east - a.east) * along.east + (p.north - a.north) * along.north) / square, 0.0, 1.0);
    const double d = distance(p, {a.east + f * along.east, a.north + f * along.north});
    if (d >= nearest) continue;
    nearest = d;
    is_left = along.east * (p.north - a.north) - along.north * (p.east - a.east) > 0;
  }
  return is_left;
}

/// Lanelet2 turns a bound around if the other one's middle is not on its side (lanelet2_core, geometry::align).
bool runs_beside(std::span<const EastNorth> bound, std::span<const EastNorth> other, bool is_left_bound) {
  EastNorth middle = other[other.size() / 2];
  if (other.size() == 2) middle = {(other[0].east + other[1].east) / 2, (other[0].north + other[1].north) / 2};
  return is_left_of(middle, bound) != is_left_bound;
}

/// A bound whose ends are one point has no direction.
bool is_point(const std::vector<Place>& bound) { return distance(bound.front().at, bound.back().at) < kPointSize; }

/// A bound of three points about a turn between lanes that overlap, such as those of two roads drawn upon each other, where the
/// straight line would run backward: half of the way to the middle of the other bound, a little aside, and back to the end.
std::vector<Place> hairpin(const std::vector<Place>& bound, std::span<const EastNorth> other, bool is_left_bound) {
  Place tip = bound.front(), end = bound.back();
  const EastNorth middle = other[other.size() / 2], way{middle.east - tip.at.east, middle.north - tip.at.north};
  const double length = std::hypot(way.east, way.north), aside = (is_left_bound ? kAside : -kAside) / std::max(length, 1e-3);
  tip.at = {tip.at.east + way.east / 2 - aside * way.north, tip.at.north + way.north / 2 + aside * way.east};
  tip.heading = std::atan2(tip.at.north - bound.front().at.north, tip.at.east - bound.front().at.east);
  end.heading = std::atan2(end.at.north - tip.at.north, end.at.east - tip.at.east);
  return {bound.front(), tip, end};
}

class MapMaker {
 public:
  MapMaker(const Network& network, Diagnostics& diagnostics)
      : network_(network), frame_(network.origin), diagnostics_(diagnostics) {}

  osm::Model run() {
    map_.attributes = {{"upload", "false"}};
    for (const Road& road : network_.roads) {
      add_bounds(road);
      signs_ += road.signs.size();
    }
    for (const Junction& junction : network_.junctions)
      for (const Turn& turn : junction.turns)
        if (const auto curve = curve_of(network_, turn)) add_turn(turn, *curve);
    for (const Bound& bound : bounds_) {
      map_.add_way(next_id_++);
      for (const std::uint32_t node : bound.nodes) map_.add_ref(osm::Ref(node));
      tag_mark(bound.mark, bound.is_virtual);
    }
    for (std::size_t r = 0; r < network_.roads.size(); ++r) add_lanelets(network_.roads[r], borders_[r]);
    for (const auto& [turn, bounds] : turns_) add_lanelet(turn, bounds);
    if (signs_ > 0) diagnostics_.report(code::kSign, {}, fmt::format("traffic lights and stop signs left out: {}", signs_));
    if (reversed_ > 0)
      diagnostics_.report(code::kOverlap, {},
                          fmt::format("turns between lanes that overlap: {}; a bound of each runs backward", reversed_));
    return std::move(map_);
  }

 private:
  struct Bound {
    std::vector<std::uint32_t> nodes;
    Mark mark = Mark::none;
    bool is_virtual = false;
  };
  /// The bounds of a road: the borders of the right lanes from the middle outwards, beginning with the middle, and those of the
  /// left lanes. All run in the direction of the road's line.
  struct Borders {
    std::vector<Way> right, left;
  };

  std::uint32_t add_point(const Place& at) {
    const geo::LatLon place = frame_.to_geographic(at.at);
    const std::uint32_t node = map_.add_node(next_id_++, {static_cast<std::int32_t>(std::llround(place.lat * 1e7)),
                                                          static_cast<std::int32_t>(std::llround(place.lon * 1e7))});
    if (network_.height_at) map_.add_tag("ele", rounded_text(at.height, 3));
    heights_.push_back(at.height);
    return node;
  }

  /// A bound along places, omitting those that do not advance, such as on the inner side of narrow bends.
  std::vector<std::uint32_t> points_along(const std::vector<Place>& places, bool with_ends) {
    const std::vector<Place> kept = detail::advancing(places);
    std::vector<std::uint32_t> nodes;
    const std::size_t first = with_ends ? 0 : 1, end = kept.size() - first;
    for (std::size_t i = first; i < end; ++i) nodes.push_back(add_point(kept[i]));
    return nodes;
  }

  void add_bounds(const Road& road) {
    std::vector<std::pair<double, Place>> line;
    for (const double s : detail::samples_of(network_, road)) line.emplace_back(s, place_at(road.line, s));
    const auto add = [&](double t, Mark mark) {
      std::vector<Place> places;
      for (const auto& [s, place] : line) {
        const EastNorth at = left_of(place, t);
        places.push_back({at, place.heading, detail::height_on(network_, road, s, at)});
      }
      bounds_.push_back({points_along(places, true), mark, false});
      return bounds_.size() - 1;
    };
    Borders borders;
    const Way middle = add(road.shift, road.center);
    borders.right = borders.left = {middle};
    double t = road.shift;
    for (const Lane& lane : road.right) borders.right.push_back(add(t -= lane.width, lane.outer));
    t = road.shift;
    for (const Lane& lane : road.left) borders.left.push_back(add(t += lane.width, lane.outer));
    borders_.push_back(std::move(borders));
  }

  double bend_of(const Turn& turn) const {
    return wrapped(lane_place(network_.roads[turn.to_road], turn.to_lane, turn.to_lane > 0).heading -
                   lane_place(network_.roads[turn.from_road], turn.from_lane, turn.from_lane < 0).heading);
  }

  /// A lane's left or right border (side 0 or 1), as cars on it see them.
  Way border_of(std::size_t road, LaneId lane, std::size_t side) const {
    const auto& borders = lane < 0 ? borders_[road].right : borders_[road].left;
    return borders[static_cast<std::size_t>(std::abs(lane)) - 1 + side];
  }
  /// The points of a lane's left and right border at one of its road's ends, as cars on it see them.
  std::pair<std::uint32_t, std::uint32_t> end_points(std::size_t road, LaneId lane, bool at_end) const {
    const auto point = [&](Way way) { return at_end ? bounds_[way].nodes.back() : bounds_[way].nodes.front(); };
    return {point(border_of(road, lane, 0)), point(border_of(road, lane, 1))};
  }

  /// A turn's bound: the inner points of `places` between two nodes.
  std::vector<EastNorth> bound_line(const std::vector<Place>& places, std::uint32_t from, std::uint32_t to) const {
    const std::vector<Place> kept = detail::advancing(places);
    std::vector<EastNorth> line = {place_of(from)};
    for (std::size_t i = 1; i + 1 < kept.size(); ++i) line.push_back(kept[i].at);
    line.push_back(place_of(to));
    return line;
  }

  EastNorth place_of(std::uint32_t node) const {
    const osm::LatLon at = map_.node_positions[node];
    return frame_.to_plane({at.lat_deg(), at.lon_deg()});
  }

  void add_turn(const Turn& turn, const TurnCurve& curve) {
    const auto begin = end_points(turn.from_road, turn.from_lane, turn.from_lane < 0);
    const auto end = end_points(turn.to_road, turn.to_lane, turn.to_lane > 0);
    std::vector<Place> left, right;
    const std::vector<Place> middle = detail::places_of(curve);
    for (std::size_t i = 0; i < middle.size(); ++i) {
      const double p = static_cast<double>(i) / static_cast<double>(middle.size() - 1), blend = p * p * (3 - 2 * p);
      const double half = (curve.from_width + blend * (curve.to_width - curve.from_width)) / 2;
      left.push_back({left_of(middle[i], half), middle[i].heading});
      right.push_back({left_of(middle[i], -half), middle[i].heading});
    }
    // On the inner side of a bend that is sharper than the lane is wide, the points fold; there the bound is straight.
    const std::vector<EastNorth> left_line = bound_line(left, begin.first, end.first),
                                 right_line = bound_line(right, begin.second, end.second);
    if (!runs_beside(left_line, right_line, true)) left = {left.front(), left.back()};
    if (!runs_beside(right_line, left_line, false)) right = {right.front(), right.back()};
    auto left_made = bound_line(left, begin.first, end.first), right_made = bound_line(right, begin.second, end.second);
    if (is_point(left) || !runs_beside(left_made, right_made, true)) {
      left = hairpin(left, right_made, true);
      left_made = bound_line(left, begin.first, end.first);
    }
    if (is_point(right) || !runs_beside(right_made, left_made, false)) {
      right = hairpin(right, left_made, false);
      right_made = bound_line(right, begin.second, end.second);
    }
    if (!runs_beside(left_made, right_made, true) || !runs_beside(right_made, left_made, false)) ++reversed_;
    const auto add = [&](std::vector<Place>& places, std::uint32_t from, std::uint32_t to) {
      detail::set_heights(network_, turn, heights_[from], heights_[to], places);
      Bound bound{{from}, Mark::none, true};
      const auto between = points_along(places, false);
      bound.nodes.insert(bound.nodes.end(), between.begin(), between.end());
      bound.nodes.push_back(to);
      bounds_.push_back(std::move(bound));
      return bounds_.size() - 1;
    };
    const Way left_way = add(left, begin.first, end.first), right_way = add(right, begin.second, end.second);
    turns_.push_back({turn, {left_way, right_way}});
  }

  void tag_mark(Mark mark, bool is_virtual) {
    switch (mark) {
      case Mark::none:
        map_.add_tag("type", is_virtual ? "virtual" : "line_thin");
        if (!is_virtual) map_.add_tag("subtype", "unknown");
        return;
      case Mark::solid:
      case Mark::solid_yellow: map_.add_tag("type", "line_thin"), map_.add_tag("subtype", "solid"); break;
      case Mark::broken: map_.add_tag("type", "line_thin"), map_.add_tag("subtype", "dashed"); break;
      case Mark::double_yellow: map_.add_tag("type", "line_thin"), map_.add_tag("subtype", "solid_solid"); break;
    }
    map_.add_tag("color", mark == Mark::double_yellow || mark == Mark::solid_yellow ? "yellow" : "white");
  }

  void begin_lanelet(Way left, Way right) {
    map_.add_relation(next_id_++);
    map_.add_member(osm::Kind::way, osm::Ref(static_cast<std::uint32_t>(left)), "left");
    map_.add_member(osm::Kind::way, osm::Ref(static_cast<std::uint32_t>(right)), "right");
    map_.add_tag("type", "lanelet");
  }

  void tag_road(const Road& road) {
    map_.add_tag("subtype", "road");
    map_.add_tag("location", road.kind.starts_with("motorway") ? "nonurban" : "urban");
    map_.add_tag("one_way", "yes");
    map_.add_tag("participant:vehicle", "yes");
    if (road.speed) map_.add_tag("speed_limit", rounded_text(*road.speed * 3.6, 1) + " km/h");
  }

  void add_lanelets(const Road& road, const Borders& borders) {
    for (const auto& [lanes, ways] : {std::pair(&road.right, &borders.right), std::pair(&road.left, &borders.left)})
      for (std::size_t i = 0; i < lanes->size(); ++i) {
        begin_lanelet((*ways)[i], (*ways)[i + 1]);
        if ((*lanes)[i].is_sidewalk) {
          map_.add_tag("subtype", "walkway");
          map_.add_tag("one_way", "no");
          map_.add_tag("participant:pedestrian", "yes");
        } else {
          tag_road(road);
        }
        if (!road.name.empty()) map_.add_tag("road_name", road.name);
        map_.add_tag("source", road.source);
      }
  }

  void add_lanelet(const Turn& turn, std::pair<Way, Way> bounds) {
    begin_lanelet(bounds.first, bounds.second);
    tag_road(network_.roads[turn.from_road]);
    const double bend = bend_of(turn);
    map_.add_tag("turn_direction", bend > kTurnBend ? "left" : bend < -kTurnBend ? "right" : "straight");
  }

  const Network& network_;
  geo::LocalFrame frame_;
  Diagnostics& diagnostics_;
  osm::Model map_;
  std::vector<double> heights_;  // of nodes
  std::vector<Bound> bounds_;
  std::vector<Borders> borders_;  // of each road
  std::vector<std::pair<Turn, std::pair<Way, Way>>> turns_;
  osm::Id next_id_ = 1;
  std::size_t signs_ = 0, reversed_ = 0;
};

}  // namespace

osm::Model to_lanelet2(const Network& network, Diagnostics& diagnostics) { return MapMaker(network, diagnostics).run(); }

}  // namespace simbatch::lanes
