#pragma once

namespace simbatch::cli {

/// Pins the math library's variants of sin, cos, exp ..., which glibc otherwise chooses by processor (docs/adr/0001). Starts
/// the program again, once, with the setting that does so.
void pin_math_library(char** argv);

}  // namespace simbatch::cli
