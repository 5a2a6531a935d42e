#pragma once
/// Convex parts of a mesh that is not convex.

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics {

inline constexpr std::size_t kMostDecomposedTriangles = 5000;

/// Hulls that together follow the mesh: at most `most` (>= 1). Cuts along the mesh's axes, where the hulls of the pieces have the
/// least volume together, until there are enough pieces or neither one cut nor two save 1 % of the first hull. With 1, the hull of the
/// whole.
/// Solids that consist of boxes along the axes come out exactly if there may be enough pieces; others are enclosed.
/// @param mesh  at most kMostDecomposedTriangles triangles; the winding does not matter
/// @return none if the mesh encloses nothing solid
std::vector<ConvexHull> convex_parts(const TriangleMesh& mesh, int most);

}  // namespace simbatch::physics
