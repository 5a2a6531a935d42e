#pragma once
/// Folders whose scenarios may run the programs that they name: the user's own list, ~/.config/simbatch/trusted_folders.

#include <functional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/world.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::simrun {

struct ProgramOptions;

/// Where the list is: in XDG_CONFIG_HOME, or in .config of HOME. Empty if neither is known.
std::string trusted_list();

/// Whether one of the listed folders has all of these files, with links followed, and no other user can write any of them, a folder
/// on the way, or the list. Reports what is wrong with the list, and who can write what (simrun-trust), at their lines.
/// @return the list and the line ("/home/u/.config/simbatch/trusted_folders:3"); empty: not trusted
std::string trusted_by(const std::vector<std::string>& files, Diagnostics& problems);

/// For BuildOptions::trusts. @param also  files that decide what the scenario does and so have to be trusted, too
std::function<bool(const std::string& scenario, const std::string& library, std::string_view bytes, Diagnostics& problems)>
trusting(std::vector<std::string> also = {});

/// For each library that a World file names, its path and whether it may run, and why: "a/b.so: may run: --allow-programs".
/// None for other files, and for what cannot be read.
std::vector<std::string> permissions_of(const std::string& scenario, bool allowed);
/// Likewise, of a World file that was read.
std::vector<std::string> permissions_of(const autosim::World& world, const std::string& scenario, bool allowed);

}  // namespace simbatch::simrun
