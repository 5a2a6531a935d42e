#pragma once
#include "base/core/diagnostics.hpp"

/// Codes of traffic. A code whose name contains "-loss-" reports something that the target cannot represent; these
/// are what --report lists.
namespace simbatch::traffic::code {

// CajunBot object files, version 1 to 2.
inline constexpr Code kLossId{"object-loss-id", Severity::warning,
                              "an object's id differs from its place in the file; version 2 has no ids"};
inline constexpr Code kLossController{"object-loss-controller", Severity::warning, "a controller that version 2 cannot name"};
inline constexpr Code kLossLegs{"object-loss-legs", Severity::error, "legs that version 2 cannot represent"};
inline constexpr Code kLossSensorType{"object-loss-sensor-type", Severity::warning,
                                      "a sensor's type number is not 0; version 2 has none"};
inline constexpr Code kLossMeshPlace{"object-loss-mesh-place", Severity::warning,
                                     "a mesh's waypoint; version 2 does not place meshes"};
inline constexpr Code kLossMeshType{"object-loss-mesh-type", Severity::warning, "a mesh's type number is not 3"};
inline constexpr Code kLossShape{"object-loss-shape", Severity::error, "shape mesh, which version 2 does not have for objects"};
inline constexpr Code kLossOrigin{"object-loss-origin", Severity::warning,
                                  "waypoint 0 0 0 (offsets from the origin), which version 2 does not define"};
inline constexpr Code kLossText{"object-loss-text", Severity::error, "a text that the target cannot represent"};
// Version 2 to 1.
inline constexpr Code kLossName{"object-loss-name", Severity::warning, "an object's name becomes a comment"};
inline constexpr Code kLossFileName{"object-loss-file-name", Severity::warning, "the file's name becomes a comment"};
inline constexpr Code kLossDescription{"object-loss-description", Severity::warning, "a sensor's description"};
inline constexpr Code kLossInitialPause{"object-loss-initial-pause", Severity::warning, "an initial pause"};
inline constexpr Code kLossMeshPath{"object-loss-mesh-path", Severity::warning, "whether a mesh file's name is a whole path"};
inline constexpr Code kLossOpenGoal{"object-loss-open-goal", Severity::error,
                                    "a goal without a waypoint, which needs the RNDF to be expanded"};
// Expansion.
inline constexpr Code kGoalEmpty{"object-goal-empty", Severity::warning,
                                 "a goal without a waypoint is at the end of its lane: it adds nothing"};
inline constexpr Code kGoalLane{"object-goal-lane", Severity::error, "a goal names a lane that the RNDF does not have"};
inline constexpr Code kGoalsMany{"object-goals-many", Severity::error,
                                 "goals without a waypoint become more than 2,000,000 waypoints"};
inline constexpr Code kWaypointMissing{"object-waypoint-missing", Severity::error, "a waypoint is not in the RNDF"};
// Places.
inline constexpr Code kFar{"object-far", Severity::error,
                           "an object's offset, size, wheel or script reaches further than a map or a world"};

// Maps and worlds.
inline constexpr Code kLossGoals{"sdf-loss-goals", Severity::warning, "goals and legs, which a world file cannot represent"};
inline constexpr Code kLossMesh{"sdf-loss-mesh", Severity::warning, "a mesh object, whose files Gazebo does not read"};

// Road networks.
inline constexpr Code kLossHeader{"rndf-loss-header", Severity::note, "a network's name, format version and creation date"};
inline constexpr Code kLossExtension{"rndf-loss-extension", Severity::warning,
                                     "lines of a network's extensions, or lines that are not known"};
inline constexpr Code kLossPoints{"rndf-loss-points", Severity::warning,
                                  "a lane, perimeter or spot with too few points for a line or an area"};

inline constexpr const Code* kAll[] = {&kLossId,           &kLossController,  &kLossLegs,      &kLossSensorType,
                                       &kLossMeshPlace,    &kLossMeshType,    &kLossShape,     &kLossOrigin,
                                       &kLossText,         &kLossName,        &kLossFileName,  &kLossDescription,
                                       &kLossInitialPause, &kLossMeshPath,    &kLossOpenGoal,  &kGoalEmpty,
                                       &kGoalLane,         &kWaypointMissing, &kFar,           &kLossGoals,
                                       &kLossMesh,         &kLossHeader,      &kLossExtension, &kLossPoints,
                                       &kGoalsMany};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::traffic::code
