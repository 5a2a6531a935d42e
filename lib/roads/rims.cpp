// Rims are made of the arms' edges: lines beside a road, with miters. Two straight ones at an angle t, with half widths a and b on
// the sides facing each other, meet at (b + a cos t) / sin t along the first; those of curves where they cross.
// Our own: an arm is cut back for the sharper of the corners on its sides. Where a straight rim would pave more than roads at a
// blunter one, the rim follows both edges to that corner.
#include "lib/roads/rims.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::roads::detail {
namespace {

constexpr double kMargin = 0.3;              ///< m past the meeting point of two edges
constexpr double kCorner = 0.3;              ///< m: how far a straight rim may pass from the edges on its sides
constexpr std::size_t kMostCompared = 4096;  ///< pairs of edges' points; of more, the arms are taken as straight

struct Widths {
  double left, right;  // lanes and pavement, as seen along the arm
};
Widths widths(const Leg& leg, int end) {
  return end == 0 ? Widths{leg.half_width + leg.left, leg.half_width + leg.right}
                  : Widths{leg.half_width + leg.right, leg.half_width + leg.left};
}

/// True if two consecutive arms (counter-clockwise) are 150 degrees or more apart: the road continues straight, or this is the
/// outside of a bend.
bool goes_on(double sine, double cosine) { return sine <= 0 || (sine < 0.5 && cosine < 0); }

/// Points of an arm's edge strictly between a distance from its node and its mouth, outward; `side` +1 is its left.
std::vector<EdgePoint> edge_points(const Leg& leg, const Arm& arm, double side, double from) {
  std::vector<EdgePoint> points;
  const Widths w = widths(leg, arm.end);
  const double outer = side > 0 ? w.left : w.right;
  const std::size_t n = leg.line.size();
  const auto vertex = [&](std::size_t i) { return leg.line[arm.end == 0 ? i : n - 1 - i]; };
  const auto out = [&](std::size_t i) { return arm.end == 0 ? leg.along[i] : leg.length() - leg.along[n - 1 - i]; };
  for (std::size_t i = 1; i + 1 < n && out(i) < leg.cut[arm.end] - 0.05; ++i) {
    if (from > 0 && out(i) < from + 0.05) continue;
    const EastNorth before = unit(minus(vertex(i), vertex(i - 1))), after = unit(minus(vertex(i + 1), vertex(i)));
    const EastNorth along = unit(plus(before, after));
    const double stretch = side / std::max(0.5, dot(along, before));
    const EastNorth left = left_of(along);
    points.push_back(
        {{plus(vertex(i), times(stretch * leg.half_width, left)), plus(vertex(i), times(stretch * outer, left))}, out(i)});
  }
  return points;
}

/// The cross-section of an arm at a distance from its node, seen outward.
CrossSection section_at(const Leg& leg, const Arm& arm, double out) {
  auto [middle, direction] = at_distance(leg, arm.end == 0 ? out : leg.length() - out);
  if (out == 0) middle = arm.end == 0 ? leg.line.front() : leg.line.back();
  if (arm.end == 1) direction = times(-1, direction);
  const EastNorth left = left_of(direction);
  const Widths w = widths(leg, arm.end);
  return {middle, plus(middle, times(leg.half_width, left)), plus(middle, times(-leg.half_width, left)),
          plus(middle, times(w.left, left)), plus(middle, times(-w.right, left))};
}
/// Its edge there; `side` +1 is its left.
RimPoint edge_at(const Leg& leg, const Arm& arm, double side, double out) {
  const CrossSection at = section_at(leg, arm, out);
  return side > 0 ? RimPoint{at.left, at.outer_left} : RimPoint{at.right, at.outer_right};
}

/// How far out two edges of neighboring arms cross (m), farthest out along the first.
std::optional<Clear> crossing_of(const std::vector<EdgePoint>& first, const std::vector<EdgePoint>& second,
                                 EastNorth RimPoint::*line) {
  for (std::size_t i = first.size() - 1; i > 0; --i)
    for (std::size_t j = second.size() - 1; j > 0; --j) {
      const EastNorth a = first[i - 1].*line, b = second[j - 1].*line, u = minus(first[i].*line, a),
                      v = minus(second[j].*line, b);
      const double area = cross(u, v);
      if (std::fabs(area) < kSliver) continue;
      const double s = cross(minus(b, a), v) / area, t = cross(minus(b, a), u) / area;
      if (s < 0 || s > 1 || t < 0 || t > 1) continue;
      return Clear{first[i - 1].out + s * (first[i].out - first[i - 1].out),
                   second[j - 1].out + t * (second[j].out - second[j - 1].out)};
    }
  return std::nullopt;
}

/// How far out the lanes of two neighboring arms meet, and their outer edges, and how far the arms are clear of each other (m).
struct Corner {
  Clear lanes, outer, clear;
};
Corner corner_of(const Network& network, const Arm& first, const Arm& second) {
  const Leg &leg = network.legs[first.leg], &other = network.legs[second.leg];
  const double sine = cross(first.direction, second.direction), cosine = dot(first.direction, second.direction);
  const auto meet = [&](double a, double b) { return Clear{(b + a * cosine) / sine, (a + b * cosine) / sine}; };
  const Corner corner{meet(leg.half_width, other.half_width),
                      meet(widths(leg, first.end).left, widths(other, second.end).right),
                      clear_of(network, first, second).value_or(Clear{kMaxCut, kMaxCut})};
  const std::vector<EdgePoint> left = edge_of(leg, first, 1), right = edge_of(other, second, -1);
  if (left.size() + right.size() == 4 || left.size() * right.size() > kMostCompared) return corner;  // straight
  const std::optional<Clear> lanes = crossing_of(left, right, &RimPoint::inner),
                             outer = crossing_of(left, right, &RimPoint::outer);
  if (!lanes && !outer) return corner;
  const Clear &p = lanes ? *lanes : *outer, &q = outer ? *outer : *lanes;
  return {
      p,
      q,
      {std::max({kMinCut, p.first + kMargin, q.first + kMargin}), std::max({kMinCut, p.second + kMargin, q.second + kMargin})}};
}

/// An arm's edge from a distance from its node to its mouth, without the latter. Straight where it bends so little that this is no
/// more than a corner, and so much that not all of it is seen from the node.
std::vector<RimPoint> edge_from(const Leg& leg, const Arm& arm, double side, double from, EastNorth node) {
  std::vector<RimPoint> edge{edge_at(leg, arm, side, from)};
  const EastNorth begin = edge.front().inner, end = edge_at(leg, arm, side, leg.cut[arm.end]).inner;
  const EastNorth across = left_of(unit(minus(end, begin)));
  bool is_bent = false, is_seen = true;
  const auto see = [&](EastNorth p, EastNorth q) { is_seen = is_seen && -side * twice_area(node, p, q) >= 2 * kMinArea; };
  for (const EdgePoint& point : edge_points(leg, arm, side, from)) {
    is_bent = is_bent || std::fabs(dot(minus(point.inner, begin), across)) > kCorner;
    see(edge.back().inner, point.inner);
    edge.push_back(point);
  }
  see(edge.back().inner, end);
  if (!is_seen && !is_bent) edge.resize(1);
  return edge;
}

/// The rim of a corner between two mouths, without these: nothing where it is straight.
std::vector<RimPoint> corner_rim(const Network& network, EastNorth at, const Arm& first, const Arm& second) {
  const Leg &leg = network.legs[first.leg], &other = network.legs[second.leg];
  const double cut = leg.cut[first.end], other_cut = other.cut[second.end];
  const auto [lanes, outer, clear] = corner_of(network, first, second);
  const EastNorth between = unit(plus(first.direction, second.direction));
  // A straight rim is farthest from the edges that meet in a corner where it is as far from both.
  const auto passes = [&](EastNorth corner, EastNorth begin, EastNorth end) {
    const EastNorth rim = minus(end, begin);
    const double area = cross(between, rim);
    return area > 0 ? cross(minus(begin, corner), rim) / area * cross(first.direction, between) : 0;
  };
  const EastNorth lane_corner = edge_at(leg, first, 1, lanes.first).inner,
                  outer_corner = edge_at(leg, first, 1, outer.first).outer;
  const RimPoint begin = edge_at(leg, first, 1, cut), end = edge_at(other, second, -1, other_cut);
  const double least = passes(lane_corner, edge_at(leg, first, 1, std::min(clear.first, cut)).inner,
                              edge_at(other, second, -1, std::min(clear.second, other_cut)).inner);
  if (std::max({passes(outer_corner, begin.inner, end.inner), passes(outer_corner, begin.outer, end.outer),
                passes(lane_corner, begin.inner, end.inner) - std::max(0.0, least)}) <= kCorner)
    return {};
  std::vector<RimPoint> rim;
  if (clear.first < cut - 0.05) rim = edge_from(leg, first, 1, clear.first, at);
  std::reverse(rim.begin(), rim.end());
  if (clear.second < other_cut - 0.05) {
    const std::vector<RimPoint> outward = edge_from(other, second, -1, clear.second, at);
    rim.insert(rim.end(), outward.begin(), outward.end());
  }
  return rim;
}

/// The inward edge of an arm that goes on in one as wide as `wide`: from its mouth to where it begins to widen.
std::vector<RimPoint> widening_edge(const Leg& leg, const Arm& arm, double side, RimPoint wide, EastNorth at) {
  const Widths w = widths(leg, arm.end);
  const double more =
      std::max(distance(wide.inner, at) - leg.half_width, distance(wide.outer, at) - (side > 0 ? w.left : w.right));
  const double corner = std::max(0.0, dot(minus(wide.inner, at), first_direction(leg, arm)));
  const double from = more > kCorner ? std::max(kMinCut, more + corner) : 0;
  const std::vector<EdgePoint> points = edge_points(leg, arm, side, from);
  std::vector<RimPoint> edge(points.rbegin(), points.rend());
  if (from > 0 && from < leg.cut[arm.end] - kMargin) edge.push_back(edge_at(leg, arm, side, from));
  return edge;
}

/// The rim between the mouths of two arms that go straight on, without these: both edges, and at the node both of these on the
/// outside of a bend, one point between them on its inside.
std::vector<RimPoint> straight_rim(const Network& network, const Place& place, const Arm& first, const Arm& second) {
  const Leg &leg = network.legs[first.leg], &other = network.legs[second.leg];
  const EastNorth a = left_of(first_direction(leg, first)), b = times(-1, left_of(first_direction(other, second)));
  const double left = widths(leg, first.end).left, right = widths(other, second.end).right;
  const auto beside = [&](double lanes, double outer, EastNorth normal) {
    return RimPoint{plus(place.at, times(lanes, normal)), plus(place.at, times(outer, normal))};
  };
  const double lanes = std::max(leg.half_width, other.half_width), outer = std::max({lanes, left, right});
  std::vector<RimPoint> at_node;
  if (cross(a, b) > 0.02) {
    at_node = {beside(leg.half_width, left, a), beside(other.half_width, right, b)};
  } else if (std::fabs(leg.half_width - other.half_width) > kCorner) {  // the corner where the wider one ends
    at_node = {beside(lanes, outer, leg.half_width > other.half_width ? a : b)};
  } else {  // intersection of the edges, both taken as wide as the wider road
    const EastNorth outwards = unit(plus(a, b));
    const double stretch = 1 / std::max(0.5, dot(outwards, a));
    at_node = {beside(lanes * stretch, outer * stretch, outwards)};
  }
  std::vector<RimPoint> rim = widening_edge(leg, first, 1, at_node.front(), place.at);
  const std::vector<RimPoint> out = widening_edge(other, second, -1, at_node.back(), place.at);
  rim.insert(rim.end(), at_node.begin(), at_node.end());
  rim.insert(rim.end(), out.rbegin(), out.rend());
  return rim;
}

}  // namespace

std::pair<EastNorth, EastNorth> at_distance(const Leg& leg, double where) {
  const auto upper = std::upper_bound(leg.along.begin() + 1, leg.along.end() - 1, where);
  const auto i = static_cast<std::size_t>(upper - leg.along.begin());
  const EastNorth direction = unit(minus(leg.line[i], leg.line[i - 1]));
  return {plus(leg.line[i - 1], times(where - leg.along[i - 1], direction)), direction};
}

EastNorth first_direction(const Leg& leg, const Arm& arm) {
  const std::size_t n = leg.line.size();
  return arm.end == 0 ? unit(minus(leg.line[1], leg.line[0])) : unit(minus(leg.line[n - 2], leg.line[n - 1]));
}

std::optional<Clear> clear_of(const Network& network, const Arm& first, const Arm& second) {
  const double a = widths(network.legs[first.leg], first.end).left, b = widths(network.legs[second.leg], second.end).right;
  const double sine = cross(first.direction, second.direction), cosine = dot(first.direction, second.direction);
  if (sine <= 0.05) {
    if (cosine > 0) return std::nullopt;
    return Clear{};  // straight, or an outer corner: their edges do not meet
  }
  if (goes_on(sine, cosine)) {
    // Edges of different widths would meet far away: both are treated as the wider one, whose edges meet near the node.
    const double cut = std::max(kMinCut, std::max(a, b) * (1 + cosine) / sine + kMargin);
    return Clear{cut, cut};
  }
  const double lane_a = network.legs[first.leg].half_width, lane_b = network.legs[second.leg].half_width;
  return Clear{std::max({kMinCut, (b + a * cosine) / sine + kMargin, (lane_b + lane_a * cosine) / sine + kMargin}),
               std::max({kMinCut, (a + b * cosine) / sine + kMargin, (lane_a + lane_b * cosine) / sine + kMargin})};
}

std::vector<EdgePoint> edge_of(const Leg& leg, const Arm& arm, double side) {
  std::vector<EdgePoint> edge{{edge_at(leg, arm, side, 0), 0}};
  const std::vector<EdgePoint> between = edge_points(leg, arm, side, 0);
  edge.insert(edge.end(), between.begin(), between.end());
  edge.push_back({edge_at(leg, arm, side, leg.cut[arm.end]), leg.cut[arm.end]});
  return edge;
}

CrossSection mouth_of(const Network& network, const Arm& arm) {
  const Leg& leg = network.legs[arm.leg];
  return section_at(leg, arm, leg.cut[arm.end]);
}

std::vector<RimPoint> rim_of(const Network& network, const Place& place, std::size_t n) {
  const Arm &first = place.arms[n], &second = place.arms[(n + 1) % place.arms.size()];
  const CrossSection mouth = mouth_of(network, first), next = mouth_of(network, second);
  std::vector<RimPoint> rim{{mouth.left, mouth.outer_left}};
  if (goes_on(cross(first.direction, second.direction), dot(first.direction, second.direction))) {
    const std::vector<RimPoint> edges = straight_rim(network, place, first, second);
    const EastNorth chord = unit(minus(next.right, mouth.left));
    const bool is_straight = std::all_of(edges.begin(), edges.end(), [&](const RimPoint& r) {
      return std::fabs(cross(chord, minus(r.inner, mouth.left))) < 0.01;
    });
    if (!is_straight) rim.insert(rim.end(), edges.begin(), edges.end());
  } else {
    const std::vector<RimPoint> edges = corner_rim(network, place.at, first, second);
    rim.insert(rim.end(), edges.begin(), edges.end());
  }
  rim.push_back({next.right, next.outer_right});
  return rim;
}

}  // namespace simbatch::roads::detail
