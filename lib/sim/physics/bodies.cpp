// Motion of bodies: point velocities v + omega x r, forces and impulses.

#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;
using detail::from_bt;
using detail::require;

std::size_t World::body_count() const { return state_->bodies.size(); }
BodyId World::find_body(std::string_view name) const {
  const auto found = state_->by_name.find(std::string(name));
  return found == state_->by_name.end() ? kNoBody : found->second;
}
const std::string& World::name(BodyId body) const { return state_->body(body).settings.name; }
BodyKind World::kind(BodyId body) const { return state_->body(body).settings.kind; }
int World::group(BodyId body) const { return state_->body(body).settings.group; }
double World::friction(BodyId body) const { return state_->body(body).settings.friction; }
double World::restitution(BodyId body) const { return state_->body(body).settings.restitution; }
const MassProperties& World::mass(BodyId body) const { return state_->body(body).mass; }

Pose World::pose(BodyId body) const {
  const Body& b = state_->body(body);
  const Pose x_wp = detail::pose_of(b);
  return b.same_frame ? x_wp : x_wp * b.x_pb;
}

Vec3 World::center_of_mass(BodyId body) const { return from_bt(state_->body(body).object->getWorldTransform().getOrigin()); }

detail::Motion detail::motion_of(const Body& b) {
  if (b.settings.kind == BodyKind::kinematic) return {b.linear, b.angular};
  if (b.multi) return link_motion(b);
  return {from_bt(b.bt->getLinearVelocity()), from_bt(b.bt->getAngularVelocity())};
}
Vec3 World::center_velocity(BodyId body) const { return detail::motion_of(state_->body(body)).linear; }
Vec3 World::angular_velocity(BodyId body) const { return detail::motion_of(state_->body(body)).angular; }
Vec3 World::point_velocity(BodyId body, Vec3 point) const {
  return center_velocity(body) + geo::cross(angular_velocity(body), point - center_of_mass(body));
}
Vec3 World::linear_velocity(BodyId body) const {
  const Body& b = state_->body(body);
  return b.same_frame ? center_velocity(body) : point_velocity(body, pose(body).p);
}

void World::set_pose(BodyId body, const Pose& pose) {
  Body& b = state_->movable_body(body);
  const Pose x_wp = Pose{pose.p, geo::normalized(pose.q)} * b.x_bp;
  if (b.settings.kind == BodyKind::kinematic) {
    b.target = x_wp;
    b.has_target = true;
    return;
  }
  b.moved = true;
  b.bt->setWorldTransform(bt(x_wp));
  b.bt->setInterpolationWorldTransform(bt(x_wp));
  b.bt->updateInertiaTensor();
  b.bt->activate();
}

void World::set_velocity(BodyId body, Vec3 linear, Vec3 angular) {
  Body& b = state_->body(body);
  require(b.settings.kind == BodyKind::dynamic, "only a dynamic body has a velocity of its own");
  b.moved = true;
  b.bt->setLinearVelocity(bt(linear));
  b.bt->setAngularVelocity(bt(angular));
  b.bt->activate();
}

namespace {

Body& pushed(World::State& state, BodyId body) {
  Body& b = state.body(body);
  require(b.settings.kind == BodyKind::dynamic || b.multi, "only a dynamic body can be pushed");
  b.object->activate();
  return b;
}
void push(Body& b, const btVector3& force, const btVector3& torque) {
  if (b.multi) {
    detail::push_link(b, force, torque);
    return;
  }
  b.bt->applyCentralForce(force);
  b.bt->applyTorque(torque);
}
btVector3 arm(const Body& b, Vec3 point) { return bt(point) - b.object->getWorldTransform().getOrigin(); }

}  // namespace

void World::apply_force(BodyId body, Vec3 force) { push(pushed(*state_, body), bt(force), {0, 0, 0}); }
void World::apply_force_at(BodyId body, Vec3 force, Vec3 point) {
  Body& b = pushed(*state_, body);
  push(b, bt(force), arm(b, point).cross(bt(force)));
}
void World::apply_torque(BodyId body, Vec3 torque) { push(pushed(*state_, body), {0, 0, 0}, bt(torque)); }
Vec3 World::applied_force(BodyId body) const {
  const Body& b = state_->body(body);
  require(b.settings.kind == BodyKind::dynamic, "only a dynamic body has forces of its own");
  const Vec3 weight = b.settings.gravity ? b.mass.mass * state_->settings.gravity : Vec3{};
  return from_bt(b.bt->getTotalForce()) + weight;
}
Vec3 World::applied_torque(BodyId body) const {
  const Body& b = state_->body(body);
  require(b.settings.kind == BodyKind::dynamic, "only a dynamic body has forces of its own");
  return from_bt(b.bt->getTotalTorque());
}
void World::apply_impulse_at(BodyId body, Vec3 impulse, Vec3 point) {
  Body& b = pushed(*state_, body);
  require(!b.multi, "an articulation's link takes forces, not impulses");
  b.bt->applyImpulse(bt(impulse), arm(b, point));
}
void World::apply_torque_impulse(BodyId body, Vec3 impulse) {
  Body& b = pushed(*state_, body);
  require(!b.multi, "an articulation's link takes forces, not impulses");
  b.bt->applyTorqueImpulse(bt(impulse));
}

}  // namespace simbatch::physics
