#pragma once

#include <optional>
#include <string>

namespace simbatch::simrun {

/// PYTHONPATH for controllers: the user's, with the folder of simbatch_client.py appended. Empty if the module is not found in
/// the installation or build tree.
std::optional<std::string> controller_python_path();

}  // namespace simbatch::simrun
