// Hash of all states to compare runs, and detection of states that are not finite or out of range.

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
    const btTransform& x = b.object->getWorldTransform();
    const btVector3& p = x.getOrigin();
    const btMatrix3x3& m = x.getBasis();
    // The sum is not finite if any term is not.
    double sum = p.x() + p.y() + p.z() + m[0][0] + m[1][1] + m[2][2];
    if (b.bt) {
      const btVector3 &v = b.bt->getLinearVelocity(), &w = b.bt->getAngularVelocity();
      sum += v.x() + v.y() + v.z() + w.x() + w.y() + w.z();
    }
    const bool finite = std::isfinite(sum);
    if (finite && p.y() >= floor) continue;
    return BlowUp{BodyId(i), b.settings.name, s.steps, !finite, detail::from_bt(p)};
  }
  return std::nullopt;
}

void World::hash_state(StateHash& hash) const {
  const State& s = *state_;
  for (const std::uint32_t i : s.movable) {
    const Body& b = *s.bodies[i];
    const btMatrix3x3& m = b.object->getWorldTransform().getBasis();
    const btVector3& p = b.object->getWorldTransform().getOrigin();
    // The velocity of an articulated link is that of its joint, below.
    const Vec3 v = b.bt ? detail::from_bt(b.bt->getLinearVelocity()) : Vec3{};
    const Vec3 w = b.bt ? detail::from_bt(b.bt->getAngularVelocity()) : Vec3{};
    const double values[18] = {p.x(),   p.y(),   p.z(),   m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2],
                               m[2][0], m[2][1], m[2][2], v.x,     v.y,     v.z,     w.x,     w.y,     w.z};
    hash.add(std::span<const double>(values));
  }
  for (const std::uint32_t i : s.vehicle_order) {
    const vehicle::DriveTrainState& train = s.vehicles[i]->train;
    if (s.vehicles[i]->settings.train) {
      const double values[] = {static_cast<double>(train.gear), train.shifting, train.engine_speed};
      hash.add(std::span<const double>(values));
    }
    for (const detail::Wheel& w : s.vehicles[i]->wheels) {
      const vehicle::Deflection e = w.memory != nullptr ? w.memory->deflection : vehicle::Deflection{};
      const double values[] = {w.length, w.force, w.rotation, w.spin, e.x, e.y, w.steering, w.anti_lock};
      hash.add(std::span<const double>(values));
    }
  }
  s.hash_articulations(hash);
}

void World::State::hash_articulations(StateHash& hash) const {
  for (const std::uint32_t i : articulation_order) {
    const btMultiBody& m = *articulations[i]->bt;
    hash.add(std::span<const double>(m.getVelocityVector(), static_cast<std::size_t>(6 + m.getNumDofs())));
    for (int k = 0; k < m.getNumLinks(); ++k)
      if (m.getLink(k).m_dofCount > 0) {
        const double q = m.getJointPos(k);
        hash.add(std::span<const double>(&q, 1));
      }
  }
}

std::uint64_t World::state_hash() const {
  StateHash hash;
  hash_state(hash);
  return hash.value();
}

std::string World::engine() const {
  const State& s = *state_;
  btContactSolverInfo info;
  s.fill_solver_settings(info);
  return fmt::format(
      "Bullet {}.{} float64; sequential impulse, iterations {}, mode {}, erp {}/{}, split impulse {} at {}, "
      "warm start {}; gravity {} {} {}; dt {}",
      btGetVersion() / 100, btGetVersion() % 100, info.m_numIterations, info.m_solverMode, info.m_erp, info.m_erp2,
      info.m_splitImpulse, info.m_splitImpulsePenetrationThreshold, info.m_warmstartingFactor, s.settings.gravity.x,
      s.settings.gravity.y, s.settings.gravity.z, s.settings.dt);
}

}  // namespace simbatch::physics
