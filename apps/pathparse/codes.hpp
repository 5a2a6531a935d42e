#pragma once
/// Diagnostic codes of pathparse itself: of its options and standard input.

#include "base/core/diagnostics.hpp"

namespace simbatch::pathparse::code {

inline constexpr Code kVehicle{"pathparse-vehicle", Severity::error, "the mission is not for the vehicle of --vehicle"};
inline constexpr Code kStep{"pathparse-step", Severity::error, "a line for walk is not a gamma, a position or a time"};

inline constexpr const Code* kAll[] = {&kVehicle, &kStep};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::pathparse::code
