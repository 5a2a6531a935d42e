// The cubic through two places: the control polygon of a circle of angle b over a chord c has handles of 4/3 tan(b/4) r with
// r = c / (2 sin(b/2)) (Goldapp, Approximation of circular arcs by cubic polynomials, 1991); a Hermite tangent is three handles.
// Lengths by Simpson's rule.
#include "lib/lanes/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

namespace simbatch::lanes {
namespace {

constexpr double kNoLength = 0.01;  // m

double length_of(const std::array<double, 4>& u, const std::array<double, 4>& v) {
  const auto speed = [&](double p) {
    const double du = u[1] + p * (2 * u[2] + p * 3 * u[3]), dv = v[1] + p * (2 * v[2] + p * 3 * v[3]);
    return std::sqrt(du * du + dv * dv);
  };
  constexpr int kSteps = 64;
  double sum = speed(0) + speed(1);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * speed(static_cast<double>(i) / kSteps);
  return sum / (3 * kSteps);
}

}  // namespace

const Lane& lane_of(const Road& road, LaneId lane) {
  const auto& side = lane < 0 ? road.right : road.left;
  return side.at(static_cast<std::size_t>(std::abs(lane) - 1));
}

Place lane_place(const Road& road, LaneId lane, bool at_end) {
  const auto& side = lane < 0 ? road.right : road.left;
  const auto index = static_cast<std::size_t>(std::abs(lane) - 1);
  double t = side.at(index).width / 2;
  for (std::size_t i = 0; i < index; ++i) t += side[i].width;
  const Place place = place_at(road.line, at_end ? road.line.length : 0);
  return {left_of(place, road.shift + (lane < 0 ? -t : t)),
          lane < 0 ? place.heading : wrapped(place.heading + std::numbers::pi)};
}

std::optional<TurnCurve> curve_of(const Network& network, const Turn& turn) {
  const Road &from = network.roads[turn.from_road], &to = network.roads[turn.to_road];
  TurnCurve curve;
  curve.start = lane_place(from, turn.from_lane, turn.from_lane < 0);
  const Place end = lane_place(to, turn.to_lane, turn.to_lane > 0);
  const double east = end.at.east - curve.start.at.east, north = end.at.north - curve.start.at.north;
  const double chord = std::hypot(east, north);
  if (!(chord > kNoLength)) return std::nullopt;
  const double c = std::cos(curve.start.heading), s = std::sin(curve.start.heading);
  const double u = c * east + s * north, v = -s * east + c * north, bend = wrapped(end.heading - curve.start.heading);
  const double angle = std::clamp(std::fabs(bend), 1e-6, std::numbers::pi);
  const double tangent = 2 * chord * std::tan(angle / 4) / std::sin(angle / 2);
  const double u1 = tangent * std::cos(bend), v1 = tangent * std::sin(bend);
  curve.u = {0, tangent, 3 * u - 2 * tangent - u1, -2 * u + tangent + u1};
  curve.v = {0, 0, 3 * v - v1, -2 * v + v1};
  curve.length = length_of(curve.u, curve.v);
  curve.from_width = lane_of(from, turn.from_lane).width;
  curve.to_width = lane_of(to, turn.to_lane).width;
  return curve;
}

}  // namespace simbatch::lanes
