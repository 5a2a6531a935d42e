#pragma once
/// Bullet's solver with joints that meet on arcs (joints.hpp) and friction that vanishes with its load. Internal to this room.
///
/// Within a sweep, Bullet clamps the friction of a contact only while the contact carries a load. If the load has just dropped
/// to zero, the friction of the previous sweep, or even of the previous step, remains: a crate that slides over a floor,
/// rocking from corner to corner, is braked by more than its friction (0.3 % at 4 kHz, more with shorter steps).

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>

#include <type_traits>

#include "lib/sim/physics/joints.hpp"
#include "lib/sim/physics/row_room.hpp"

namespace simbatch::physics::detail {

template <class Base>
class ContactSolver final : public Base {
 protected:
  void convertContacts(btPersistentManifold** manifolds, int manifold_count, const btContactSolverInfo& info) override {
    if constexpr (std::is_base_of_v<btMultiBodyConstraintSolver, Base>)
      make_row_room(this->m_data, manifolds, manifold_count, this->m_tmpMultiBodyConstraints,
                    this->m_tmpNumMultiBodyConstraints);
    Base::convertContacts(manifolds, manifold_count, info);
  }

  btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                                int manifold_count, btTypedConstraint** constraints, int constraint_count,
                                const btContactSolverInfo& info, btIDebugDraw* drawer) override {
    if (iteration > 0 && iteration <= kBends) bend_joints();
    const btScalar residual = Base::solveSingleIteration(iteration, bodies, body_count, manifolds, manifold_count, constraints,
                                                         constraint_count, info, drawer);
    auto& rows = this->m_tmpSolverContactFrictionConstraintPool;
    for (int i = 0; i < rows.size(); ++i) {
      btSolverConstraint& row = rows[i];
      if (static_cast<btScalar>(row.m_appliedImpulse) == 0 ||
          static_cast<btScalar>(this->m_tmpSolverContactConstraintPool[row.m_frictionIndex].m_appliedImpulse) > 0)
        continue;
      row.m_lowerLimit = row.m_upperLimit = 0;
      btSequentialImpulseConstraintSolver::resolveSingleConstraintRowGeneric(
          this->m_tmpSolverBodyPool[row.m_solverBodyIdA], this->m_tmpSolverBodyPool[row.m_solverBodyIdB], row);
    }
    return residual;
  }

 private:
  static constexpr int kBends = 6;  // each one multiplies the error by (w dt)^2

  void bend_joints() {
    const auto spin = [](const btSolverBody& body) {
      return body.m_angularVelocity + body.m_externalTorqueImpulse + body.m_deltaAngularVelocity;
    };
    auto& rows = this->m_tmpSolverNonContactConstraintPool;
    const btTypedConstraint* joint = nullptr;
    JointArcs* arcs = nullptr;
    btVector3 more(0, 0, 0);
    for (int i = 0; i < rows.size(); ++i) {
      btSolverConstraint& row = rows[i];
      const auto* of_row = static_cast<const btTypedConstraint*>(row.m_originalContactPoint);
      if (of_row != joint) {
        joint = of_row;
        arcs = JointArcs::of(*joint);
        if (arcs != nullptr)
          more = arcs->bend(spin(this->m_tmpSolverBodyPool[row.m_solverBodyIdA]),
                            spin(this->m_tmpSolverBodyPool[row.m_solverBodyIdB]));
      }
      const bool is_equation = row.m_lowerLimit == -SIMD_INFINITY && row.m_upperLimit == SIMD_INFINITY;  // no limit, no motor
      if (arcs != nullptr && is_equation) row.m_rhs -= row.m_contactNormal1.dot(more) * row.m_jacDiagABInv;
    }
  }
};

}  // namespace simbatch::physics::detail
