#include "lib/roads/junctions.hpp"

#include <algorithm>
#include <cmath>
#include <map>

// A fan as in thesis C.1: each arm is cut back until its edges are clear of its neighbors' edges. For two arms at an angle t,
// with half widths a and b on the sides facing each other, the edges meet at (b + a cos t) / sin t along the first. The mouths'
// corners in order around the node then form a star-shaped polygon: two triangles per arm. Between two arms that continue
// straight, the rim follows the road's edge; where that makes the number of triangles odd, one mouth is split.

namespace simbatch::roads::detail {
namespace {

constexpr double kMargin = 0.3;            ///< m past the meeting point of two edges
constexpr double kMinCut = 0.5;            ///< m, so that the triangle over a mouth is not degenerate
constexpr double kMaxCut = 40;             ///< m; sharper corners overlap instead
constexpr double kMinArea = 0.02;          ///< m^2: minimum area of each triangle of a fan
constexpr std::size_t kMostOpenArms = 16;  ///< at nodes of more, only neighbors are compared: none of real maps
constexpr double kCovered = 0.98;          ///< share of the lanes' width that must lie on a fan

/// Point and unit direction at a distance from the leg's first point.
std::pair<EastNorth, EastNorth> at_distance(const Leg& leg, double where) {
  const auto upper = std::upper_bound(leg.along.begin() + 1, leg.along.end() - 1, where);
  const auto i = static_cast<std::size_t>(upper - leg.along.begin());
  const EastNorth direction = unit(minus(leg.line[i], leg.line[i - 1]));
  return {plus(leg.line[i - 1], times(where - leg.along[i - 1], direction)), direction};
}

struct Widths {
  double left, right;  // lanes and pavement, as seen along the arm
};
Widths widths(const Leg& leg, int end) {
  return end == 0 ? Widths{leg.half_width + leg.left, leg.half_width + leg.right}
                  : Widths{leg.half_width + leg.right, leg.half_width + leg.left};
}

void add_leg(Network& network, const Road& road, std::size_t from, std::size_t to, std::uint32_t first, std::uint32_t last) {
  Leg leg;
  leg.line.assign(road.line.begin() + static_cast<std::ptrdiff_t>(road.at[from]),
                  road.line.begin() + static_cast<std::ptrdiff_t>(road.at[to]) + 1);
  if (!road.height.empty())
    leg.height.assign(road.height.begin() + static_cast<std::ptrdiff_t>(road.at[from]),
                      road.height.begin() + static_cast<std::ptrdiff_t>(road.at[to]) + 1);
  leg.along.push_back(0);
  for (std::size_t i = 1; i < leg.line.size(); ++i)
    leg.along.push_back(leg.along.back() + distance(leg.line[i - 1], leg.line[i]));
  leg.half_width = road.width / 2;
  leg.left = road.left_pavement;
  leg.right = road.right_pavement;
  leg.place[0] = first;
  leg.place[1] = last;
  network.legs.push_back(std::move(leg));
}

void add_arm(Network& network, std::uint32_t leg_number, int end) {
  const Leg& leg = network.legs[leg_number];
  // Measured a short distance out, so that a short first chord does not dominate.
  const double out = std::min(leg.length(), std::max(2.0, leg.half_width));
  const EastNorth here = end == 0 ? leg.line.front() : leg.line.back();
  const EastNorth there = at_distance(leg, end == 0 ? out : leg.length() - out).first;
  network.places[leg.place[end]].arms.push_back({leg_number, end, unit(minus(there, here))});
}

/// Unit direction of an arm's first chord.
EastNorth first_direction(const Leg& leg, const Arm& arm) {
  const std::size_t n = leg.line.size();
  return arm.end == 0 ? unit(minus(leg.line[1], leg.line[0])) : unit(minus(leg.line[n - 2], leg.line[n - 1]));
}

/// True if two consecutive arms (counter-clockwise) are 150 degrees or more apart: the road continues straight, or this is the
/// outside of a bend.
bool goes_on(double sine, double cosine) { return sine <= 0 || (sine < 0.5 && cosine < 0); }

/// Computes how far each arm of a node must be cut back; false if an arm is too short for that, or two are too close in
/// direction.
bool find_cuts(const Network& network, const Place& place, std::vector<double>& cuts) {
  const std::size_t n = place.arms.size();
  cuts.assign(n, kMinCut);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const Arm &first = place.arms[i], &second = place.arms[j];
    const double a = widths(network.legs[first.leg], first.end).left, b = widths(network.legs[second.leg], second.end).right;
    const double sine = cross(first.direction, second.direction), cosine = dot(first.direction, second.direction);
    if (sine <= 0.05) {
      if (cosine > 0) return false;  // nearly the same direction
      continue;                      // straight, or an outer corner: their edges do not meet
    }
    if (goes_on(sine, cosine)) {
      // Edges of different widths would meet far away: both are treated as the wider one, whose edges meet near the node.
      const double cut = std::max(a, b) * (1 + cosine) / sine + kMargin;
      cuts[i] = std::max(cuts[i], cut);
      cuts[j] = std::max(cuts[j], cut);
      continue;
    }
    const double lane_a = network.legs[first.leg].half_width, lane_b = network.legs[second.leg].half_width;
    cuts[i] = std::max({cuts[i], (b + a * cosine) / sine + kMargin, (lane_b + lane_a * cosine) / sine + kMargin});
    cuts[j] = std::max({cuts[j], (a + b * cosine) / sine + kMargin, (lane_a + lane_b * cosine) / sine + kMargin});
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Leg& leg = network.legs[place.arms[i].leg];
    const bool other_end_is_busy = network.places[leg.place[1 - place.arms[i].end]].arms.size() > 1;
    if (cuts[i] > kMaxCut || cuts[i] > leg.length() * (other_end_is_busy ? 0.48 : 0.9)) return false;
  }
  return true;
}

/// The polygon about a fan, an even number of points.
Polygon fan_polygon(const Network& network, const Place& place) {
  Polygon polygon;
  for (std::size_t i = 0; i < place.arms.size(); ++i) {
    polygon.push_back(mouth_of(network, place.arms[i]).right);
    const std::vector<RimPoint> rim = rim_of(network, place, i);
    for (std::size_t k = 0; k + 1 < rim.size(); ++k) polygon.push_back(rim[k].inner);
  }
  if (polygon.size() % 2 == 1) polygon.insert(polygon.begin() + 1, mouth_of(network, place.arms[0]).middle);
  return polygon;
}

bool is_star(EastNorth middle, const Polygon& polygon) {
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (twice_area(middle, polygon[i], polygon[(i + 1) % polygon.size()]) < 2 * kMinArea) return false;
  return true;
}

/// True if a polygon that is star-shaped about `middle` contains the point.
bool star_holds(EastNorth middle, const Polygon& polygon, EastNorth place) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const EastNorth a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    if (twice_area(middle, a, place) >= 0 && twice_area(middle, place, b) >= 0) return twice_area(a, b, place) >= 0;
  }
  return false;
}

/// Points of an arm's edge strictly between its node (index 0) and its mouth; `side` +1 is its left.
std::vector<RimPoint> edge_points(const Leg& leg, const Arm& arm, double side) {
  std::vector<RimPoint> points;
  const Widths w = widths(leg, arm.end);
  const double outer = side > 0 ? w.left : w.right;
  const std::size_t n = leg.line.size();
  const auto vertex = [&](std::size_t i) { return leg.line[arm.end == 0 ? i : n - 1 - i]; };
  const auto out = [&](std::size_t i) { return arm.end == 0 ? leg.along[i] : leg.length() - leg.along[n - 1 - i]; };
  for (std::size_t i = 1; i + 1 < n && out(i) < leg.cut[arm.end] - 0.05; ++i) {
    const EastNorth before = unit(minus(vertex(i), vertex(i - 1))), after = unit(minus(vertex(i + 1), vertex(i)));
    const EastNorth along = unit(plus(before, after));
    const double stretch = side / std::max(0.5, dot(along, before));
    const EastNorth left = left_of(along);
    points.push_back({plus(vertex(i), times(stretch * leg.half_width, left)), plus(vertex(i), times(stretch * outer, left))});
  }
  return points;
}

/// True if the fan covers the full width of each arm up to the node: false if a wide road ends among narrow ones, or bends next
/// to a sharp fork.
bool covers_arms(const Network& network, const Place& place, const Polygon& polygon) {
  const auto covers = [&](EastNorth middle, EastNorth edge) {
    return star_holds(place.at, polygon, plus(middle, times(kCovered, minus(edge, middle))));
  };
  for (const Arm& arm : place.arms) {
    const Leg& leg = network.legs[arm.leg];
    const EastNorth across = times(leg.half_width, left_of(first_direction(leg, arm)));
    if (!covers(place.at, plus(place.at, across)) || !covers(place.at, minus(place.at, across))) return false;
    const std::vector<RimPoint> left = edge_points(leg, arm, 1), right = edge_points(leg, arm, -1);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const EastNorth middle = times(0.5, plus(left[i].inner, right[i].inner));
      if (!covers(middle, left[i].inner) || !covers(middle, right[i].inner)) return false;
    }
  }
  return true;
}

void decide_fan(Network& network, Place& place) {
  if (place.arms.size() < 3) return;
  std::vector<double> cuts;
  if (!find_cuts(network, place, cuts)) return;
  for (std::size_t i = 0; i < place.arms.size(); ++i) network.legs[place.arms[i].leg].cut[place.arms[i].end] = cuts[i];
  const Polygon polygon = fan_polygon(network, place);
  place.is_fan = is_star(place.at, polygon) && covers_arms(network, place, polygon);
  if (place.is_fan) return;
  for (const Arm& arm : place.arms) network.legs[arm.leg].cut[arm.end] = 0;
}

}  // namespace

Network network_of(const std::vector<Road>& roads) {
  Network network;
  std::map<std::uint32_t, int> ends;  // node -> number of road ends; a road passing through counts twice
  for (const Road& road : roads)
    for (std::size_t i = 0; i < road.nodes.size(); ++i) ends[road.nodes[i]] += i == 0 || i + 1 == road.nodes.size() ? 1 : 2;
  std::map<std::uint32_t, std::uint32_t> place_of;
  const auto place_at = [&](const Road& road, std::size_t i) {
    const auto [found, is_new] = place_of.emplace(road.nodes[i], static_cast<std::uint32_t>(network.places.size()));
    if (is_new) network.places.push_back({road.line[road.at[i]], {}, false});
    return found->second;
  };
  for (const Road& road : roads) {
    std::size_t from = 0;
    for (std::size_t i = 1; i < road.nodes.size(); ++i) {
      const bool is_last = i + 1 == road.nodes.size();
      if (!is_last && ends[road.nodes[i]] == 2) continue;
      const std::uint32_t first = place_at(road, from), last = place_at(road, i);
      add_leg(network, road, from, i, first, last);
      from = i;
    }
  }
  for (std::uint32_t leg = 0; leg < network.legs.size(); ++leg) {
    add_arm(network, leg, 0);
    add_arm(network, leg, 1);
  }
  for (Place& place : network.places) {
    std::stable_sort(place.arms.begin(), place.arms.end(), [](const Arm& a, const Arm& b) {
      return std::atan2(a.direction.north, a.direction.east) < std::atan2(b.direction.north, b.direction.east);
    });
  }
  for (Place& place : network.places) decide_fan(network, place);
  return network;
}

CrossSection mouth_of(const Network& network, const Arm& arm) {
  const Leg& leg = network.legs[arm.leg];
  auto [middle, direction] = at_distance(leg, arm.end == 0 ? leg.cut[0] : leg.length() - leg.cut[1]);
  if (leg.cut[arm.end] == 0) middle = arm.end == 0 ? leg.line.front() : leg.line.back();
  if (arm.end == 1) direction = times(-1, direction);
  const EastNorth left = left_of(direction);
  const Widths w = widths(leg, arm.end);
  return {middle, plus(middle, times(leg.half_width, left)), plus(middle, times(-leg.half_width, left)),
          plus(middle, times(w.left, left)), plus(middle, times(-w.right, left))};
}

std::vector<EastNorth> trimmed_line(const Leg& leg) {
  const double from = leg.cut[0], to = leg.length() - leg.cut[1];
  std::vector<EastNorth> line;
  line.push_back(from == 0 ? leg.line.front() : at_distance(leg, from).first);
  for (std::size_t i = 1; i + 1 < leg.line.size(); ++i)
    if (leg.along[i] > from + 1e-6 && leg.along[i] < to - 1e-6) line.push_back(leg.line[i]);
  line.push_back(leg.cut[1] == 0 ? leg.line.back() : at_distance(leg, to).first);
  return line;
}

Piece piece_of(EastNorth a, EastNorth b, EastNorth c) {
  return twice_area(a, b, c) >= 0 ? Piece{{a, b, c, {}}, 3} : Piece{{a, c, b, {}}, 3};
}

void add_triangle(std::vector<Polygon>& polygons, EastNorth a, EastNorth b, EastNorth c) {
  const double area = twice_area(a, b, c);
  if (std::fabs(area) < 2 * kSliver) return;
  if (area > 0)
    polygons.push_back({a, b, c});
  else
    polygons.push_back({a, c, b});
}

std::vector<RimPoint> rim_of(const Network& network, const Place& place, std::size_t n) {
  const Arm &first = place.arms[n], &second = place.arms[(n + 1) % place.arms.size()];
  const CrossSection mouth = mouth_of(network, first), next = mouth_of(network, second);
  std::vector<RimPoint> rim{{mouth.left, mouth.outer_left}};
  const double sine = cross(first.direction, second.direction), cosine = dot(first.direction, second.direction);
  if (goes_on(sine, cosine)) {
    const Leg &leg = network.legs[first.leg], &other = network.legs[second.leg];
    const std::vector<RimPoint> left = edge_points(leg, first, 1), right = edge_points(other, second, -1);
    rim.insert(rim.end(), left.rbegin(), left.rend());
    // At the node itself: both roads' edges on the outside of a bend, one point between them on the inside.
    const EastNorth a = first_direction(leg, first), b = first_direction(other, second);
    const auto edge = [&](const Leg& of, const Arm& arm, EastNorth normal, bool is_left) {
      const Widths w = widths(of, arm.end);
      return RimPoint{plus(place.at, times(of.half_width, normal)), plus(place.at, times(is_left ? w.left : w.right, normal))};
    };
    const RimPoint p = edge(leg, first, left_of(a), true), q = edge(other, second, times(-1, left_of(b)), false);
    if (cross(a, b) < -0.02) {
      rim.push_back(p);
      rim.push_back(q);
    } else {  // intersection of the edges, both taken as wide as the wider road
      const EastNorth outwards = unit(minus(left_of(a), left_of(b)));
      const double stretch = 1 / std::max(0.5, dot(outwards, left_of(a)));
      const double h = std::max(leg.half_width, other.half_width);
      const double outer = std::max(widths(leg, first.end).left, widths(other, second.end).right);
      rim.push_back(
          {plus(place.at, times(h * stretch, outwards)), plus(place.at, times(std::max(h, outer) * stretch, outwards))});
    }
    rim.insert(rim.end(), right.begin(), right.end());
    const EastNorth chord = unit(minus(next.right, mouth.left));
    const bool is_straight = std::all_of(rim.begin() + 1, rim.end(), [&](const RimPoint& r) {
      return std::fabs(cross(chord, minus(r.inner, mouth.left))) < 0.01;
    });
    if (is_straight) rim.resize(1);
  }
  rim.push_back({next.right, next.outer_right});
  return rim;
}

namespace {
/// True if the wedge at the node from the left edge of one arm counter-clockwise to the right edge of another is open: it is on the
/// outside of a bend, and no arm that is as wide as the narrower of the two reaches into it. A narrower one covers its inner part
/// only. The edges at the node decide, not the arms' directions, which are measured further out.
bool is_open(EastNorth at, const std::vector<CrossSection>& mouths, std::size_t first, std::size_t second) {
  const EastNorth left = minus(mouths[first].left, at), right = minus(mouths[second].right, at);
  if (cross(left, right) < 2 * kSliver) return false;
  const double width = std::min(dot(left, left), dot(right, right)) * 0.99;
  for (std::size_t k = 0; k < mouths.size(); ++k) {
    const EastNorth edge = minus(mouths[k].left, at);
    if (k == first || k == second || dot(edge, edge) < width) continue;
    const EastNorth ahead = times(-1, left_of(edge));
    if (dot(ahead, left) > kSliver || dot(ahead, right) > kSliver) return false;
  }
  return true;
}
}  // namespace

PlaceGround ground_of(const Network& network, const Place& place) {
  PlaceGround ground;
  const std::size_t n = place.arms.size();
  if (n < 2) return ground;
  if (place.is_fan) {
    const Polygon polygon = fan_polygon(network, place);
    for (std::size_t i = 0; i < polygon.size(); ++i)
      ground.lanes.push_back(piece_of(place.at, polygon[i], polygon[(i + 1) % polygon.size()]));
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<RimPoint> rim = rim_of(network, place, i);
      for (std::size_t k = 1; k < rim.size(); ++k) {
        add_triangle(ground.pavements, rim[k - 1].inner, rim[k].inner, rim[k].outer);
        add_triangle(ground.pavements, rim[k - 1].inner, rim[k].outer, rim[k - 1].outer);
      }
    }
    return ground;
  }
  std::vector<CrossSection> mouths;
  for (const Arm& arm : place.arms) mouths.push_back(mouth_of(network, arm));
  const std::size_t reach = n <= kMostOpenArms ? n : 2;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 1; k < reach; ++k) {
      const CrossSection &mouth = mouths[i], &next = mouths[(i + k) % n];
      if (!is_open(place.at, mouths, i, (i + k) % n)) continue;
      ground.lanes.push_back(piece_of(place.at, mouth.left, next.right));
      add_triangle(ground.pavements, mouth.left, next.right, next.outer_right);
      add_triangle(ground.pavements, mouth.left, next.outer_right, mouth.outer_left);
    }
  return ground;
}

}  // namespace simbatch::roads::detail
