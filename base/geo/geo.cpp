// Sources, as implemented by GeographicLib: C. F. F. Karney, Transverse Mercator with an accuracy of a few nanometers, J.
// Geodesy 85 (2011); C. F. F. Karney, Algorithms for geodesics, J. Geodesy 87 (2013).

#include "base/geo/geo.hpp"

#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/TransverseMercator.hpp>
#include <GeographicLib/UTMUPS.hpp>
#include <cmath>

namespace simbatch::geo {

bool is_clockwise(std::span<const LatLon> ring) {
  double area = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const LatLon &a = ring[i], &b = ring[(i + 1) % ring.size()];
    area += (a.lon - ring[0].lon) * (b.lat - ring[0].lat) - (b.lon - ring[0].lon) * (a.lat - ring[0].lat);
  }
  return area < 0;
}
namespace {
using GeographicLib::UTMUPS;

const GeographicLib::TransverseMercator& plane() {
  static const GeographicLib::TransverseMercator projection(GeographicLib::Constants::WGS84_a(),
                                                            GeographicLib::Constants::WGS84_f(), 1.0);
  return projection;
}
}  // namespace

LocalFrame::LocalFrame(LatLon origin) : origin_(origin) {
  double east = 0;
  plane().Forward(origin.lon, origin.lat, origin.lon, east, northing0_);
}

EastNorth LocalFrame::to_plane(LatLon place) const {
  EastNorth result;
  plane().Forward(origin_.lon, place.lat, place.lon, result.east, result.north);
  result.north -= northing0_;
  return result;
}

LatLon LocalFrame::to_geographic(EastNorth place) const {
  LatLon result;
  plane().Reverse(origin_.lon, place.east, place.north + northing0_, result.lat, result.lon);
  return result;
}

double LocalFrame::convergence(LatLon place) const {
  double x = 0, y = 0, gamma = 0, k = 0;
  plane().Forward(origin_.lon, place.lat, place.lon, x, y, gamma, k);
  return -radians(gamma);
}

std::optional<Utm> to_utm(LatLon place, int zone) {
  if (!(place.lat >= -80 && place.lat <= 84)) return std::nullopt;
  try {
    Utm result;
    UTMUPS::Forward(place.lat, place.lon, result.zone, result.north, result.easting, result.northing,
                    zone == 0 ? static_cast<int>(UTMUPS::UTM) : zone);
    return result;
  } catch (const GeographicLib::GeographicErr&) {
    return std::nullopt;
  }
}

std::optional<LatLon> from_utm(const Utm& place) {
  if (place.zone < 1 || place.zone > 60) return std::nullopt;
  try {
    LatLon result;
    UTMUPS::Reverse(place.zone, place.north, place.easting, place.northing, result.lat, result.lon);
    return result;
  } catch (const GeographicLib::GeographicErr&) {
    return std::nullopt;
  }
}

std::optional<double> utm_convergence(const Utm& place) {
  if (place.zone < 1 || place.zone > 60) return std::nullopt;
  try {
    double lat = 0, lon = 0, gamma = 0, k = 0;
    UTMUPS::Reverse(place.zone, place.north, place.easting, place.northing, lat, lon, gamma, k);
    return radians(gamma);
  } catch (const GeographicLib::GeographicErr&) {
    return std::nullopt;
  }
}

Geodesic geodesic(LatLon from, LatLon to) {
  double distance = 0, azimuth1 = 0, azimuth2 = 0;
  GeographicLib::Geodesic::WGS84().Inverse(from.lat, from.lon, to.lat, to.lon, distance, azimuth1, azimuth2);
  return {distance, radians(azimuth1)};
}

}  // namespace simbatch::geo
