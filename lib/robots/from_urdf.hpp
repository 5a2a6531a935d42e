#pragma once
/// URDF robots as models.

#include "base/core/diagnostics.hpp"
#include "formats/urdf/urdf.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// Places every link of a robot. A root link named `world`, or one without mass whose joints move, is fixed to the world.
/// Movable joints get a motor of mode `force` with the limit's effort, if that is > 0. Mimic joints move freely, and floating
/// and planar ones are not supported; both cases are reported.
/// @pre the robot was read without errors (read_urdf)
Model from_urdf(const urdf::Robot& robot, Diagnostics& problems);

}  // namespace simbatch::robots
