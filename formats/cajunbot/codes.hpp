#pragma once
/// Problems of CajunBot object files, versions 1 and 2.

#include "base/core/diagnostics.hpp"

namespace simbatch::cajunbot::code {

// Version 1.
inline constexpr Code kEmpty{"object-empty", Severity::error, "the file does not begin with a number of objects"};
inline constexpr Code kField{"object-field", Severity::error, "a field does not have the value expected at its position"};
inline constexpr Code kType{"object-type", Severity::error, "an object type is not 0, 1 or 2, and mesh files do not follow"};
inline constexpr Code kEnd{"object-end", Severity::error, "the file ends inside an object, or objects are missing"};
inline constexpr Code kTrailing{"object-trailing", Severity::error, "trailing data after the last object"};
inline constexpr Code kCount{"object-count", Severity::warning, "there are more objects than the file's first number states"};
inline constexpr Code kControllerImplied{"object-controller-implied", Severity::warning,
                                         "the controller line of a dynamic object is missing; read as waypoint (3)"};
inline constexpr Code kMeshType{"object-mesh-type", Severity::warning, "a mesh object has a type number other than 3"};
inline constexpr Code kExtra{"object-extra", Severity::warning, "a //! line is not understood; it is ignored"};
inline constexpr Code kMany{"object-many", Severity::error, "the file has more objects and sensors than are read"};
// Version 2.
inline constexpr Code kNameMissing{"object-name-missing", Severity::warning, "a name node is missing"};
inline constexpr Code kMeshFile{"object-mesh-file", Severity::error, "a mesh object lacks a file name"};
inline constexpr Code kNamespace{"object-namespace", Severity::warning,
                                 "an element is in a namespace, and the format has none"};
inline constexpr Code kNoObjects{"object-none", Severity::warning, "the file has no objects"};
// check()
inline constexpr Code kIdDuplicate{"object-id-duplicate", Severity::warning, "two objects have the same id number"};
inline constexpr Code kShapeMesh{"object-shape-mesh", Severity::warning, "shape mesh has no files and cannot be drawn"};
inline constexpr Code kShape{"object-shape", Severity::warning, "version 2's text allows only boxes"};
inline constexpr Code kWaypointPartial{"object-waypoint-partial", Severity::warning, "a waypoint is partly zero"};
inline constexpr Code kSizeZero{"object-size-zero", Severity::warning, "a size is zero, or below a millimeter"};
inline constexpr Code kSpeed{"object-speed", Severity::warning, "a speed is not positive: the goal is never reached"};
inline constexpr Code kControllerIdle{"object-controller-idle", Severity::warning,
                                      "a dynamic object with controller sensor or manual never moves"};
inline constexpr Code kControllerVehicle{"object-controller-vehicle", Severity::warning,
                                         "a simulated vehicle follows legs, which only version 1 can express"};
inline constexpr Code kWheel{"object-wheel", Severity::warning, "a vehicle has no wheels, or wheels longer than itself"};
inline constexpr Code kRate{"object-rate", Severity::warning, "a throttle or lever rate is not positive: it never moves"};
inline constexpr Code kNoAutonomous{"object-no-autonomous", Severity::warning, "there is no autonomous object"};
// Mesh text files.
inline constexpr Code kMeshLine{"object-mesh-line", Severity::error, "a line of a mesh file is not three numbers"};
inline constexpr Code kMeshIndex{"object-mesh-index", Severity::error, "a triangle names a vertex that does not exist"};
inline constexpr Code kMeshDegenerate{"object-mesh-degenerate", Severity::warning, "a triangle names a vertex twice"};

inline constexpr const Code* kAll[] = {&kEmpty,
                                       &kField,
                                       &kType,
                                       &kEnd,
                                       &kTrailing,
                                       &kCount,
                                       &kControllerImplied,
                                       &kMeshType,
                                       &kExtra,
                                       &kMany,
                                       &kNameMissing,
                                       &kMeshFile,
                                       &kNamespace,
                                       &kNoObjects,
                                       &kIdDuplicate,
                                       &kShapeMesh,
                                       &kShape,
                                       &kWaypointPartial,
                                       &kSizeZero,
                                       &kSpeed,
                                       &kControllerIdle,
                                       &kControllerVehicle,
                                       &kRate,
                                       &kNoAutonomous,
                                       &kMeshLine,
                                       &kMeshIndex,
                                       &kMeshDegenerate,
                                       &kWheel};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::cajunbot::code
