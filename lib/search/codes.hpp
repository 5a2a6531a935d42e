#pragma once
/// Diagnostic codes of searches.

#include "base/core/diagnostics.hpp"

namespace simbatch::search::code {

inline constexpr Code kNothing{"search-nothing", Severity::error, "neither the study nor its scenario expects anything"};
inline constexpr Code kName{"search-name", Severity::error, "no expectation has the name given"};
inline constexpr Code kDuration{"search-duration", Severity::error, "neither the study nor its scenario says how long to run"};
inline constexpr Code kBroken{"search-broken", Severity::warning, "some runs of a search broke, so that they have no margin"};
inline constexpr Code kFile{"search-file", Severity::error, "a file that the found scenario needs cannot be put beside it"};
inline constexpr const Code* kAll[] = {&kNothing, &kName, &kDuration, &kBroken, &kFile};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::search::code
