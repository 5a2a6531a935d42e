#pragma once
/// The problems of GraspIt! body, robot and world files. Errors are inputs that GraspIt! 2.1.0 itself rejects or that have no
/// meaning; warnings are inputs that it silently ignores or misreads.

#include "base/core/diagnostics.hpp"

namespace simbatch::graspit::code {

// Body headers
inline constexpr Code kHeaderKeyword{"graspit-header-keyword", Severity::warning,
                                     "a header keyword is misspelled, or switched off"};
inline constexpr Code kHeaderPositional{"graspit-header-positional", Severity::warning,
                                        "values without keywords: the dialect of GraspIt! 1, which later versions ignore"};
inline constexpr Code kHeaderBlank{"graspit-header-blank", Severity::warning,
                                   "a keyword is followed by more than one blank or by a tab"};
inline constexpr Code kHeaderTwice{"graspit-header-twice", Severity::warning, "a duplicate keyword; the later one counts"};
inline constexpr Code kHeaderNumber{"graspit-header-number", Severity::error, "a header value is not a valid number"};
inline constexpr Code kMaterial{"graspit-material", Severity::error, "the material is unknown"};
inline constexpr Code kMass{"graspit-mass", Severity::error, "a mass or a stiffness is not greater than zero"};
inline constexpr Code kInertiaAsymmetric{"graspit-inertia-asymmetric", Severity::warning,
                                         "the inertia matrix is not symmetric"};
inline constexpr Code kInertiaImpossible{"graspit-inertia-impossible", Severity::warning,
                                         "this inertia matrix is physically impossible"};
inline constexpr Code kInertiaShifted{"graspit-inertia-shifted", Severity::warning,
                                      "a row of the inertia matrix looks like a center of gravity"};
inline constexpr Code kInertiaRows{"graspit-inertia-rows", Severity::error,
                                   "the inertia matrix does not have three rows of three numbers"};

// Robots
inline constexpr Code kRobotClass{"graspit-robot-class", Severity::error, "the class of the robot is unknown"};
inline constexpr Code kTrailingBlank{"graspit-trailing-blank", Severity::warning,
                                     "a blank after a word that GraspIt! compares exactly"};
inline constexpr Code kRobotEnd{"graspit-robot-end", Severity::error, "the file ends before the robot is complete"};
inline constexpr Code kCount{"graspit-count", Severity::error, "a count is not a whole number of 1 or more"};
inline constexpr Code kDof{"graspit-dof", Severity::error, "a line of a DOF is not understood"};
inline constexpr Code kDofUnused{"graspit-dof-unused", Severity::warning, "no joint follows this DOF"};
inline constexpr Code kDofStiffness{"graspit-dof-stiffness", Severity::warning,
                                    "a joint of a compliant DOF has no spring stiffness"};
inline constexpr Code kDofIndex{"graspit-dof-index", Severity::error, "a joint follows a DOF that does not exist"};
inline constexpr Code kJoint{"graspit-joint", Severity::error, "a line of a joint is not understood"};
inline constexpr Code kJointBlank{"graspit-joint-blank", Severity::error,
                                  "a blank before a revolute joint makes GraspIt! take it as prismatic"};
inline constexpr Code kJointLimits{"graspit-joint-limits", Severity::warning,
                                   "joint limits are reversed, or the rest value is outside them"};
inline constexpr Code kEquationSign{"graspit-equation-sign", Severity::warning,
                                    "a negative offset must be written +-; GraspIt! loses it"};
inline constexpr Code kLinkType{"graspit-link-type", Severity::error, "the type of a link is unknown"};
inline constexpr Code kLinkFixed{"graspit-link-fixed", Severity::error,
                                 "Fixed links are documented, but no version of GraspIt! reads them"};
inline constexpr Code kLink{"graspit-link", Severity::error, "a line of a link is not understood"};
inline constexpr Code kLinkJoint{"graspit-link-joint", Severity::error, "the last joint of a link does not exist"};
inline constexpr Code kLinkSum{"graspit-link-sum", Severity::warning,
                               "the last joint of a link is not the sum of the joints so far"};
inline constexpr Code kStray{"graspit-robot-stray", Severity::warning,
                             "a line after the last chain does not belong to a section"};
inline constexpr Code kSection{"graspit-section", Severity::warning, "an optional section is not understood and is dropped"};
inline constexpr Code kFlockNumber{"graspit-flock-number", Severity::warning, "the number of the bird is missing"};

// Transforms
inline constexpr Code kTransform{"graspit-transform", Severity::error, "a line of a transform is not understood"};
inline constexpr Code kTransformMissing{"graspit-transform-missing", Severity::error, "a transform is expected"};
inline constexpr Code kTransformSwallow{"graspit-transform-swallow", Severity::error,
                                        "GraspIt! loses the line right after a transform"};
inline constexpr Code kQuaternion{"graspit-quaternion", Severity::warning, "a quaternion is not of unit length"};
inline constexpr Code kRotation{"graspit-rotation", Severity::warning,
                                "the rows of R are not an orthonormal, right-handed frame"};

// Worlds
inline constexpr Code kWorldBlock{"graspit-world-block", Severity::error, "the block is unknown"};
inline constexpr Code kWorldComment{"graspit-world-comment", Severity::error, "world files cannot have comments here"};
inline constexpr Code kWorldEnd{"graspit-world-end", Severity::error, "the file ends inside a block"};
inline constexpr Code kWorldDof{"graspit-world-dof", Severity::error, "the value of a DOF is not a number"};
inline constexpr Code kConnection{"graspit-connection", Severity::error,
                                  "a connection is not understood, or names a robot that does not exist"};
inline constexpr Code kCamera{"graspit-camera", Severity::error, "a camera is not understood"};

// Both
inline constexpr Code kMany{"graspit-many", Severity::error,
                            "the file has more bodies, robots, connections and joints than are read"};

// Their XML
inline constexpr Code kXmlText{"graspit-xml-text", Severity::error, "the text of an element is not valid"};
inline constexpr Code kXmlMissing{"graspit-xml-missing", Severity::error, "an element is missing"};

// References to other files and their contents (found by check, which reads them)
inline constexpr Code kGeometryType{"graspit-geometry-type", Severity::error,
                                    "geometry of a type that is not read: only Inventor and VRML are"};
inline constexpr Code kFileMissing{"graspit-file-missing", Severity::error, "a referenced file does not exist"};
inline constexpr Code kFileCase{"graspit-file-case", Severity::error,
                                "a referenced file exists only under a name in different case"};
inline constexpr Code kCogOutside{"graspit-cog-outside", Severity::warning, "the center of gravity is far outside the body"};
inline constexpr Code kScale{"graspit-scale", Severity::warning, "the size of the body is not plausible in millimeters"};
inline constexpr Code kBodyReach{"graspit-reach", Severity::error, "a body reaches farther than 1000 km"};
inline constexpr Code kDofCount{"graspit-world-dof-count", Severity::error, "the number of DOF values is wrong for the robot"};
inline constexpr Code kDofRange{"graspit-world-dof-range", Severity::warning, "the value of a DOF is outside its limits"};
inline constexpr Code kChainIndex{"graspit-connection-chain", Severity::error,
                                  "a connection names a chain that the robot does not have"};
inline constexpr Code kObstacleMaterial{"graspit-obstacle-material", Severity::warning,
                                        "the material of an obstacle, which GraspIt! never applies, differs from its body's"};
inline constexpr Code kMeshOpen{"graspit-mesh-open", Severity::note, "the mesh is not closed, so its volume is uncertain"};

inline constexpr const Code* kAll[] = {&kHeaderKeyword,
                                       &kHeaderPositional,
                                       &kHeaderBlank,
                                       &kHeaderTwice,
                                       &kHeaderNumber,
                                       &kMaterial,
                                       &kMass,
                                       &kInertiaAsymmetric,
                                       &kInertiaImpossible,
                                       &kInertiaShifted,
                                       &kInertiaRows,
                                       &kRobotClass,
                                       &kTrailingBlank,
                                       &kRobotEnd,
                                       &kCount,
                                       &kDof,
                                       &kDofUnused,
                                       &kDofStiffness,
                                       &kDofIndex,
                                       &kJoint,
                                       &kJointBlank,
                                       &kJointLimits,
                                       &kEquationSign,
                                       &kLinkType,
                                       &kLinkFixed,
                                       &kLink,
                                       &kLinkJoint,
                                       &kLinkSum,
                                       &kStray,
                                       &kSection,
                                       &kFlockNumber,
                                       &kTransform,
                                       &kTransformMissing,
                                       &kTransformSwallow,
                                       &kQuaternion,
                                       &kRotation,
                                       &kWorldBlock,
                                       &kWorldComment,
                                       &kWorldEnd,
                                       &kWorldDof,
                                       &kConnection,
                                       &kCamera,
                                       &kMany,
                                       &kXmlText,
                                       &kXmlMissing,
                                       &kFileMissing,
                                       &kFileCase,
                                       &kCogOutside,
                                       &kScale,
                                       &kBodyReach,
                                       &kDofCount,
                                       &kDofRange,
                                       &kChainIndex,
                                       &kObstacleMaterial,
                                       &kMeshOpen,
                                       &kGeometryType};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::graspit::code
