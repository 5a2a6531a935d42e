#pragma once
/// URDF robots as models.

#include "formats/urdf/urdf.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// Places every link of a robot. A root link named `world`, or one that has no mass, also with all links on fixed joints to it,
/// is fixed to the world. Movable joints get a motor of mode `force` with the limit's effort, if that is > 0, or with kUnlimited
/// if there is none.
/// @pre the robot was read without errors (read_urdf)
Model from_urdf(const urdf::Robot& robot);

}  // namespace simbatch::robots
