#pragma once
/// Where this program is installed.

#include <filesystem>

namespace simbatch {

/// The folder that bin/PROGRAM, with share/ and lib/ beside bin/, lies in: of an installation, wherever it was moved, or of a build
/// tree, whose programs and tests lie in folders of the same depth. Empty if the system does not tell (no /proc).
std::filesystem::path installation_prefix();

}  // namespace simbatch
