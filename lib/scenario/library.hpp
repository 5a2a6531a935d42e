#pragma once
/// The library of robots that comes with an installation, for `<Include robot=/>`.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch::scenario {

/// The robot file that `<Include robot=/>` means: of the library if it is a name, else a file.
/// @param library  folder (BuildOptions::library)
/// @param robot    "impreza", or a path of a file: what has a dot or a slash
/// @return the path of the library's file, whether it exists or not; empty if `robot` is a path
std::string library_file(const std::string& library, std::string_view robot);
/// The robots of a library by name, ascending; empty if there is no such folder.
std::vector<std::string> library_robots(const std::string& library);

}  // namespace simbatch::scenario
