#pragma once
/// Models as URDF robots.

#include "base/core/diagnostics.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// A link's frame is at its joint, with the axes of the part; a capsule becomes a cylinder and two spheres, a ball joint three
/// continuous joints. Reports what URDF cannot express: springs, rotors, kinds of motors, rings of joints. Error (robots-tree)
/// if the parts are not all connected. Meshes keep their file names.
urdf::Robot to_urdf(const Model& model, Diagnostics& problems);

}  // namespace simbatch::robots
