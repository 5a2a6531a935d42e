#pragma once
/// Opens the meshes that a robot or world names, without building anything.

#include <string>
#include <string_view>

#include "base/core/diagnostics.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/models/model_reader.hpp"

namespace simbatch::scenario {

/// Reports the meshes of a file that a simulation or a conversion could not read: at their own places, with the place that names them.
/// One that is outside the root is not opened: a single warning says so of all meshes of URDF, SDF and MJCF files; in AutoSim's files
/// each is an error of its own. What is wrong with files that an SDF or MJCF file includes is reported too.
/// Cost: each mesh is read once; Collada and glTF together at most kMaxAllModelsSeconds, after which the rest are errors.
/// @param text  of a URDF, SDF or MJCF file, or of an AutoSim robot or world, without errors; files of other kinds have none
/// @param path  of the file, where its names begin
/// @param root  folder that it may read; empty: its own
void check_meshes(std::string_view text, const std::string& path, file_kind::Kind kind, const std::string& root,
                  Diagnostics& problems);

/// A message of the first problem of a mesh, with its place; empty: it can be read, or is of a kind that is not.
/// @param path, root  as above  @param mesh  its path, of a file that may be read  @param reader  for all meshes of a conversion, which
/// limits the time that they take together
std::string mesh_problem(const std::string& mesh, const std::string& path, const std::string& root,
                         models::ModelReader& reader);

}  // namespace simbatch::scenario
