#pragma once
/// Robots and worlds of URDF, SDF and MJCF as URDF and SDF, link by link.

#include <optional>
#include <string>

#include "apps/objconv/world_files.hpp"

namespace simbatch::objconv {

/// True for URDF, SDF and MJCF.
bool is_robot_file(file_kind::Kind kind);
/// Nothing is simulated and no links are merged: what the file says and the target has comes back, with the same numbers. Meshes
/// keep their files; if the output is in another folder, those without a scheme (package://) are copied.
/// @param output  its name @pre is_robot_file(kind) and is_model_target(target). Nothing after an error. @throws IoError
std::optional<WorldFiles> robot_files(const std::string& path, file_kind::Kind kind, const std::string& output,
                                      const std::string& target, const WorldOptions& options, Diagnostics& problems);

}  // namespace simbatch::objconv
