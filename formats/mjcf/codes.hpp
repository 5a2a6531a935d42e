#pragma once
/// Diagnostic codes of MJCF files beyond those of XML itself (base/xml/codes.hpp).

#include "base/core/diagnostics.hpp"

namespace simbatch::mjcf::code {

inline constexpr Code kVector{"mjcf-vector", Severity::error, "an attribute does not contain the required numbers"};
inline constexpr Code kName{"mjcf-name", Severity::error, "a name is missing, or used twice among things of one kind"};
inline constexpr Code kReference{"mjcf-reference", Severity::error,
                                 "a class, mesh, joint, body, frame or model is named that does not exist"};
inline constexpr Code kSize{"mjcf-size", Severity::error, "a shape lacks the sizes that it needs"};
inline constexpr Code kAxis{"mjcf-axis", Severity::error, "an axis, or the vector of a direction, has length 0"};
inline constexpr Code kJoint{"mjcf-joint", Severity::error, "a joint is in a place where none is allowed"};
inline constexpr Code kInertial{"mjcf-inertial", Severity::error, "an inertial lacks its mass, its tensor or its place"};
inline constexpr Code kLimit{"mjcf-limit", Severity::error, "the lower end of a range is not below the upper one"};
inline constexpr Code kCompiler{"mjcf-compiler", Severity::error, "a setting of the compiler is not supported"};
inline constexpr Code kNesting{"mjcf-nesting", Severity::error,
                               "a file includes or attaches itself, or the model has too many elements"};
inline constexpr Code kMany{"mjcf-many", Severity::error, "the files of a model have more elements than are read"};
inline constexpr Code kIgnored{"mjcf-ignored", Severity::warning,
                               "an element or attribute that changes the simulation is not read"};
inline constexpr Code kUnknown{"mjcf-unknown", Severity::warning, "an element or attribute is not known"};
inline constexpr Code kTuning{"mjcf-tuning", Severity::note,
                              "an element or attribute that tunes MuJoCo's solver, or concerns looks, is not read"};

inline constexpr const Code* kAll[] = {&kVector, &kName,     &kReference, &kSize, &kAxis,    &kJoint,   &kInertial,
                                       &kLimit,  &kCompiler, &kNesting,   &kMany, &kIgnored, &kUnknown, &kTuning};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::mjcf::code
