// One step: semi-implicit (symplectic) Euler with Bullet's sequential impulse solver (Catto, "Iterative dynamics with temporal
// coherence", 2005), with terrain contacts turned to the normals of their triangles and friction by pairs of materials in between.

#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;

namespace {

template <class Base, class Solver>
class StepWorld final : public Base {
 public:
  explicit StepWorld(World::State& state)
      : Base(state.dispatcher.get(), state.broadphase.get(), static_cast<Solver*>(state.solver.get()),
             state.configuration.get()),
        state_(state) {}

  void performDiscreteCollisionDetection() override {
    Base::performDiscreteCollisionDetection();
    state_.smooth_terrain();
    if (!state_.pair_friction.empty()) state_.apply_pair_friction();
  }

 protected:
  // No body has a swept sphere (Bullet's CCD), so predicting every body's motion would be wasted.
  void createPredictiveContacts(btScalar) override {}

 private:
  World::State& state_;
};

}  // namespace

std::unique_ptr<btDiscreteDynamicsWorld> detail::make_step_world(World::State& state, bool articulated) {
  if (articulated) return std::make_unique<StepWorld<btMultiBodyDynamicsWorld, btMultiBodyConstraintSolver>>(state);
  return std::make_unique<StepWorld<btDiscreteDynamicsWorld, btConstraintSolver>>(state);
}

// Terrain pushes along the normals of its triangles. Bullet collides with each triangle by itself, so that what slides over
// flat ground catches on the edges between them: a crate came 21 % short of v^2 / (2 mu g), and now 1 %.
void World::State::smooth_terrain() {
  for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
    btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
    if (manifold->getNumContacts() == 0) continue;
    const Body& first = *bodies[static_cast<std::size_t>(detail::body_id(manifold->getBody0()))];
    const Body& second = *bodies[static_cast<std::size_t>(detail::body_id(manifold->getBody1()))];
    if (!first.terrain && !second.terrain) continue;
    const Body& ground = first.terrain ? first : second;
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      btManifoldPoint& p = manifold->getContactPoint(k);
      const int index = first.terrain ? p.m_index0 : p.m_index1;
      Vec3 up;  // from the ground towards the body
      if (ground.grid) {
        up = ground.grid->facet(index);
      } else {
        if (index < 0 || static_cast<std::size_t>(index) >= ground.facets.size()) continue;
        up = ground.facets[static_cast<std::size_t>(index)];
        // A mesh has two sides: keep the one that the body is on.
        const Vec3 n = detail::from_bt(p.m_normalWorldOnB);
        if (geo::dot(up, n) * (first.terrain ? -1 : 1) < 0) up = -up;
      }
      if (up == Vec3{}) continue;
      p.m_normalWorldOnB = bt(first.terrain ? -up : up);
      p.setDistance((p.getPositionWorldOnA() - p.getPositionWorldOnB()).dot(p.m_normalWorldOnB));
    }
  }
}

void World::State::apply_pair_friction() {
  for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
    btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
    if (manifold->getNumContacts() == 0) continue;
    const int a = body(detail::body_id(manifold->getBody0())).settings.material;
    const int b = body(detail::body_id(manifold->getBody1())).settings.material;
    const auto found = pair_friction.find(std::minmax(a, b));
    if (found == pair_friction.end()) continue;
    for (int k = 0; k < manifold->getNumContacts(); ++k) manifold->getContactPoint(k).m_combinedFriction = found->second;
  }
}

// A kinematic body's velocity is the one of the coming step, known before the wheels ask for it. Bullet computes the same
// from the jump of the transform.
void World::State::move_kinematic() {
  for (const std::uint32_t i : kinematic) {
    Body& b = *bodies[i];
    if (!b.has_target) {
      b.linear = b.angular = {};
      continue;
    }
    btVector3 linear, angular;
    btTransformUtil::calculateVelocity(b.bt->getWorldTransform(), bt(b.target), settings.dt, linear, angular);
    b.linear = detail::from_bt(linear);
    b.angular = detail::from_bt(angular);
  }
}

void World::step() {
  State& s = *state_;
  s.flush();
  s.start_drives();
  for (const auto& source : s.sources) source(*this);
  s.flush();  // a source may have added something
  s.move_kinematic();
  // Vehicles first. As Bullet's actions they would run last, and leave g * dt in the velocities that are read.
  for (const std::uint32_t i : s.vehicle_order) s.vehicles[i]->update(s, s.settings.dt);
  for (const std::uint32_t i : s.kinematic) {
    Body& b = *s.bodies[i];
    if (b.has_target) b.bt->setWorldTransform(bt(b.target));
    b.has_target = false;
  }
  s.world->stepSimulation(s.settings.dt, 0);
  s.finish_drives();
  ++s.steps;
}

std::uint64_t World::step_count() const { return state_->steps; }
double World::time() const { return static_cast<double>(state_->steps) * state_->settings.dt; }

}  // namespace simbatch::physics
