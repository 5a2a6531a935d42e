#pragma once
/// Diagnostic codes of simrun itself.

#include "base/core/diagnostics.hpp"

namespace simbatch::simrun::code {

inline constexpr Code kBlowUp{"simrun-blow-up", Severity::error,
                              "a run was ended because the world left the range where numbers mean anything"};
inline constexpr Code kDigest{"simrun-digest", Severity::warning, "an input file is not the one that the trace was made with"};
inline constexpr Code kPlatform{"simrun-platform", Severity::warning,
                                "a trace was made with another engine, math library or floating-point mode"};
inline constexpr Code kDiffers{"simrun-differs", Severity::error, "a run does not repeat its trace"};
inline constexpr Code kNoScenario{"simrun-no-scenario", Severity::error, "the scenario that a trace names was not found"};
inline constexpr Code kCompile{"simrun-compile", Severity::error, "the compiler found errors in a user program"};
inline constexpr Code kCamera{"simrun-camera", Severity::error, "there is no camera of that name to take pictures with"};
inline constexpr Code kDevice{"simrun-device", Severity::error, "a pattern of --devices matches nothing"};
inline constexpr Code kNoRows{"simrun-no-rows", Severity::error, "a trace has no rows of the steps asked for"};
inline constexpr Code kUnlike{"simrun-unlike", Severity::warning, "two traces that are compared have little in common"};
inline constexpr Code kNoPage{"simrun-no-page", Severity::error, "the template of the replay page was not built or installed"};
inline constexpr Code kNotBuilt{"simrun-no-world", Severity::warning,
                                "the scenario of a trace cannot be built; its run is shown without a 3D view"};
inline constexpr Code kConnection{"simrun-connection", Severity::error,
                                  "the connection of a program to a simulation elsewhere failed"};
inline constexpr Code kControl{"simrun-control", Severity::error,
                               "the run of a trace had controllers or libraries that are not given now"};
inline constexpr Code kIsolation{"simrun-isolation", Severity::warning, "--isolate cannot guard something on this kernel"};
inline constexpr Code kTrust{"simrun-trust", Severity::error,
                             "the list of trusted folders is wrong, or others can write it, or what it trusts"};
inline constexpr const Code* kAll[] = {&kBlowUp,  &kDigest, &kPlatform, &kDiffers,  &kNoScenario, &kCompile,
                                       &kCamera,  &kDevice, &kNoPage,   &kNotBuilt, &kConnection, &kIsolation,
                                       &kControl, &kNoRows, &kUnlike,   &kTrust};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::simrun::code
