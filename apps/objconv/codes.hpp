#pragma once
/// Diagnostic codes of objconv itself: of its inputs, outputs and options.

#include "base/core/diagnostics.hpp"

namespace simbatch::objconv::code {

inline constexpr Code kIo{"objconv-io", Severity::error, "an input could not be read, or an output could not be written"};
inline constexpr Code kKind{"objconv-kind", Severity::error, "cannot determine the file type; give it with --from"};
inline constexpr Code kNoFormat{"objconv-fmt", Severity::error, "files of this kind have no canonical form"};
inline constexpr Code kConfMissing{"objconv-conf-missing", Severity::warning, "a sensor's configuration file is missing"};

inline constexpr Code kNoConversion{"objconv-convert", Severity::error, "there is no conversion between these kinds of files"};
inline constexpr Code kDofCount{"objconv-dof-count", Severity::error, "--dof does not give a value for each DOF"};
inline constexpr Code kNothingToDraw{"objconv-empty", Severity::error, "there is nothing to draw"};
inline constexpr Code kOverwrite{"objconv-overwrite", Severity::error, "an output would replace a file that was read"};

inline constexpr const Code* kAll[] = {&kNoConversion, &kDofCount, &kNothingToDraw, &kOverwrite,
                                       &kIo,           &kKind,     &kNoFormat,      &kConfMissing};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::objconv::code
