#pragma once
/// Diagnostic codes of recognizing files.

#include "base/core/diagnostics.hpp"

namespace simbatch::file_kind::code {

inline constexpr Code kKind{"sim-file-kind", Severity::error,
                            "a file is of another kind than expected; a note explains what it is for"};

inline constexpr const Code* kAll[] = {&kKind};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::file_kind::code
