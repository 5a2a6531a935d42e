// The implicit midpoint rule for the free rigid body (Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, VII.5)
// with the exponential map in place of Cayley's, in body coordinates: a rotation about w does not change w, so the midpoint
// angular velocity has the same coordinates before and after the half rotation, and only the momentum has to be rotated.

#include "lib/sim/physics/free_spin.hpp"

#include <cmath>
#include <numbers>

namespace simbatch::physics::detail {
namespace {

constexpr double kMaxBulletTurn = std::numbers::pi / 4;  // rad a step: btTransformUtil's ANGULAR_MOTION_THRESHOLD

// Rotates v by the angle |turn| about `turn`, using the Rodrigues vector tan(angle / 2), which needs no sine.
btVector3 turned(const btVector3& v, const btVector3& turn) {
  const double x2 = turn.length2() / 4;  // half the angle, squared
  double scale = 0.5 * (1 + x2 * (1.0 / 3 + x2 * (2.0 / 15 + x2 * (17.0 / 315))));
  if (x2 > 0.01) {
    const double x = std::sqrt(x2);
    scale = 0.5 * std::tan(x) / x;
  }
  const btVector3 r = scale * turn, across = r.cross(v);
  return v + 2 / (1 + r.length2()) * (across + r.cross(across));
}

}  // namespace

void FreeSpins::start(btRigidBody& body, double dt) {
  const btVector3 inverse = body.getInvInertiaDiagLocal(), w = body.getAngularVelocity();
  if (w.isZero() || inverse.isZero()) return;
  const double angle2 = w.length2() * dt * dt;
  const bool isotropic = inverse.x() == inverse.y() && inverse.y() == inverse.z();
  const bool fast = angle2 > kMaxBulletTurn * kMaxBulletTurn;
  if (isotropic && !fast) return;  // Bullet's own integration is exact here
  Spin spin{&body, {}, w, body.getWorldTransform(), isotropic, fast};
  if (!isotropic) {
    const btMatrix3x3& axes = spin.at_start.getBasis();
    btVector3 along = w * axes;  // v * m is m^T v
    spin.momentum = {along.x() / inverse.x(), along.y() / inverse.y(), along.z() / inverse.z()};
    // Each iteration reduces the error by a factor of the angle; beyond a radian the axis is a mean, and only L is exact.
    const int rounds = angle2 < 0.01 ? 3 : 12;
    for (int round = 0; round < rounds && angle2 < 1; ++round) along = inverse * turned(spin.momentum, -dt / 2 * along);
    spin.middle = axes * along;
    body.setAngularVelocity(spin.middle);
  }
  spins_.push_back(spin);
}

void FreeSpins::finish(double dt) {
  for (const Spin& s : spins_) {
    if (s.fast) {
      const double speed = s.middle.length();
      btTransform at_end = s.body->getWorldTransform();
      const btQuaternion turn(s.middle / speed, std::remainder(speed * dt, 2 * std::numbers::pi));
      at_end.setRotation((turn * s.at_start.getRotation()).normalized());
      s.body->proceedToTransform(at_end);
    }
    if (s.isotropic) continue;
    const btMatrix3x3& axes = s.body->getWorldTransform().getBasis();
    const btVector3 momentum = s.at_start.getBasis() * s.momentum;
    s.body->setAngularVelocity(axes * (s.body->getInvInertiaDiagLocal() * (momentum * axes)));
  }
  spins_.clear();
}

}  // namespace simbatch::physics::detail
