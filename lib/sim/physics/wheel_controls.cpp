// Drive, brake and steering inputs of a chassis' wheels in a step, and aerodynamic forces: 1/2 rho v^2 c A (W. F. Milliken and
// D. L. Milliken, Race Car Vehicle Dynamics, 1995, chapter 3).

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics::detail {

using geo::cross;
using geo::dot;

void Vehicle::control(std::size_t wheel, const VehicleControls& c) {
  wheels[wheel].controls = c;
  if (std::isinf(settings.steering_rate) && c.steering != wheels[wheel].steering) steer(wheel, c.steering);
}

void Vehicle::steer(std::size_t wheel, double angle) {
  Wheel& w = wheels[wheel];
  w.steering = angle;
  if (angle != tangent.angle) tangent = {angle, std::tan(angle)};
  w.direction = vehicle::wheel_direction(geometry, settings.wheels[wheel].position, angle, tangent.value, settings.ackermann);
}

void Vehicle::find_axles() {
  double front = 0, rear = 0, fronts = 0, rears = 0;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    (wheels[i].front ? front : rear) += settings.wheels[i].position.z;
    (wheels[i].front ? fronts : rears) += 1;
  }
  if (fronts > 0) front_axle = front / fronts;
  if (rears > 0) rear_axle = rear / rears;
}

void Vehicle::share_brakes() {
  double middle = 0, fronts = 0, rears = 0;
  for (const WheelSettings& w : settings.wheels) middle += w.position.z / static_cast<double>(settings.wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    wheels[i].front = settings.wheels[i].position.z > middle;
    if (settings.wheels[i].braked) (wheels[i].front ? fronts : rears) += 1;
  }
  if (settings.brakes.front_share < 0) return;
  for (Wheel& w : wheels)
    w.brake_factor = w.front ? settings.brakes.front_share * (fronts + rears) / std::max(fronts, 1.0)
                             : (1 - settings.brakes.front_share) * (fronts + rears) / std::max(rears, 1.0);
}

void Vehicle::push_air() const {
  const Aerodynamics& a = settings.air;
  const Pose x = pose_of(*chassis) * chassis->x_pb;  // chassis frame in the world
  const Vec3 center = from_bt(chassis->bt->getCenterOfMassPosition());
  const auto push = [&](Vec3 place, Vec3 force) { chassis->bt->applyForce(bt(force), bt(x * place - center)); };
  const Vec3 v = from_bt(chassis->bt->getLinearVelocity());
  push({0, a.height, 0}, -(kAirDensity / 2 * a.drag * geo::length(v)) * v);
  if (a.lift_front == 0 && a.lift_rear == 0) return;
  const double pressure = kAirDensity / 2 * dot(v, v);
  const Vec3 up = x.q * Vec3{0, 1, 0};
  if (front_axle) push({0, 0, *front_axle}, (pressure * a.lift_front) * up);
  if (rear_axle) push({0, 0, *rear_axle}, (pressure * a.lift_rear) * up);
}

void WheelSet::connect() {
  bars_.clear();
  groups_.clear();
  trains_.clear();
  in_air_.clear();
  const auto number = [&](const Vehicle* v, std::size_t index) {
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (members_[i].vehicle == v && members_[i].index == index) return i;
    return std::size_t{0};
  };
  for (Vehicle* v : vehicles_) {
    for (const vehicle::AntiRollBar& bar : v->settings.bars)
      bars_.push_back({number(v, bar.left), number(v, bar.right), bar.rate});
    const Aerodynamics& air = v->settings.air;
    if (air.drag != 0 || air.lift_front != 0 || air.lift_rear != 0) in_air_.push_back(v);
    if (!v->settings.train) continue;
    vehicle::DriveGroup group;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (members_[i].vehicle == v && members_[i].settings->powered) group.wheels.push_back(i);
    if (group.wheels.empty()) continue;
    groups_.push_back(std::move(group));
    trains_.push_back(v);
  }
}

void WheelSet::move_controls(double dt) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Wheel& w = *members_[i].wheel;
    Vehicle& v = *members_[i].vehicle;
    const VehicleControls& c = w.controls;
    if (c.steering != w.steering) {
      const double most = v.settings.steering_rate * dt;
      v.steer(members_[i].index, w.steering + std::clamp(c.steering - w.steering, -most, most));
    }
    const double r = models_[i].radius;
    inputs_[i].torque = c.governed ? 0 : c.engine_force * r;
    inputs_[i].brake_torque = c.brake_force * r * w.brake_factor;
    inputs_[i].motor_torque = c.governed ? std::abs(c.engine_force) * r : 0;
    inputs_[i].motor_speed = c.rim_speed / r;
    if (!v.settings.brakes.anti_lock) continue;
    w.anti_lock = c.brake_force > 0 ? vehicle::anti_lock(w.anti_lock, v.settings.brakes.anti_lock_slip, r * memories_[i].spin,
                                                         memories_[i].hub_x, dt)
                                    : 1;
    inputs_[i].brake_torque *= w.anti_lock;
  }
}

void WheelSet::drive_trains(double dt) {
  for (std::size_t n = 0; n < groups_.size(); ++n) {
    driven_.clear();
    double throttle = 0;
    for (const std::size_t i : groups_[n].wheels) {
      driven_.push_back({memories_[i].spin, members_[i].wheel->front});
      throttle = members_[i].wheel->controls.throttle;
    }
    vehicle::drive(*trains_[n]->settings.train, trains_[n]->train, throttle, driven_, dt, train_step_);
    for (std::size_t k = 0; k < driven_.size(); ++k) inputs_[groups_[n].wheels[k]].torque = train_step_.torques[k];
    std::swap(groups_[n].couplings, train_step_.couplings);
  }
}

}  // namespace simbatch::physics::detail
