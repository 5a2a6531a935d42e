#pragma once
/// Diagnostic codes of scripts, in addition to those of any XML document (base/xml/codes.hpp).

#include "base/core/diagnostics.hpp"

namespace simbatch::script::code {

inline constexpr Code kOrder{"script-order", Severity::error, "a setting has an earlier step than the one before it"};

inline constexpr const Code* kAll[] = {&kOrder};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::script::code
