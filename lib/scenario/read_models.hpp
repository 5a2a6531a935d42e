#pragma once
/// Robots and worlds of URDF, SDF and MJCF files as models of lib/robots, with all links and joints.

#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::scenario {

struct RobotModels {
  robots::World world;
  std::vector<std::string> included;  ///< paths of the files that it includes
  bool is_world = false;              ///< a world with its own ground; else a single robot
};

/// Reads a file with those that it includes. Parts whose masses are given by densities get them.
/// @param kind  urdf, sdf or mjcf  @param root  folder that it may read; empty: its own
/// @return nothing after an error
std::optional<RobotModels> read_models(const Input& input, file_kind::Kind kind, const std::string& root,
                                       Diagnostics& problems);

/// Finds a mesh as a simulation does: beside the file that names it, or `package://` and `model://` in the folders above it.
/// @param path  of the file that is read  @param from  the file that names the mesh; empty: the same
/// @param why_not  gets the reason if there is none
/// @return its path; empty: there is none, or it may not be read
std::string find_mesh(const std::string& path, file_kind::Kind kind, const std::string& root, const std::string& name,
                      const std::string& from, std::string& why_not);

}  // namespace simbatch::scenario
