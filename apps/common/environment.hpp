#pragma once
/// Defaults of options that come from the environment: libraries do not read it.

#include <string>

namespace simbatch::cli {

/// The folder that the files of a GraspIt! world are relative to: what --graspit-root names, else GraspIt!'s own variable GRASPIT.
/// @param option  --graspit-root; empty: not given
/// @return empty if neither is given: the folder is searched for
std::string graspit_root(const std::string& option);

}  // namespace simbatch::cli
