#include "lib/roads/junctions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "lib/roads/rims.hpp"

// A fan as in thesis C.1: each arm is cut back until its edges are clear of its neighbors' edges. The mouths' corners in order
// around the node then form a star-shaped polygon: two triangles per arm. Between two arms that continue straight, the rim follows
// the road's edge; where that makes the number of triangles odd, one mouth is split.

namespace simbatch::roads::detail {
namespace {

constexpr std::size_t kMostOpenArms = 16;  ///< at nodes of more, only neighbors are compared: none of real maps
constexpr double kCovered = 0.98;          ///< share of the lanes' width that must lie on a fan

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

/// Computes how far each arm of a node must be cut back; false if an arm is too short for that, or two are too close in
/// direction.
bool find_cuts(const Network& network, const Place& place, std::vector<double>& cuts) {
  const std::size_t n = place.arms.size();
  cuts.assign(n, kMinCut);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const std::optional<Clear> clear = clear_of(network, place.arms[i], place.arms[j]);
    if (!clear) return false;
    cuts[i] = std::max(cuts[i], clear->first);
    cuts[j] = std::max(cuts[j], clear->second);
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

/// True if no corner of a polygon is between the node and an edge from a to b.
bool is_within(EastNorth node, const Polygon& polygon, EastNorth a, EastNorth b) {
  if (twice_area(node, a, b) < 0) std::swap(a, b);
  return std::none_of(polygon.begin(), polygon.end(), [&](EastNorth p) {
    return twice_area(node, a, p) > 0 && twice_area(node, p, b) > 0 && twice_area(a, b, p) > 0;
  });
}

/// True if the fan covers the full width of each arm up to the node: false if a wide road ends among narrow ones, or bends next
/// to a sharp fork.
bool covers_arms(const Network& network, const Place& place, const Polygon& polygon) {
  for (const Arm& arm : place.arms) {
    const Leg& leg = network.legs[arm.leg];
    const std::vector<EdgePoint> left = edge_of(leg, arm, 1), right = edge_of(leg, arm, -1);
    EastNorth last_left, last_right;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const EastNorth middle = times(0.5, plus(left[i].inner, right[i].inner));
      const auto covered = [&](EastNorth edge) { return plus(middle, times(kCovered, minus(edge, middle))); };
      const EastNorth here_left = covered(left[i].inner), here_right = covered(right[i].inner);
      if (i + 1 < left.size() && (!star_holds(place.at, polygon, here_left) || !star_holds(place.at, polygon, here_right)))
        return false;
      if (i > 0 &&
          (!is_within(place.at, polygon, here_left, last_left) || !is_within(place.at, polygon, here_right, last_right)))
        return false;
      last_left = here_left;
      last_right = here_right;
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
