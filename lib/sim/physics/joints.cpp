// SHAKE: J. P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, J. Comput. Phys. 23 (1977) 327; with rotations as exponentials: E.
// Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2006, VII.1 and VII.5. The arcs follow by fixed-point iteration
// over the solver's sweeps. Rows: modified Gram-Schmidt (Golub and Van Loan,
// Matrix Computations, 5.2).

#include "lib/sim/physics/joints.hpp"

#include <array>

namespace simbatch::physics::detail {
namespace {

/// The velocity by which the end of `arm` differs over a step from that at its start, w x arm: it moves on an arc.
/// @param w  angular velocity in the step
btVector3 arc(const btRigidBody& body, const btVector3& arm, const btVector3& w, double dt) {
  if (body.getInvMass() == 0) return {0, 0, 0};
  const btVector3 inverse = body.getInvInertiaDiagLocal();
  if (w.isZero() || inverse.x() == 0 || inverse.y() == 0 || inverse.z() == 0) return {0, 0, 0};
  // Free rotation: w changes by dt / 2 I^-1 (L x w) up to the middle of the step.
  const btMatrix3x3& axes = body.getWorldTransform().getBasis();
  const btVector3 own = w * axes, momentum(own.x() / inverse.x(), own.y() / inverse.y(), own.z() / inverse.z());
  const btVector3 middle = w + dt / 2 * (axes * (inverse * momentum.cross(own)));
  const double speed = middle.length(), angle = speed * dt;
  if (angle >= 1) return {0, 0, 0};  // too fast to be predicted; less and less up to there
  const btVector3 end = speed > 0 ? btMatrix3x3(btQuaternion(middle / speed, angle)) * arm : arm;
  return (1 - angle * angle) * ((end - arm) / dt - w.cross(arm));
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
  /// What a unit impulse of the row does to the velocities.
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

btVector3 JointArcs::miss(const btVector3& w_a, const btVector3& w_b) const {
  return arc(*a_, a_->getWorldTransform().getBasis() * anchor_a, w_a, dt_) -
         arc(*b_, b_->getWorldTransform().getBasis() * anchor_b, w_b, dt_);
}

btVector3 JointArcs::bend(const btVector3& w_a, const btVector3& w_b) {
  const btVector3 before = miss_;
  miss_ = miss(w_a, w_b);
  return miss_ - before;
}

void JointArcs::sharpen(btTypedConstraint::btConstraintInfo2& info, int count, const btRigidBody& a, const btRigidBody& b) {
  constexpr double kDependent = 1e-9;  // share of a row's own square
  Rows rows(info, a, b);
  a_ = &a;
  b_ = &b;
  dt_ = 1 / info.fps;
  miss_ = miss(a.getAngularVelocity(), b.getAngularVelocity());
  std::array<std::array<btVector3, 4>, 6> responses;
  std::array<double, 6> squares{};
  for (int i = 0; i < count; ++i) {
    Row row = rows.get(i);
    row.rhs -= row.j[0].dot(miss_);
    rows.set(i, row);
    const double own = product(row, rows.response(row));
    for (int k = 0; k < i; ++k) {
      const auto n = static_cast<std::size_t>(k);
      if (squares[n] == 0) continue;
      const Row before = rows.get(k);
      const double share = product(row, responses[n]) / squares[n];
      for (std::size_t j = 0; j < 4; ++j) row.j[j] -= share * before.j[j];
      row.rhs -= share * before.rhs;
    }
    const auto n = static_cast<std::size_t>(i);
    responses[n] = rows.response(row);
    squares[n] = product(row, responses[n]);
    if (squares[n] > kDependent * own)
      rows.set(i, row);
    else
      squares[n] = 0;  // it follows from the others: left as it is
  }
}

}  // namespace simbatch::physics::detail
