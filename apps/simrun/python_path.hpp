#pragma once

#include <optional>
#include <string>

namespace simbatch::simrun {

/// PYTHONPATH for controllers: the user's, with the folder of simbatch_client.py appended. Empty if the module is not where an
/// installation, or a build tree, has it.
std::optional<std::string> controller_python_path();

}  // namespace simbatch::simrun
