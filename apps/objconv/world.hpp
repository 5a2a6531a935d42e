#pragma once
/// Whole worlds as glTF: scenarios, maps, robots and objects, with the motion of a trace.

#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::objconv {

struct WorldOptions {
  std::string trace;                   ///< --trace; empty: nothing moves
  std::string rndf;                    ///< --rndf; empty: none
  bool planar = false;                 ///< --planar
  std::string root;                    ///< --root; empty: the input's own folder
  std::string graspit_root;            ///< --graspit-root; empty: searched for
  std::string mesh_format = "stl";     ///< --mesh-format: of meshes beside a URDF or SDF
  std::string mesh_folder = "meshes";  ///< of the same, relative to the output
};

/// True for worlds and objects that can be placed in one: scenarios, map folders, AutoSim robots, CajunBot objects, GraspIt!
/// worlds, URDF robots, SDF and MJCF worlds and models.
bool is_world(const std::string& path, file_kind::Kind kind);

/// Builds what such a path holds. @throws IoError
scenario::BuildResult build_world(const std::string& path, file_kind::Kind kind, const scenario::BuildOptions& build);

/// The GLB file of a world; empty after an error. @throws IoError
std::string world_glb(const std::string& path, file_kind::Kind kind, const WorldOptions& options, Diagnostics& problems);

/// The world as it begins, and what is to be seen of it; empty after an error. @throws IoError
std::optional<view::BuiltView> world_view(const std::string& path, file_kind::Kind kind, const WorldOptions& options,
                                          Diagnostics& problems);

}  // namespace simbatch::objconv
