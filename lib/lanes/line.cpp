// Elementary geometry: at a bend of angle b, the tangents to a circle of radius r are r tan(b/2) long, and the circle passes
// the corner at a distance of r (1/cos(b/2) - 1) = (length of the tangents) tan(b/4).
// Our own: how long tangents are where bends are close to each other.
#include "lib/lanes/line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simbatch::lanes {
namespace {

using geo::EastNorth;
using std::numbers::pi;

constexpr double kStraight = 1e-9;        // rad: no bend
constexpr double kKink = 175 * pi / 180;  // rad: stays as it is
constexpr double kLongest = 30;           // m, of the tangents of an arc

Place along(const Piece& piece, double s) {
  const geo::EastNorth at = piece.start.at;
  const double heading = piece.start.heading;
  if (piece.curvature == 0) return {{at.east + s * std::cos(heading), at.north + s * std::sin(heading)}, heading};
  // By half the angle, which stays exact for small curvatures.
  const double half = piece.curvature * s / 2, chord = 2 * std::sin(half) / piece.curvature;
  return {{at.east + chord * std::cos(heading + half), at.north + chord * std::sin(heading + half)},
          wrapped(heading + 2 * half)};
}

void add(Line& line, const Place& start, double length, double curvature) {
  if (!(length > 0)) return;
  line.pieces.push_back({start, length, curvature, line.length});
  line.length += length;
}

/// The last piece that begins before `s`, or the first.
std::vector<Piece>::const_iterator piece_at(const Line& line, double s) {
  const auto next =
      std::upper_bound(line.pieces.begin() + 1, line.pieces.end(), s, [](double value, const Piece& p) { return value < p.s; });
  return next - 1;
}

}  // namespace

double distance(EastNorth a, EastNorth b) { return std::hypot(b.east - a.east, b.north - a.north); }

double wrapped(double angle) { return std::remainder(angle, 2 * pi); }

EastNorth left_of(const Place& place, double t) {
  return {place.at.east - t * std::sin(place.heading), place.at.north + t * std::cos(place.heading)};
}

Line rounded_line(std::span<const EastNorth> points, const Rounding& rounding) {
  Line line;
  line.at_points.push_back(0);
  double used = 0;  // of the straight piece that begins at the current point
  const std::size_t last = points.size() - 1;
  double heading = std::atan2(points[1].north - points[0].north, points[1].east - points[0].east);
  for (std::size_t i = 0; i < last; ++i) {
    const double l = distance(points[i], points[i + 1]);
    double next_heading = heading, tangent = 0, bend = 0;
    if (i + 1 < last) {
      next_heading = std::atan2(points[i + 2].north - points[i + 1].north, points[i + 2].east - points[i + 1].east);
      bend = wrapped(next_heading - heading);
      const double size = std::fabs(bend), next = distance(points[i + 1], points[i + 2]);
      if (size > kStraight && size < kKink) {
        const double room = std::min(l - used, i + 2 == last ? next * 0.9 : next / 2);
        const double wanted =
            std::max(std::min(rounding.leave / std::tan(size / 4), kLongest), rounding.radius * std::tan(size / 2));
        tangent = std::min(room, wanted);
      }
    }
    const Place from{{points[i].east + used * std::cos(heading), points[i].north + used * std::sin(heading)}, heading};
    add(line, from, l - used - tangent, 0);
    used = tangent;
    if (tangent > 0) {
      const double radius = tangent / std::tan(std::fabs(bend) / 2), arc = radius * std::fabs(bend);
      const EastNorth start{points[i + 1].east - tangent * std::cos(heading),
                            points[i + 1].north - tangent * std::sin(heading)};
      line.at_points.push_back(line.length + arc / 2);
      add(line, {start, heading}, arc, std::copysign(1 / radius, bend));
    } else {
      line.at_points.push_back(line.length);
    }
    heading = next_heading;
  }
  return line;
}

Place place_at(const Line& line, double s) {
  const Piece& piece = *piece_at(line, s);
  return along(piece, std::clamp(s - piece.s, 0.0, piece.length));
}

Line part_of(const Line& line, double begin, double end) {
  Line part;
  for (auto piece = piece_at(line, begin); piece != line.pieces.end() && piece->s < end; ++piece) {
    const double from = std::max(begin - piece->s, 0.0), to = std::min(end - piece->s, piece->length);
    add(part, along(*piece, from), to - from, piece->curvature);
  }
  double start = 0;
  for (const WayPart& of : line.ways) {
    if (of.end > begin && start < end) part.ways.push_back({std::min(of.end, end) - begin, of.way});
    start = of.end;
  }
  return part;
}

std::int64_t way_at(const Line& line, double s) {
  for (const WayPart& of : line.ways)
    if (s < of.end) return of.way;
  return line.ways.empty() ? 0 : line.ways.back().way;
}

}  // namespace simbatch::lanes
