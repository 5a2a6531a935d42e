#pragma once
/// The faces of a convex hull. For this room and lib/sim/scene.

#include <span>

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::physics::detail {

/// The hull of the points as triangles seen counter-clockwise from outside; empty if it has no volume.
TriangleMesh hull_triangles(std::span<const Vec3> points);

}  // namespace simbatch::physics::detail
