#pragma once

#include <string_view>

namespace simbatch::cli {

/// Pins the math library's variants of sin, cos, exp ..., which glibc otherwise selects by processor (docs/adr/0001). Restarts
/// the program once with the required setting.
/// @param also  one more of glibc's tunables ("name=value") that the restarted program gets, unless the user has set it; or empty
void pin_math_library(char** argv, std::string_view also);

}  // namespace simbatch::cli
