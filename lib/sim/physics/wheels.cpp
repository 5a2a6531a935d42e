// A ray-cast vehicle, after the model of Bullet's btRaycastVehicle (facts in docs/physics.md), with these differences:
// the own chassis is never hit, terrain is queried by its grid and everything else by one box query per vehicle, brakes are forces and
// work with the engine on, wheels move with their ground and push it, tire forces are limited by a friction circle that includes the
// ground's friction.
//
// Each step: (1) rays, (2) spring forces, applied together, (3) tire forces from the velocity after that, applied together.

#include "lib/sim/physics/wheels.hpp"

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics::detail {
namespace {

using geo::cross;
using geo::dot;

// Share of the sideways velocity that each wheel takes out a step (Bullet's contactDamping in resolveSingleBilateral).
constexpr double kSideShare = 0.2;
// A free wheel loses this share of its turning a step (Bullet).
constexpr double kFreeWheel = 0.99;

Vec3 row_product(const btMatrix3x3& m, Vec3 v) {
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

/// Bodies that may be under the wheels, except height grids.
struct Collect final : btBroadphaseAabbCallback {
  World::State& state;
  const Body* own;
  std::vector<Body*>& found;
  Collect(World::State& s, const Body* o, std::vector<Body*>& f) : state(s), own(o), found(f) {}
  bool process(const btBroadphaseProxy* proxy) override {
    Body& b = *state.bodies[static_cast<std::size_t>(body_id(static_cast<btCollisionObject*>(proxy->m_clientObject)))];
    if (&b != own && !b.grid) found.push_back(&b);
    return true;
  }
};

/// Velocity of a point of the ground body under a wheel, in the coming step.
Vec3 ground_velocity(const Body& ground, Vec3 point) {
  if (ground.settings.kind == BodyKind::fixed) return {};
  const Motion motion = motion_of(ground);
  return motion.linear + cross(motion.angular, point - from_bt(ground.object->getWorldTransform().getOrigin()));
}

/// 1 / effective mass of a dynamic ground body against an impulse along n; 0 for others.
double ground_response(const Body& ground, Vec3 point, Vec3 n) {
  if (ground.settings.kind != BodyKind::dynamic) return 0;
  return ground.bt->computeImpulseDenominator(bt(point), bt(n));
}

void push_ground(Body& ground, Vec3 impulse, Vec3 point) {
  if (ground.settings.kind != BodyKind::dynamic) return;
  ground.bt->activate();
  ground.bt->applyImpulse(bt(impulse), bt(point) - ground.bt->getCenterOfMassPosition());
}

}  // namespace

void Wheel::control(const VehicleControls& c) {
  if (c.steering != controls.steering) {
    sine = std::sin(c.steering);
    cosine = std::cos(c.steering);
  }
  controls = c;
}

void Vehicle::set_up() {
  const Pose& x_pb = chassis->x_pb;
  up = x_pb.q * Vec3{0, 1, 0};
  axle = x_pb.q * Vec3{-1, 0, 0};
  forward = x_pb.q * Vec3{0, 0, 1};
  wheels.resize(settings.wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    wheels[i].hard_point = x_pb * settings.wheels[i].position;
    wheels[i].ray_length = settings.wheels[i].rest_length + settings.wheels[i].radius;
    wheels[i].length = settings.wheels[i].rest_length;
  }
}

void Vehicle::create_stock(btDynamicsWorld& world) {
  if (settings.rays != WheelRays::stock) return;
  const Pose& x_pb = chassis->x_pb;
  btRaycastVehicle::btVehicleTuning tuning;
  stock_rays = std::make_unique<btDefaultVehicleRaycaster>(&world);
  stock = std::make_unique<btRaycastVehicle>(tuning, chassis->bt.get(), stock_rays.get());
  stock->setCoordinateSystem(0, 1, 2);
  for (const WheelSettings& w : settings.wheels) {
    tuning.m_suspensionStiffness = w.stiffness;
    tuning.m_suspensionCompression = tuning.m_suspensionDamping = w.damping;
    tuning.m_frictionSlip = w.friction_slip;
    tuning.m_maxSuspensionForce = std::min(w.max_force, 1e30);
    btWheelInfo& info = stock->addWheel(bt(x_pb * w.position), bt(-up), bt(axle), w.rest_length, w.radius, tuning, w.steered);
    info.m_rollInfluence = w.roll_influence;
  }
}

void Vehicle::cast_rays(World::State& s) {
  const btTransform& x = chassis->bt->getCenterOfMassTransform();
  const btMatrix3x3& m = x.getBasis();
  const Vec3 c = from_bt(x.getOrigin()), down = -row_product(m, up);
  btVector3 low(1e30, 1e30, 1e30), high(-1e30, -1e30, -1e30);
  for (Wheel& w : wheels) {
    w.hard_point_w = c + row_product(m, w.hard_point);
    w.point = w.hard_point_w + w.ray_length * down;
    const btVector3 a = bt(w.hard_point_w), b = bt(w.point);
    low.setMin(a);
    low.setMin(b);
    high.setMax(a);
    high.setMax(b);
  }
  std::vector<Body*>& near = s.near;
  near.clear();
  Collect collect(s, chassis, near);
  s.broadphase->aabbTest(low, high, collect);
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    Wheel& w = wheels[i];
    const Vec3 d = w.point - w.hard_point_w;
    double t = 1;
    w.ground = nullptr;
    for (const std::uint32_t g : s.grids) {
      GridHit hit;
      if (!s.bodies[g]->grid->ray(w.hard_point_w, w.point, t, hit) || hit.fraction >= t) continue;
      t = hit.fraction;
      w.normal = hit.normal;
      w.ground = s.bodies[g].get();
    }
    for (Body* b : near) {
      int part = -1;
      Vec3 normal;
      if (!ray_enter_body(*b, w.hard_point_w, d, t, normal, part)) continue;
      w.normal = normal;
      w.ground = b;
    }
    w.in_contact = w.ground != nullptr;
    if (w.in_contact) {
      w.point = w.hard_point_w + t * d;
      w.length = t * w.ray_length - settings.wheels[i].radius;
    } else {
      w.length = settings.wheels[i].rest_length;
      w.normal = -down;
    }
  }
}

/// The chassis during one update, in the world's axes: what stays constant in the step, and the velocity that springs and tires change.
struct Vehicle::ChassisMotion {
  const btMatrix3x3& basis;
  const btMatrix3x3& inverse_inertia;
  double inverse_mass;
  Vec3 center, up, axle;
  Vec3 linear, angular;  // m/s of the center, rad/s

  Vec3 velocity_at(Vec3 arm) const { return linear + cross(angular, arm); }
  /// @param impulse  N s;  @param twist  its moment about the center, N m s
  void apply(Vec3 impulse, Vec3 twist) {
    linear += inverse_mass * impulse;
    angular += row_product(inverse_inertia, twist);
  }
  /// Of chassis and ground together against an impulse along n at the wheel's contact point, kg.
  double effective_mass(const Wheel& w, Vec3 arm, Vec3 n) const {
    const Vec3 moment = cross(arm, n);
    return 1 / (inverse_mass + dot(moment, row_product(inverse_inertia, moment)) + ground_response(*w.ground, w.point, n));
  }
};

void Vehicle::update_own(World::State& s, double dt) {
  cast_rays(s);
  btRigidBody& body = *chassis->bt;
  const btTransform& x = body.getCenterOfMassTransform();
  const btMatrix3x3& m = x.getBasis();
  ChassisMotion motion{m,
                       body.getInvInertiaTensorWorld(),
                       body.getInvMass(),
                       from_bt(x.getOrigin()),
                       row_product(m, up),
                       row_product(m, axle),
                       from_bt(body.getLinearVelocity()),
                       from_bt(body.getAngularVelocity())};
  const int on_ground = apply_springs(motion, dt);
  apply_tires(motion, on_ground, dt);
  body.setLinearVelocity(bt(motion.linear));
  body.setAngularVelocity(bt(motion.angular));
  roll_wheels(motion, dt);
}

int Vehicle::apply_springs(ChassisMotion& motion, double dt) {
  Vec3 impulse, twist;
  int on_ground = 0;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    Wheel& w = wheels[i];
    const WheelSettings& set = settings.wheels[i];
    w.force = 0;
    if (!w.in_contact) continue;
    ++on_ground;
    const Vec3 r = w.point - motion.center;
    const double speed = dot(w.normal, motion.velocity_at(r) - ground_velocity(*w.ground, w.point));
    // The ray's length against the spring's: a spring across a slope is pressed along the normal. Limited near walls.
    const double lean = -dot(w.normal, motion.up);
    const double slope = lean >= -0.1 ? 10 : -1 / lean;
    const double relative = lean >= -0.1 ? 0 : speed * slope;
    const double spring = set.stiffness * (set.rest_length - w.length) * slope - set.damping * relative;
    w.force = std::clamp(spring / motion.inverse_mass, 0.0, set.max_force);
    const Vec3 j = (w.force * dt) * w.normal;
    impulse += j;
    twist += cross(r, j);
    push_ground(*w.ground, -j, w.point);
  }
  motion.apply(impulse, twist);
  return on_ground;
}

void Vehicle::apply_tires(ChassisMotion& motion, int on_ground, double dt) {
  Vec3 impulse, twist;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    Wheel& w = wheels[i];
    const WheelSettings& set = settings.wheels[i];
    if (!w.in_contact) {
      w.rotation += w.turn;
      w.turn *= kFreeWheel;
      continue;
    }
    Vec3 side = motion.axle;
    if (w.controls.steering != 0) side = w.cosine * motion.axle + w.sine * cross(motion.up, motion.axle);
    side = geo::normalized(side - dot(side, w.normal) * w.normal);
    const Vec3 ahead = cross(w.normal, side);
    const Vec3 r = w.point - motion.center;
    const TireImpulse tire = tire_impulse(motion, w, set, on_ground, side, ahead, dt);
    const Vec3 forward_push = tire.along * ahead, side_push = tire.across * side;
    impulse += forward_push + side_push;
    twist += cross(r, forward_push);
    // Side forces act above the ground, so that they roll the chassis less.
    twist += cross(r - (dot(motion.up, r) * (1 - set.roll_influence)) * motion.up, side_push);
    push_ground(*w.ground, -(forward_push + side_push), w.point);
  }
  motion.apply(impulse, twist);
}

Vehicle::TireImpulse Vehicle::tire_impulse(const ChassisMotion& motion, const Wheel& w, const WheelSettings& set, int on_ground,
                                           Vec3 side, Vec3 ahead, double dt) {
  const Vec3 r = w.point - motion.center;
  const Vec3 slip = motion.velocity_at(r) - ground_velocity(*w.ground, w.point);
  double across = -kSideShare * dot(side, slip) * motion.effective_mass(w, r, side);
  double along = w.controls.engine_force * dt;
  const double engine = std::abs(along);
  if (w.controls.governed) {
    // What would bring this wheel's share of the vehicle to its rim's speed; the engine gives as much as it can.
    along = (w.controls.rim_speed - dot(ahead, slip)) * motion.effective_mass(w, r, ahead) / on_ground;
    if (!set.scrubs) along = std::clamp(along, -engine, engine);
  }
  if (w.controls.brake_force > 0) {
    // What would stop this wheel's share of the vehicle, the engine's push included; the brake gives as much as it can.
    const double stop = -dot(ahead, slip) * motion.effective_mass(w, r, ahead) / on_ground - along;
    const double most = w.controls.brake_force * dt;
    along += std::clamp(stop, -most, most);
  }
  const double most = w.force * dt * set.friction_slip * w.ground->settings.friction;
  const double wanted = along * along + across * across;
  if (wanted > most * most) {
    const double share = most / std::sqrt(wanted);
    along *= share;
    across *= share;
  }
  if (w.controls.governed && set.scrubs) along = std::clamp(along, -engine, engine);
  return {along, across};
}

void Vehicle::roll_wheels(const ChassisMotion& motion, double dt) {
  const Vec3 forward_w = row_product(motion.basis, forward);
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    Wheel& w = wheels[i];
    if (!w.in_contact) continue;
    const Vec3 over = motion.velocity_at(w.hard_point_w - motion.center) - ground_velocity(*w.ground, w.point);
    const Vec3 along = forward_w - dot(forward_w, w.normal) * w.normal;
    w.turn = dot(along, over) * dt / settings.wheels[i].radius;
    w.rotation += w.turn;
  }
}

void Vehicle::update_stock(double dt) {
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const VehicleControls& c = wheels[i].controls;
    const int k = static_cast<int>(i);
    stock->applyEngineForce(c.brake_force > 0 ? 0 : c.engine_force, k);
    stock->setBrake(c.brake_force * dt, k);  // Bullet's brake is the impulse of a step
    stock->setSteeringValue(c.steering, k);
  }
  stock->updateVehicle(dt);
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const btWheelInfo& info = stock->getWheelInfo(static_cast<int>(i));
    Wheel& w = wheels[i];
    w.in_contact = info.m_raycastInfo.m_isInContact;
    w.length = info.m_raycastInfo.m_suspensionLength;
    w.force = std::min(info.m_wheelsSuspensionForce, settings.wheels[i].max_force);
    w.turn = info.m_rotation - w.rotation;
    w.rotation = info.m_rotation;
    w.point = from_bt(info.m_raycastInfo.m_contactPointWS);
    w.normal = from_bt(info.m_raycastInfo.m_contactNormalWS);
    w.hard_point_w = from_bt(info.m_raycastInfo.m_hardPointWS);
  }
}

void Vehicle::update(World::State& s, double dt) {
  if (stock)
    update_stock(dt);
  else
    update_own(s, dt);
}

}  // namespace simbatch::physics::detail
