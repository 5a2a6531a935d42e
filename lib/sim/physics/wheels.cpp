// All wheels of a chassis in a step: (1) rays find the ground under each, (2) lib/vehicle solves springs, tires, brakes and
// drive of all of them at once, (3) the result is applied to the chassis and to movable ground. Ground is anything that a ray
// hits except the vehicle's own chassis: terrain by its grid, everything else by one box query per chassis. Moving ground
// carries the wheels and receives the opposite impulses.
// Our own: how rays, solver and rigid bodies are coupled. Ground that moves enters by its inverse effective mass along the
// normal, Bullet's computeImpulseDenominator(). The physics of wheels is that of lib/vehicle, whose headers name its sources.

#include "lib/sim/physics/wheels.hpp"

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics::detail {
namespace {

using geo::cross;
using geo::dot;

// Upper limit of 1 / cos of the angle between a spring and the ground normal.
constexpr double kMaxSlope = 10;

Vec3 row_product(const btMatrix3x3& m, Vec3 v) {
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

/// Velocity of a point of the ground body under a wheel, in the coming step.
Vec3 ground_velocity(const Body& ground, Vec3 point) {
  if (ground.settings.kind == BodyKind::fixed) return {};
  const Motion motion = motion_of(ground);
  return motion.linear + cross(motion.angular, point - from_bt(ground.object->getWorldTransform().getOrigin()));
}

/// Inverse effective mass (1/kg) of a dynamic ground body for an impulse along n; 0 for others.
double ground_response(const Body& ground, Vec3 point, Vec3 n) {
  if (ground.settings.kind != BodyKind::dynamic) return 0;
  return ground.bt->computeImpulseDenominator(bt(point), bt(n));
}

void push_ground(Body& ground, Vec3 impulse, Vec3 point) {
  if (ground.settings.kind != BodyKind::dynamic) return;
  ground.bt->activate();
  ground.bt->applyImpulse(bt(impulse), bt(point) - ground.bt->getCenterOfMassPosition());
}

/// If no tire can slide, one pass is enough; otherwise short steps need fewer passes than long ones.
int passes_for(const std::vector<vehicle::WheelModel>& models, double dt) {
  const auto endless = [](const vehicle::WheelModel& m) { return std::isinf(m.tire.friction) && m.inertia == 0; };
  if (std::all_of(models.begin(), models.end(), endless)) return 1;
  return dt > 1.0 / 200 ? 3 : 2;
}

vehicle::WheelModel model_of(const WheelSettings& w, double mass) {
  vehicle::WheelModel m;
  m.radius = w.radius;
  m.stiffness = w.stiffness * mass;
  m.damping = w.damping * mass;
  m.inertia = w.inertia;
  m.bump_stop = w.bump_stop;
  m.bump_rate = w.bump_rate;
  m.roll_center = w.roll_center;
  m.max_force = std::isinf(w.max_force) ? -1 : w.max_force;
  m.lateral = w.position.x;
  m.roll_influence = w.roll_influence;
  m.tire = w.tire;
  return m;
}

}  // namespace

void Vehicle::set_up() {
  wheels.resize(settings.wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    wheels[i].hard_point = chassis->x_pb * settings.wheels[i].position;
    wheels[i].ray_length = settings.wheels[i].rest_length + settings.wheels[i].radius;
    wheels[i].length = settings.wheels[i].rest_length;
  }
  share_brakes();
  find_axles();
}

WheelSet::WheelSet(Body& chassis)
    : chassis_(&chassis),
      up_(chassis.x_pb.q * Vec3{0, 1, 0}),
      axle_(chassis.x_pb.q * Vec3{1, 0, 0}),
      forward_(chassis.x_pb.q * Vec3{0, 0, 1}) {}

void WheelSet::add(Vehicle& added) {
  for (std::size_t i = 0; i < added.wheels.size(); ++i)
    members_.push_back({&added, i, &added.wheels[i], &added.settings.wheels[i]});
  // From rear to front, alternating left and right: the order of files and names does not matter.
  std::stable_sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) {
    const Vec3 p = a.settings->position, q = b.settings->position;
    return std::tuple(p.z, p.y, std::abs(p.x), p.x) < std::tuple(q.z, q.y, std::abs(q.x), q.x);
  });
  models_.clear();
  std::vector<Vec3> positions;
  const auto steered = std::make_unique<bool[]>(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    models_.push_back(model_of(*members_[i].settings, chassis_->mass.mass));
    positions.push_back(members_[i].settings->position);
    steered[i] = members_[i].settings->steered;
  }
  const auto geometry = vehicle::steering_geometry(positions, std::span<const bool>(steered.get(), members_.size()));
  for (const Member& m : members_) {
    m.vehicle->geometry = geometry;
    m.vehicle->steer(m.index, m.wheel->steering);
  }
  contacts_.resize(members_.size());
  inputs_.resize(members_.size());
  memories_.assign(members_.size(), {});
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i].wheel->memory = &memories_[i];
  chassis_->moved = true;
  vehicles_.push_back(&added);
  connect();
  passes_ = 0;
}

void WheelSet::cast_rays(World::State& s) {
  const btTransform& x = chassis_->bt->getCenterOfMassTransform();
  const btMatrix3x3& m = x.getBasis();
  const Vec3 c = from_bt(x.getOrigin()), down = -row_product(m, up_);
  btVector3 low(1e30, 1e30, 1e30), high(-1e30, -1e30, -1e30);
  for (const Member& member : members_) {
    Wheel& w = *member.wheel;
    w.arm = row_product(m, w.hard_point);
    w.hard_point_w = c + w.arm;
    w.point = w.hard_point_w + w.ray_length * down;
    const btVector3 a = bt(w.hard_point_w), b = bt(w.point);
    low.setMin(a);
    low.setMin(b);
    high.setMax(a);
    high.setMax(b);
  }
  s.near.clear();
  s.near_bodies.visit({from_bt(low), from_bt(high)}, [&](Body& b) {
    if (&b != chassis_) s.near.push_back(&b);
  });
  for (const Member& member : members_) {
    member.wheel->normal = -down;
    find_ground(s, down, *member.settings, *member.wheel);
  }
}

void WheelSet::find_ground(const World::State& s, Vec3 down, const WheelSettings& set, Wheel& w) {
  const Vec3 d = w.ray_length * down;
  double t = 1;
  w.ground = nullptr;
  for (const std::uint32_t g : s.grids) {
    GridHit hit;
    if (!s.bodies[g]->grid->ray(w.hard_point_w, w.point, t, hit) || hit.fraction >= t) continue;
    t = hit.fraction;
    w.normal = hit.normal;
    w.ground = s.bodies[g].get();
  }
  for (Body* b : s.near) {
    int part = -1;
    Vec3 normal;
    if (!ray_enter_body(*b, w.hard_point_w, d, t, normal, part)) continue;
    w.normal = normal;
    w.ground = b;
  }
  w.in_contact = w.ground != nullptr;
  w.arm += t * d;
  if (w.in_contact) w.point = w.hard_point_w + t * d;
  w.length = w.in_contact ? t * w.ray_length - set.radius : set.rest_length;
}

vehicle::BodyState WheelSet::chassis_state(const World::State& s) const {
  const btRigidBody& body = *chassis_->bt;
  const btTransform& x = body.getCenterOfMassTransform();
  const btMatrix3x3& m = x.getBasis();
  vehicle::BodyState state;
  state.mass = chassis_->mass.mass;
  const Vec3 i = chassis_->axes.moments;
  for (int r = 0; r < 3; ++r) {  // R diag(i) R^T
    const double a = i.x * m[r][0], b = i.y * m[r][1], c = i.z * m[r][2];
    state.inertia[static_cast<std::size_t>(r)] = {a * m[0][0] + b * m[0][1] + c * m[0][2],
                                                  a * m[1][0] + b * m[1][1] + c * m[1][2],
                                                  a * m[2][0] + b * m[2][1] + c * m[2][2]};
  }
  state.up = row_product(m, up_);
  state.velocity = {from_bt(body.getLinearVelocity()), from_bt(body.getAngularVelocity())};
  state.force = from_bt(body.getTotalForce());
  if (chassis_->settings.gravity) state.force += state.mass * s.settings.gravity;
  state.torque = from_bt(body.getTotalTorque());
  return state;
}

void WheelSet::fill_contact(std::size_t i, const vehicle::BodyState& body, Vec3 axle) {
  const Wheel& w = *members_[i].wheel;
  vehicle::Contact& c = contacts_[i];
  c.touches = w.in_contact;
  if (!c.touches) return;
  c.axle = w.direction.sine != 0 ? w.direction.cosine * axle + w.direction.sine * cross(body.up, axle) : axle;
  c.arm = w.arm;
  c.normal = w.normal;
  c.compression = members_[i].settings->rest_length - w.length;
  const double lean = dot(w.normal, body.up);
  c.slope = lean > 1 / kMaxSlope ? 1 / lean : kMaxSlope;
  c.ground_friction = w.ground->settings.friction;
  c.ground_velocity = ground_velocity(*w.ground, w.point);
  c.ground_response = {};
  if (w.ground->settings.kind != BodyKind::dynamic) return;
  const Vec3 right = geo::normalized(c.axle - dot(c.axle, c.normal) * c.normal);
  c.ground_response = {ground_response(*w.ground, w.point, c.normal),
                       ground_response(*w.ground, w.point, cross(right, c.normal)), ground_response(*w.ground, w.point, right)};
}

// After the pose or velocity of a chassis was set: its wheels roll freely, with undeflected tires.
void WheelSet::roll_freely(const vehicle::BodyState& body) {
  const Vec3 forward = row_product(chassis_->bt->getCenterOfMassTransform().getBasis(), forward_);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Wheel& w = *members_[i].wheel;
    const Vec3 ahead = w.direction.cosine * forward + w.direction.sine * cross(body.up, forward);
    Vec3 v = body.velocity.linear + cross(body.velocity.angular, w.arm);
    if (w.in_contact) v -= contacts_[i].ground_velocity;
    memories_[i] = {};
    memories_[i].spin = dot(v, ahead) / models_[i].radius;
  }
  chassis_->moved = false;
}

void WheelSet::update(World::State& s, double dt) {
  for (const Vehicle* v : in_air_) v->push_air();
  cast_rays(s);
  move_controls(dt);
  const vehicle::BodyState body = chassis_state(s);
  const Vec3 axle = row_product(chassis_->bt->getCenterOfMassTransform().getBasis(), axle_);
  for (std::size_t i = 0; i < members_.size(); ++i) fill_contact(i, body, axle);
  if (chassis_->moved) roll_freely(body);
  if (!trains_.empty()) drive_trains(dt);
  if (passes_ == 0) solver_.passes = passes_ = passes_for(models_, dt);
  const vehicle::Velocity change = solver_.step(body, models_, contacts_, inputs_, memories_, bars_, groups_, dt);
  chassis_->bt->setLinearVelocity(bt(body.velocity.linear + change.linear));
  chassis_->bt->setAngularVelocity(bt(body.velocity.angular + change.angular));
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Wheel& w = *members_[i].wheel;
    w.force = memories_[i].load;
    w.spin = memories_[i].spin;
    w.rotation += w.spin * dt;
    if (w.in_contact) push_ground(*w.ground, solver_.ground_impulses()[i], w.point);
  }
}

}  // namespace simbatch::physics::detail
