// One step: semi-implicit (symplectic) Euler with Bullet's sequential impulse solver (Catto, "Iterative dynamics with temporal
// coherence", 2005), preceded by aligning terrain contacts with the normals of their triangles and setting friction by pairs of
// materials.

#include <cmath>
#include <type_traits>

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
    this->releasePredictiveContacts();
    state_.remember_faces();
    state_.remember_frictions();
    Base::performDiscreteCollisionDetection();
    state_.near_bodies.boxes_changed();
    state_.smooth_terrain();
    if (!state_.pair_friction.empty()) state_.apply_pair_friction();
    for_dynamic([&](Body& b) { state_.fast.look_ahead(state_, b, this->m_predictiveManifolds); });
    state_.impacts.find(*state_.dispatcher, state_.settings.dt);
  }

 protected:
  void createPredictiveContacts(btScalar) override {}  // done above, when the existing contacts are known

  // Bullet also predicts where each body will be, for its continuous collision and for motion states: nothing here reads that.
  void predictUnconstraintMotion(btScalar dt) override {
    if constexpr (std::is_same_v<Base, btDiscreteDynamicsWorld>) {
      for (int i = 0; i < this->m_nonStaticRigidBodies.size(); ++i) {
        btRigidBody& body = *this->m_nonStaticRigidBodies[i];
        const bool is_damped = body.getLinearDamping() != 0 || body.getAngularDamping() != 0;  // a power each, mostly of 1
        if (is_damped && !body.isStaticOrKinematicObject()) body.applyDamping(dt);
      }
    } else {
      Base::predictUnconstraintMotion(dt);
    }
  }

  void integrateTransforms(btScalar dt) override {
    for_dynamic([&](Body& b) { state_.spins.start(*b.bt, dt); });
    Base::integrateTransforms(dt);
    state_.spins.finish(dt);
    state_.impacts.bounce();
    state_.fast.hold_back(state_);
    state_.impacts.separate();
  }

 private:
  template <class F>
  void for_dynamic(F&& f) {
    for (const std::uint32_t i : state_.movable) {
      Body& b = *state_.bodies[i];
      if (b.settings.kind == BodyKind::dynamic && b.bt->isActive()) f(b);
    }
  }

  World::State& state_;
};

}  // namespace

std::unique_ptr<btDiscreteDynamicsWorld> detail::make_step_world(World::State& state, bool articulated) {
  if (articulated) return std::make_unique<StepWorld<btMultiBodyDynamicsWorld, btMultiBodyConstraintSolver>>(state);
  return std::make_unique<StepWorld<btDiscreteDynamicsWorld, btConstraintSolver>>(state);
}

std::optional<Vec3> detail::facet_normal(const Body& ground, int index) {
  if (!ground.terrain || index < 0) return std::nullopt;
  if (ground.grid) return ground.grid->facet(index);
  const TriangleMesh& mesh = mesh_under(*ground.parts[0].mesh);
  const std::size_t first = 3 * static_cast<std::size_t>(index);
  if (first + 2 >= mesh.indices.size()) return std::nullopt;
  const Vec3 corner = mesh.points[mesh.indices[first]];
  const Vec3 up =
      geo::normalized(geo::cross(mesh.points[mesh.indices[first + 1]] - corner, mesh.points[mesh.indices[first + 2]] - corner));
  return up == Vec3{} ? std::nullopt : std::optional(up);
}

// A mesh has two sides. What GJK finds of a body deep in it, near an edge, may lean any way, even to the other side: then the
// side is that where the body's center of mass is.
Vec3 detail::turned_to(Vec3 facet, const Body& ground, const btCollisionObject& body, const btManifoldPoint& p,
                       bool ground_first) {
  if (ground.grid) return facet;
  double lean = geo::dot(facet, from_bt(p.m_normalWorldOnB)) * (ground_first ? -1 : 1);
  if (std::abs(lean) < kLevel) {
    const btVector3& on_ground = ground_first ? p.getPositionWorldOnA() : p.getPositionWorldOnB();
    lean = geo::dot(facet, from_bt(body.getWorldTransform().getOrigin() - on_ground));
  }
  return lean < 0 ? -facet : facet;
}

// Terrain pushes along the normals of its triangles. Bullet handles each triangle separately, so that a body sliding over flat
// ground catches on the edges between them: a crate stopped 21 % short of v^2 / (2 mu g).
void World::State::smooth_terrain() {
  for (int i = 0; i < dispatcher->getNumManifolds(); ++i) {
    btPersistentManifold* manifold = dispatcher->getManifoldByIndexInternal(i);
    if (manifold->getNumContacts() == 0) continue;
    const Body& first = *bodies[static_cast<std::size_t>(detail::body_id(manifold->getBody0()))];
    const Body& second = *bodies[static_cast<std::size_t>(detail::body_id(manifold->getBody1()))];
    const bool ground_first = detail::is_ground(first);
    if (!ground_first && !detail::is_ground(second)) {
      if (!first.bt || !second.bt) continue;
      complete_boxes(*manifold);
      if (directs_friction()) direct_friction(*manifold, *first.bt, *second.bt);
      continue;
    }
    const Body& ground = ground_first ? first : second;
    complete_faces(*manifold, ground, ground_first);
    for (int k = 0; k < manifold->getNumContacts(); ++k) {
      btManifoldPoint& p = manifold->getContactPoint(k);
      const std::optional<Vec3> facet = detail::facet_normal(ground, ground_first ? p.m_index0 : p.m_index1);
      if (!facet) continue;
      const btCollisionObject& body = *(ground_first ? manifold->getBody1() : manifold->getBody0());
      const Vec3 up = detail::turned_to(*facet, ground, body, p, ground_first);  // from the ground toward the body
      p.m_normalWorldOnB = bt(ground_first ? -up : up);
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

// The velocity of a kinematic body is that of the coming step, set before the wheels use it. Bullet computes the same from the
// change of the transform.
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
  s.flush();  // a source may have added bodies
  s.move_kinematic();
  // Vehicles first. As Bullet actions they would run last and leave g * dt in the velocities.
  s.update_vehicles();
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
