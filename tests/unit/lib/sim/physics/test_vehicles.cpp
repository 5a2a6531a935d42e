// Vehicles: the pitfalls of docs/physics.md, closed forms, and the own wheel rays against Bullet's.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "bench/stock_cars.hpp"
#include "lib/sim/physics/world.hpp"
#include "tests/unit/lib/sim/physics/car.hpp"

using namespace simbatch;
using namespace simbatch::physics;
using test::add_car;
using test::Car;
using test::residual;

namespace {

/// One car of the thesis over a ground, for Bullet's loop.
bench::VehicleWorld stock_world(const HeightGrid& ground, const Pose& pose) {
  bench::VehicleWorld w;
  w.ground = ground;
  w.cars = {test::thesis_chassis("car", pose)};
  w.wheels = test::thesis_wheels("car.drive");
  return w;
}

/// Meters from full braking at `speed` until the car stops.
double braking_distance(double dt, double speed, double force) {
  World world(WorldSettings{.dt = dt});
  world.add_terrain(test::flat_ground());
  const Car car = add_car(world, "car", {{0, 0.75, 0}, {}});
  const int per_second = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < 2 * per_second; ++i) world.step();
  world.set_velocity(car.body, {0, 0, speed}, {});
  world.set_controls(car.vehicle, {0, force, 0});
  const double start = world.pose(car.body).p.z;
  for (int i = 0; i < 10 * per_second; ++i) world.step();
  CHECK(std::abs(world.linear_velocity(car.body).z) < 1e-6);
  return world.pose(car.body).p.z - start;
}

double stock_braking_distance(double dt, double speed, double force) {
  bench::StockCars cars(stock_world(test::flat_ground(), {{0, 0.75, 0}, {}}), dt, bench::StockGround::mesh);
  const int per_second = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < 2 * per_second; ++i) cars.step();
  cars.set_velocity(0, {0, 0, speed});
  cars.control(0, {0, force, 0});
  const double start = cars.position(0).z;
  for (int i = 0; i < 10 * per_second; ++i) cars.step();
  CHECK(std::abs(cars.velocity(0).z) < 1e-6);
  return cars.position(0).z - start;
}

}  // namespace

TEST_CASE("the thesis' car settles at the default step, level, where its springs say") {
  World world;
  world.add_terrain(test::flat_ground());
  const Car car = add_car(world, "car", {{0, 1.5, 0}, {}});  // falls 80 cm
  for (int i = 0; i < 4 * 240; ++i) world.step();
  const double height = world.pose(car.body).p.y;
  for (int i = 0; i < 240; ++i) world.step();
  const Pose x = world.pose(car.body);
  // Hub at radius over the ground, spring pressed by g / (4 Ks), hard point 0.2 under the middle.
  const double expected = 0.36 + 0.1 - 9.81 / (4 * 200) + 0.2;
  CHECK(residual("rest, height", x.p.y - expected) < 1e-14);                 // 1.3e-15
  CHECK(residual("rest, moved in 1 s", x.p.y - height) < 1e-14);             // 0
  CHECK(residual("rest, tilt", std::abs(x.q.x) + std::abs(x.q.z)) < 1e-14);  // 0
  for (std::size_t i = 0; i < 4; ++i) {
    const WheelState w = world.wheel(car.vehicle, i);
    CHECK(w.in_contact);
    CHECK(residual("rest, wheel force", w.suspension_force - 1400 * 9.81 / 4) < 1e-9);  // 0
  }
}

TEST_CASE("a resting car's velocity reads 0, not g dt") {
  World world;
  world.add_terrain(test::flat_ground());
  const Car car = add_car(world, "car", {{0, 0.7, 0}, {}});
  for (int i = 0; i < 5 * 240; ++i) world.step();
  CHECK(residual("rest, velocity", geo::length(world.linear_velocity(car.body))) < 1e-9);  // 1.1e-14; g dt is 0.041
}

TEST_CASE("engine force is newtons on each driven wheel, whatever the step") {
  for (const double dt : {1.0 / 120, 1.0 / 240}) {
    World world(WorldSettings{.dt = dt});
    world.add_terrain(test::flat_ground());
    const Car car = add_car(world, "car", {{0, 0.7, 0}, {}});
    const int per_second = static_cast<int>(std::lround(1 / dt));
    for (int i = 0; i < 2 * per_second; ++i) world.step();
    world.set_controls(car.vehicle, {1000, 0, 0});
    for (int i = 0; i < 2 * per_second; ++i) world.step();
    const Vec3 v = world.linear_velocity(car.body);
    CHECK(residual("drive", v.z - 2 * 1000.0 / 1400 * 2) < 9e-14);  // 8.9e-15; to +z
    CHECK(residual("drive, sideways", v.x) < 1e-14);                // 0
  }
}

TEST_CASE("braking distance is v^2 / 2a whatever the step: brakes are forces, not impulses") {
  const double v = 15, force = 2000, a = 4 * force / 1400;
  for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
    CAPTURE(dt);
    // The first step moves the car before the brake has acted through it: v dt / 2 of Euler's error is left in.
    const double way = braking_distance(dt, v, force);
    CHECK(residual("braking", way - v * v / (2 * a)) < 2 * v * dt);  // 0.50 v dt
    // Bullet's vehicles act at the end of a step, so that they brake one step later.
    CHECK(residual("braking, stock", stock_braking_distance(dt, v, force) - way - v * dt) < 0.01);  // 2e-3: tires give
  }
}

TEST_CASE("brakes release") {
  World world;
  world.add_terrain(test::flat_ground());
  const Car car = add_car(world, "car", {{0, 0.7, 0}, {}});
  for (int i = 0; i < 240; ++i) world.step();
  world.set_velocity(car.body, {0, 0, 10}, {});
  world.set_controls(car.vehicle, {0, 1000, 0});
  for (int i = 0; i < 120; ++i) world.step();
  const double braked = world.linear_velocity(car.body).z;
  CHECK(braked < 9);
  world.set_controls(car.vehicle, {});
  for (int i = 0; i < 240; ++i) world.step();
  CHECK(residual("rolls on", world.linear_velocity(car.body).z - braked) < 1e-13);  // 0
  world.set_controls(car.vehicle, {1000, 0, 0});
  for (int i = 0; i < 240; ++i) world.step();
  CHECK(world.linear_velocity(car.body).z > braked + 1);
}

TEST_CASE("positive steering turns to +x, and the circle has the radius of the bicycle") {
  World world;
  world.add_terrain(test::flat_ground());
  const Car car = add_car(world, "car", {{0, 0.7, 0}, {}});
  for (int i = 0; i < 240; ++i) world.step();
  world.set_velocity(car.body, {0, 0, 3}, {});
  const double angle = 0.2;
  world.set_controls(car.vehicle, {50, 0, angle});
  for (int i = 0; i < 240; ++i) world.step();
  CHECK(world.pose(car.body).p.x > 0);
  CHECK(geo::heading(world.pose(car.body).q) > 0);
  const double radius = geo::length(world.linear_velocity(car.body)) / world.angular_velocity(car.body).y;
  // Rear axle: wheelbase / tan; the middle of the car is half a wheelbase ahead of it.
  const double expected = std::hypot(2.6 / std::tan(angle), 1.3);
  CHECK(residual("turning radius, relative", radius / expected - 1) < 0.04);  // 3.7e-3
}

TEST_CASE("where no tire slides, the own wheels drive as Bullet's do") {
  HeightGrid grid = test::flat_ground(65);
  for (int z = 0; z < grid.nz; ++z)
    for (int x = 0; x < grid.nx; ++x)
      grid.heights[static_cast<std::size_t>(z * grid.nx + x)] = std::sin(0.3 * x) * std::cos(0.2 * z);
  const Pose start{{0, 2.5, -60}, {}};
  World world;
  world.add_terrain(grid);
  const Car car = add_car(world, "car", start);
  bench::StockCars stock(stock_world(grid, start), world.settings().dt, bench::StockGround::mesh);
  for (int i = 0; i < 5 * 240; ++i) {
    const VehicleControls c = i < 240   ? VehicleControls{}
                              : i < 720 ? VehicleControls{3000, 0, 0.02}
                                        : VehicleControls{0, 500, -0.05};
    world.set_controls(car.vehicle, c);
    stock.control(0, c);
    world.step();
    stock.step();
  }
  const Vec3 end = world.pose(car.body).p;
  CHECK(end.z > -50);
  CHECK(residual("own against stock, meters", geo::length(end - stock.position(0))) < 0.1);  // 0.04 in 50 m
}

TEST_CASE("a car rests on a box as on the ground, and drives off it") {
  for (const bool roof : {false, true}) {
    World world;
    world.add_terrain(test::flat_ground());
    BodySettings plate;
    plate.name = "plate";
    plate.kind = BodyKind::fixed;
    plate.parts = {{Box{{10, 2, 10}}, {}}};
    plate.pose = {{0, roof ? 0.0 : -5, 0}, {}};
    plate.friction = 1;
    world.add_body(plate);
    const Car car = add_car(world, "car", {{0, roof ? 1.75 : 0.75, 0}, {}});
    for (int i = 0; i < 480; ++i) world.step();
    CHECK(residual("on a box", world.pose(car.body).p.y - (0.66 - 9.81 / 800 + (roof ? 1 : 0))) < 8e-10);  // 7.7e-11
    world.set_controls(car.vehicle, {1500, 0, 0});
    for (int i = 0; i < 6 * 240; ++i) world.step();
    CHECK(world.pose(car.body).p.y < 1);
    CHECK(world.pose(car.body).p.z > 10);
  }
}

TEST_CASE("a car on a moving platform is carried") {
  World world;
  world.add_terrain(test::flat_ground());
  BodySettings platform;
  platform.name = "platform";
  platform.kind = BodyKind::kinematic;
  platform.friction = 1;
  platform.parts = {{Box{{6, 0.5, 8}}, {}}};
  platform.pose = {{0, 1, 0}, {}};
  const BodyId id = world.add_body(platform);
  const Car car = add_car(world, "car", {{0, 2.0, 0}, {}});
  world.set_controls(car.vehicle, {0, 3000, 0});  // parked
  for (int i = 0; i < 480; ++i) world.step();
  const Vec3 before = world.pose(car.body).p - world.pose(id).p;
  // Speeds up at 1 m/s^2 for 2 s, sideways and ahead, and rises.
  const double dt = world.settings().dt;
  for (int i = 1; i <= 480; ++i) {
    const double t = i * dt;
    world.set_pose(id, {{0.25 * t * t, 1 + 0.1 * t * t, 0.5 * t * t}, {}});
    world.step();
    if (i == 480) {
      CHECK(residual("platform, velocity", world.linear_velocity(id).z - 2) < 0.02);       // 2.1e-3: the mean of the last step
      CHECK(residual("carried, velocity", world.linear_velocity(car.body).z - 2) < 0.03);  // 3.3e-3
    }
  }
  const Vec3 after = world.pose(car.body).p - world.pose(id).p;
  CHECK(residual("carried, slipped", geo::length(after - before)) < 0.1);  // 0.013 in 2.1 m
}

TEST_CASE("a car presses on the body under it") {
  World world;
  world.add_terrain(test::flat_ground());
  BodySettings plate;
  plate.name = "raft";
  plate.parts = {{Box{{6, 0.5, 8}}, {}}};
  plate.pose = {{0, 0.25, 0}, {}};
  plate.mass = 5000;
  plate.friction = 1;
  const BodyId raft = world.add_body(plate);
  const Car car = add_car(world, "car", {{0, 1.2, 0}, {}});
  for (int i = 0; i < 960; ++i) world.step();
  std::vector<Contact> contacts;
  world.contacts(contacts);
  double force = 0;
  for (const Contact& c : contacts)
    if (c.b == raft || c.a == raft) force += c.impulse / world.settings().dt;
  CHECK(residual("weight of car and raft, relative", force / (6400 * 9.81) - 1) < 1e-6);  // 3.1e-9
  CHECK(world.pose(car.body).p.y > 1);
}

TEST_CASE("a step too large for the springs is found before the run, and is stable all the same") {
  const auto wheels = test::thesis_wheels("drive");
  const MassProperties chassis = mass_properties(test::thesis_chassis("car", {}).parts, 1400);
  CHECK(check_step(wheels, chassis, 1.0 / 240).empty());
  const auto warnings = check_step(wheels, chassis, 1.0 / 30);
  REQUIRE(!warnings.empty());
  CHECK(warnings[0].what == "heave");
  CHECK(warnings[0].number == doctest::Approx(4 * 23.0 / 30 + 4 * 200.0 / 900 / 2));
  // Heave: 92 h + 400 h^2 = 2.
  CHECK(warnings[0].largest_dt == doctest::Approx((-92 + std::sqrt(92.0 * 92 + 3200)) / 800));
  for (const double dt : {1.0 / 30, 1.0 / 240}) {
    World world(WorldSettings{.dt = dt});
    world.add_terrain(test::flat_ground());
    const Car car = add_car(world, "car", {{0, 0.7, 0}, {}});
    double least = 1e9, most = -1e9;
    for (int i = 0; i < 10 / dt; ++i) {
      world.step();
      if (i * dt < 5) continue;
      least = std::min(least, world.pose(car.body).p.y);
      most = std::max(most, world.pose(car.body).p.y);
    }
    CHECK(most - least < 1e-9);  // but they settle at any
  }
}
