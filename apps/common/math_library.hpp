#pragma once

namespace simbatch::cli {

/// Pins the math library's variants of sin, cos, exp ..., which glibc otherwise selects by processor (docs/adr/0001). Restarts
/// the program once with the required setting.
void pin_math_library(char** argv);

}  // namespace simbatch::cli
