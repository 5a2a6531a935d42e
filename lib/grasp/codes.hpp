#pragma once
/// Diagnostic codes of losses in conversions of GraspIt! files.

#include "base/core/diagnostics.hpp"

namespace simbatch::grasp::code {

inline constexpr Code kLossControl{"graspit-loss-control", Severity::warning,
                                   "force controllers (Kp, Kd) and autograsp velocities of DOFs"};
inline constexpr Code kLossBreakaway{"graspit-loss-breakaway", Severity::warning, "the breakaway of coupled joints"};
inline constexpr Code kLossCompliance{"graspit-loss-compliance", Severity::warning,
                                      "the torque-dependent coupling of compliant DOFs"};
inline constexpr Code kLossSpring{"graspit-loss-spring", Severity::warning, "joint springs"};
inline constexpr Code kLossCoupling{"graspit-loss-coupling", Severity::warning, "joints that share a DOF become independent"};
inline constexpr Code kLossSection{"graspit-loss-section", Severity::warning,
                                   "an optional section of the robot (Approach, EigenGrasps, ...)"};
inline constexpr Code kLossConnection{"graspit-loss-connection", Severity::warning, "the connection of two robots"};
inline constexpr Code kLossMount{"graspit-loss-mount", Severity::warning, "the mount of a connection"};
inline constexpr Code kLossCamera{"graspit-loss-camera", Severity::warning, "the camera"};
inline constexpr Code kLossYoungs{"graspit-loss-youngs", Severity::warning, "soft contacts (Young's modulus)"};
inline constexpr Code kLossKineticFriction{"graspit-loss-friction", Severity::warning,
                                           "friction that depends on the pair of materials"};
inline constexpr Code kLossMaterial{"graspit-loss-obstacle-material", Severity::warning, "the material line of an obstacle"};
inline constexpr Code kLossLastJoint{"graspit-loss-last-joint", Severity::error,
                                     "a last joint that is not the sum of the joints so far"};
inline constexpr Code kLossAttribute{"graspit-loss-attribute", Severity::warning, "attributes that only the XML has"};
inline constexpr Code kLossHead{"graspit-loss-head", Severity::note, "the first line of a world file"};
inline constexpr Code kLossShape{"graspit-loss-shape", Severity::warning, "the shape of a body whose file is missing"};
inline constexpr Code kLossColor{"graspit-loss-color", Severity::warning, "colors"};
inline constexpr Code kLossScene{"graspit-loss-scene", Severity::warning, "names, hierarchy and other structure of the scene"};
inline constexpr Code kLossDefault{"graspit-loss-default", Severity::warning, "start values of DOFs, which only the XML has"};
inline constexpr Code kLossBody{"graspit-loss-body", Severity::warning,
                                "a file of a body or robot that does not exist in the other dialect"};
inline constexpr Code kLossInertia{"graspit-loss-inertia", Severity::warning,
                                   "a tensor of inertia that no body can have; another one is written"};
inline constexpr Code kLossGeometry{"graspit-loss-geometry", Severity::warning,
                                    "scaling, offset or compliance of a body, which only the XML has"};

inline constexpr const Code* kAll[] = {
    &kLossControl,    &kLossBreakaway, &kLossCompliance, &kLossSpring, &kLossCoupling,        &kLossSection,
    &kLossConnection, &kLossMount,     &kLossCamera,     &kLossYoungs, &kLossKineticFriction, &kLossMaterial,
    &kLossLastJoint,  &kLossAttribute, &kLossHead,       &kLossShape,  &kLossColor,           &kLossScene,
    &kLossDefault,    &kLossGeometry,  &kLossInertia,    &kLossBody};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::grasp::code
