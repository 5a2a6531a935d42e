#pragma once
/// Sentences of NMEA 0183.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/geo/geo.hpp"

namespace simbatch::sim {

/// Contents of an RMC sentence.
struct Fix {
  double utc = 0;     ///< s since 1970-01-01T00:00:00Z
  geo::LatLon place;  ///< WGS84, degrees
  double speed = 0;   ///< m/s over ground, >= 0
  double course = 0;  ///< degrees from true north, clockwise
};

/// Appends `$GPRMC,hhmmss.ss,A,ddmm.mmmmm,N,dddmm.mmmmm,E,knots,course,ddmmyy,,,A*XX` CR LF (NMEA 0183 version 2.3: recommended
/// minimum specific GNSS data; the last field is the mode, A for autonomous). Numbers are rounded to the digits shown,
/// never up to 60 minutes or 360 degrees. XX is the exclusive or of all bytes between $ and *, in hexadecimal.
void append_rmc(std::string& out, const Fix& fix);

/// Exclusive or of the bytes.
std::uint8_t nmea_checksum(std::string_view body);

}  // namespace simbatch::sim
