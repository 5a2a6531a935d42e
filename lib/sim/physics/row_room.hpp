#pragma once
/// Room for the rows of multibodies in Bullet's solver. Internal to this room.

#include <BulletDynamics/Featherstone/btMultiBodyConstraint.h>

class btPersistentManifold;

namespace simbatch::physics::detail {

/// Reserves what the rows of these contacts and constraints need, but for rolling friction. Each row of a multibody is as long as that has degrees of
/// freedom, and Bullet makes room for one row at a time, each time moving all rows before it: the first step of a chain would take a
/// time that grows with the cube of its length.
/// @throws std::bad_alloc if they need more than 2 GB: hundreds of links in one place, each touching all others
void make_row_room(btMultiBodyJacobianData& data, btPersistentManifold** manifolds, int manifold_count,
                   btMultiBodyConstraint** constraints, int constraint_count);

}  // namespace simbatch::physics::detail
