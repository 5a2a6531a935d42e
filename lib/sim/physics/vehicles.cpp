// Public interface of vehicles.
// Our own: check_step() compares each mode's c dt + k dt^2 / 2 with 2, the limit of stability of semi-implicit Euler on x'' =
// -k x - c x', from its characteristic polynomial.

#include <algorithm>
#include <cmath>

#include "lib/sim/physics/state.hpp"

namespace simbatch::physics {

using detail::Body;
using detail::require;
using detail::Vehicle;
using detail::Wheel;

VehicleId World::add_vehicle(BodyId chassis, VehicleSettings settings) {
  State& s = *state_;
  Body& b = s.body(chassis);
  require(b.settings.kind == BodyKind::dynamic, "a chassis must be a dynamic body");
  require(!settings.wheels.empty(), "a vehicle without wheels");
  for (const WheelSettings& w : settings.wheels) {
    require(geo::is_finite(w.position), "a wheel's position is not finite");
    require(std::isfinite(w.radius) && w.radius > 0, "a wheel's radius must be positive");
    require(std::isfinite(w.rest_length) && w.rest_length >= 0, "a suspension's length must not be negative");
    require(std::isfinite(w.stiffness) && w.stiffness >= 0 && std::isfinite(w.damping) && w.damping >= 0,
            "a suspension's stiffness and damping must not be negative");
    require(w.max_force >= 0 && w.tire.friction >= 0, "a wheel's force and friction must not be negative");
    require(std::isfinite(w.inertia) && w.inertia >= 0, "a wheel's inertia must not be negative");
  }
  for (const vehicle::AntiRollBar& bar : settings.bars)
    require(bar.left < settings.wheels.size() && bar.right < settings.wheels.size() && bar.left != bar.right,
            "an anti-roll bar joins two wheels");
  if (settings.train) require(!settings.train->gearbox.ratios.empty(), "a gearbox without gears");
  auto vehicle = std::make_unique<Vehicle>();
  vehicle->settings = std::move(settings);
  vehicle->chassis_id = chassis;
  vehicle->chassis = &b;
  vehicle->set_up();
  b.bt->setActivationState(DISABLE_DEACTIVATION);
  s.vehicles.push_back(std::move(vehicle));
  return VehicleId(static_cast<std::uint32_t>(s.vehicles.size() - 1));
}

void World::State::insert_vehicle(std::uint32_t index) {
  vehicle_order.push_back(index);
  Vehicle& v = *vehicles[index];
  const auto found =
      std::find_if(wheel_sets.begin(), wheel_sets.end(), [&](const auto& set) { return set.chassis() == v.chassis; });
  (found != wheel_sets.end() ? *found : wheel_sets.emplace_back(*v.chassis)).add(v);
}

void World::State::update_vehicles() {
  for (detail::WheelSet& set : wheel_sets) set.update(*this, settings.dt);
}

Vehicle& World::State::vehicle(VehicleId id) {
  require(static_cast<std::size_t>(id) < vehicles.size(), "no such vehicle");
  return *vehicles[static_cast<std::size_t>(id)];
}

const VehicleSettings& World::vehicle(VehicleId vehicle) const { return state_->vehicle(vehicle).settings; }
BodyId World::chassis(VehicleId vehicle) const { return state_->vehicle(vehicle).chassis_id; }

namespace {

void check_controls(const VehicleControls& c) {
  require(std::isfinite(c.engine_force) && std::isfinite(c.steering) && std::isfinite(c.rim_speed),
          "a vehicle's controls must be finite");
  require(c.throttle >= -1 && c.throttle <= 1, "a throttle must be within -1..1");
  require(std::isfinite(c.brake_force) && c.brake_force >= 0, "a brake force must not be negative");
}

}  // namespace

void World::set_controls(VehicleId vehicle, const VehicleControls& c) {
  check_controls(c);
  Vehicle& v = state_->vehicle(vehicle);
  for (std::size_t i = 0; i < v.wheels.size(); ++i) {
    const WheelSettings& w = v.settings.wheels[i];
    VehicleControls own;
    if (w.powered && !v.settings.train) own.engine_force = c.engine_force;
    if (w.powered) own.throttle = c.throttle;
    if (w.braked) own.brake_force = c.brake_force;
    if (w.steered) own.steering = c.steering;
    own.governed = w.powered && c.governed;
    own.rim_speed = c.rim_speed;
    v.control(i, own);
  }
}

void World::set_wheel_controls(VehicleId vehicle, std::size_t wheel, const VehicleControls& c) {
  check_controls(c);
  Vehicle& v = state_->vehicle(vehicle);
  require(wheel < v.wheels.size(), "no such wheel");
  v.control(wheel, c);
}

WheelState World::wheel(VehicleId vehicle, std::size_t wheel) const {
  const Vehicle& v = state_->vehicle(vehicle);
  require(wheel < v.wheels.size(), "no such wheel");
  const Wheel& w = v.wheels[wheel];
  const double angle = std::atan2(w.direction.sine, w.direction.cosine);
  const Pose hub{v.settings.wheels[wheel].position - Vec3{0, w.length, 0},
                 geo::rotation({0, 1, 0}, angle) * geo::rotation({1, 0, 0}, w.rotation)};
  WheelState state{
      w.in_contact, w.length, w.force, w.rotation, w.spin, angle, 0, 0, 0, w.point, w.normal, pose(v.chassis_id) * hub};
  if (w.memory != nullptr) {
    const vehicle::PracticalSlip slip = vehicle::practical_slip(*w.memory, v.settings.wheels[wheel].radius);
    state.slip_ratio = slip.ratio;
    state.slip_angle = slip.angle;
    state.torque = w.memory->torque;
  }
  return state;
}

DriveTrainReadings World::drive_train(VehicleId vehicle) const {
  const Vehicle& v = state_->vehicle(vehicle);
  if (!v.settings.train) return {};
  return {v.train.engine_speed, v.train.gear};
}

std::vector<CoarseStep> check_step(const VehicleSettings& vehicle, const MassProperties& chassis, double dt) {
  struct Motion {
    const char* what = "";
    double c = 0, k = 0;
  };
  Motion motions[3] = {{"heave"}, {"pitch"}, {"roll"}};
  for (const WheelSettings& w : vehicle.wheels) {
    const Vec3 r = w.position - chassis.center;
    const double weights[3] = {1, chassis.inertia.xx > 0 ? chassis.mass * r.z * r.z / chassis.inertia.xx : 0,
                               chassis.inertia.zz > 0 ? chassis.mass * r.x * r.x / chassis.inertia.zz : 0};
    for (int i = 0; i < 3; ++i) {
      motions[i].c += weights[i] * w.damping;
      motions[i].k += weights[i] * w.stiffness;
    }
  }
  std::vector<CoarseStep> warnings;
  for (const Motion& m : motions) {
    const double number = m.c * dt + m.k * dt * dt / 2;
    if (number < 2) continue;
    // c h + k h^2 / 2 = 2
    const double largest = m.k > 0 ? (std::sqrt(m.c * m.c + 4 * m.k) - m.c) / m.k : 2 / m.c;
    warnings.push_back({m.what, m.c, m.k, number, largest});
  }
  return warnings;
}

}  // namespace simbatch::physics
