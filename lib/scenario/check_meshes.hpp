#pragma once
/// Opens the meshes that a robot or world names, without building anything.

#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "lib/file_kind/file_kind.hpp"

namespace simbatch::scenario {

/// Reports the meshes of a file that a simulation or a conversion could not read: at their own places, with the place that names them.
/// One that is outside the root is not opened, which a single warning says of all of them.
/// @param text  of a URDF, SDF or MJCF file, or of an AutoSim robot or world, without errors; files of other kinds have none
/// @param path  of the file, where its names begin
/// @param root  folder that it may read; empty: its own
void check_meshes(std::string_view text, const std::string& path, file_kind::Kind kind, const std::string& root,
                  Diagnostics& problems);

/// A message of the first problem of a mesh, with its place; empty: it can be read, or is of a kind that is not.
/// @param path, root  as above  @param mesh  its path, of a file that may be read
std::string mesh_problem(const std::string& mesh, const std::string& path, const std::string& root);

}  // namespace simbatch::scenario
