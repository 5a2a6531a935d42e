// SHAKE: J. P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, J. Comput. Phys. 23 (1977) 327; with rotations as exponentials: E.
// Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, VII.1 and VII.5. The arcs follow by fixed-point
// iteration over the solver's sweeps. Rows: modified Gram-Schmidt (Golub and Van Loan, Matrix Computations, 5.2).

#include "lib/sim/physics/joints.hpp"

#include <array>

namespace simbatch::physics::detail {
namespace {

/// How far a body turns in a step.
struct Turn {
  double share = 0;  // share of it that is predicted; decreases to zero towards turns that are too fast
  btMatrix3x3 matrix = btMatrix3x3::getIdentity();
};
/// @param w  angular velocity in the step
Turn turn_of(const btRigidBody& body, const btVector3& w, double dt) {
  if (body.getInvMass() == 0) return {};
  const btVector3 inverse = body.getInvInertiaDiagLocal();
  if (w.isZero() || inverse.x() == 0 || inverse.y() == 0 || inverse.z() == 0) return {};
  // Free rotation: w changes by dt / 2 I^-1 (L x w) up to the middle of the step.
  const btMatrix3x3& axes = body.getWorldTransform().getBasis();
  const btVector3 own = w * axes, momentum(own.x() / inverse.x(), own.y() / inverse.y(), own.z() / inverse.z());
  const btVector3 middle = w + dt / 2 * (axes * (inverse * momentum.cross(own)));
  const double speed = middle.length(), angle = speed * dt;
  if (angle >= 1 || speed == 0) return {};
  return {1 - angle * angle, btMatrix3x3(btQuaternion(middle / speed, angle))};
}

/// The velocity by which the end of `arm` differs over a step from that at its start, w x arm: it moves on an arc.
btVector3 arc(const Turn& turn, const btVector3& arm, const btVector3& w, double dt) {
  if (turn.share == 0) return {0, 0, 0};
  return turn.share * ((turn.matrix * arm - arm) / dt - w.cross(arm));
}

/// A row: its four Jacobians and its right-hand side.
struct Row {
  std::array<btVector3, 4> j;
  double rhs = 0;
};

class Rows {
 public:
  Rows(btTypedConstraint::btConstraintInfo2& info, const btRigidBody& a, const btRigidBody& b) : info_(info), a_(a), b_(b) {}
  Row get(int i) const {
    const int at = i * info_.rowskip;
    const auto vector = [&](const btScalar* from) { return btVector3(from[at], from[at + 1], from[at + 2]); };
    return {{vector(info_.m_J1linearAxis), vector(info_.m_J1angularAxis), vector(info_.m_J2linearAxis),
             vector(info_.m_J2angularAxis)},
            info_.m_constraintError[at]};
  }
  void set(int i, const Row& row) {
    const int at = i * info_.rowskip;
    btScalar* const to[] = {info_.m_J1linearAxis, info_.m_J1angularAxis, info_.m_J2linearAxis, info_.m_J2angularAxis};
    for (std::size_t k = 0; k < 4; ++k)
      for (int axis = 0; axis < 3; ++axis) to[k][at + axis] = row.j[k][axis];
    info_.m_constraintError[at] = row.rhs;
  }
  /// Effect of a unit impulse of the row on the velocities.
  std::array<btVector3, 4> response(const Row& row) const {
    return {a_.getInvMass() * row.j[0], a_.getInvInertiaTensorWorld() * row.j[1], b_.getInvMass() * row.j[2],
            b_.getInvInertiaTensorWorld() * row.j[3]};
  }

 private:
  btTypedConstraint::btConstraintInfo2& info_;
  const btRigidBody &a_, &b_;
};

double product(const Row& row, const std::array<btVector3, 4>& response) {
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum += row.j[k].dot(response[k]);
  return sum;
}

}  // namespace

// For a sliding joint: the point of a that is currently at the anchor of b.
btVector3 JointArcs::arm_a(const btVector3& arm_b) const {
  if (axis_a.isZero()) return a_->getWorldTransform().getBasis() * anchor_a;
  return b_->getWorldTransform().getOrigin() + arm_b - a_->getWorldTransform().getOrigin();
}

btVector3 JointArcs::miss(const btVector3& w_a, const btVector3& w_b) const {
  const btVector3 arm_b = b_->getWorldTransform().getBasis() * anchor_b;
  const Turn turn_a = turn_of(*a_, w_a, dt_);
  const btVector3 meeting = arc(turn_a, arm_a(arm_b), w_a, dt_) - arc(turn_of(*b_, w_b, dt_), arm_b, w_b, dt_);
  if (sliding_ == 0) return meeting;
  const btVector3 axis = a_->getWorldTransform().getBasis() * axis_a;
  return meeting + turn_a.share * sliding_ * (turn_a.matrix * axis - axis);
}

btVector3 JointArcs::bend(const btVector3& w_a, const btVector3& w_b) {
  const btVector3 before = miss_;
  miss_ = miss(w_a, w_b);
  return miss_ - before;
}

void JointArcs::sharpen(btTypedConstraint::btConstraintInfo2& info, std::span<const int> numbers, const btRigidBody& a,
                        const btRigidBody& b) {
  constexpr double kDependent = 1e-9;  // share of a row's own square
  Rows rows(info, a, b);
  a_ = &a;
  b_ = &b;
  dt_ = 1 / info.fps;
  if (!axis_a.isZero()) {
    const btVector3 arm_b = b.getWorldTransform().getBasis() * anchor_b;
    sliding_ = (a.getWorldTransform().getBasis() * axis_a)
                   .dot(b.getVelocityInLocalPoint(arm_b) - a.getVelocityInLocalPoint(arm_a(arm_b)));
  }
  miss_ = miss(a.getAngularVelocity(), b.getAngularVelocity());
  std::array<std::array<btVector3, 4>, 6> responses;
  std::array<double, 6> squares{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Row row = rows.get(numbers[i]);
    row.rhs -= row.j[0].dot(miss_);
    rows.set(numbers[i], row);
    const double own = product(row, rows.response(row));
    for (std::size_t k = 0; k < i; ++k) {
      if (squares[k] == 0) continue;
      const Row before = rows.get(numbers[k]);
      const double share = product(row, responses[k]) / squares[k];
      for (std::size_t j = 0; j < 4; ++j) row.j[j] -= share * before.j[j];
      row.rhs -= share * before.rhs;
    }
    responses[i] = rows.response(row);
    squares[i] = product(row, responses[i]);
    if (squares[i] > kDependent * own)
      rows.set(numbers[i], row);
    else
      squares[i] = 0;  // linearly dependent on the others: left unchanged
  }
}

void SlidingJoint::slide_along(const btVector3& axis) {
  axis_a = axis;
  mark(*this);
}

void SlidingJoint::getInfo1(btConstraintInfo1* info) {
  btGeneric6DofSpring2Constraint::getInfo1(info);
  count_ = info->m_numConstraintRows;
}

void SlidingJoint::getInfo2(btConstraintInfo2* info) {
  btGeneric6DofSpring2Constraint::getInfo2(info);
  Rows rows(*info, m_rbA, m_rbB);
  const btVector3 anchor = getCalculatedTransformB().getOrigin();
  const btVector3 from_a = anchor - m_rbA.getCenterOfMassPosition(), from_b = anchor - m_rbB.getCenterOfMassPosition();
  std::array<int, 6> equations{};
  std::size_t found = 0;
  for (int i = 0; i < count_; ++i) {
    Row row = rows.get(i);
    if (!row.j[0].isZero()) {
      row.j[1] = from_a.cross(row.j[0]);
      row.j[3] = from_b.cross(row.j[2]);
      rows.set(i, row);
    }
    const int at = i * info->rowskip;
    if (info->m_lowerLimit[at] == -SIMD_INFINITY && info->m_upperLimit[at] == SIMD_INFINITY && found < equations.size())
      equations[found++] = i;
  }
  if (!axis_a.isZero()) sharpen(*info, std::span(equations).first(found), m_rbA, m_rbB);
}

}  // namespace simbatch::physics::detail
