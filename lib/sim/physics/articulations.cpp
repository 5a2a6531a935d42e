// Articulations over Bullet's multibody (Featherstone's articulated-body algorithm: Featherstone, Rigid Body Dynamics
// Algorithms, 2008, chapter 7). Bullet describes each link in a frame P at its center of mass, aligned with its principal axes;
// ours (F) is the joint frame. So a link is converted to:
//   rotation parent's P -> own P at position 0, axis in own P,
//   parent's center -> joint in parent's P, joint -> center in own P.

#include <cmath>

#include <BulletCollision/CollisionShapes/btEmptyShape.h>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Articulation;
using detail::Body;
using detail::bt;
using detail::DriveRows;
using detail::require;

namespace {

std::unique_ptr<Body> make_body(const LinkBody& from, int group, bool weightless) {
  auto b = std::make_unique<Body>();
  BodySettings& s = b->settings;
  s.name = from.name;
  s.kind = BodyKind::articulated;
  s.parts = from.parts;
  s.mass = from.mass;
  s.friction = from.friction;
  s.restitution = from.restitution;
  s.material = from.material;
  s.group = group;
  detail::check_parts(s.parts, s.name);
  if (weightless)
    b->mass = {1, from.center_of_mass.value_or(Vec3{}), {1, 1, 1, 0, 0, 0}};
  else
    b->mass = detail::solid_mass(s.parts, from.mass, from.center_of_mass, from.inertia);
  return b;
}

void make_collider(Body& b, btMultiBody& multi, int joint) {
  b.multi = &multi;
  b.joint = joint;
  b.collider = std::make_unique<btMultiBodyLinkCollider>(&multi, joint);
  b.object = b.collider.get();
  if (b.shape.root == nullptr) {
    b.shape.shapes.push_back(std::make_unique<btEmptyShape>());
    b.shape.root = b.shape.shapes.back().get();
  }
  b.collider->setCollisionShape(b.shape.root);
  b.collider->setFriction(b.settings.friction);
  b.collider->setRestitution(b.settings.restitution);
  b.collider->setRollingFriction(0);
  b.collider->setSpinningFriction(0);
  b.collider->setActivationState(DISABLE_DEACTIVATION);
}

/// Throws for an invalid link; normalizes its axis and its rotation.
void check_link(ArticulatedLink& link, int number) {
  require(link.parent >= -1 && link.parent < number, "a link's parent must come before it");
  require(geo::is_finite(link.frame.p), "a link's frame is not finite");
  require(geo::is_finite(link.axis) && (link.joint == JointKind::fixed || geo::length(link.axis) > 0),
          "a joint's axis must have a length");
  require(!link.lower || !link.upper || *link.lower <= *link.upper, "a joint's lower limit is above its upper one");
  require(std::isfinite(link.position) && link.friction >= 0,
          "a joint's position must be finite and its friction not negative");
  link.axis = geo::normalized(link.axis);
  link.frame.q = geo::normalized(link.frame.q);
  link.body_frame.q = geo::normalized(link.body_frame.q);
}

/// Builds Bullet's multibody from these bodies (the base, then the links) at their initial positions, without colliders.
std::unique_ptr<btMultiBody> make_multibody(const ArticulationSettings& settings,
                                            const std::vector<std::unique_ptr<Body>>& made) {
  const int count = static_cast<int>(settings.links.size());
  auto result = std::make_unique<btMultiBody>(count, made[0]->mass.mass, bt(made[0]->axes.moments), settings.fixed_base, false);
  btMultiBody& multi = *result;
  for (int i = 0; i < count; ++i) {
    const ArticulatedLink& link = settings.links[static_cast<std::size_t>(i)];
    const Body& own = *made[static_cast<std::size_t>(i) + 1];
    const Pose parent_frame = link.parent < 0 ? Pose{} : settings.links[static_cast<std::size_t>(link.parent)].body_frame;
    // F in the parent's P, and the link's own P in F.
    const Pose in_parent = made[static_cast<std::size_t>(link.parent) + 1]->x_pb * (inverse(parent_frame) * link.frame);
    const Pose own_p = link.body_frame * own.x_bp;
    const btQuaternion to_own = bt(inverse(in_parent.q * own_p.q));
    const btVector3 axis = bt(inverse(own_p.q) * link.axis), pivot = bt(in_parent.p), center = bt(inverse(own_p.q) * own_p.p);
    const btVector3 moments = bt(own.axes.moments);
    switch (link.joint) {
      case JointKind::revolute:
        multi.setupRevolute(i, own.mass.mass, moments, link.parent, to_own, axis, pivot, center, true);
        break;
      case JointKind::prismatic:
        multi.setupPrismatic(i, own.mass.mass, moments, link.parent, to_own, axis, pivot, center, true);
        break;
      case JointKind::fixed: multi.setupFixed(i, own.mass.mass, moments, link.parent, to_own, pivot, center, true); break;
    }
  }
  multi.finalizeMultiDof();
  // Overrides every setting that has a default in Bullet.
  multi.setBaseWorldTransform(bt(settings.pose * made[0]->x_bp));
  multi.setLinearDamping(0);
  multi.setAngularDamping(0);
  multi.setUseGyroTerm(true);
  multi.setHasSelfCollision(settings.self_collision);
  multi.setMaxAppliedImpulse(1e30);
  multi.setMaxCoordinateVelocity(1e10);  // Bullet's 100 would limit the speed after a fall of 10 s
  multi.useRK4Integration(false);
  multi.useGlobalVelocities(false);
  for (int i = 0; i < count; ++i)
    if (settings.links[static_cast<std::size_t>(i)].joint != JointKind::fixed)
      multi.setJointPos(i, settings.links[static_cast<std::size_t>(i)].position);
  return result;
}

/// Moves the colliders to the poses given by the joint positions.
void update_colliders(btMultiBody& multi) {
  btAlignedObjectArray<btQuaternion> rotations;
  btAlignedObjectArray<btVector3> origins;
  multi.forwardKinematics(rotations, origins);
  multi.updateCollisionObjectWorldTransforms(rotations, origins);
}

/// Adds a drive to each joint with a load or a motor, a motor that acts as dry friction to every other movable joint, and a
/// limit constraint to each limited joint.
void make_motors_and_limits(Articulation& a, const std::vector<ArticulatedLink>& links, double dt) {
  std::vector<detail::JointDrives::Joint> driven;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const ArticulatedLink& link = links[i];
    a.motors.emplace_back();
    a.limits.emplace_back();
    if (link.joint == JointKind::fixed) continue;
    const int joint = static_cast<int>(i);
    const JointLoad& load = link.load;
    if (link.motor || load.stiffness > 0 || load.damping > 0 || load.friction > 0 || load.rotor > 0) {
      detail::check_load(load);
      detail::JointDrives::Joint drive;
      drive.link = joint;
      drive.rows.load = load;
      if (link.motor) drive.rows.motor = JointMotor{};
      driven.push_back(drive);
    } else {
      a.motors.back() = std::make_unique<btMultiBodyJointMotor>(a.bt.get(), joint, 0.0, link.friction * dt);
    }
    if (link.lower || link.upper)
      a.limits.back() = std::make_unique<btMultiBodyJointLimitConstraint>(a.bt.get(), joint, link.lower.value_or(-1e30),
                                                                          link.upper.value_or(1e30));
  }
  if (driven.empty()) return;
  a.drives = std::make_unique<detail::JointDrives>(*a.bt, std::move(driven));
  a.drives->dt = dt;
}

}  // namespace

ArticulationId World::add_articulation(ArticulationSettings settings) {
  State& s = *state_;
  require(!s.world, "articulations are added before the first step");
  require(settings.links.size() <= kMaxArticulatedLinks, "an articulation has too many links");
  require(geo::is_finite(settings.pose.p), "a position is not finite");
  settings.pose.q = geo::normalized(settings.pose.q);

  std::vector<std::unique_ptr<Body>> made;
  made.push_back(make_body(settings.base, settings.group, settings.fixed_base));
  for (ArticulatedLink& link : settings.links) {
    check_link(link, static_cast<int>(made.size()) - 1);
    made.push_back(make_body(link.body, settings.group, false));
  }
  for (auto& b : made) s.build_shape(*b);

  auto a = std::make_unique<Articulation>();
  a->bt = make_multibody(settings, made);
  for (std::size_t i = 0; i < made.size(); ++i) {
    Body& b = *made[i];
    make_collider(b, *a->bt, static_cast<int>(i) - 1);
    if (i == 0)
      a->bt->setBaseCollider(b.collider.get());
    else
      a->bt->getLink(static_cast<int>(i) - 1).m_collider = b.collider.get();
  }
  make_motors_and_limits(*a, settings.links, s.settings.dt);
  for (auto& b : made) a->bodies.push_back(s.register_body(std::move(b)));
  update_colliders(*a->bt);
  a->settings = std::move(settings);
  s.articulations.push_back(std::move(a));
  return ArticulationId(static_cast<std::uint32_t>(s.articulations.size() - 1));
}

void World::State::insert_articulation(Articulation& a) {
  multi_world->addMultiBody(a.bt.get());
  for (const BodyId id : a.bodies) {
    const Body& b = body(id);
    if (b.parts.empty())
      world->addCollisionObject(b.object, 0, 0);
    else if (b.joint < 0 && a.settings.fixed_base)
      world->addCollisionObject(b.object, btBroadphaseProxy::StaticFilter,
                                btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
    else
      world->addCollisionObject(b.object, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
  }
  for (std::size_t i = 0; i < a.motors.size(); ++i) {
    if (a.motors[i]) {
      a.motors[i]->finalizeMultiDof();
      multi_world->addMultiBodyConstraint(a.motors[i].get());
    }
    if (a.limits[i]) {
      a.limits[i]->finalizeMultiDof();
      multi_world->addMultiBodyConstraint(a.limits[i].get());
    }
  }
  if (a.drives) {
    a.drives->finalizeMultiDof();
    multi_world->addMultiBodyConstraint(a.drives.get());
  }
  a.in_world = true;
}

Articulation& World::State::articulation(ArticulationId id) {
  require(static_cast<std::size_t>(id) < articulations.size(), "no such articulation");
  return *articulations[static_cast<std::size_t>(id)];
}

// From the base outward (Craig, Introduction to Robotics, 3rd ed., section 5.6): a link's velocity is its parent's velocity at
// the link's center plus the contribution of its own joint.
detail::Motion detail::link_motion(const Body& link) {
  const btMultiBody& m = *link.multi;
  std::vector<int> chain;
  for (int i = link.joint; i >= 0; i = m.getParent(i)) chain.push_back(i);
  btVector3 v = m.getBaseVel(), omega = m.getBaseOmega();
  btTransform at = m.getBaseCollider()->getWorldTransform();
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    const btMultibodyLink& l = m.getLink(*it);
    const btTransform& x = l.m_collider->getWorldTransform();
    const bool turns = l.m_jointType == btMultibodyLink::eRevolute, slides = l.m_jointType == btMultibodyLink::ePrismatic;
    const double speed = turns || slides ? m.getJointVel(*it) : 0;
    v += omega.cross(x.getOrigin() - at.getOrigin());
    if (turns) {
      const btVector3 spin = x.getBasis() * l.getAxisTop(0) * speed;
      v += spin.cross(x.getBasis() * l.m_dVector);  // joint -> center
      omega += spin;
    } else if (slides) {
      v += x.getBasis() * l.getAxisBottom(0) * speed;
    }
    at = x;
  }
  return {from_bt(v), from_bt(omega)};
}

void detail::push_link(Body& link, const btVector3& force, const btVector3& torque) {
  link.pushed += from_bt(force);
  link.twisted += from_bt(torque);
  if (link.joint < 0) {
    link.multi->addBaseForce(force);
    link.multi->addBaseTorque(torque);
  } else {
    link.multi->addLinkForce(link.joint, force);
    link.multi->addLinkTorque(link.joint, torque);
  }
}

namespace {

int joint_of(const Articulation& a, std::size_t link) {
  require(link < a.settings.links.size(), "no such link");
  require(a.settings.links[link].joint != JointKind::fixed, "a fixed joint has no position");
  return static_cast<int>(link);
}

}  // namespace

const ArticulationSettings& World::articulation(ArticulationId id) const { return state_->articulation(id).settings; }
BodyId World::articulation_base(ArticulationId id) const { return state_->articulation(id).bodies[0]; }
BodyId World::articulation_link(ArticulationId id, std::size_t link) const {
  const Articulation& a = state_->articulation(id);
  require(link + 1 < a.bodies.size(), "no such link");
  return a.bodies[link + 1];
}
double World::joint_position(ArticulationId id, std::size_t link) const {
  const Articulation& a = state_->articulation(id);
  return a.bt->getJointPos(joint_of(a, link));
}
double World::joint_velocity(ArticulationId id, std::size_t link) const {
  const Articulation& a = state_->articulation(id);
  return a.bt->getJointVel(joint_of(a, link));
}
void World::set_joint_state(ArticulationId id, std::size_t link, double position, double velocity) {
  Articulation& a = state_->articulation(id);
  require(std::isfinite(position) && std::isfinite(velocity), "a joint's state must be finite");
  a.bt->setJointPos(joint_of(a, link), position);
  a.bt->setJointVel(joint_of(a, link), velocity);
  update_colliders(*a.bt);
}
void World::apply_joint_force(ArticulationId id, std::size_t link, double force) {
  Articulation& a = state_->articulation(id);
  a.bt->addJointTorque(joint_of(a, link), force);
}
namespace {

DriveRows* rows_of(const Articulation& a, std::size_t link) {
  const int joint = joint_of(a, link);
  detail::JointDrives::Joint* found = a.drives ? a.drives->find(joint) : nullptr;
  return found == nullptr ? nullptr : &found->rows;
}

}  // namespace

void World::set_joint_motor(ArticulationId id, std::size_t link, const JointMotor& motor) {
  DriveRows* rows = rows_of(state_->articulation(id), link);
  require(rows != nullptr && rows->motor, "this joint has no motor");
  detail::check_motor(motor);
  rows->motor = motor;
}
double World::joint_motor_force(ArticulationId id, std::size_t link) const {
  const DriveRows* rows = rows_of(state_->articulation(id), link);
  return rows == nullptr ? 0 : rows->motor_force();
}
double World::joint_load_force(ArticulationId id, std::size_t link) const {
  const DriveRows* rows = rows_of(state_->articulation(id), link);
  return rows == nullptr ? 0 : rows->load_force();
}

void World::set_joint_motor(ArticulationId id, std::size_t link, double speed, double max_force) {
  Articulation& a = state_->articulation(id);
  require(std::isfinite(speed) && max_force >= 0, "a motor's speed must be finite and its force not negative");
  require(rows_of(a, link) == nullptr, "a joint with a load or a motor takes a JointMotor");
  btMultiBodyJointMotor& motor = *a.motors[static_cast<std::size_t>(joint_of(a, link))];
  motor.setVelocityTarget(speed, 1);
  motor.setMaxAppliedImpulse(max_force * state_->settings.dt);
}

}  // namespace simbatch::physics
