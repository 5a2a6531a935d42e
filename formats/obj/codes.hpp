#pragma once
/// Diagnostic codes of Wavefront OBJ files.

#include "base/core/diagnostics.hpp"

namespace simbatch::obj::code {

inline constexpr Code kVertex{"obj-vertex", Severity::error, "a v line does not have three to seven numbers"};
inline constexpr Code kFace{"obj-face", Severity::error,
                            "an f line has fewer than three corners, or a corner that is not a point"};
inline constexpr Code kEmpty{"obj-empty", Severity::error, "the file has no triangle"};
inline constexpr const Code* kAll[] = {&kVertex, &kFace, &kEmpty};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::obj::code
