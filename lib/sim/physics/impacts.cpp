// Restitution as a separate pass after the solve, from stored approach speeds: E. Catto, Box2D v3. Projected Gauss-Seidel on
// accumulated impulses: E. Catto, Iterative dynamics with temporal coherence, GDC 2005. Symplectic Euler interpreted as
// leapfrog: Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, I.1.4.

#include "lib/sim/physics/impacts.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::physics::detail {
namespace {

constexpr double kSlowest = 0.2;   // m/s; slower contacts rest, like below Bullet's own restitution threshold
constexpr int kSweeps = 10;        // Gauss-Seidel sweeps; impacts of one step are few
constexpr int kMostSweeps = 50;    // of points that lie unevenly about the center of mass
constexpr double kMissing = 1e-3;  // m/s that a sweep may still change
constexpr int kSeparations = 4;

// The body if impulses can move it, else nullptr.
btRigidBody* movable(const btCollisionObject* object) {
  auto* body = btRigidBody::upcast(const_cast<btCollisionObject*>(object));
  return body && body->getInvMass() > 0 ? body : nullptr;
}

btVector3 velocity_at(const btCollisionObject* object, const btVector3& arm) {
  const auto* body = btRigidBody::upcast(object);
  return body ? body->getVelocityInLocalPoint(arm) : btVector3(0, 0, 0);
}

double acceleration(const btRigidBody* body, const btVector3& direction) {
  return body ? (body->getInvMass() * body->getTotalForce()).dot(direction) : 0;
}

// Change of speed per unit impulse along a direction at an arm.
double response_of(const btRigidBody* body, const btVector3& arm, const btVector3& direction) {
  if (!body) return 0;
  const btVector3 moment = arm.cross(direction);
  return body->getInvMass() + moment.dot(body->getInvInertiaTensorWorld() * moment);
}

bool is_articulated(const btCollisionObject* object) {
  return object->getInternalType() == btCollisionObject::CO_FEATHERSTONE_LINK;
}

}  // namespace

void Impacts::find(btDispatcher& dispatcher, double dt) {
  impacts_.clear();
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(m);
    const btCollisionObject *first = manifold->getBody0(), *second = manifold->getBody1();
    btRigidBody *a = movable(first), *b = movable(second);
    if ((!a && !b) || is_articulated(first) || is_articulated(second)) continue;
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      btManifoldPoint& p = manifold->getContactPoint(k);
      p.m_contactPointFlags &= ~BT_CONTACT_FLAG_HAS_CONTACT_ERP;
      p.m_combinedRestitution = 0;
      Impact i{&p, a, b, {}, {}, {}, p.m_normalWorldOnB};
      i.ra = p.getPositionWorldOnA() - first->getWorldTransform().getOrigin();
      i.rb = p.getPositionWorldOnB() - second->getWorldTransform().getOrigin();
      i.carried = (a ? btVector3(0, 0, 0) : velocity_at(first, i.ra)) - (b ? btVector3(0, 0, 0) : velocity_at(second, i.rb));
      const double approach = -velocity(i).dot(i.normal);
      if (approach < kSlowest) continue;
      p.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_ERP;
      p.m_contactERP = 0;
      const double restitution = first->getRestitution() * second->getRestitution();
      const double gap = p.getDistance(), pull = acceleration(b, i.normal) - acceleration(a, i.normal);
      const double early = approach + pull * dt / 2;
      if (restitution > 0)
        i.target = std::max(0.0, restitution * std::sqrt(std::max(0.0, early * early + 2 * pull * gap)) + pull * dt / 2);
      i.overlap = std::max(0.0, -gap);
      impacts_.push_back(i);
    }
  }
}

// Velocity of a's contact point relative to b's.
btVector3 Impacts::velocity(const Impact& i) {
  btVector3 v = i.carried;
  if (i.a) v += i.a->getVelocityInLocalPoint(i.ra);
  if (i.b) v -= i.b->getVelocityInLocalPoint(i.rb);
  return v;
}

double Impacts::response(const Impact& i, const btVector3& direction) {
  return response_of(i.a, i.ra, direction) + response_of(i.b, i.rb, direction);
}

void Impacts::push(Impact& i, const btVector3& impulse) {
  if (i.a) i.a->applyImpulse(impulse, i.ra);
  if (i.b) i.b->applyImpulse(-impulse, i.rb);
}

void Impacts::rub(Impact& i) {
  const btVector3 v = velocity(i), slip = v - v.dot(i.normal) * i.normal;
  const double speed = slip.length(), most = i.point->m_combinedFriction * i.impulse;
  btVector3 wanted = i.rub;
  if (speed > 1e-12) wanted -= slip / response(i, slip / speed);
  const double size = wanted.length();
  if (size > most) wanted *= most / size;
  push(i, wanted - i.rub);
  i.rub = wanted;
}

void Impacts::bounce() {
  // Only contacts that Bullet stopped have touched within the step; the others are found again when closer.
  std::erase_if(impacts_, [](const Impact& i) { return !(i.point->m_appliedImpulse > 0); });
  for (Impact& i : impacts_) {
    const btManifoldPoint& p = *i.point;
    i.impulse = p.m_appliedImpulse;
    i.rub = p.m_appliedImpulseLateral1 * p.m_lateralFrictionDir1 + p.m_appliedImpulseLateral2 * p.m_lateralFrictionDir2;
    i.rub -= i.rub.dot(i.normal) * i.normal;
  }
  double missing = 0;  // m/s
  for (int sweep = 0; sweep < kSweeps || (sweep < kMostSweeps && missing > kMissing); ++sweep) {
    missing = 0;
    for (Impact& i : impacts_) {
      const double give = response(i, i.normal), wanted = i.impulse + (i.target - velocity(i).dot(i.normal)) / give;
      const double impulse = std::max(0.0, wanted);
      push(i, (impulse - i.impulse) * i.normal);
      missing = std::max(missing, std::abs(impulse - i.impulse) * give);
      i.impulse = impulse;
      rub(i);
    }
  }
  for (const Impact& i : impacts_) {
    btManifoldPoint& p = *i.point;
    p.m_appliedImpulse = i.impulse;
    p.m_appliedImpulseLateral1 = i.rub.length();
    if (p.m_appliedImpulseLateral1 > 0) p.m_lateralFrictionDir1 = i.rub / p.m_appliedImpulseLateral1;
    p.m_appliedImpulseLateral2 = 0;
  }
}

void Impacts::separate() {
  std::erase_if(impacts_, [](const Impact& i) { return !(i.overlap > 0); });
  const auto origin = [](const btRigidBody* body) { return body ? body->getWorldTransform().getOrigin() : btVector3(0, 0, 0); };
  const auto move = [](btRigidBody* body, const btVector3& by) {
    if (!body) return;
    body->getWorldTransform().setOrigin(body->getWorldTransform().getOrigin() + by);
    body->setInterpolationWorldTransform(body->getWorldTransform());
  };
  for (Impact& i : impacts_) i.ra = origin(i.a) - origin(i.b);  // reused from here on: the arms are no longer needed
  for (int sweep = 0; sweep < kSeparations; ++sweep)
    for (const Impact& i : impacts_) {
      const double left = i.overlap - (origin(i.a) - origin(i.b) - i.ra).dot(i.normal);
      if (!(left > 0)) continue;
      const double a = i.a ? i.a->getInvMass() : 0, b = i.b ? i.b->getInvMass() : 0;
      move(i.a, left * a / (a + b) * i.normal);
      move(i.b, -left * b / (a + b) * i.normal);
    }
}

}  // namespace simbatch::physics::detail
