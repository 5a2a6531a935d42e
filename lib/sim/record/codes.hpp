#pragma once
/// Diagnostic codes of recordings.

#include "base/core/diagnostics.hpp"

namespace simbatch::sim::record_code {

inline constexpr Code kFormat{"sim-recording", Severity::error, "the file is not a recording, or is cut or damaged"};
inline constexpr Code kTree{"sim-recording-tree", Severity::error,
                            "a recording was made with another simulation tree than the scenario builds"};
inline constexpr const Code* kAll[] = {&kFormat, &kTree};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::sim::record_code
