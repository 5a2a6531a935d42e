#pragma once
/// Road networks near 48 N 11 E, whose waypoints are given in meters, and an object to go with them.

#include <string>

#include "base/core/number.hpp"
#include "base/geo/geo.hpp"

namespace simbatch::test {

inline constexpr geo::LatLon kLanesOrigin{48, 11};

/// The line of a waypoint or perimeter point in an RNDF.
inline std::string waypoint(const std::string& id, double east, double north) {
  const geo::LatLon at = geo::LocalFrame(kLanesOrigin).to_geographic({east, north});
  return id + "\t" + number_text(at.lat) + "\t" + number_text(at.lon) + "\n";
}

/// A box at waypoint 1.1.1, as an object file of version 2.
inline constexpr const char* kBoxOnLane =
    R"(<object_file><name>o</name><object type="static" shape="box"><name>a</name>
<start_position segment="1" lane="1" waypoint="1"/><position_offset x="0" y="0" z="0"/>
<orientation_offset x="0" y="0" z="0"/><size x="1" y="1" z="1"/></object></object_file>)";

}  // namespace simbatch::test
