#pragma once
/// Wheels of AutoSim's vehicles, which are rays there, as links on joints. Internal to this room.

#include <string>

#include "formats/autosim/robot.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::worlds {

/// Adds the wheels of a robot to its model, z up. Each WheelDevice W of a part becomes a part W, a cylinder of its radius and width whose
/// axle is along x, on a joint W_axle; forward is positive. It is where the springs of all wheels carry the part, if all give
/// alike: the part stays level, wherever its center of mass is. A steered one turns on a part W_knuckle about a joint W_steering, left positive, within the angles of the drive; the drive can apply
/// its greatest torque to a powered one.
///
/// A wheel's mass is that of a disk with its Inertia, else a share of the part's; it is taken from the part, so that mass and center of
/// all are those of the part before. Links do not collide with each other from then on.
/// @param gravity  m/s^2, >= 0
/// @param model    with the robot's bodies; those that are missing have no wheels
void add_wheels(const autosim::Robot& robot, double gravity, robots::Model& model);

/// Whether parts of a robot without a common link collide with each other, before it has wheels of this kind.
bool has_self_collision(const autosim::Robot& robot);

}  // namespace simbatch::worlds
