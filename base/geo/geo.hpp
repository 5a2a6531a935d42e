#pragma once
/// Positions on the earth and in the world frame (docs/conventions.md).

#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>

namespace simbatch::geo {

constexpr double radians(double degrees) { return degrees * (std::numbers::pi / 180.0); }
constexpr double degrees(double radians) { return radians * (180.0 / std::numbers::pi); }

/// Geodetic WGS84, degrees; latitude in [-90, 90], longitude in [-180, 180].
struct LatLon {
  double lat = 0, lon = 0;  ///< degrees
  friend bool operator==(const LatLon&, const LatLon&) = default;
};

/// True if a ring of corners (closed or not) runs clockwise on a map with north up: twice its area in degrees, by the
/// shoelace formula, is negative. A ring across the 180th meridian is not unwrapped.
bool is_clockwise(std::span<const LatLon> ring);

/// Meters on a local map plane: east is the world's +x, north its +z.
struct EastNorth {
  double east = 0, north = 0;  ///< m
  friend bool operator==(const EastNorth&, const EastNorth&) = default;
};

/// The map plane about an origin: transverse Mercator with the origin's meridian as central meridian, scale 1 there
/// (GeographicLib's exact-series TransverseMercator). Conformal; at 10 km from the origin distances are long by 1.2e-6.
class LocalFrame {
 public:
  explicit LocalFrame(LatLon origin);
  LatLon origin() const { return origin_; }
  EastNorth to_plane(LatLon place) const;
  LatLon to_geographic(EastNorth place) const;
  /// Angle from the map's north to true north at a place (rad), positive when true north lies clockwise of map north.
  double convergence(LatLon place) const;

 private:
  LatLon origin_;
  double northing0_ = 0;
};

/// A position in UTM. `zone` 1..60; `north` the hemisphere (false: 10,000 km false northing).
struct Utm {
  int zone = 0;
  bool north = true;
  double easting = 0, northing = 0;  ///< m, with the false offsets
};
/// @param zone  a zone to use instead of the standard one (0: standard, with the exceptions of Norway and Svalbard)
/// @return empty outside latitudes -80..84 degrees or if the zone is too far away
std::optional<Utm> to_utm(LatLon place, int zone = 0);
/// Empty outside the projection's range.
std::optional<LatLon> from_utm(const Utm& place);
/// Angle from true north to grid north (rad), positive when grid north lies clockwise (east) of true north.
std::optional<double> utm_convergence(const Utm& place);

/// Length of the shortest line on the ellipsoid (m) (Karney 2013), and its azimuth at `from` (rad, clockwise from north).
struct Geodesic {
  double distance = 0, azimuth = 0;  ///< m; rad, clockwise from north at `from`
};
Geodesic geodesic(LatLon from, LatLon to);

}  // namespace simbatch::geo
