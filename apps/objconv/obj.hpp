#pragma once
/// Conversions of convert to and from Wavefront OBJ, other than those of GraspIt! bodies.

#include <string>

#include "apps/objconv/world.hpp"
#include "base/core/input.hpp"

namespace simbatch::objconv {

/// True for OBJ meshes. CajunBot's object files are called .obj as well.
bool is_obj_mesh(const Input& input, file_kind::Kind kind);
/// The GLB file of an OBJ mesh; empty after an error.
std::string mesh_glb(const Input& input, Diagnostics& problems);

/// The OBJ file of a world as it begins; empty after an error. @pre is_world(path, kind) @throws IoError
std::string world_obj(const std::string& path, file_kind::Kind kind, const WorldOptions& options, Diagnostics& problems);

}  // namespace simbatch::objconv
