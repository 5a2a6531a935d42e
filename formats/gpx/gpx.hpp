#pragma once
/// Writes GPX 1.1 (Topografix, http://www.topografix.com/GPX/1/1): waypoints, routes and tracks (docs/formats/gpx.md).

#include <optional>
#include <string>
#include <vector>

#include "base/geo/geo.hpp"

namespace simbatch::gpx {

/// A place on WGS 84.
struct Point {
  geo::LatLon at;             ///< latitude within +-90 degrees, longitude within +-180; both finite
  std::optional<double> utc;  ///< s since 1970-01-01T00:00:00Z
  friend bool operator==(const Point&, const Point&) = default;
};

/// A named place.
struct Waypoint {
  std::string name;
  Point point;
};

/// A named sequence of places.
struct Path {
  std::string name;
  std::vector<Point> points;
};

struct Document {
  std::string name;  ///< of the document
  std::vector<Waypoint> waypoints;
  std::vector<Path> routes;  ///< planned ways: turning points
  std::vector<Path> tracks;  ///< ways that were traveled: one segment each
};

/// Canonical text with a final line break: the same document, the same bytes. Coordinates have at most 9 decimals (0.1 mm), times
/// milliseconds; a time outside the years 1 to 9999, which XML Schema's dateTime cannot represent, is left out. Characters that
/// XML forbids become U+FFFD.
/// @throws std::invalid_argument for a place that is not on the earth
std::string write_gpx(const Document& document);

}  // namespace simbatch::gpx
