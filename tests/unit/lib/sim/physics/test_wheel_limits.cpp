// What vehicles do has a limit as dt -> 0 and is near it: circles, parking, mirrored scenes, several drives on one body.

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::add_car;
using test::Car;

namespace {

constexpr std::array<double, 4> kRates = {60, 120, 240, 1000};

void run(World& world, double seconds) {
  const auto steps = std::lround(seconds / world.settings().dt);
  for (long i = 0; i < steps; ++i) world.step();
}

/// A chassis 1 m wide on four wheels; the left and the right pair belong to drives of their own. x -> -x if mirrored.
struct TwoDrives {
  World world;
  BodyId body;
  VehicleId left, right;

  TwoDrives(double dt, bool mirrored) : world(WorldSettings{.dt = dt}) {
    world.add_terrain(test::flat_ground());
    BodySettings b;
    b.name = "robot";
    b.parts = {{Box{{1, 0.4, 1.4}}, {}}};
    b.pose = {{mirrored ? -0.3 : 0.3, 0.7, 0}, {}};
    b.mass = 60;
    body = world.add_body(b);
    const double side = mirrored ? -1 : 1;
    left = world.add_vehicle(body, drive("left", -0.6 * side));
    right = world.add_vehicle(body, drive("right", 0.6 * side));
  }
  static VehicleSettings drive(const std::string& name, double x) {
    VehicleSettings v;
    v.name = name;
    for (const double z : {0.5, -0.5}) {
      WheelSettings w;
      w.position = {x, -0.1, z};
      w.radius = 0.2;
      w.powered = w.braked = true;
      w.tire.friction = 0.9;
      v.wheels.push_back(w);
    }
    return v;
  }
};

}  // namespace

TEST_CASE("a car in full lock finds the same speed at every step rate") {
  std::array<double, 4> speeds{};
  for (std::size_t i = 0; i < kRates.size(); ++i) {
    World world(WorldSettings{.dt = 1 / kRates[i]});
    world.add_terrain(test::flat_ground());
    const Car car = add_car(world, "car", {{0, 0.7, 0}, {}});
    run(world, 2);
    world.set_controls(car.vehicle, {250, 0, 30 * std::numbers::pi / 180});
    run(world, 40);
    speeds[i] = geo::length(world.linear_velocity(car.body));
    // The bicycle's circle: rear axle at wheelbase / tan, the middle of the car half a wheelbase ahead of it.
    const double radius = speeds[i] / world.angular_velocity(car.body).y;
    CHECK(radius == doctest::Approx(std::hypot(2.6 / std::tan(30 * std::numbers::pi / 180), 1.3)).epsilon(0.02));
  }
  CAPTURE(speeds[0]);
  CAPTURE(speeds[3]);
  CHECK(speeds[3] > 5);
  for (const double v : speeds) CHECK(v == doctest::Approx(speeds[3]).epsilon(0.005));
}

TEST_CASE("a braked car on 15 degrees stays within 1 mm for 10 minutes, along, across and askew") {
  const double slope = 15 * std::numbers::pi / 180;
  for (const double hz : kRates)
    for (const double heading : {0.0, 90.0, 45.0}) {
      if (heading == 45 && hz > 60) continue;
      CAPTURE(hz);
      CAPTURE(heading);
      World world(WorldSettings{.dt = 1 / hz, .gravity = {0, -9.81 * std::cos(slope), -9.81 * std::sin(slope)}});
      world.add_terrain(test::flat_ground());
      const Car car = add_car(world, "car", {{0, 0.648, 0}, geo::rotation({0, 1, 0}, heading * std::numbers::pi / 180)});
      world.set_controls(car.vehicle, {0, 3000, 0});
      run(world, 1);
      const Vec3 at = world.pose(car.body).p;
      CHECK(std::hypot(at.x, at.z) < 3e-3);  // springs and tires take their load
      run(world, hz < 1000 ? 600 : 60);
      CHECK(geo::length(world.pose(car.body).p - at) < 1e-6);
    }
}

TEST_CASE("a parked car starts to slide where the slope is steeper than its friction, and not before") {
  for (const double share : {0.95, 1.05}) {
    const double slope = std::atan(0.3 * share);
    World world(WorldSettings{.dt = 1.0 / 120, .gravity = {0, -9.81 * std::cos(slope), -9.81 * std::sin(slope)}});
    world.add_terrain(test::flat_ground());
    BodySettings chassis = test::thesis_chassis("car", {{0, 0.648, 0}, {}});
    const BodyId body = world.add_body(chassis);
    VehicleSettings wheels = test::thesis_wheels("car.drive");
    for (WheelSettings& w : wheels.wheels) w.tire.friction = 0.3;
    const VehicleId vehicle = world.add_vehicle(body, wheels);
    world.set_controls(vehicle, {0, 10000, 0});
    run(world, 5);
    const double slid = -world.pose(body).p.z, v = -world.linear_velocity(body).z;
    if (share < 1) {
      CHECK(slid < 0.02);
      CHECK(std::abs(v) < 1e-9);
    } else {
      CHECK(v == doctest::Approx(5 * 9.81 * (std::sin(slope) - 0.3 * std::cos(slope))).epsilon(0.05));
    }
  }
}

TEST_CASE("a symmetric robot with a drive on each side rests and drives straight, to the last bit") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    TwoDrives robot(1 / hz, false);
    const double x = robot.world.pose(robot.body).p.x;
    run(robot.world, 3);
    CHECK(robot.world.pose(robot.body).p.x == x);
    CHECK(std::abs(robot.world.linear_velocity(robot.body).z) < 1e-12);
    for (const VehicleId v : {robot.left, robot.right}) robot.world.set_controls(v, {20, 0, 0});
    run(robot.world, 3);
    CHECK(robot.world.pose(robot.body).p.x == x);
    CHECK(robot.world.pose(robot.body).q.y == 0);
    CHECK(robot.world.pose(robot.body).p.z > 4);
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(robot.world.wheel(robot.left, i).suspension_force == robot.world.wheel(robot.right, i).suspension_force);
  }
}

TEST_CASE("a mirrored scene gives the mirrored run, to the last bit") {
  for (const double hz : kRates) {
    CAPTURE(hz);
    TwoDrives one(1 / hz, false), other(1 / hz, true);
    const auto steps = std::lround(6 * hz);
    for (long i = 0; i < steps; ++i) {
      if (i == steps / 6) {
        for (TwoDrives* r : {&one, &other}) {
          r->world.set_controls(r->left, {60, 0, 0});  // skid steering, sliding
          r->world.set_controls(r->right, {-20, 0, 0});
        }
      }
      if (i == steps / 2)
        for (TwoDrives* r : {&one, &other}) r->world.set_controls(r->right, {0, 100, 0});
      one.world.step();
      other.world.step();
      const Pose a = one.world.pose(one.body), b = other.world.pose(other.body);
      REQUIRE(a.p.x == -b.p.x);
      REQUIRE(a.p.y == b.p.y);
      REQUIRE(a.p.z == b.p.z);
      REQUIRE(a.q.y == -b.q.y);
      REQUIRE(a.q.z == -b.q.z);
      REQUIRE(a.q.x == b.q.x);
    }
    CHECK(std::abs(one.world.pose(one.body).q.y) > 0.1);
  }
}

TEST_CASE("the order in which a body's drives were added does not matter") {
  const auto hash = [](bool swapped) {
    World world(WorldSettings{.dt = 1.0 / 240});
    world.add_terrain(test::flat_ground());
    const BodyId body = world.add_body(test::thesis_chassis("car", {{0, 0.7, 0}, {}}));
    std::array<VehicleId, 2> drives{};
    for (const std::size_t i : swapped ? std::array<std::size_t, 2>{1, 0} : std::array<std::size_t, 2>{0, 1})
      drives[i] = world.add_vehicle(body, TwoDrives::drive(i == 0 ? "left" : "right", i == 0 ? -0.6 : 0.6));
    world.set_controls(drives[0], {900, 0, 0});
    run(world, 3);
    return world.state_hash();
  };
  CHECK(hash(false) == hash(true));
}
