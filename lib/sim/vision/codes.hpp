#pragma once
/// Diagnostic codes of pictures.

#include "lib/base/diagnostics.hpp"

namespace simbatch::sim::vision_codes {

inline constexpr Code kModel{"vision-model", Severity::warning, "a model file cannot be read; the thing is drawn as its shape"};

inline constexpr const Code* kAll[] = {&kModel};

}  // namespace simbatch::sim::vision_codes
