#pragma once
/// Diagnostic codes of user programs of all kinds.

#include "base/core/diagnostics.hpp"

namespace simbatch::sim::program_code {

inline constexpr Code kPermission{
    "sim-program-permission", Severity::error,
    "a scenario names a program, which is native code: run it with --allow-programs, or trust its folder"};
inline constexpr Code kLibrary{
    "sim-program-library", Severity::error,
    "a user program's library cannot be run: no shared library for this machine, without main, or without Simbatch's runtime"};
inline constexpr Code kInterface{"sim-program-interface", Severity::error,
                                 "a user program was compiled for another version of Simbatch's interface"};
inline constexpr Code kRobot{"sim-program-robot", Severity::error,
                             "a program was chosen for a robot that the scenario does not have"};
inline constexpr Code kFloatMode{"sim-program-float-mode", Severity::warning,
                                 "a user program changes the floating-point mode; it was kept from the simulation"};
inline constexpr Code kShared{"sim-program-unique", Severity::warning,
                              "a library has unique symbols, which robots that use it share (compile with -fno-gnu-unique)"};
inline constexpr Code kCrash{"sim-program-crash", Severity::error, "a user program crashed"};
inline constexpr Code kThrow{"sim-program-throw", Severity::error, "an exception left a user program's main"};
inline constexpr Code kExit{"sim-program-exit", Severity::error, "a user program called exit, abort or the like"};
inline constexpr Code kTimeout{"sim-program-timeout", Severity::error,
                               "a user program ran too long without a sleep (--program-timeout)"};
inline constexpr Code kInterrupted{"sim-program-interrupted", Severity::error,
                                   "the run was interrupted while a program had its turn"};

inline constexpr Code kScript{"sim-script", Severity::error, "a setting of a script cannot be made, or is out of order"};

inline constexpr const Code* kAll[] = {&kPermission, &kLibrary, &kInterface, &kRobot,   &kFloatMode,   &kShared,
                                       &kCrash,      &kThrow,   &kExit,      &kTimeout, &kInterrupted, &kScript};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::sim::program_code
