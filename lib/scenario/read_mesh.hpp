#pragma once
/// Reads the meshes that robots and worlds name. Internal to this room.

#include <optional>
#include <string>

#include "lib/models/model_reader.hpp"
#include "lib/scenario/files.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::scenario::detail {

/// A mesh by its file's suffix: STL, Collada, glTF, else Wavefront OBJ; in the axes and the unit of its file, but for Collada and glTF
/// (scene::read_mesh_file()), which `reader` reads. Reports what is wrong in the mesh, and at `at` in `file`, which names it; then there is nothing.
std::optional<physics::TriangleMesh> read_mesh(Files& files, models::ModelReader& reader, Input input, const std::string& file,
                                               Position at);

}  // namespace simbatch::scenario::detail
