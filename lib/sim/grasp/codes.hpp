#pragma once
/// Diagnostic codes of GraspIt! worlds in a simulation.

#include "base/core/diagnostics.hpp"

namespace simbatch::sim::grasp_code {

inline constexpr Code kRange{
    "sim-grasp-range", Severity::error,
    "a length, mass, place or number of joints in a GraspIt! world is too large or too small to be simulated"};
inline constexpr Code kInertia{"sim-grasp-inertia", Severity::warning,
                               "the tensor of inertia that a file gives is impossible; that of the uniform solid is used"};

inline constexpr Code kFalls{"sim-grasp-falls", Severity::warning,
                             "nothing is below a graspable body of a GraspIt! world: it falls before a hand closes"};

inline constexpr const Code* kAll[] = {&kRange, &kInertia, &kFalls};
inline const CodeTable kTable{kAll};

}  // namespace simbatch::sim::grasp_code
