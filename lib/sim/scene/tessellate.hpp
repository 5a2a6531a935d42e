#pragma once
/// Shapes as triangles.

#include "lib/sim/physics/shapes.hpp"

namespace simbatch::scene {

/// The surface of a shape in its own frame, seen counter-clockwise from outside: cross(b - a, c - a) points outwards. Boxes,
/// hulls and meshes are exact, round shapes are inscribed polyhedra with `around` (>= 3) corners.
physics::TriangleMesh triangles_of(const physics::Shape& shape, int around = 24);

/// The surface of a height grid, triangulated as in the physics; two triangles if it is level.
physics::TriangleMesh triangles_of(const physics::HeightGrid& grid);

}  // namespace simbatch::scene
