#pragma once
/// Checks that links and joints form one tree. Internal to formats/urdf.

#include <set>
#include <string>

#include "formats/urdf/urdf.hpp"

namespace simbatch::urdf {

/// Parts that were left out after an error, so that references to them are not reported as well.
struct Broken {
  const std::set<std::string>& links;   ///< names
  const std::set<std::string>& joints;  ///< names, and "child of LINK" for each joint that had a child
};

/// Reports names that are used twice, ends and mimicked joints that do not exist, links with two parents, rings, and all roots
/// but the first.
void check_tree(const Robot& robot, const Broken& broken, Diagnostics& problems);

}  // namespace simbatch::urdf
