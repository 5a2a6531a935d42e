#pragma once
/// Diagnostic codes of controllers.

#include "base/core/diagnostics.hpp"

namespace simbatch::sim::command_code {

inline constexpr Code kStart{"controller-start", Severity::error,
                             "a controller's process cannot be started, or its socket cannot be opened"};
inline constexpr Code kProtocol{"controller-protocol", Severity::error, "a controller sent what is not a line of the protocol"};
inline constexpr Code kExit{"controller-exit", Severity::error,
                            "a controller ended with an error, was killed, or stopped in the middle"};
inline constexpr Code kTimeout{"controller-timeout", Severity::error,
                               "a controller was silent for longer than --program-timeout"};
inline constexpr Code kInputs{"controller-inputs", Severity::error, "a controller has another version of a file than the run"};
inline constexpr const Code* kAll[] = {&kStart, &kProtocol, &kExit, &kTimeout, &kInputs};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::sim::command_code
