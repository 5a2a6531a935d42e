// Actuators before a step; formulas and sources in docs/devices.md. A propeller's motor, J w' = kt (V - kb w) / R - q w |w|, is
// integrated by Euler's method, implicit in w, with |w| from the start of the step.

#include <cmath>

#include "lib/sim/device/device_arrays.hpp"

namespace simbatch::sim {
namespace {

/// Updates setting, voltage, speed and thrust.
/// @param v       the propeller's numbers in the bank
/// @param pushes  false: out of the water
void turn_propeller(device::Propeller& propeller, double* v, bool pushes, double dt) {
  const double wanted = std::abs(v[0]) <= propeller.settings.dead_zone ? 0 : v[0];
  propeller.setting += propeller.follow * (wanted - propeller.setting);
  v[1] = propeller.setting * propeller.settings.max_voltage;
  if (const auto& motor = propeller.settings.motor) {
    // Implicit in the linear part, so that a small rotor is stable at any step; its equilibrium is exact.
    const double a = motor->torque_constant * v[1] / (motor->resistance * motor->inertia);
    const double b = motor->torque_constant * motor->back_emf_constant / (motor->resistance * motor->inertia);
    const double c = pushes ? motor->torque_coefficient / motor->inertia : 0;
    v[2] = (v[2] + dt * a) / (1 + dt * (b + c * std::abs(v[2])));
    v[3] = pushes ? motor->thrust_coefficient * v[2] * std::abs(v[2]) : 0;
  } else {
    v[3] = pushes ? propeller.settings.alpha * v[1] : 0;
  }
}

/// Torque on the part about the propeller's direction (N m), from its numbers after turn_propeller(). A motor turns its rotor
/// one way and its part the other; the torque that accelerates the screw is included, so that only the water changes the
/// angular momentum of both together.
double reaction_torque(const PropellerSettings& settings, const double* v) {
  if (settings.reaction == 0) return 0;
  if (!settings.motor) return settings.reaction * settings.torque_ratio * v[3];
  const PropellerSettings::Motor& m = *settings.motor;
  return settings.reaction * (m.torque_constant * (v[1] - m.back_emf_constant * v[2]) / m.resistance);
}

}  // namespace

void DeviceSet::before_step(const Clock& clock) {
  physics::World& world = simulation_.world();
  const std::span<double> bank = simulation_.tree().bank();
  for (const device::Drive& drive : arrays_->drives) {
    if (!drive.attached) continue;
    const double* v = bank.data() + drive.offset;
    physics::VehicleControls controls{v[0] * drive.settings.motor_force, v[2] * drive.settings.brake_force,
                                      v[1] * drive.settings.steering_angle};
    if (drive.settings.engine) controls.throttle = v[0];
    world.set_controls(drive.vehicle, controls);
  }
  for (device::Propeller& propeller : arrays_->propellers) {
    const BodyTable::State& body = bodies_[propeller.body];
    double* v = bank.data() + propeller.offset;
    const Vec3 point = body.pose * propeller.position;
    // Propellers above the water's surface produce no thrust (PAL: more than 0.1 m above y = 0).
    turn_propeller(propeller, v, is_under_water(point), clock.dt);
    const Vec3 direction = body.pose.q * propeller.direction;
    if (v[3] != 0) world.apply_force_at(bodies_.body(propeller.body), v[3] * direction, point);
    const double torque = reaction_torque(propeller.settings, v);
    if (torque != 0) world.apply_torque(bodies_.body(propeller.body), torque * direction);
  }
}

}  // namespace simbatch::sim
