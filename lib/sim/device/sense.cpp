// Sensors after a step, from the body table into the tree's bank; formulas and sources in docs/devices.md.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lib/sim/device/device_arrays.hpp"

namespace simbatch::sim {
namespace {

using std::numbers::pi;

/// In [0, 2 pi).
double positive_angle(double angle) {
  if (angle < 0) angle += 2 * pi;
  return angle >= 2 * pi ? angle - 2 * pi : angle;
}

}  // namespace

void DeviceSet::start(const Clock& clock) {
  for (device::Inclinometer& sensor : arrays_->inclinometers) sensor.at_start = bodies_[sensor.body].pose.q;
  measure(clock, true);
}

void DeviceSet::after_step(const Clock& clock) { measure(clock, false); }

void DeviceSet::measure(const Clock& clock, bool first) {
  measure_wheels_and_cameras();
  measure_motion(first);
  measure_distances();
  measure_positions(clock, first);
  measure_directions();
  const std::span<double> bank = simulation_.tree().bank();
  for (device::TimeSensor& sensor : arrays_->times) sensor.write(bank, clock.time);
}

void DeviceSet::measure_wheels_and_cameras() {
  const physics::World& world = simulation_.world();
  const std::span<double> bank = simulation_.tree().bank();
  for (device::Wheel& wheel : arrays_->wheels) {
    const physics::WheelState state = world.wheel(wheel.vehicle, wheel.index);
    double* v = bank.data() + wheel.offset;
    v[0] = state.suspension_length;
    v[1] = state.suspension_force;
    v[2] = state.rotation;
    v[3] = state.steering;
    v[4] = state.in_contact ? 1 : 0;
    v[5] = state.slip_angle;
    v[6] = state.slip_ratio;
    v[7] = state.suspension_force;
    v[8] = state.angular_speed;
    v[9] = state.torque;
    if (wheel.noise.empty()) continue;
    v[8] += wheel.noise.next();
    v[10] = state.angular_speed;
  }
  for (const device::Drive& drive : arrays_->drives) {
    if (!drive.attached || !drive.settings.engine) continue;
    const physics::DriveTrainReadings train = world.drive_train(drive.vehicle);
    bank[drive.offset + 3] = train.engine_speed;
    bank[drive.offset + 4] = train.gear;
  }
  for (const device::CameraPose& camera : arrays_->cameras)
    BodyTable::write_pose(bank.subspan(camera.offset, 7), bodies_[camera.body].pose * camera.pose);
}

void DeviceSet::measure_motion(bool first) {
  const std::span<double> bank = simulation_.tree().bank();
  for (device::Gyroscope& sensor : arrays_->gyroscopes) {
    const BodyTable::State& body = bodies_[sensor.body];
    const double rate = dot(body.pose.q * sensor.axis, body.angular);
    sensor.smoothed = first ? rate : sensor.smoothed + sensor.alpha * (rate - sensor.smoothed);
    sensor.write(bank, sensor.smoothed);
  }
  for (device::Velocimeter& sensor : arrays_->velocimeters) {
    const BodyTable::State& body = bodies_[sensor.body];
    sensor.write(bank, dot(body.pose.q * sensor.axis, body.velocity));
  }
}

void DeviceSet::measure_distances() {
  physics::World& world = simulation_.world();
  const std::span<double> bank = simulation_.tree().bank();
  for (device::Psd& sensor : arrays_->psds) {
    const Pose& pose = bodies_[sensor.body].pose;
    const Vec3 from = pose * sensor.position;
    const auto hit = world.ray_cast(from, from + sensor.range * (pose.q * sensor.direction), sensor.filter);
    sensor.write(bank, hit ? sensor.range * hit->fraction : sensor.range);
    bank[sensor.offset + (sensor.noisy ? 2 : 1)] = hit ? 1 : 0;
  }
}

void DeviceSet::measure_positions(const Clock& clock, bool first) {
  const std::span<double> bank = simulation_.tree().bank();
  for (device::Gps& sensor : arrays_->gpss) {
    const BodyTable::State& body = bodies_[sensor.body];
    const Vec3 arm = body.pose.q * sensor.position;
    const Vec3 antenna = body.pose.p + arm;
    const Vec3 velocity = body.velocity + cross(body.angular, arm);
    double east = antenna.x, north = antenna.z;
    if (sensor.noisy) {
      east += sensor.noise.next();
      north += sensor.noise.next();
    }
    const geo::LatLon place = arrays_->frame->to_geographic({east, north});
    double* v = bank.data() + sensor.offset;
    v[0] = place.lat;
    v[1] = place.lon;
    v[2] = std::hypot(velocity.x, velocity.z);
    // At rest the course is undefined: the last one is kept. The first is the part's heading.
    constexpr double kMoving = 0.05;  // m/s
    if (first || v[2] >= kMoving) {
      const double on_map = first && v[2] < kMoving ? geo::heading(body.pose.q) : std::atan2(velocity.x, velocity.z);
      // Meridian convergence to first order, (lon - lon0) sin(lat): within 1e-6 rad up to 100 km from the origin.
      const double convergence = geo::radians(place.lon - arrays_->frame->origin().lon) * std::sin(geo::radians(place.lat));
      v[3] = geo::degrees(positive_angle(on_map + convergence));
    }
    v[4] = static_cast<double>(simulation_.settings().start_unix) + clock.time;
  }
}

void DeviceSet::measure_directions() {
  const std::span<double> bank = simulation_.tree().bank();
  for (device::Compass& sensor : arrays_->compasses) {
    const Vec3 f = bodies_[sensor.body].pose.q * sensor.axis;
    if (std::abs(f.x) + std::abs(f.z) > 1e-9) sensor.last = positive_angle(std::atan2(f.x, f.z));
    sensor.write(bank, sensor.last);
    bank[sensor.offset] = positive_angle(std::remainder(bank[sensor.offset], 2 * pi));
  }
  for (device::Inclinometer& sensor : arrays_->inclinometers) {
    // How far gravity's direction in the body's frame, projected along the axis, has turned since the start. About a vertical
    // axis gravity does not change; there it is the twist of the rotation since the start.
    constexpr Vec3 kUp{0, 1, 0};
    const Vec3 axis = sensor.axis;
    const auto seen_along_axis = [&axis](Vec3 v) { return v - dot(axis, v) * axis; };
    const Vec3 before = seen_along_axis(inverse(sensor.at_start) * kUp);
    const Vec3 now = seen_along_axis(inverse(bodies_[sensor.body].pose.q) * kUp);
    double angle = 0;
    if (length(before) > 0.1) {
      angle = std::atan2(dot(axis, cross(now, before)), dot(now, before));
    } else {
      const Quat turn = inverse(sensor.at_start) * bodies_[sensor.body].pose.q;
      angle = std::remainder(2 * std::atan2(dot(axis, {turn.x, turn.y, turn.z}), turn.w), 2 * pi);
    }
    sensor.write(bank, angle);
  }
}

}  // namespace simbatch::sim
