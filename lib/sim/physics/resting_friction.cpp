// The direction of friction between two moving bodies. Bullet's single direction is that of the sliding in a step, including
// gravity; if both bodies fall together and nothing slides, there is none, and an arbitrary one is used: a box at rest on a
// leaning slab slides for a step, is held in the next, and so on (7 mm/s at 15 degrees and 240 Hz). Here it is the direction of
// the impulse that would stop the sliding, beginning with the impulse of the step before (projected Gauss-Seidel on the
// friction as a vector: E. Catto, Iterative dynamics with temporal coherence, GDC 2005).

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

// A contact that Bullet finds again replaces the old one and keeps its impulses, but not the direction of its friction.
void World::State::remember_frictions() {
  friction_memories.clear();
  if (!directs_friction()) return;
  for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
    const btPersistentManifold& manifold = *dispatcher->getManifoldByIndexInternal(i);
    if (manifold.getNumContacts() == 0) continue;
    const btRigidBody *a = btRigidBody::upcast(manifold.getBody0()), *b = btRigidBody::upcast(manifold.getBody1());
    if (a == nullptr || b == nullptr || a->isStaticOrKinematicObject() || b->isStaticOrKinematicObject()) continue;
    detail::FrictionMemory memory{&manifold, manifold.getNumContacts(), {}, {}};
    for (int k = 0; k < memory.count; ++k) {
      const btManifoldPoint& p = manifold.getContactPoint(k);
      memory.places[k] = p.m_localPointA;
      const double impulse = p.m_appliedImpulseLateral1;  // 0 if it was never solved and has no direction
      memory.impulses[k] = impulse != 0 ? impulse * p.m_lateralFrictionDir1 : btVector3(0, 0, 0);
    }
    friction_memories.push_back(memory);
  }
  std::sort(friction_memories.begin(), friction_memories.end(),
            [](const auto& p, const auto& q) { return std::less<>()(p.manifold, q.manifold); });
}

void World::State::direct_friction(btPersistentManifold& manifold, const btRigidBody& a, const btRigidBody& b) const {
  const double apart = gContactBreakingThreshold * gContactBreakingThreshold;
  const auto memory = std::lower_bound(friction_memories.begin(), friction_memories.end(), &manifold,
                                       [](const auto& m, const auto* wanted) { return std::less<>()(m.manifold, wanted); });
  const bool known = memory != friction_memories.end() && memory->manifold == &manifold;
  for (int k = 0; k < manifold.getNumContacts(); ++k) {
    btManifoldPoint& p = manifold.getContactPoint(k);
    p.m_contactPointFlags &= ~BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
    const btVector3 &on_a = p.getPositionWorldOnA(), &on_b = p.getPositionWorldOnB(), &n = p.m_normalWorldOnB;
    const btVector3 v = a.getVelocityInLocalPoint(on_a - a.getCenterOfMassPosition()) -
                        b.getVelocityInLocalPoint(on_b - b.getCenterOfMassPosition());
    const btVector3 slip = v - v.dot(n) * n;
    const double speed = slip.length();
    btVector3 impulse(0, 0, 0);  // N s, on a
    double nearest = apart;
    for (int i = 0; known && i < memory->count; ++i) {
      const double distance = p.m_localPointA.distance2(memory->places[i]);
      if (distance >= nearest) continue;
      nearest = distance;
      impulse = memory->impulses[i];
    }
    impulse -= impulse.dot(n) * n;
    btVector3 wanted = impulse;
    if (speed > 0) {
      const btVector3 along = slip / speed;
      wanted -= slip / (a.computeImpulseDenominator(on_a, along) + b.computeImpulseDenominator(on_b, along));
    }
    const double size = wanted.length();
    if (!(size > 1e-12 * (static_cast<double>(p.m_appliedImpulse) + 1e-12))) continue;
    p.m_lateralFrictionDir1 = wanted / size;
    p.m_appliedImpulseLateral1 = impulse.dot(p.m_lateralFrictionDir1);
    p.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
  }
}

}  // namespace simbatch::physics
