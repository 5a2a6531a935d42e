// The wheels of a body against closed forms, at four step rates: every quantity has a limit, and is near it at 60 Hz.

#include "lib/vehicle/solver.hpp"

#include <doctest/doctest.h>

#include <array>
#include <numbers>

#include "tests/unit/lib/vehicle/flat_car.hpp"

using namespace simbatch;
using test::FlatCar;
using test::FlatCarModel;
using test::thesis_car;

namespace {

constexpr double kRates[] = {60, 120, 240, 1000};
constexpr double kG = 9.81;

FlatCar settled(const FlatCarModel& model, double hz) {
  FlatCar car(model);
  car.position = {0, 0.55, 0};
  car.run(3, hz);
  car.position.x = car.position.z = 0;
  return car;
}

}  // namespace

TEST_CASE("wheels: a car in full lock finds the same speed at every step rate") {
  std::array<double, 4> speeds{};
  for (std::size_t i = 0; i < 4; ++i) {
    FlatCar car = settled(thesis_car(25, 1000, 0), kRates[i]);
    car.steer(30 * std::numbers::pi / 180);
    for (std::size_t k = 0; k < 2; ++k) car.inputs[k].torque = 250 * 0.36;
    car.run(60, kRates[i]);
    speeds[i] = car.speed();
  }
  CAPTURE(speeds[0]);
  for (const double v : speeds) CHECK(v == doctest::Approx(speeds[3]).epsilon(0.005));  // measured 0.0014 at 60 Hz
  CHECK(speeds[3] > 5);
}

TEST_CASE("wheels: a braked car on 15 degrees stands, along and across the slope") {
  for (const double hz : kRates)
    for (int direction = 0; direction < 4; ++direction) {
      CAPTURE(hz);
      CAPTURE(direction);
      FlatCar car = settled(thesis_car(25, 1000, 0), hz);
      for (auto& input : car.inputs) input.brake_torque = 5000;
      const double slope = 15 * std::numbers::pi / 180, heading = direction * std::numbers::pi / 4;
      car.gravity = kG * geo::Vec3{std::sin(slope) * std::sin(heading), -std::cos(slope), -std::sin(slope) * std::cos(heading)};
      car.run(10, hz);  // the tires take their deflection: 2 to 5 mm
      CHECK(std::hypot(car.position.x, car.position.z) < 6e-3);
      const geo::Vec3 at = car.position;
      car.run(50, hz);
      CHECK(geo::length(car.position - at) < 1e-12);
    }
}

TEST_CASE("wheels: braking distances, rolling and locked") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    FlatCar rolling = settled(thesis_car(25, 1, 0.3), hz);
    rolling.roll_at(21.4);
    const double effective = 1400 + 4 * 0.3 / (0.36 * 0.36), distance = 53.782;
    for (auto& input : rolling.inputs) input.brake_torque = 0.36 * effective * 21.4 * 21.4 / (2 * distance) / 4;
    rolling.run(10, hz);
    CHECK(rolling.position.z == doctest::Approx(distance).epsilon(0.21 / hz));  // first order: v dt / 2
    CHECK(rolling.speed() < 1e-9);

    FlatCar locked = settled(thesis_car(20, 1, 0.3), hz);
    locked.ground_friction = 0.3;
    locked.roll_at(21.4);
    for (auto& input : locked.inputs) input.brake_torque = 5000;
    locked.run(12, hz);
    CHECK(locked.position.z == doctest::Approx(21.4 * 21.4 / (2 * 0.3 * kG)).epsilon(0.005));
    for (const auto& wheel : locked.memories) CHECK(wheel.spin == 0);
  }
}

TEST_CASE("wheels: acceleration of wheels without inertia, and wheels that spin on ice") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    FlatCar car = settled(thesis_car(25, 1000, 0), hz);
    for (std::size_t i = 0; i < 2; ++i) car.inputs[i].torque = 5000 * 0.36;
    car.run(2, hz);
    CHECK(car.velocity.linear.z == doctest::Approx(2 * 10000.0 / 1400).epsilon(1e-9));

    FlatCar ice = settled(thesis_car(20, 1, 0.3), hz);
    ice.ground_friction = 0.3;
    for (std::size_t i = 0; i < 2; ++i) ice.inputs[i].torque = 3000;
    ice.run(3, hz);
    CHECK(ice.velocity.linear.z == doctest::Approx(4.133).epsilon(0.025));  // the limit, measured at 8 kHz
    CHECK(ice.memories[0].spin * 0.36 > 3 * ice.velocity.linear.z);
  }
}

TEST_CASE("wheels: a mirrored car gives the mirrored motion, to the last bit of sums in the same order") {
  FlatCar left = settled(thesis_car(20, 1, 0.3), 240), right = settled(thesis_car(20, 1, 0.3), 240);
  left.roll_at(15);
  right.roll_at(15);
  left.steer(-0.1);
  right.steer(0.1);
  left.run(5, 240);
  right.run(5, 240);
  CHECK(left.position.x == doctest::Approx(-right.position.x).epsilon(1e-12));
  CHECK(left.position.z == doctest::Approx(right.position.z).epsilon(1e-12));
  CHECK(left.velocity.angular.y == doctest::Approx(-right.velocity.angular.y).epsilon(1e-12));
}

TEST_CASE("wheels: the understeer gradient is that of the axles") {
  // K_us = (1 / c_f - 1 / c_r) / g for stiffness per load; delta = L / R + K_us a.
  for (const double hz : kRates) {
    CAPTURE(hz);
    FlatCarModel model = thesis_car(25, 1000, 0.5);
    model.ackermann = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      model.wheels[i].tire.stiffness = i < 2 ? 18 : 25;
      model.wheels[i].roll_influence = 1;
    }
    FlatCar car = settled(model, hz);
    car.roll_at(20);
    const double delta = 0.02;
    car.steer(delta);
    for (int i = 0; i < 8; ++i) {
      car.run(1, hz);
      car.inputs[2].torque = car.inputs[3].torque = 800 * (20 - car.speed());
    }
    const double rate = car.velocity.angular.y, v = car.speed();
    const double gradient = (delta - 2.55 * rate / v) / (v * rate);
    CHECK(gradient == doctest::Approx((1 / 18.0 - 1 / 25.0) / kG).epsilon(0.05));
  }
}

TEST_CASE("wheels: two wheels lift where track and height of the center of mass say") {
  // a / g = T / (2 h), less the share that roll takes: (1 - m g h / K_phi) to first order.
  FlatCarModel model = thesis_car(60, 3, 0);
  for (auto& wheel : model.wheels) {
    wheel.roll_influence = 1;
    wheel.stiffness = 60000;
    wheel.damping = 6000;
  }
  const double compression = 1400 * kG / 4 / 60000;
  for (std::size_t i = 0; i < 4; ++i) {
    model.rest_lengths[i] = 0.5;
    model.hard_points[i].y = 0.36 + 0.5 - compression - 1.2;  // center of mass 1.2 m over the ground
  }
  const double stiffness = 4 * 60000 * 0.8 * 0.8, expected = 0.8 / 1.2 * (1 - 1400 * kG * 1.2 / stiffness);
  for (const double hz : kRates) {
    CAPTURE(hz);
    FlatCar car(model);
    car.position = {0, 1.2, 0};
    car.run(2, hz);
    double at = 0;
    for (int i = 0; i < 400 && at == 0; ++i) {
      car.gravity.x = 0.0025 * i * kG;  // a slowly growing pull to the right
      for (auto& input : car.inputs) input.brake_torque = 1e5;
      car.run(0.2, hz);
      if (car.memories[0].load == 0 && car.memories[2].load == 0) at = 0.0025 * i;
    }
    CHECK(at == doctest::Approx(expected).epsilon(0.05));
  }
}
