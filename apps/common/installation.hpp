#pragma once
/// Files of the installation that this program is part of, or of the build tree, which has the same folders.

#include <filesystem>
#include <string>
#include <string_view>

namespace simbatch::cli {

/// Where a file of the installation is.
/// @param file  relative to the prefix, "share/simbatch/replay.html"
/// @return empty if it does not exist
std::filesystem::path installed(std::string_view file);

/// The folder of the robots that scenarios may include, share/simbatch/robots; empty if it does not exist.
std::string robot_library();

/// For a message about a file that does not exist: what to do if it is one of the installation's scenarios, which the examples
/// of the help texts use; else empty.
std::string where_installed(const std::string& file);

/// The text of a file of share/simbatch/starters, the templates of new folders. @param file  "car/scenario.xml"
/// @throws IoError if it is not there
std::string starter_text(const std::filesystem::path& file);

}  // namespace simbatch::cli
