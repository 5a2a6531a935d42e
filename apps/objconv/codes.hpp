#pragma once
#include "lib/base/diagnostics.hpp"

namespace simbatch::objconv::code {

inline constexpr Code kIo{"objconv-io", Severity::error, "a file could not be read or written"};
inline constexpr Code kKind{"objconv-kind", Severity::error, "what kind of file this is cannot be told; say it with --from"};
inline constexpr Code kNoFormat{"objconv-fmt", Severity::error, "files of this kind have no canonical form here"};
inline constexpr Code kConfMissing{"objconv-conf-missing", Severity::warning, "a sensor's configuration file is not there"};

inline constexpr const Code* kAll[] = {&kIo, &kKind, &kNoFormat, &kConfMissing};

}  // namespace simbatch::objconv::code
