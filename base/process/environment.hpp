#pragma once
/// The environment that other processes get.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch {

/// The value of a variable in such a list; empty if it is not there.
std::string value_of(std::string_view name, const std::vector<std::string>& environment);

/// Whether a variable tells how to find and run programs, and no secret: PATH, LANG, TZ, PYTHONPATH, ...
bool is_harmless_variable(std::string_view name);

/// Our variables, NAME=VALUE each, with these changes.
std::vector<std::string> environment_with(const std::vector<std::string>& changes);

/// Our harmless variables, NAME=VALUE each, with these changes.
std::vector<std::string> harmless_environment(const std::vector<std::string>& changes);

/// Deletes all but the harmless variables of this process, also from its memory.
void forget_environment();

}  // namespace simbatch
