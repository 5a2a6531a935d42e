// What shows that two runs are the same, and that one still means something.

#include <cmath>

#include <fmt/format.h>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;

std::optional<BlowUp> World::find_blow_up() const {
  const State& s = *state_;
  const double floor = (s.has_terrain ? s.lowest : 0) - s.settings.floor_depth;
  for (const std::uint32_t i : s.movable) {
    const Body& b = *s.bodies[i];
    const btTransform& x = b.bt->getCenterOfMassTransform();
    const btVector3 &p = x.getOrigin(), &v = b.bt->getLinearVelocity(), &w = b.bt->getAngularVelocity();
    // One sum: it is not finite if a part of it is not.
    const btMatrix3x3& m = x.getBasis();
    const double sum = p.x() + p.y() + p.z() + m[0][0] + m[1][1] + m[2][2] + v.x() + v.y() + v.z() + w.x() + w.y() + w.z();
    const bool finite = std::isfinite(sum);
    if (finite && p.y() >= floor) continue;
    return BlowUp{BodyId(i), b.settings.name, s.steps, !finite, detail::from_bt(p)};
  }
  return std::nullopt;
}

void World::hash_state(StateHash& hash) const {
  const State& s = *state_;
  for (const std::uint32_t i : s.movable) {
    const btRigidBody& b = *s.bodies[i]->bt;
    const btMatrix3x3& m = b.getCenterOfMassTransform().getBasis();
    const btVector3& p = b.getCenterOfMassPosition();
    const Vec3 v = detail::from_bt(b.getLinearVelocity()), w = detail::from_bt(b.getAngularVelocity());
    const double values[18] = {p.x(), p.y(), p.z(), m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2],
                               m[2][0], m[2][1], m[2][2], v.x, v.y, v.z, w.x, w.y, w.z};
    hash.add(std::span<const double>(values));
  }
  for (const std::uint32_t i : s.vehicle_order)
    for (std::size_t k = 0; k < s.vehicles[i]->wheels.size(); ++k) {
      const WheelState state = wheel(VehicleId(i), k);
      const double values[3] = {state.suspension_length, state.suspension_force, state.rotation};
      hash.add(std::span<const double>(values));
    }
}

std::uint64_t World::state_hash() const {
  StateHash hash;
  hash_state(hash);
  return hash.value();
}

std::string World::engine() const {
  const State& s = *state_;
  const btContactSolverInfo& info = s.world->getSolverInfo();
  return fmt::format("Bullet {}.{} float64; sequential impulse, iterations {}, mode {}, erp {}/{}, split impulse {} at {}, "
                     "warm start {}; gravity {} {} {}; dt {}",
                     btGetVersion() / 100, btGetVersion() % 100, info.m_numIterations, info.m_solverMode, info.m_erp,
                     info.m_erp2, info.m_splitImpulse, info.m_splitImpulsePenetrationThreshold, info.m_warmstartingFactor,
                     s.settings.gravity.x, s.settings.gravity.y, s.settings.gravity.z, s.settings.dt);
}

}  // namespace simbatch::physics
