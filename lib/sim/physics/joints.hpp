#pragma once
/// Bullet's joints of rigid bodies with rows of second order that do not disturb each other. Internal to this room.
///
/// Bullet's rows make the anchors meet as if bodies moved along straight lines for a step; since they move on arcs, they miss
/// by w^2 r dt^2 / 2, and the correction in the next step costs energy: a pendulum loses about (w dt)^2 / 2 of its speed in
/// each step. Here a row requires that the anchors meet at the end of the step, after the bodies have turned. With the impulses
/// along the axes at the start of the step this is SHAKE, which is symplectic and of second order. How far the bodies turn is
/// known only once the step is solved, so the solver bends the arcs as it goes (contact_solver.hpp).
///
/// The rows of a joint on a long lever are nearly dependent (a pendulum of 1 m with an inertia of 0.004 kg m^2: condition 250), so
/// that iterating over them takes hundreds of sweeps. They are replaced by combinations that are orthogonal in the bodies' inverse
/// masses: one sweep solves a joint exactly, and further sweeps only resolve how several joints and contacts affect each other.
///
/// For a sliding joint, Bullet applies the two impulses of a row at the anchors of their own bodies, which are apart by the
/// distance slid: this creates a spurious couple, so that a bar with its slider extended turns as if it were retracted. Here
/// both act at the anchor of the sliding body. The axis turns with the other body during the step and carries it along.

#include <array>
#include <span>
#include <utility>

#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace simbatch::physics::detail {

/// The arcs on which the two anchors of a joint move in a step.
class JointArcs {
 public:
  btVector3 anchor_a{0, 0, 0}, anchor_b{0, 0, 0};  ///< in the bodies' frames P
  btVector3 axis_a{0, 0, 0};                       ///< in the frame P of a: unit, along which b slides; 0: the anchors meet

  /// Changes the rows of these numbers (at most 6, all of them equations without compliance) as said above, with the arcs of
  /// the bodies' present angular velocities.
  void sharpen(btTypedConstraint::btConstraintInfo2& info, std::span<const int> numbers, const btRigidBody& a,
               const btRigidBody& b);
  /// Recomputes the arcs with the solver's current angular velocities. Those of the previous step would add a
  /// little energy to swinging bodies in each step.
  /// @return change (m/s) of the speed at which the anchors move apart in excess of the rows
  btVector3 bend(const btVector3& w_a, const btVector3& w_b);

  /// The arcs of a joint; null if the joint has none.
  static JointArcs* of(const btTypedConstraint& joint) {
    return joint.getUserConstraintType() == kType
               ? static_cast<JointArcs*>(const_cast<btTypedConstraint&>(joint).getUserConstraintPtr())
               : nullptr;
  }

 protected:
  static constexpr int kType = 4711;
  void mark(btTypedConstraint& joint) {
    joint.setUserConstraintType(kType);
    joint.setUserConstraintPtr(this);
  }

 private:
  btVector3 arm_a(const btVector3& arm_b) const;
  btVector3 miss(const btVector3& w_a, const btVector3& w_b) const;

  const btRigidBody *a_ = nullptr, *b_ = nullptr;  // of this step
  btVector3 miss_{0, 0, 0};                        // that the rows take into account
  double sliding_ = 0;                             // m/s along the axis at the start of the step
  double dt_ = 0;
};

/// A joint of Bullet whose first kRows rows make two anchors meet and keep directions aligned.
template <class Base, int kRows>
class SharpJoint final : public Base, public JointArcs {
 public:
  template <class... Arguments>
  explicit SharpJoint(Arguments&&... arguments) : Base(std::forward<Arguments>(arguments)...) {
    mark(*this);
  }
  void getInfo2(btTypedConstraint::btConstraintInfo2* info) override {
    static constexpr std::array<int, 6> kAll{0, 1, 2, 3, 4, 5};
    Base::getInfo2(info);
    sharpen(*info, std::span(kAll).first(kRows), this->m_rbA, this->m_rbB);
  }
};

/// Bullet's six-axis joint, whose forces act on both bodies at the anchor of b. With `axis_a`, b slides along that axis.
class SlidingJoint final : public btGeneric6DofSpring2Constraint, public JointArcs {
 public:
  SlidingJoint(btRigidBody& a, btRigidBody& b, const btTransform& in_a, const btTransform& in_b)
      : btGeneric6DofSpring2Constraint(a, b, in_a, in_b) {}
  /// @param axis  unit, in the frame P of a
  void slide_along(const btVector3& axis);
  void getInfo1(btConstraintInfo1* info) override;
  void getInfo2(btConstraintInfo2* info) override;

 private:
  int count_ = 0;  // rows of this step
};

}  // namespace simbatch::physics::detail
