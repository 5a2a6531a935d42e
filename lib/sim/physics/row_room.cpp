#include "lib/sim/physics/row_room.hpp"

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>

#include <cstdint>
#include <new>

#include "lib/sim/physics/drives.hpp"

namespace simbatch::physics::detail {
namespace {

constexpr int kRowsOfContact = 3;                      // normal, and friction in two directions
constexpr std::int64_t kMost = std::int64_t{1} << 27;  // numbers in each of two arrays

/// Of a row; 0 without a multibody.
int length_of(const btMultiBody* body) { return body != nullptr ? body->getNumDofs() + 6 : 0; }

int length_of(const btCollisionObject* object) {
  const auto* link = btMultiBodyLinkCollider::upcast(object);
  return link != nullptr ? length_of(link->m_multiBody) : 0;
}

}  // namespace

void make_row_room(btMultiBodyJacobianData& data, btPersistentManifold** manifolds, int manifold_count,
                   btMultiBodyConstraint** constraints, int constraint_count) {
  std::int64_t length = data.m_jacobians.size();
  for (int i = 0; i < manifold_count; ++i)
    length += std::int64_t{kRowsOfContact} * manifolds[i]->getNumContacts() *
              (length_of(manifolds[i]->getBody0()) + length_of(manifolds[i]->getBody1()));
  for (int i = 0; i < constraint_count; ++i) {
    const auto* drives = dynamic_cast<const JointDrives*>(constraints[i]);
    const int rows = drives != nullptr ? static_cast<int>(drives->joints.size()) : constraints[i]->getNumRows();
    length += std::int64_t{rows} * (length_of(constraints[i]->getMultiBodyA()) + length_of(constraints[i]->getMultiBodyB()));
  }
  if (length > kMost) throw std::bad_alloc();
  data.m_jacobians.reserve(static_cast<int>(length));
  data.m_deltaVelocitiesUnitImpulse.reserve(static_cast<int>(length));
}

}  // namespace simbatch::physics::detail
