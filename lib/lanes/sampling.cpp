// The convex hull: Andrew's monotone chain (Another efficient algorithm for convex hulls in two dimensions, 1979).
#include "lib/lanes/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "lib/lanes/surface.hpp"

namespace simbatch::lanes::detail {
namespace {

constexpr double kChordError = 0.02;  // m: maximum deviation of a border from its arc
constexpr double kForward = 0.02;     // m: minimum advance from one point to the next
constexpr int kTurnSteps = 12;

bool advances(const Place& from, const Place& to) {
  return (to.at.east - from.at.east) * std::cos(to.heading) + (to.at.north - from.at.north) * std::sin(to.heading) > kForward;
}

}  // namespace

std::vector<double> samples_of(const Network& network, const Road& road) {
  double reach = std::fabs(road.shift);
  for (const auto* side : {&road.right, &road.left})
    for (const Lane& lane : *side) reach += lane.width;
  std::vector<double> samples = {0};
  for (const Piece& piece : road.line.pieces) {
    int n = 1;
    if (piece.curvature != 0) {
      const double angle = std::fabs(piece.curvature) * piece.length, radius = 1 / std::fabs(piece.curvature) + reach;
      n = std::clamp(static_cast<int>(std::ceil(angle * std::sqrt(radius / (8 * kChordError)))), 1, 64);
    }
    for (int i = 1; i <= n; ++i) samples.push_back(piece.s + piece.length * i / n);
  }
  samples.back() = road.line.length;
  return with_heights(network, road, samples);
}

std::vector<Place> advancing(std::span<const Place> places) {
  std::vector<Place> kept;
  for (const Place& place : places)
    if (kept.empty() || advances(kept.back(), place)) kept.push_back(place);
  // The last point must stay, so remove preceding ones that are too close to it.
  while (kept.size() > 1 && !advances(kept.back(), places.back())) kept.pop_back();
  if (kept.size() == 1 || kept.back().at != places.back().at) kept.push_back(places.back());
  return kept;
}

std::vector<Place> lane_path(const Network& network, const Road& road, LaneId lane, std::span<const double> samples) {
  const auto& side = lane < 0 ? road.right : road.left;
  const auto index = static_cast<std::size_t>(std::abs(lane) - 1);
  double t = side[index].width / 2;
  for (std::size_t i = 0; i < index; ++i) t += side[i].width;
  std::vector<Place> places;
  for (const double s : samples) {
    const Place place = place_at(road.line, s);
    const geo::EastNorth at = left_of(place, road.shift + (lane < 0 ? -t : t));
    places.push_back({at, place.heading, height_on(network, road, s, at)});
  }
  places = advancing(places);
  if (lane < 0) return places;
  std::reverse(places.begin(), places.end());
  for (Place& place : places) place.heading = wrapped(place.heading + std::numbers::pi);
  return places;
}

std::vector<Place> places_of(const TurnCurve& curve) {
  std::vector<Place> places;
  for (int i = 0; i <= kTurnSteps; ++i) {
    const double p = static_cast<double>(i) / kTurnSteps;
    const auto value = [&](const std::array<double, 4>& c) { return c[0] + p * (c[1] + p * (c[2] + p * c[3])); };
    const auto slope = [&](const std::array<double, 4>& c) { return c[1] + p * (2 * c[2] + p * 3 * c[3]); };
    const Place& start = curve.start;
    const double u = value(curve.u), v = value(curve.v), c = std::cos(start.heading), s = std::sin(start.heading);
    places.push_back({{start.at.east + c * u - s * v, start.at.north + s * u + c * v},
                      start.heading + std::atan2(slope(curve.v), slope(curve.u))});
  }
  return places;
}

Place lane_end(const Network& network, const Road& road, LaneId lane, bool at_end) {
  Place place = lane_place(road, lane, at_end);
  place.height = height_on(network, road, at_end ? road.line.length : 0, place.at);
  return place;
}

std::vector<Place> turn_path(const Network& network, const Turn& turn, const TurnCurve& curve) {
  std::vector<Place> places = places_of(curve);
  set_heights(network, turn, lane_end(network, network.roads[turn.from_road], turn.from_lane, turn.from_lane < 0).height,
              lane_end(network, network.roads[turn.to_road], turn.to_lane, turn.to_lane > 0).height, places);
  return places;
}

std::pair<std::vector<Place>, std::vector<Place>> divided(const std::vector<Place>& path, double s) {
  std::vector<Place> head = {path.front()}, tail;
  double at = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Place &from = path[i - 1], &to = path[i];
    const double step = distance(from.at, to.at);
    if (tail.empty() && at + step >= s) {
      const double f = step > 0 ? (s - at) / step : 0;
      const Place middle{{from.at.east + f * (to.at.east - from.at.east), from.at.north + f * (to.at.north - from.at.north)},
                         from.heading,
                         from.height + f * (to.height - from.height)};
      if (distance(middle.at, head.back().at) > kPoint) head.push_back(middle);
      tail.push_back(middle);
    }
    std::vector<Place>& part = tail.empty() ? head : tail;
    if (distance(part.back().at, to.at) > kPoint) part.push_back(to);
    at += step;
  }
  return {std::move(head), std::move(tail)};
}

std::vector<Place> hull_of(std::vector<Place> points) {
  std::sort(points.begin(), points.end(),
            [](const Place& a, const Place& b) { return std::pair(a.at.east, a.at.north) < std::pair(b.at.east, b.at.north); });
  std::vector<Place> hull;
  const auto add = [&](const Place& place, std::size_t floor) {
    const geo::EastNorth p = place.at;
    while (hull.size() > floor) {
      const geo::EastNorth a = hull[hull.size() - 2].at, b = hull.back().at;
      if ((b.east - a.east) * (p.north - a.north) - (b.north - a.north) * (p.east - a.east) > 0) break;
      hull.pop_back();
    }
    hull.push_back(place);
  };
  for (const Place& p : points) add(p, 1);
  const std::size_t half = hull.size();
  for (std::size_t i = points.size() - 1; i-- > 0;) add(points[i], half);
  hull.pop_back();
  return hull;
}

}  // namespace simbatch::lanes::detail
