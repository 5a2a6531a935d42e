#pragma once
/// Internal: where waypoints are: degrees, or meters on a plane.

#include <utility>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/rndf/lines.hpp"

namespace simbatch::rndf::detail {

/// Reads the coordinates of waypoint lines.
class CoordinateReader {
 public:
  /// @param origin  place of 0 0 of meters
  CoordinateReader(bool planar, geo::LatLon origin) : planar_(planar), frame_(origin) {}

  /// Words 1 and 2 of the line, into the waypoint. Degrees outside their range are kept there until finish().
  void read(LineParser& line, Waypoint& waypoint);
  /// Reports the coordinates outside their range: each, or, where most waypoints look like meters, all as one error.
  void finish(Rndf& rndf, Diagnostics& diagnostics);

 private:
  void read_degrees(LineParser& line, Waypoint& waypoint);
  void read_meters(LineParser& line, Waypoint& waypoint);

  bool planar_;
  geo::LocalFrame frame_;
  std::vector<std::pair<Position, std::string>> outside_;
};

/// Meters, good to a percent: only to separate plausible from implausible.
double rough_distance(const Waypoint& a, const Waypoint& b);
/// Two points of one lane in any real file are meters to some hundred meters apart (71 files examined); more is an error.
inline constexpr double kLongStep = 5000;

/// Waypoints, and those of them that no road in degrees has: outside the range of degrees, or a long step from the one before.
struct Spread {
  std::size_t waypoints = 0, far = 0, near = 0;  ///< near: a short step after another; first ones are neither
  Position first;                                ///< of the far ones
  /// True if more are far than near.
  bool is_planar() const { return far >= 3 && far > near; }
};
Spread spread_of(const Rndf& rndf);

}  // namespace simbatch::rndf::detail
