#pragma once
/// The part of our environment that an untrusted process may know.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch {

/// Whether a variable tells how to find and run programs, and no secret: PATH, LANG, TZ, PYTHONPATH, ...
bool is_harmless_variable(std::string_view name);

/// Our harmless variables, NAME=VALUE each, with these changes.
std::vector<std::string> harmless_environment(const std::vector<std::string>& changes);

/// Deletes all but the harmless variables of this process, also from its memory.
void forget_environment();

}  // namespace simbatch
