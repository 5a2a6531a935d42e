#pragma once
/// Diagnostic codes of SDF files beyond those of XML itself (base/xml/codes.hpp).

#include "base/core/diagnostics.hpp"

namespace simbatch::sdf::code {

inline constexpr Code kVersion{"sdf-version", Severity::error,
                               "the file names no version of SDFormat, or one that is not read"};
inline constexpr Code kNumber{"sdf-number", Severity::error, "an element does not contain the required numbers"};
inline constexpr Code kRange{"sdf-range", Severity::error, "a number is outside its range"};
inline constexpr Code kFlag{"sdf-flag", Severity::error, "an element is neither true nor false"};
inline constexpr Code kName{"sdf-name", Severity::error, "a name is missing, reserved, or used twice"};
inline constexpr Code kMissing{"sdf-missing", Severity::error, "a required element is absent"};
inline constexpr Code kGeometry{"sdf-geometry", Severity::error, "a shape is missing, or of a kind that does not exist"};
inline constexpr Code kJointType{"sdf-joint-type", Severity::error, "a joint is of a type that does not exist"};
inline constexpr Code kAxis{"sdf-axis", Severity::error, "the axis of a joint has length 0"};
inline constexpr Code kLimit{"sdf-limit", Severity::error, "the lower limit of a joint exceeds the upper one"};
inline constexpr Code kDepth{"sdf-depth", Severity::error, "models are nested too deeply"};
inline constexpr Code kMany{"sdf-many", Severity::error,
                            "the file has more models, links, joints, frames and shapes than are read"};
inline constexpr Code kIgnored{"sdf-ignored", Severity::warning, "an element that changes the simulation is not read"};
inline constexpr Code kLook{"sdf-look", Severity::note, "an element that only affects the appearance is not read"};

inline constexpr const Code* kAll[] = {&kVersion,   &kNumber, &kRange, &kFlag,  &kName, &kMissing, &kGeometry,
                                       &kJointType, &kAxis,   &kLimit, &kDepth, &kMany, &kIgnored, &kLook};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::sdf::code
