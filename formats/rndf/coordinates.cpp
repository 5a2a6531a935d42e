#include "formats/rndf/coordinates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "formats/rndf/codes.hpp"

namespace simbatch::rndf::detail {
namespace {

/// y may be a northing, which ends at the pole; over a wider x the projection is no longer good.
constexpr double kMaxX = 1e6, kMaxY = 1e7;

bool is_outside(const Waypoint& w) { return std::fabs(w.lat) > 90 || std::fabs(w.lon) > 180; }

template <class Network, class Visit>
void for_each_run(Network& rndf, Visit visit) {
  for (auto& segment : rndf.segments)
    for (auto& lane : segment.lanes) visit(lane.waypoints);
  for (auto& zone : rndf.zones) {
    visit(zone.perimeter);
    for (auto& spot : zone.spots) visit(spot.waypoints);
  }
}

}  // namespace

double rough_distance(const Waypoint& a, const Waypoint& b) {
  constexpr double kMetersPerDegree = 111'200;
  const double north = (b.lat - a.lat) * kMetersPerDegree;
  double east = std::fabs(b.lon - a.lon);
  if (east > 180) east = 360 - east;
  east *= kMetersPerDegree * std::cos((a.lat + b.lat) / 2 * std::numbers::pi / 180);
  return std::hypot(north, east);
}

Spread spread_of(const Rndf& rndf) {
  Spread spread;
  for_each_run(rndf, [&](const std::vector<Waypoint>& points) {
    const Waypoint* before = nullptr;  // the last one that is placed
    for (const Waypoint& w : points) {
      ++spread.waypoints;
      const bool has_step = before != nullptr && w.is_placed && w.id != before->id;
      if (is_outside(w) || (has_step && rough_distance(*before, w) > kLongStep)) {
        if (spread.far++ == 0) spread.first = w.place.at;
      } else if (has_step) {
        ++spread.near;
      }
      if (w.is_placed) before = &w;
    }
  });
  return spread;
}

void CoordinateReader::read(LineParser& line, Waypoint& waypoint) {
  planar_ ? read_meters(line, waypoint) : read_degrees(line, waypoint);
}

void CoordinateReader::read_degrees(LineParser& line, Waypoint& waypoint) {
  const auto lat = line.number(1, "latitude");
  const auto lon = line.words().size() > 1 ? line.number(2, "longitude") : std::nullopt;
  const auto check = [&](std::size_t word, std::string_view what, std::optional<double> value, int limit) {
    if (!value || std::fabs(*value) <= limit) return;
    outside_.emplace_back(line.words()[word].at, fmt::format("{} {} is not from -{} to {} degrees (meters?)", what,
                                                             line.words()[word].text, limit, limit));
  };
  check(1, "latitude", lat, 90);
  check(2, "longitude", lon, 180);
  waypoint.is_placed = lat && lon;
  if (waypoint.is_placed) waypoint.lat = *lat, waypoint.lon = *lon;
  if (is_outside(waypoint)) waypoint.is_placed = false;
}

void CoordinateReader::read_meters(LineParser& line, Waypoint& waypoint) {
  const auto coordinate = [&](std::size_t word, std::string_view what, double limit) {
    auto value = line.number(word, what);
    if (!value || std::fabs(*value) <= limit) return value;
    line.error(code::kCoordinate, line.words()[word].at,
               fmt::format("{} {} is not from -{} to {} km", what, line.words()[word].text, limit / 1000, limit / 1000));
    value.reset();
    return value;
  };
  const auto x = coordinate(1, "x", kMaxX);
  const auto y = line.words().size() > 1 ? coordinate(2, "y", kMaxY) : std::nullopt;
  waypoint.is_placed = x && y;
  if (!waypoint.is_placed) return;
  const geo::LatLon place = frame_.to_geographic({*x, *y});
  waypoint.lat = place.lat, waypoint.lon = place.lon;
}

void CoordinateReader::finish(Rndf& rndf, Diagnostics& diagnostics) {
  const Spread spread = planar_ ? Spread{} : spread_of(rndf);
  if (spread.is_planar()) {
    diagnostics.report_as(outside_.empty() ? Severity::warning : Severity::error, code::kPlanar, spread.first,
                          fmt::format("the coordinates look like meters on a plane, not degrees: {} of {} waypoints are out of "
                                      "range or more than 5 km from the one before; objconv reads them with --planar, "
                                      "scenarios with planar=\"true\" beside rndf=, and objconv rndf fmt --planar FILE -o NEW "
                                      "writes them in degrees",
                                      spread.far, spread.waypoints));
  } else {
    for (auto& [at, message] : outside_) diagnostics.report(code::kCoordinate, at, std::move(message));
  }
  if (outside_.empty()) return;
  for_each_run(rndf, [&](std::vector<Waypoint>& points) {
    for (Waypoint& w : points) {
      if (spread.is_planar()) w.is_placed = false;
      if (!w.is_placed) w.lat = w.lon = 0;
    }
  });
}

}  // namespace simbatch::rndf::detail
