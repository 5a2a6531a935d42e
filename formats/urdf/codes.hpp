#pragma once
/// Diagnostic codes of URDF files beyond those of XML itself (base/xml/codes.hpp).

#include "base/core/diagnostics.hpp"

namespace simbatch::urdf::code {

inline constexpr Code kXacro{"urdf-xacro", Severity::error, "the file is a xacro template, which must be expanded first"};
inline constexpr Code kVector{"urdf-vector", Severity::error, "an attribute does not contain the required numbers"};
inline constexpr Code kName{"urdf-name", Severity::error, "two links, or two joints, have the same name"};
inline constexpr Code kReference{"urdf-reference", Severity::error, "a reference to a link or joint that does not exist"};
inline constexpr Code kTree{"urdf-tree", Severity::error,
                            "the joints do not form one tree: no link, several roots, a ring, or two parents"};
inline constexpr Code kJointType{"urdf-joint-type", Severity::error, "a joint is of a type that does not exist"};
inline constexpr Code kLimit{"urdf-limit", Severity::error,
                             "the limits of a joint are missing, or the lower one exceeds the upper one"};
inline constexpr Code kAxis{"urdf-axis", Severity::error, "the axis of a joint has length 0"};
inline constexpr Code kGeometry{"urdf-geometry", Severity::error, "a shape is missing, or of a kind that does not exist"};
inline constexpr Code kMass{"urdf-mass", Severity::error, "a mass is negative"};
inline constexpr Code kMaterial{"urdf-material", Severity::warning, "a reference to a material that has no color"};
inline constexpr Code kMany{"urdf-many", Severity::error,
                            "the file has more links, joints, shapes and materials than are read"};
inline constexpr Code kIgnored{"urdf-ignored", Severity::warning, "an element or attribute is not read"};

inline constexpr const Code* kAll[] = {&kXacro, &kVector,   &kName, &kReference, &kTree, &kJointType, &kLimit,
                                       &kAxis,  &kGeometry, &kMass, &kMaterial,  &kMany, &kIgnored};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::urdf::code
