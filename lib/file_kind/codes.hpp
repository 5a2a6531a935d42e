#pragma once
/// Diagnostic codes of telling files apart.

#include "base/core/diagnostics.hpp"

namespace simbatch::sim::file_kind_codes {

inline constexpr Code kKind{"sim-file-kind", Severity::error,
                            "a file is of another kind than its place asks for; a note says what it is for"};

inline constexpr const Code* kAll[] = {&kKind};

}  // namespace simbatch::sim::file_kind_codes
