#pragma once
/// Georeference of a mission: UTM with the zone as written in missions.
///
/// The letter of "29S" is the MGRS latitude band (S = 32..40 degrees north, Lisbon), never the hemisphere. The hemisphere
/// follows from the band (C to M south, N to X north). The place of the reference or of the sections must be in the band.

#include <optional>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "formats/medusa/medusa.hpp"
#include "lib/mission/geometry.hpp"

namespace simbatch::mission {

struct Zone {
  int number = 0;     ///< 1..60
  char band = 0;      ///< C..X without I and O; 0 if not written
  bool north = true;  ///< from the band; north if there is none
};
/// "29S", "29s", "29". Empty for anything else.
std::optional<Zone> parse_zone(std::string_view text);
/// Band of a latitude in [-80, 84]; 0 outside.
char band_of(double latitude);

/// Placement of a mission's frame M on the earth.
class Georeference {
 public:
  Georeference(const geo::Utm& reference) : reference_(reference) {}
  const geo::Utm& reference() const { return reference_; }
  /// WGS84 coordinates of a point in M. Empty outside the projection's range.
  std::optional<geo::LatLon> at(Point p) const;
  /// Point in M of WGS84 coordinates, in the mission's zone.
  std::optional<Point> to_mission(geo::LatLon place) const;
  /// Angle from true north to grid north (rad) at a point in M, clockwise positive: a mission's "north" lies that far east of
  /// true north. 0 outside the projection's range.
  double convergence(Point at = {}) const;

 private:
  geo::Utm reference_;
};

/// Georeferences a mission by its reference and zone, or by its version 5 origin; reports suspicious zones. @param default_zone
/// used when the reference names none ("29S") @param sample        a point of the mission in M, for reference points of 0 0
/// @return empty if there is no zone (then only local meters are known) or the point is invalid
std::optional<Georeference> find_georeference(const std::optional<medusa::Reference>& reference,
                                              const std::optional<medusa::Origin>& origin, std::string_view default_zone,
                                              Point sample, Diagnostics& diagnostics);

/// Converts a version 5 origin to a version 3 reference: UTM of the origin plus the translation, and the zone with its band.
/// Empty outside UTM.
std::optional<medusa::Reference> to_reference(const medusa::Origin& origin);

}  // namespace simbatch::mission
