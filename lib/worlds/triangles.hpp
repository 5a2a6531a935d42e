#pragma once
/// Shapes of the physics as shapes of models, and as triangles with z up. Internal to this room.

#include <optional>
#include <string>

#include "base/geo/height_grid.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "lib/robots/model.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::worlds {

/// A box, sphere, cylinder or capsule, with z up; nothing for the rest.
std::optional<robots::Shape> plain_shape(const physics::Shape& shape);
/// Adds the triangles of a part that has no plain shape, in the body's frame with z up; cones are cut into 32.
void append_triangles(const physics::World& world, physics::BodyId body, std::size_t index, const physics::Part& part,
                      geo::TriangleMesh& to);
/// Two triangles for each cell, z up; none if they would be more than 4 million.
geo::TriangleMesh triangles_of(const geo::HeightGrid& grid);
/// A file in the mesh's own unit. @param format  "obj", else binary STL
std::string mesh_file(const geo::TriangleMesh& mesh, const std::string& format, const std::string& name);

}  // namespace simbatch::worlds
