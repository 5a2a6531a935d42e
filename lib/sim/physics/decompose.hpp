#pragma once
/// Convex decomposition of meshes.

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics {

inline constexpr std::size_t kMaxDecomposedTriangles = 5000;

/// Approximates the mesh by at most `most` (>= 1) convex hulls. Cuts perpendicular to the mesh's axes, choosing the cut that
/// minimizes the total hull volume, until there are enough pieces or neither one cut nor two save 1 % of the volume of the
/// first hull. With 1, the hull of the whole mesh. Solids that consist of axis-aligned boxes are reproduced exactly if enough
/// pieces are allowed; others are enclosed.
/// @param mesh  at most kMaxDecomposedTriangles triangles; the winding does not matter
/// @return none if the mesh does not enclose a solid
std::vector<ConvexHull> convex_parts(const TriangleMesh& mesh, int most);

}  // namespace simbatch::physics
