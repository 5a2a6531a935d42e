// Links between bodies over Bullet's constraints. The sign of Bullet's hinge angle from a to b depends on its choice of
// reference frame. So positions and velocities are computed here from the poses, and limits and motors are set to agree with
// them (tests/unit/lib/sim/physics/test_links.cpp).
// Our own: angles and rates from the relative pose and velocity.

#include <cmath>
#include <numbers>

#include "lib/sim/physics/joints.hpp"
#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::bt;
using detail::Link;
using detail::require;

namespace {

/// A link's frame in the frames P of its bodies, as Bullet expects it.
struct Frames {
  btTransform in_a, in_b;
};
btTransform frame_in(const Pose& x_wp, const Pose& x_wl) { return bt(inverse(x_wp) * x_wl); }

void set_axes(btGeneric6DofSpring2Constraint& c, const std::array<LinkAxis, 6>& axes) {
  for (int i = 0; i < 6; ++i) {
    const LinkAxis& axis = axes[static_cast<std::size_t>(i)];
    // In Bullet, lower > upper means free.
    if (axis.locked)
      c.setLimit(i, 0, 0);
    else if (!axis.lower && !axis.upper)
      c.setLimit(i, 1, -1);
    else
      c.setLimit(i, axis.lower.value_or(i < 3 ? -1e30 : -std::numbers::pi),
                 axis.upper.value_or(i < 3 ? 1e30 : std::numbers::pi));
    if (!axis.locked && (axis.stiffness > 0 || axis.damping > 0)) {
      c.enableSpring(i, true);
      c.setStiffness(i, axis.stiffness, false);
      c.setDamping(i, axis.damping, false);
      c.setEquilibriumPoint(i, 0);
    }
  }
}

bool is_loaded(const JointLoad& load) { return load.stiffness > 0 || load.damping > 0 || load.friction > 0 || load.rotor > 0; }

void add_drive(Link& link, const LinkSettings& s, btRigidBody& a, btRigidBody& b, double dt) {
  require(s.kind == LinkKind::revolute || s.kind == LinkKind::prismatic, "only revolute and prismatic links are driven");
  detail::check_load(s.load);
  link.drive = std::make_unique<detail::LinkDrive>(a, b);
  link.drive->turns = s.kind == LinkKind::revolute;
  link.drive->dt = dt;
  link.drive->rows.load = s.load;
  if (s.motor) link.drive->rows.motor = JointMotor{};
}

using Pivot = detail::SharpJoint<btPoint2PointConstraint, 3>;
using Hinge = detail::SharpJoint<btHingeConstraint, 5>;
using Weld = detail::SharpJoint<btFixedConstraint, 6>;
using Slide = detail::SlidingJoint;

template <class Joint>
std::unique_ptr<Joint> sharpened(std::unique_ptr<Joint> joint, const Link& link) {
  joint->anchor_a = bt(link.anchor_a);
  joint->anchor_b = bt(link.anchor_b);
  return joint;
}

std::unique_ptr<btTypedConstraint> hinge_of(const LinkSettings& s, const Link& link, btRigidBody& a, btRigidBody& b,
                                            const Frames& frames) {
  auto hinge = sharpened(std::make_unique<Hinge>(a, b, frames.in_a, frames.in_b, true), link);
  if (s.lower || s.upper) hinge->setLimit(s.lower.value_or(-std::numbers::pi), s.upper.value_or(std::numbers::pi), 1, 0.3, 0);
  return hinge;
}

std::unique_ptr<btTypedConstraint> slider_of(const LinkSettings& s, const Link& link, btRigidBody& a, btRigidBody& b,
                                             const Frames& frames) {
  auto slider = sharpened(std::make_unique<Slide>(a, b, frames.in_a, frames.in_b), link);
  slider->slide_along(bt(link.axis_a));
  std::array<LinkAxis, 6> axes;
  axes[0].locked = false;
  axes[0].lower = s.lower;
  axes[0].upper = s.upper;
  set_axes(*slider, axes);
  return slider;
}

/// Bullet's joint for a link between bodies at these poses.
std::unique_ptr<btTypedConstraint> joint_of(const LinkSettings& s, const Link& link, btRigidBody& a, btRigidBody& b,
                                            const Pose& x_wa, const Pose& x_wb) {
  const auto frames = [&](Vec3 own_axis) {
    const Pose x_wl{s.position, geo::rotation_between(own_axis, s.axis)};
    return Frames{frame_in(x_wa, x_wl), frame_in(x_wb, x_wl)};
  };
  const Frames along_x = frames({1, 0, 0});
  switch (s.kind) {
    case LinkKind::spherical: return sharpened(std::make_unique<Pivot>(a, b, bt(link.anchor_a), bt(link.anchor_b)), link);
    case LinkKind::revolute: return hinge_of(s, link, a, b, frames({0, 0, 1}));
    case LinkKind::prismatic: return slider_of(s, link, a, b, along_x);
    case LinkKind::fixed: return sharpened(std::make_unique<Weld>(a, b, along_x.in_a, along_x.in_b), link);
    case LinkKind::generic: break;
  }
  auto generic = std::make_unique<Slide>(a, b, along_x.in_a, along_x.in_b);
  set_axes(*generic, s.axes);
  return generic;
}

Pose pose_p(const Body* b) { return b ? detail::pose_of(*b) : Pose{}; }

}  // namespace

LinkId World::add_link(LinkSettings s) {
  State& state = *state_;
  require(s.b != kNoBody && s.a != s.b, "a link needs two different ends, and a body as its child");
  require(geo::is_finite(s.position) && geo::is_finite(s.axis) && geo::length(s.axis) > 0, "a link's axis must have a length");
  require(!s.lower || !s.upper || *s.lower <= *s.upper, "a link's lower limit is above its upper one");
  s.axis = geo::normalized(s.axis);
  Body* const a = s.a == kNoBody ? nullptr : &state.body(s.a);
  Body* const b = &state.body(s.b);
  require(b->bt && (!a || a->bt), "an articulation's link takes no further links");
  require(b->settings.kind == BodyKind::dynamic || (a && a->settings.kind == BodyKind::dynamic),
          "a link needs at least one dynamic body");
  btRigidBody& bt_a = a ? *a->bt : *state.anchor;
  btRigidBody& bt_b = *b->bt;
  const Pose x_wa = pose_p(a), x_wb = pose_p(b);

  auto link = std::make_unique<Link>();
  link->anchor_a = inverse(x_wa) * s.position;
  link->anchor_b = inverse(x_wb) * s.position;
  link->axis_a = inverse(x_wa.q) * s.axis;
  link->relative = inverse(x_wa.q) * x_wb.q;
  link->bt = joint_of(s, *link, bt_a, bt_b, x_wa, x_wb);
  if (s.motor || is_loaded(s.load)) add_drive(*link, s, bt_a, bt_b, state.settings.dt);
  link->settings = std::move(s);
  state.links.push_back(std::move(link));
  return LinkId(static_cast<std::uint32_t>(state.links.size() - 1));
}

Link& World::State::link(LinkId id) {
  require(static_cast<std::size_t>(id) < links.size(), "no such link");
  return *links[static_cast<std::size_t>(id)];
}

namespace {

struct Ends {
  const Body* a;
  const Body* b;
  Pose x_wa, x_wb;
  Vec3 axis;  // world
};

Ends ends(World::State& state, const Link& link) {
  const LinkSettings& s = link.settings;
  require(s.kind == LinkKind::revolute || s.kind == LinkKind::prismatic, "only revolute and prismatic links have a position");
  Ends e{s.a == kNoBody ? nullptr : &state.body(s.a), &state.body(s.b), {}, {}, {}};
  e.x_wa = pose_p(e.a);
  e.x_wb = pose_p(e.b);
  e.axis = e.x_wa.q * link.axis_a;
  return e;
}

}  // namespace

double World::link_position(LinkId id) const {
  const Link& link = state_->link(id);
  const Ends e = ends(*state_, link);
  if (link.settings.kind == LinkKind::prismatic) return geo::dot(e.x_wb * link.anchor_b - e.x_wa * link.anchor_a, e.axis);
  // Rotation of b relative to a about the axis since the link was added, unwrapped to the nearest full turn.
  const Quat turn = (inverse(e.x_wa.q) * e.x_wb.q) * inverse(link.relative);
  const double angle = 2 * std::atan2(geo::dot({turn.x, turn.y, turn.z}, link.axis_a), turn.w);
  return link.turned + std::remainder(angle - link.turned, 2 * std::numbers::pi);
}

double World::link_velocity(LinkId id) const {
  const Link& link = state_->link(id);
  const Ends e = ends(*state_, link);
  const BodyId a = link.settings.a, b = link.settings.b;
  if (link.settings.kind == LinkKind::revolute)
    return geo::dot(e.axis, angular_velocity(b) - (e.a ? angular_velocity(a) : Vec3{}));
  const Vec3 at = e.x_wb * link.anchor_b;
  return geo::dot(e.axis, point_velocity(b, at) - (e.a ? point_velocity(a, at) : Vec3{}));
}

void World::set_link_motor(LinkId id, const JointMotor& motor) {
  Link& link = state_->link(id);
  require(link.drive && link.drive->rows.motor, "this link has no motor");
  detail::check_motor(motor);
  link.drive->rows.motor = motor;
}

double World::link_motor_force(LinkId id) const {
  const Link& link = state_->link(id);
  return link.drive ? link.drive->rows.motor_force() : 0;
}
double World::link_load_force(LinkId id) const {
  const Link& link = state_->link(id);
  return link.drive ? link.drive->rows.load_force() : 0;
}

void World::set_link_motor(LinkId id, double speed, double max_force) {
  Link& link = state_->link(id);
  require(std::isfinite(speed) && max_force >= 0, "a motor's speed must be finite and its force not negative");
  const Ends e = ends(*state_, link);
  for (const Body* b : {e.a, e.b})
    if (b) b->bt->activate();
  if (link.settings.kind == LinkKind::revolute) {
    // Bullet's hinge expects the maximum impulse per step.
    static_cast<btHingeConstraint&>(*link.bt).enableAngularMotor(max_force > 0, speed, max_force * state_->settings.dt);
  } else {
    auto& slider = static_cast<btGeneric6DofSpring2Constraint&>(*link.bt);
    slider.enableMotor(0, max_force > 0);
    slider.setTargetVelocity(0, -speed);  // Bullet's linear motor pushes a against b
    slider.setMaxMotorForce(0, max_force);
  }
}

void World::apply_link_force(LinkId id, double force) {
  const Link& link = state_->link(id);
  const Ends e = ends(*state_, link);
  const Vec3 f = force * e.axis;
  const bool revolute = link.settings.kind == LinkKind::revolute;
  const Vec3 at = e.x_wb * link.anchor_b;
  const auto push = [&](BodyId body, Vec3 v) {
    if (body == kNoBody || kind(body) != BodyKind::dynamic) return;
    if (revolute)
      apply_torque(body, v);
    else
      apply_force_at(body, v, at);
  };
  push(link.settings.b, f);
  push(link.settings.a, -f);
}

}  // namespace simbatch::physics
