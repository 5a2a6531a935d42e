#pragma once
/// Diagnostic codes of robots and worlds that become AutoSim's.

#include "base/core/diagnostics.hpp"

namespace simbatch::robots::code {

inline constexpr Code kMesh{"robots-mesh", Severity::warning, "a mesh cannot be found or used"};
inline constexpr Code kMass{"robots-mass", Severity::warning, "a movable link has no mass; one is assumed"};
inline constexpr Code kInertia{"robots-inertia", Severity::warning,
                               "no solid can have this inertia; that of its shapes is used instead"};
inline constexpr Code kJoint{"robots-joint", Severity::error, "a joint is of a kind that cannot be simulated"};
inline constexpr Code kMimic{"robots-mimic", Severity::warning, "a joint that should follow another one moves freely"};
inline constexpr Code kShape{"robots-shape", Severity::warning, "a shape is replaced by a similar one, or left out"};
inline constexpr Code kMerged{"robots-merged", Severity::note, "links that never move relative to each other become one part"};
inline constexpr Code kEmpty{"robots-empty", Severity::error, "the file contains nothing that can be simulated"};
inline constexpr Code kMotor{"robots-motor", Severity::warning, "a joint has more than one motor; the first is used"};
inline constexpr Code kScene{"robots-scene", Severity::note,
                             "what never moves in a file that becomes a single robot is left out"};
inline constexpr Code kStart{"robots-start", Severity::warning, "a joint starts outside its limits"};

inline constexpr Code kTree{"robots-tree", Severity::error, "the parts of a robot do not form one tree, as URDF requires"};
inline constexpr Code kLossJoint{"robots-loss-joint", Severity::warning,
                                 "a joint, or a property of it, has no place in the output"};
inline constexpr Code kLossMotor{"robots-loss-motor", Severity::warning, "a property of motors is lost in the output"};
inline constexpr Code kLossDevice{
    "robots-loss-device", Severity::warning,
    "devices, suspensions and engines, and what a body does in water have no place in the output"};
inline constexpr Code kLossInertia{"robots-loss-inertia", Severity::warning,
                                   "no solid can have this inertia; the nearest possible one is written"};
inline constexpr Code kLossScenario{"robots-loss-scenario", Severity::warning,
                                    "what a scenario contains besides its bodies has no place in the output"};

inline constexpr Code kLossName{"robots-loss-name", Severity::warning,
                                "a name is in use or reserved in the output; another one is written"};
inline constexpr Code kLossMass{"robots-loss-mass", Severity::warning,
                                "a link has no mass, which the output requires; a small one is written"};
inline constexpr Code kLossMesh{"robots-loss-mesh", Severity::warning,
                                "the file of a mesh, or one that it names, is not found beside the output"};
inline constexpr Code kLossFrame{"robots-loss-frame", Severity::warning, "frames have no place in the output"};

inline constexpr Code kFrame{"robots-frame", Severity::error,
                             "a frame, link or joint is named that does not exist, or frames depend on each other in a ring"};
inline constexpr Code kInclude{"robots-include", Severity::warning, "an included model is left out, or not merged"};
inline constexpr Code kNesting{"robots-nesting", Severity::error,
                               "included models include each other, or there are too many of them"};

inline constexpr const Code* kAll[] = {&kMesh,        &kMass,         &kInertia,  &kJoint,     &kMimic,     &kShape,
                                       &kMerged,      &kMotor,        &kScene,    &kEmpty,     &kStart,     &kFrame,
                                       &kInclude,     &kNesting,      &kTree,     &kLossJoint, &kLossMotor, &kLossDevice,
                                       &kLossInertia, &kLossScenario, &kLossName, &kLossMass,  &kLossMesh,  &kLossFrame};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::robots::code
