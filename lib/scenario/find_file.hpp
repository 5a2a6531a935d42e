#pragma once
/// Finds the meshes and included models that robot and world files name. Internal to this room.

#include "lib/robots/from_sdf.hpp"
#include "lib/robots/to_autosim.hpp"
#include "lib/scenario/files.hpp"

namespace simbatch::scenario::detail {

/// Finds meshes as robot files name them: beside the file; package://NAME/... and model://NAME/... in the folders above it, as far
/// as the scenario may read. Reports what cannot be found or read.
/// @param file  the file that is converted; results are relative to its folder
robots::MeshFinder mesh_finder(const ScenarioRoot& root, const std::string& file, Diagnostics& problems);

/// Finds and reads models that SDF files include: a file, or a folder with model.sdf in it, likewise.
robots::IncludeLoader include_loader(const ScenarioRoot& root, Diagnostics& problems);

}  // namespace simbatch::scenario::detail
