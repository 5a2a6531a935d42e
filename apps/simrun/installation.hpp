#pragma once

#include <filesystem>
#include <string_view>

namespace simbatch::simrun {

/// Where a file of the installation lies that this program is part of, or of the build tree, which has the same folders.
/// @param file  relative to the prefix, "share/simbatch/replay.html"
/// @return empty if it does not exist
std::filesystem::path installed(std::string_view file);

}  // namespace simbatch::simrun
