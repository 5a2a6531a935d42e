#include "lib/mapgen/junctions.hpp"

#include <algorithm>
#include <cmath>
#include <map>

// A fan, after thesis C.1: each arm is cut back until its edges are clear of its neighbours' edges. Two arms at an angle t,
// with edges a and b towards each other, have edges that meet at (b + a cos t) / sin t along the first. The mouths' corners,
// taken round the place, are then a star-shaped polygon about it: two triangles an arm.

namespace simbatch::mapgen::detail {
namespace {

constexpr double kMargin = 0.3;    ///< m behind the meeting point of two edges
constexpr double kLeastCut = 0.5;  ///< m, so that the triangle over a mouth has an area
constexpr double kMostCut = 40;    ///< m; sharper corners overlap instead
constexpr double kLeastArea = 0.02;  ///< m^2 of each of a fan's triangles

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
  leg.along.push_back(0);
  for (std::size_t i = 1; i < leg.line.size(); ++i) leg.along.push_back(leg.along.back() + distance(leg.line[i - 1], leg.line[i]));
  leg.half_width = road.width / 2;
  leg.left = road.left_pavement;
  leg.right = road.right_pavement;
  leg.place[0] = first;
  leg.place[1] = last;
  network.legs.push_back(std::move(leg));
}

void add_arm(Network& network, std::uint32_t leg_number, int end) {
  const Leg& leg = network.legs[leg_number];
  // A little way out, so that a short first chord does not decide.
  const double out = std::min(leg.length(), std::max(2.0, leg.half_width));
  const EastNorth here = end == 0 ? leg.line.front() : leg.line.back();
  const EastNorth there = at_distance(leg, end == 0 ? out : leg.length() - out).first;
  network.places[leg.place[end]].arms.push_back({leg_number, end, unit(minus(there, here))});
}

/// How far each arm of a place must be cut back; false if some arm is too short for that, or two too near in direction.
bool find_cuts(const Network& network, const Place& place, std::vector<double>& cuts) {
  const std::size_t n = place.arms.size();
  cuts.assign(n, kLeastCut);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const Arm &first = place.arms[i], &second = place.arms[j];
    const double a = widths(network.legs[first.leg], first.end).left, b = widths(network.legs[second.leg], second.end).right;
    const double sine = cross(first.direction, second.direction), cosine = dot(first.direction, second.direction);
    if (sine <= 0.05) {
      if (cosine > 0) return false;  // nearly the same direction
      continue;                      // straight on, or an outer corner: their edges do not meet
    }
    cuts[i] = std::max(cuts[i], (b + a * cosine) / sine + kMargin);
    cuts[j] = std::max(cuts[j], (a + b * cosine) / sine + kMargin);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Leg& leg = network.legs[place.arms[i].leg];
    const bool other_end_is_busy = network.places[leg.place[1 - place.arms[i].end]].arms.size() > 1;
    if (cuts[i] > kMostCut || cuts[i] > leg.length() * (other_end_is_busy ? 0.48 : 0.9)) return false;
  }
  return true;
}

bool is_star(const Network& network, const Place& place) {
  const std::size_t n = place.arms.size();
  for (std::size_t i = 0; i < n; ++i) {
    const CrossSection mouth = mouth_of(network, place.arms[i]), next = mouth_of(network, place.arms[(i + 1) % n]);
    if (twice_area(place.at, mouth.right, mouth.left) < 2 * kLeastArea) return false;
    if (twice_area(place.at, mouth.left, next.right) < 2 * kLeastArea) return false;
  }
  return true;
}

void decide_fan(Network& network, Place& place) {
  if (place.arms.size() < 3) return;
  std::vector<double> cuts;
  if (!find_cuts(network, place, cuts)) return;
  for (std::size_t i = 0; i < place.arms.size(); ++i) network.legs[place.arms[i].leg].cut[place.arms[i].end] = cuts[i];
  place.is_fan = is_star(network, place);
  if (place.is_fan) return;
  for (const Arm& arm : place.arms) network.legs[arm.leg].cut[arm.end] = 0;
}

}  // namespace

Network network_of(const std::vector<Road>& roads) {
  Network network;
  std::map<std::uint32_t, int> ends;  // node -> road ends there; a road that passes counts twice
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

PlaceGround ground_of(const Network& network, const Place& place) {
  PlaceGround ground;
  const std::size_t n = place.arms.size();
  if (n < 2) return ground;
  for (std::size_t i = 0; i < n; ++i) {
    const CrossSection mouth = mouth_of(network, place.arms[i]), next = mouth_of(network, place.arms[(i + 1) % n]);
    if (place.is_fan) {
      ground.lanes.push_back(piece_of(place.at, mouth.right, mouth.left));
      ground.lanes.push_back(piece_of(place.at, mouth.left, next.right));
    } else {
      // Only the outside of a bend is open: from this arm's left edge on to the next one's right edge.
      const double corner = twice_area(place.at, mouth.left, next.right);
      if (corner < 2 * kSliver) continue;
      const EastNorth a = place.arms[i].direction, b = place.arms[(i + 1) % n].direction;
      if (cross(a, b) > 0) continue;  // less than half a turn between them: they overlap
      ground.lanes.push_back(piece_of(place.at, mouth.left, next.right));
    }
    // The pavement goes round the corner.
    add_triangle(ground.pavements, mouth.left, next.right, next.outer_right);
    add_triangle(ground.pavements, mouth.left, next.outer_right, mouth.outer_left);
  }
  return ground;
}

}  // namespace simbatch::mapgen::detail
