#pragma once
/// Triangles of a polygon with holes. Internal to lib/roads.

#include <cstdint>
#include <vector>

#include "lib/roads/convex.hpp"

namespace simbatch::roads::detail {

/// Largest number of corners accepted: the method is quadratic.
inline constexpr std::size_t kMaxCorners = 4000;

/// Ear clipping (Meisters 1975), holes joined to the outline by bridges (Eberly, Triangulation by Ear Clipping, 2002).
/// @param outer  counter-clockwise; @param holes  clockwise, inside `outer`
/// @return triples of corners, counter-clockwise, each of positive area. Crossing outlines are covered in part; nothing is
/// returned above kMaxCorners.
std::vector<EastNorth> triangulate(const Polygon& outer, const std::vector<Polygon>& holes);

}  // namespace simbatch::roads::detail
