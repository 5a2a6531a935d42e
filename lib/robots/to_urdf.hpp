#pragma once
/// Models as URDF robots.

#include "base/core/diagnostics.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// A link's frame is at its joint, with the axes of the part; numbers of a file (the `written` ones) come back where the link has its
/// frame. A capsule becomes a cylinder and two spheres, a ball joint three continuous joints, a universal one two revolute ones.
/// Reports what URDF cannot express: springs, rotors, kinds of motors, rings of joints, frames, other shapes. Error (robots-tree) if the
/// parts are not all connected. Meshes keep their file names.
urdf::Robot to_urdf(const Model& model, Diagnostics& problems);

}  // namespace simbatch::robots
