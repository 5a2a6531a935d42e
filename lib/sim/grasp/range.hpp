#pragma once
/// Checks for values that GraspIt! files may contain and a simulation cannot handle. Internal to this room.

#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "lib/grasp/load.hpp"
#include "lib/sim/physics/shapes.hpp"

namespace simbatch::sim {

/// A body's tensor in W's axes (kg m^2 about its center of gravity); nothing if it is impossible.
std::optional<physics::Inertia> sound_inertia(const grasp::GraspBody& body);

/// Reports lengths, masses, positions and DOFs out of range (errors), and physically impossible tensors (warnings), each file
/// once. @param file  the world's, for problems in it @return true unless an error was reported
bool check_range(const grasp::GraspWorld& world, const std::string& file, Diagnostics& problems);

}  // namespace simbatch::sim
