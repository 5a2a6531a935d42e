#pragma once
/// Models as URDF robots.

#include "base/core/diagnostics.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// Links have the frames of their joints, turned as the parts are; a capsule is a cylinder and two spheres, a ball joint three continuous
/// joints. Reports what URDF cannot say: springs, rotors, kinds of motors, rings of joints. Error (robots-tree) if the parts do not hang
/// together. Meshes keep their file names.
urdf::Robot to_urdf(const Model& model, Diagnostics& problems);

}  // namespace simbatch::robots
