// Parts of vehicles in a world: air, rolling resistance, steering at a rate, brake shares, anti-lock brakes, drive trains.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;

namespace {

constexpr std::array<double, 4> kRates = {60, 120, 240, 1000};

struct Road {
  World world;
  BodyId body;
  VehicleId car;
  Road(double hz, const std::function<void(VehicleSettings&)>& change) : world(WorldSettings{.dt = 1 / hz}) {
    world.add_terrain(test::flat_ground());
    body = world.add_body(test::thesis_chassis("car", {{0, 0.648, -150}, {}}));
    VehicleSettings v = test::thesis_wheels("car.drive");
    for (WheelSettings& w : v.wheels) {
      w.tire = {};
      w.inertia = 0.5;
      w.roll_influence = 1;
    }
    change(v);
    car = world.add_vehicle(body, v);
    run(1);
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / world.settings().dt);
    for (long i = 0; i < steps; ++i) world.step();
  }
  void roll_at(double speed) { world.set_velocity(body, {0, 0, speed}, {}); }
  double speed() const { return world.linear_velocity(body).z; }
};

const double kRollingMass = 1400 + 4 * 0.5 / (0.36 * 0.36);

}  // namespace

TEST_CASE("air: a car coasts down as 1 / (1 + k t)") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    Road road(hz, [](VehicleSettings& v) { v.air.drag = 0.8; });
    road.roll_at(30);
    road.run(5);
    const double k = kAirDensity / 2 * 0.8 * 30 / kRollingMass;
    CHECK(road.speed() == doctest::Approx(30 / (1 + k * 5)).epsilon(0.001));
  }
}

TEST_CASE("air: lift takes load off its axle") {
  Road road(240, [](VehicleSettings& v) { v.air.lift_rear = -1; });
  const double before = road.world.wheel(road.car, 3).suspension_force, front = road.world.wheel(road.car, 0).suspension_force;
  road.roll_at(40);
  road.run(2);
  const double v = road.speed();
  CHECK(road.world.wheel(road.car, 3).suspension_force - before == doctest::Approx(kAirDensity / 2 * v * v / 2).epsilon(0.02));
  CHECK(std::abs(road.world.wheel(road.car, 0).suspension_force - front) < 15);
}

TEST_CASE("rolling resistance: it stops a car after v^2 / (2 f g), and holds it on a lesser slope") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    Road road(hz, [](VehicleSettings& v) {
      for (WheelSettings& w : v.wheels) w.tire.rolling_resistance = 0.05;
    });
    road.roll_at(8);
    const double start = road.world.pose(road.body).p.z;
    road.run(20);
    CHECK(std::abs(road.speed()) < 1e-9);
    CHECK(road.world.pose(road.body).p.z - start ==
          doctest::Approx(8 * 8 * kRollingMass / (2 * 0.05 * 9.81 * 1400)).epsilon(0.01 + 1 / hz));
  }
}

TEST_CASE("steering: it turns at its rate, and the state knows how far") {
  Road road(240, [](VehicleSettings& v) {
    v.steering_rate = 0.4;
    v.ackermann = 0;
  });
  road.world.set_controls(road.car, {0, 0, 0.3});
  const std::uint64_t before = road.world.state_hash();
  road.run(0.5);
  CHECK(road.world.wheel(road.car, 0).steering == doctest::Approx(0.2));
  CHECK(road.world.state_hash() != before);
  road.run(0.5);
  CHECK(road.world.wheel(road.car, 0).steering == doctest::Approx(0.3));
}

TEST_CASE("brakes: shares of the axles add up to the whole, and what wheels show is what they brake with") {
  Road road(240, [](VehicleSettings& v) { v.brakes.front_share = 0.7; });
  road.roll_at(20);
  road.world.set_controls(road.car, {0, 1000, 0});
  road.run(0.5);
  const double front = road.world.wheel(road.car, 0).torque, rear = road.world.wheel(road.car, 2).torque;
  CHECK(front == doctest::Approx(-1000 * 0.36 * 0.7 * 2).epsilon(0.01));
  CHECK(rear == doctest::Approx(-1000 * 0.36 * 0.3 * 2).epsilon(0.01));
  CHECK(road.world.wheel(road.car, 0).slip_ratio < 0);
  const double v = road.speed();
  road.run(0.5);
  CHECK(road.speed() == doctest::Approx(v - 0.5 * 4000 / kRollingMass).epsilon(0.002));
}

TEST_CASE("brakes: with anti-lock no wheel stops before the car does") {
  for (const double hz : {120.0, 240.0, 1000.0}) {
    CAPTURE(hz);
    Road road(hz, [](VehicleSettings& v) { v.brakes.anti_lock = true; });
    road.roll_at(25);
    road.world.set_controls(road.car, {0, 6000, 0});
    double least = 100;
    while (road.speed() > 5) {
      road.world.step();
      for (std::size_t i = 0; i < 4; ++i) least = std::min(least, road.world.wheel(road.car, i).angular_speed);
    }
    CHECK(least > 1);
    CHECK(road.world.time() < 1 + 20 / (0.85 * 9.81));
  }
}

TEST_CASE("drive train: a car accelerates through its gears, the same every time") {
  const auto run = [](std::vector<double>* speeds) {
    Road road(240, [](VehicleSettings& v) {
      vehicle::DriveTrainSettings train;
      train.engine.curve = {{80, 120}, {450, 180}, {650, 150}};
      train.gearbox.ratios = {3.6, 2, 1.3, 1};
      train.differential = vehicle::Differential::limited;
      train.lock_torque = 60;
      v.train = train;
    });
    VehicleControls controls;
    controls.throttle = 1;
    road.world.set_controls(road.car, controls);
    int highest = 1;
    for (int i = 0; i < 20; ++i) {
      road.run(0.5);
      const DriveTrainReadings r = road.world.drive_train(road.car);
      highest = std::max(highest, r.gear);
      if (speeds) speeds->push_back(road.speed());
      CHECK(r.engine_speed >= 80 - 1e-9);
      CHECK(r.engine_speed < 700);
    }
    CHECK(highest >= 3);
    CHECK(road.speed() > 20);
    // Without throttle the engine's friction, here none, and its inertia stay; in reverse it does not go before it stops.
    controls.throttle = -1;
    road.world.set_controls(road.car, controls);
    road.run(0.5);
    CHECK(road.speed() > 15);
    return road.world.state_hash();
  };
  std::vector<double> speeds;
  CHECK(run(&speeds) == run(nullptr));
  CHECK(std::is_sorted(speeds.begin(), speeds.end()));
}

TEST_CASE("anti-roll bars: they take their share of the roll") {
  const auto roll = [](double rate) {
    Road road(240, [&](VehicleSettings& v) {
      for (WheelSettings& w : v.wheels) {
        w.stiffness = 20;  // 28 kN/m
        w.damping = 3;
      }
      if (rate > 0) v.bars = {{0, 1, rate}, {2, 3, rate}};
    });
    road.roll_at(15);
    road.world.set_controls(road.car, {0, 0, 0.03});
    road.run(4);
    const Pose x = road.world.pose(road.body);
    const double a = geo::length(road.world.linear_velocity(road.body)) * road.world.angular_velocity(road.body).y;
    return std::asin((x.q * Vec3{1, 0, 0}).y) / a;  // rad per m/s^2
  };
  const double track = 1.5, height = 0.66 - 9.81 / 80;  // the springs give g / (4 Ks)
  for (const double rate : {0.0, 10000.0}) {
    const double k = 4 * 28000 * track * track / 4 + 2 * rate * track * track;
    CHECK(std::abs(roll(rate)) == doctest::Approx(1400 * height / (k - 1400 * 9.81 * height)).epsilon(0.06));
  }
}
