// Force and torque transmitted by links. Between bodies they follow from the impulses of the constraint and the drive. In an
// articulation they are the change of momentum of the bodies beyond the joint minus that caused by gravity, contacts and
// applied forces (Newton and Euler; Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3, summed over a step).

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::from_bt;
using detail::Link;
using detail::require;

namespace {

/// Linear momentum, and angular momentum about the world's origin.
struct Momentum {
  Vec3 linear, angular;
};

Momentum momentum_of(const Body& body) {
  const detail::Motion motion = detail::motion_of(body);
  const Pose x_wp = detail::pose_of(body);
  const Vec3 w = inverse(x_wp.q) * motion.angular, m = body.axes.moments;
  const Vec3 p = body.mass.mass * motion.linear;
  return {p, x_wp.q * Vec3{m.x * w.x, m.y * w.y, m.z * w.z} + geo::cross(x_wp.p, p)};
}

/// Half of a rotation by less than a turn.
Quat half_of(const Quat& turn) {
  return geo::normalized(turn.w < 0 ? Quat{1 - turn.w, -turn.x, -turn.y, -turn.z} : Quat{1 + turn.w, turn.x, turn.y, turn.z});
}

/// A wrench whose axes turn with a body.
Wrench turned(const Wrench& w, const Quat& turn) { return {turn * w.force, turn * w.torque}; }

}  // namespace

void World::watch_link(LinkId id) {
  Link& link = state_->link(id);
  if (link.feedback) return;
  link.feedback = std::make_unique<btJointFeedback>();
  for (btVector3* v : {&link.feedback->m_appliedForceBodyA, &link.feedback->m_appliedForceBodyB,
                       &link.feedback->m_appliedTorqueBodyA, &link.feedback->m_appliedTorqueBodyB})
    v->setZero();
  link.bt->enableFeedback(true);
  link.bt->setJointFeedback(link.feedback.get());
}

Wrench World::link_wrench(LinkId id) const {
  const Link& link = state_->link(id);
  require(link.feedback != nullptr, "call watch_link() before the step");
  // Impulses act where the bodies are at the start of the step; what a turning body feels turns with it.
  Wrench wrench{from_bt(link.feedback->m_appliedForceBodyB), from_bt(link.feedback->m_appliedTorqueBodyB)};
  // Moved from the center of mass to the link's anchor.
  wrench.torque += geo::cross(wrench.force, link.child_at_start * link.anchor_b);
  if (link.drive) {
    const double along = link.drive->rows.motor_force() + link.drive->rows.load_force();
    (link.drive->turns ? wrench.torque : wrench.force) += along * link.drive->axis;
  }
  return turned(wrench, detail::pose_of(state_->body(link.settings.b)).q * inverse(link.child_at_start));
}

void World::watch_joint(ArticulationId id, std::size_t link) {
  State& s = *state_;
  const detail::Articulation& a = s.articulation(id);
  require(link < a.settings.links.size(), "no such link");
  for (const detail::WatchedJoint& watched : s.watched_joints)
    if (watched.articulation == id && watched.link == link) return;
  detail::WatchedJoint watched{id, link, {}, {}, {}, {}, {}};
  // The link and all its descendants; parents precede their children.
  std::vector<bool> beyond(a.settings.links.size(), false);
  for (std::size_t i = link; i < beyond.size(); ++i) {
    const int parent = a.settings.links[i].parent;
    beyond[i] = i == link || (parent >= 0 && beyond[static_cast<std::size_t>(parent)]);
    if (beyond[i]) watched.bodies.push_back(a.bodies[i + 1]);
  }
  s.watched_joints.push_back(std::move(watched));
}

Wrench World::joint_wrench(ArticulationId id, std::size_t link) const {
  for (const detail::WatchedJoint& watched : state_->watched_joints)
    if (watched.articulation == id && watched.link == link) return watched.wrench;
  detail::refuse("call watch_joint() before the step");
}

void World::State::start_wrenches() {
  for (const auto& link : links)
    if (link->feedback) link->child_at_start = detail::pose_of(body(link->settings.b)).q;
  for (detail::WatchedJoint& watched : watched_joints) {
    watched.at_start = owner->pose(articulation(watched.articulation).bodies[watched.link + 1]);
    watched.linear = watched.angular = {};
    for (const BodyId id : watched.bodies) {
      const Momentum m = momentum_of(body(id));
      watched.linear += m.linear;
      watched.angular += m.angular;
    }
  }
}

// Subtracts from the rate of change of momentum (about the origin) all contributions other than the joint's.
void World::State::take_outer_forces(detail::WatchedJoint& watched, Vec3& force, Vec3& torque) {
  const auto off = [&](Vec3 f, Vec3 at) {
    force -= f;
    torque -= geo::cross(at, f);
  };
  for (const BodyId id : watched.bodies) {
    const Body& b = body(id);
    // Gravity acts at the previous center of mass, which to first order is the present one.
    off(b.mass.mass * settings.gravity, detail::pose_of(b).p);
    off(b.pushed, detail::pose_of(b).p);
    torque -= b.twisted;
  }
  const auto is_beyond = [&](BodyId id) {
    for (const BodyId own : watched.bodies)
      if (own == id) return true;
    return false;
  };
  for (const Contact& c : wrench_contacts) {
    const Vec3 f = (1 / settings.dt) * (c.impulse * c.normal + c.friction_impulse);
    if (is_beyond(c.a)) off(f, c.point);
    if (is_beyond(c.b)) off(-f, c.point);
  }
}

void World::State::finish_wrenches() {
  if (watched_joints.empty()) return;
  owner->contacts(wrench_contacts);
  for (detail::WatchedJoint& watched : watched_joints) {
    Vec3 linear, angular;
    for (const BodyId id : watched.bodies) {
      const Momentum m = momentum_of(body(id));
      linear += m.linear;
      angular += m.angular;
    }
    Vec3 force = (1 / settings.dt) * (linear - watched.linear), torque = (1 / settings.dt) * (angular - watched.angular);
    take_outer_forces(watched, force, torque);
    const detail::Articulation& a = articulation(watched.articulation);
    // The change of momentum is that of the middle of the step.
    const Pose now = owner->pose(a.bodies[watched.link + 1]), back = inverse(a.settings.links[watched.link].body_frame);
    const Vec3 place = 0.5 * ((now * back).p + (watched.at_start * back).p);
    watched.wrench = turned({force, torque - geo::cross(place, force)}, half_of(now.q * inverse(watched.at_start.q)));
  }
}

}  // namespace simbatch::physics
