#pragma once
/// Polygons on the map plane.

#include "base/geo/geo.hpp"

namespace simbatch::geo {

/// Whether the edge a-b of a polygon crosses the ray from p to the east: of a polygon around p, an odd number of edges does
/// (the even-odd rule).
constexpr bool is_crossed_eastward(EastNorth a, EastNorth b, EastNorth p) {
  return (a.north > p.north) != (b.north > p.north) &&
         p.east < a.east + (p.north - a.north) / (b.north - a.north) * (b.east - a.east);
}

}  // namespace simbatch::geo
