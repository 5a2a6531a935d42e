#pragma once
/// Finds the meshes and included models that robot and world files name. Internal to this room.

#include "lib/robots/from_mjcf.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/to_autosim.hpp"
#include "lib/scenario/files.hpp"

namespace simbatch::scenario::detail {

/// Where relative names of meshes begin.
enum class NamesBegin { at_their_file, at_the_first };

/// Finds meshes as robot files name them: beside the file; package://NAME/... and model://NAME/... in the folders above it, as far
/// as the scenario may read. Reports what cannot be found, once for each place.
/// @param file  the file that is converted; results are relative to its folder
/// @param base  at the file that has a name, or always at `file` (MJCF)
robots::MeshFinder mesh_finder(const ScenarioRoot& root, const std::string& file, NamesBegin base, Diagnostics& problems);

/// The path of a file that a robot file names. @param from  the file that names it  @param why_not  gets the reason if it is empty
std::string find_named(const ScenarioRoot& root, const std::string& name, const std::string& from, std::string& why_not);

/// Whether meshes of this name's suffix are read.
bool is_mesh(std::string_view name);
/// A mesh that a robot file names.
struct FoundMesh {
  std::string path;         ///< empty: it cannot be read
  std::string why_not;      ///< then a message
  bool is_outside = false;  ///< then: there is one where the scenario may not read
};
/// @param from  the file where its name begins
FoundMesh find_mesh(const ScenarioRoot& root, const std::string& name, const std::string& from);

/// Whether mesh_finder() would find and read a mesh. @param from  the file that names it
bool can_read_mesh(const ScenarioRoot& root, const std::string& name, const std::string& from);

/// Finds and reads models that SDF files include: a file, or a folder with model.sdf in it, likewise.
/// @param read  gets the paths of what was read
robots::IncludeLoader include_loader(const ScenarioRoot& root, Diagnostics& problems, std::vector<std::string>& read);

/// Finds and reads files that an MJCF model includes or attaches: relative to the model's own folder, else to the file that names them.
/// @param read  gets the paths of what was read
mjcf::Loader mjcf_loader(const ScenarioRoot& root, const std::string& file, Diagnostics& problems,
                         std::vector<std::string>& read);
/// Measures meshes in .obj and .stl files by their triangles; files that cannot be read have no mass.
robots::MeshMeasure mesh_measure(const ScenarioRoot& root, const std::string& file);

}  // namespace simbatch::scenario::detail
