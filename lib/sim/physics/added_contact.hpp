#pragma once
/// Contacts that are added to those that Bullet found. Internal to this room.

#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

namespace simbatch::physics::detail {

/// A contact of a manifold's bodies at the points at_a and at_b (world, m), friction and parts copied from a known one.
/// @param normal_on_b  unit vector from the second body to the first  @param distance  m, negative: overlapping
inline btManifoldPoint added_contact(const btPersistentManifold& manifold, const btManifoldPoint& known, const btVector3& at_a,
                                     const btVector3& at_b, const btVector3& normal_on_b, double distance) {
  btManifoldPoint p(manifold.getBody0()->getWorldTransform().inverse() * at_a,
                    manifold.getBody1()->getWorldTransform().inverse() * at_b, normal_on_b, distance);
  p.m_positionWorldOnA = at_a;
  p.m_positionWorldOnB = at_b;
  p.m_combinedFriction = known.m_combinedFriction;
  p.m_combinedRollingFriction = known.m_combinedRollingFriction;
  p.m_combinedSpinningFriction = known.m_combinedSpinningFriction;
  p.m_index0 = known.m_index0;
  p.m_index1 = known.m_index1;
  return p;
}

}  // namespace simbatch::physics::detail
