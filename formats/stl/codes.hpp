#pragma once
/// Diagnostic codes of STL files.

#include "base/core/diagnostics.hpp"

namespace simbatch::stl::code {

inline constexpr Code kSyntax{"stl-syntax", Severity::error, "a line of a text file is not part of a facet"};
inline constexpr Code kNumber{"stl-number", Severity::error, "a coordinate is not a finite number"};
inline constexpr Code kSize{"stl-size", Severity::error, "a binary file is shorter than its number of triangles needs"};
inline constexpr Code kEmpty{"stl-empty", Severity::error, "the file has no triangle"};
inline constexpr const Code* kAll[] = {&kSyntax, &kNumber, &kSize, &kEmpty};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::stl::code
