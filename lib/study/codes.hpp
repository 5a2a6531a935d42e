#pragma once
/// Diagnostic codes of studies.

#include "base/core/diagnostics.hpp"

namespace simbatch::study::code {

inline constexpr Code kParameter{"study-parameter", Severity::error,
                                 "a parameter has no values, too many kinds of them, or impossible limits"};
inline constexpr Code kPath{"study-path", Severity::error, "a parameter's path does not lead to one attribute of the scenario"};
inline constexpr Code kDesign{"study-design", Severity::error, "a design cannot be made from these parameters"};
inline constexpr Code kDuplicate{"study-duplicate", Severity::error, "two parameters have the same name"};
inline constexpr Code kChanged{"study-changed", Severity::error,
                               "the folder has results of another study, scenario or version (--fresh begins again)"};
inline constexpr Code kSetting{"study-setting", Severity::error,
                               "what --set names is not one value of the scenario or of a robot's file"};
inline constexpr Code kVacuous{"study-vacuous", Severity::warning,
                               "an expectation of a test begins after the run's end, so that it checks nothing"};
inline constexpr Code kFile{"study-file", Severity::error, "a file that a study names cannot be read"};
inline constexpr Code kRange{"study-range", Severity::warning, "a value at an end of a parameter's range cannot be run"};
inline constexpr const Code* kAll[] = {&kParameter, &kPath,    &kDesign, &kDuplicate, &kChanged,
                                       &kSetting,   &kVacuous, &kFile,   &kRange};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::study::code
