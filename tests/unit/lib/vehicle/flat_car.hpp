#pragma once
/// A car on a plane without any physics engine: one rigid body, symplectic Euler as Bullet steps it, wheels by WheelSolver.

#include <cmath>
#include <cstddef>
#include <vector>

#include "lib/vehicle/solver.hpp"
#include "lib/vehicle/steering.hpp"

namespace simbatch::test {

using geo::Vec3;

/// Everything that does not change. Frames: x right, y up, z forward, origin in the center of mass.
struct FlatCarModel {
  double mass = 1400;             ///< kg
  Vec3 inertia{2437, 3108, 509};  ///< kg m^2 about x, y, z
  std::vector<vehicle::WheelModel> wheels;
  std::vector<Vec3> hard_points;     ///< upper ends of the springs (m)
  std::vector<double> rest_lengths;  ///< m
  std::vector<vehicle::AntiRollBar> bars;
  double ackermann = 1;
};

class FlatCar {
 public:
  explicit FlatCar(FlatCarModel model)
      : model_(std::move(model)),
        memories(model_.wheels.size()),
        inputs(model_.wheels.size()),
        angles_(model_.wheels.size()),
        contacts_(model_.wheels.size()) {}

  Vec3 position;
  geo::Quat attitude;
  vehicle::Velocity velocity;
  Vec3 gravity{0, -9.81, 0};
  double ground_friction = 1;

  void steer(double middle);   ///< rad; the first two wheels are steered
  void roll_at(double speed);  ///< straight ahead, wheels rolling
  void step(double dt);
  void run(double seconds, double hz) {
    const auto steps = static_cast<long>(std::lround(seconds * hz));
    for (long i = 0; i < steps; ++i) step(1 / hz);
  }
  double speed() const { return std::hypot(velocity.linear.x, velocity.linear.z); }
  const FlatCarModel& model() const { return model_; }

 private:
  FlatCarModel model_;

 public:
  std::vector<vehicle::WheelMemory> memories;
  std::vector<vehicle::WheelInput> inputs;
  std::vector<vehicle::DriveGroup> groups;

 private:
  vehicle::Contact contact(std::size_t wheel) const;
  std::vector<double> angles_;
  std::vector<vehicle::Contact> contacts_;
  vehicle::WheelSolver solver_;
};

/// The thesis' car: 1400 kg, 200 and 23 per kilogram of spring and damper, wheels of 0.36 m, tires of this stiffness per load.
inline FlatCarModel thesis_car(double stiffness, double friction, double wheel_inertia) {
  FlatCarModel car;
  for (std::size_t i = 0; i < 4; ++i) {
    vehicle::WheelModel wheel;
    wheel.radius = 0.36;
    wheel.inertia = wheel_inertia;
    wheel.stiffness = 200 * car.mass;
    wheel.damping = 23 * car.mass;
    wheel.roll_influence = 0.1;
    wheel.tire.stiffness = stiffness;
    wheel.tire.friction = friction;
    car.wheels.push_back(wheel);
    car.hard_points.push_back({i % 2 == 1 ? 0.8 : -0.8, -0.1, i < 2 ? 1.275 : -1.275});
    car.rest_lengths.push_back(0.1);
  }
  return car;
}

// ---------------------------------------------------------------------------------------------------------------------

inline void FlatCar::steer(double middle) {
  const bool steered[] = {true, true, false, false};
  const auto geometry = vehicle::steering_geometry(model_.hard_points, steered);
  for (std::size_t i = 0; i < 2; ++i)
    angles_[i] = vehicle::wheel_angle(geometry, model_.hard_points[i], middle, model_.ackermann);
}

inline void FlatCar::roll_at(double speed) {
  velocity.linear = {0, velocity.linear.y, speed};
  for (std::size_t i = 0; i < memories.size(); ++i) memories[i].spin = speed / model_.wheels[i].radius;
}

inline vehicle::Contact FlatCar::contact(std::size_t i) const {
  vehicle::Contact c;
  const Vec3 up = attitude * Vec3{0, 1, 0}, hard_point = position + attitude * model_.hard_points[i];
  const double reach = model_.rest_lengths[i] + model_.wheels[i].radius, distance = hard_point.y / up.y;
  c.touches = distance > 0 && distance <= reach;
  c.arm = attitude * model_.hard_points[i] - distance * up;
  c.compression = reach - distance;
  c.slope = 1 / up.y;
  c.axle = attitude * (geo::rotation({0, 1, 0}, angles_[i]) * Vec3{1, 0, 0});
  c.ground_friction = ground_friction;
  return c;
}

inline void FlatCar::step(double dt) {
  const Vec3 axes[] = {attitude * Vec3{1, 0, 0}, attitude * Vec3{0, 1, 0}, attitude * Vec3{0, 0, 1}};
  const double moments[] = {model_.inertia.x, model_.inertia.y, model_.inertia.z};
  vehicle::BodyState body;
  body.mass = model_.mass;
  for (std::size_t i = 0; i < 3; ++i) {
    body.inertia[0] += moments[i] * axes[i].x * axes[i];
    body.inertia[1] += moments[i] * axes[i].y * axes[i];
    body.inertia[2] += moments[i] * axes[i].z * axes[i];
  }
  body.up = axes[1];
  body.velocity = velocity;
  body.force = model_.mass * gravity;
  for (std::size_t i = 0; i < contacts_.size(); ++i) contacts_[i] = contact(i);
  const vehicle::Velocity change = solver_.step(body, model_.wheels, contacts_, inputs, memories, model_.bars, groups, dt);
  velocity.linear += dt * gravity + change.linear;
  velocity.angular += change.angular;
  position += dt * velocity.linear;
  const double rate = geo::length(velocity.angular);
  if (rate > 0) attitude = geo::normalized(geo::rotation(velocity.angular, rate * dt) * attitude);
}

}  // namespace simbatch::test
