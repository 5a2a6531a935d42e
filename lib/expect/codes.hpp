#pragma once
/// Diagnostic codes of expectations.

#include "base/core/diagnostics.hpp"

namespace simbatch::expect::code {

inline constexpr Code kSyntax{"expect-syntax", Severity::error, "a text is not an expectation (docs/expectations.md)"};
inline constexpr Code kType{"expect-type", Severity::error,
                            "an expectation has a number where a condition must be, or a condition where a number must be"};
inline constexpr Code kName{"expect-name", Severity::error,
                            "an expectation refers to a node, field or body that does not exist"};
inline constexpr Code kUnit{"expect-unit", Severity::error, "an expectation compares or adds quantities of different units"};
inline constexpr Code kWindow{"expect-window", Severity::error, "a window of time is empty, or contains no step"};
inline constexpr Code kNesting{
    "expect-nesting", Severity::error,
    "an operator that lasts to the end of the run is inside a window, which would take unbounded memory"};
inline constexpr Code kEvent{"expect-event", Severity::error, "an event cannot be observed here"};
inline constexpr Code kDuplicate{"expect-duplicate", Severity::error, "two expectations have the same name"};
inline constexpr Code kFails{"expect-fails", Severity::error, "a run does not meet an expectation"};
inline constexpr const Code* kAll[] = {&kSyntax, &kType, &kName, &kUnit, &kWindow, &kNesting, &kEvent, &kDuplicate, &kFails};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::expect::code
