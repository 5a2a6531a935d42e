#pragma once
/// Diagnostic codes of every program. As text their diagnostics are "program: file: cause"; the codes appear with --diagnostics
/// json.

#include "base/core/diagnostics.hpp"

namespace simbatch::cli::code {

inline constexpr Code kFileIo{"file-io", Severity::error, "a file could not be read or written"};
inline constexpr Code kInternal{"internal-error", Severity::error, "a bug in the program"};
inline constexpr const Code* kAll[] = {&kFileIo, &kInternal};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::cli::code
