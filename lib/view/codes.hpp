#pragma once
/// Diagnostic codes of replay pages and glTF export.

#include "base/core/diagnostics.hpp"

namespace simbatch::view_code {

inline constexpr Code kPoses{"view-poses", Severity::warning,
                             "poses that a trace lacks are those of another run than the trace's"};
inline constexpr Code kLarge{"view-too-large", Severity::error, "a glTF file would be larger than 4 GiB"};

inline constexpr const Code* kAll[] = {&kPoses, &kLarge};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::view_code
