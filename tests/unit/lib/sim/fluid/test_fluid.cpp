#include "lib/sim/fluid/fluid.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "lib/sim/device/device_set.hpp"

using namespace simbatch;
using namespace simbatch::sim;
using geo::Vec3;

namespace {
struct Tank {
  explicit Tank(std::optional<WaterBody> water, double dt = 1.0 / 240, Vec3 gravity = {0, -9.81, 0})
      : simulation([&] {
          SimulationSettings settings;
          settings.physics.dt = dt;
          settings.physics.gravity = gravity;
          return settings;
        }()) {
    auto forces = std::make_unique<FluidForces>(simulation, water);
    fluid = forces.get();
    simulation.add(std::move(forces));
  }
  physics::BodyId add(physics::Shape shape, double mass, Vec3 at, const FluidSettings& settings) {
    physics::BodySettings body;
    body.name = "body" + std::to_string(simulation.world().body_count());
    body.parts.push_back({shape, {}});
    body.mass = mass;
    body.pose.p = at;
    const std::vector<physics::Part> parts = body.parts;
    const physics::BodyId id = simulation.world().add_body(std::move(body));
    fluid->add(id, parts, settings);
    return id;
  }
  void run(double seconds) {
    const int n = static_cast<int>(std::lround(seconds / simulation.clock().dt));
    for (int i = 0; i < n; ++i) REQUIRE(simulation.step());
  }
  Simulation simulation;
  FluidForces* fluid = nullptr;
};
}  // namespace

TEST_CASE("fluid: a body driven by a propeller comes to the speed where drag is its thrust") {
  for (const auto& drags : {std::pair{5.0, 0.0}, {0.0, 20.0}, {5.0, 20.0}}) {
    const double linear = drags.first, quadratic = drags.second;
    CAPTURE(linear);
    CAPTURE(quadratic);
    Tank tank(WaterBody{0, 1025, {0, 0, 0}}, 1.0 / 240, {0, 0, 0});
    FluidSettings settings;
    settings.linear_drag = {0, 0, linear};
    settings.quadratic_drag = {0, 0, quadratic};
    auto table = std::make_unique<BodyTable>(tank.simulation);
    auto devices = std::make_unique<DeviceSet>(tank.simulation, *table, 0.0);
    Diagnostics problems;
    TreeNode* node = tank.simulation.tree().register_child(
        std::make_unique<TreeNode>("boat", make_type("Box", BodyTable::pose_fields())), problems);
    const physics::BodyId body = tank.add(physics::Box{{0.4, 0.4, 1.5}}, 30, {0, -5, 0}, settings);
    PropellerSettings screw;
    screw.alpha = 2;
    screw.max_voltage = 12;
    devices->add_propeller({node, table->add(body, *node), body, 0}, {"p", {}, {}}, screw, problems)->set(0, 1);
    tank.simulation.add(std::move(table));
    tank.simulation.add(std::move(devices));
    tank.run(180);
    // 24 = l v + q v^2; residual below 1e-10 after 180 s.
    const double expected =
        quadratic == 0 ? 24 / linear : (-linear + std::sqrt(linear * linear + 4 * quadratic * 24)) / (2 * quadratic);
    CHECK(tank.simulation.world().linear_velocity(body).z == doctest::Approx(expected).epsilon(1e-9));
  }
}

TEST_CASE("fluid: the speed of a fall with quadratic drag is the closed form's") {
  Tank tank(std::nullopt, 1.0 / 1000);
  FluidSettings settings;
  settings.quadratic_drag = {0.25, 0.25, 0.25};
  const physics::BodyId body = tank.add(physics::Sphere{0.1}, 2, {0, 100, 0}, settings);
  tank.run(3);
  const double terminal = std::sqrt(2 * 9.81 / 0.25);
  // v = vt tanh(g t / vt). Residual 5e-4 relative at dt = 1 ms (first order).
  CHECK(-tank.simulation.world().linear_velocity(body).y ==
        doctest::Approx(terminal * std::tanh(9.81 * 3 / terminal)).epsilon(2e-3));
}

TEST_CASE("fluid: a floating box sinks in by its share of the water's density, upright and lying still") {
  Tank tank(WaterBody{2, 1000, {0, 0, 0}});
  FluidSettings settings;
  settings.linear_drag = {200, 4000, 200};
  settings.angular_linear_drag = {50, 50, 50};
  const physics::BodyId body = tank.add(physics::Box{{2, 0.5, 3}}, 900, {0, 2.2, 0}, settings);  // 300 kg/m^3
  tank.run(30);
  // 0.3 of 0.5 m under water: the middle at 2 + 0.25 - 0.15. Residual 1e-6.
  CHECK(tank.simulation.world().pose(body).p.y == doctest::Approx(2.1).epsilon(1e-4));
  CHECK(std::abs(tank.simulation.world().linear_velocity(body).y) < 1e-4);
}

TEST_CASE("fluid: buoyancy wholly under water is the weight of the displaced water, at its center") {
  using std::numbers::pi;
  for (const physics::Shape& shape :
       {physics::Shape{physics::Box{{1, 2, 0.5}}}, physics::Shape{physics::Sphere{0.4}},
        physics::Shape{physics::Capsule{0.3, 1.0}}, physics::Shape{physics::Cylinder{0.3, 1.0}}}) {
    Tank tank(WaterBody{0, 1000, {0, 0, 0}});
    FluidSettings settings;
    const physics::BodyId body = tank.add(shape, 500, {0, -50, 0}, settings);
    const double displaced = std::visit(
        [](const auto& s) -> double {
          using S = std::decay_t<decltype(s)>;
          if constexpr (std::is_same_v<S, physics::Box>) return s.size.x * s.size.y * s.size.z;
          if constexpr (std::is_same_v<S, physics::Sphere>) return 4.0 / 3 * pi * std::pow(s.radius, 3);
          if constexpr (std::is_same_v<S, physics::Capsule>)
            return pi * s.radius * s.radius * s.length + 4.0 / 3 * pi * std::pow(s.radius, 3);
          if constexpr (std::is_same_v<S, physics::Cylinder>) return pi * s.radius * s.radius * s.length;
          return 0;
        },
        shape);
    tank.run(1.0 / 240);
    const double acceleration = (1000 * displaced / 500 - 1) * 9.81;
    CHECK(tank.simulation.world().linear_velocity(body).y == doctest::Approx(acceleration / 240).epsilon(1e-9));
  }
}

TEST_CASE("fluid: a current carries what is in the water") {
  Tank tank(WaterBody{0, 1000, {0.5, 0, -0.25}}, 1.0 / 240, {0, 0, 0});
  FluidSettings settings;
  settings.linear_drag = {40, 40, 40};
  const physics::BodyId in = tank.add(physics::Sphere{0.2}, 10, {0, -3, 0}, settings);
  const physics::BodyId above = tank.add(physics::Sphere{0.2}, 10, {0, 3, 0}, settings);
  tank.run(10);
  CHECK(tank.simulation.world().linear_velocity(in).x == doctest::Approx(0.5));
  CHECK(tank.simulation.world().linear_velocity(in).z == doctest::Approx(-0.25));
  CHECK(geo::length(tank.simulation.world().linear_velocity(above)) == 0);
}

TEST_CASE("fluid: a body whose center of buoyancy is above its middle rights itself") {
  Tank tank(WaterBody{0, 1000, {0, 0, 0}});
  FluidSettings settings;
  settings.volume = 0.1;
  settings.center_of_buoyancy = Vec3{0, 0.1, 0};
  settings.angular_linear_drag = {20, 20, 20};
  settings.linear_drag = {100, 100, 100};
  const physics::BodyId body = tank.add(physics::Box{{0.5, 0.5, 0.5}}, 100, {0, -5, 0}, settings);
  tank.simulation.world().set_pose(body, {{0, -5, 0}, geo::rotation({0, 0, 1}, 1.0)});
  tank.run(60);
  CHECK((tank.simulation.world().pose(body).q * Vec3{0, 1, 0}).y == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("fluid: a sphere with its added mass rises by (rho V - m) g / (m + rho V / 2), and is pushed as m + A") {
  const double r = 0.3, volume = 4.0 / 3 * std::numbers::pi * r * r * r, mass = 40, density = 1000;
  for (const double dt : {1.0 / 60, 1.0 / 1000}) {
    CAPTURE(dt);
    Tank tank(WaterBody{0, density, {0, 0, 0}}, dt);
    FluidSettings settings;
    settings.added_mass = {density * volume / 2, density * volume / 2, density * volume / 2};
    const physics::BodyId id = tank.add(physics::Sphere{r}, mass, {0, -50, 0}, settings);
    tank.run(1);
    const double a = (density * volume - mass) * 9.81 / (mass + density * volume / 2);
    CHECK(tank.simulation.world().center_velocity(id).y == doctest::Approx(a).epsilon(1e-9));
  }
  Tank tank(WaterBody{0, density, {0, 0, 0.5}}, 1.0 / 240, {0, 0, 0});
  FluidSettings settings;
  settings.added_mass = {10, 20, 60};
  settings.added_inertia = {1, 2, 3};
  const physics::BodyId id = tank.add(physics::Box{{1, 1, 1}}, mass, {0, -50, 0}, settings);
  for (int i = 0; i < 240; ++i) {
    tank.simulation.world().apply_force(id, {0, 0, 50});
    REQUIRE(tank.simulation.step());
  }
  CHECK(tank.simulation.world().center_velocity(id).z == doctest::Approx(50.0 / 100).epsilon(1e-9));
  // Without drag a current carries nothing, and along an axis it turns nothing.
  CHECK(std::abs(tank.simulation.world().center_velocity(id).x) < 1e-12);
}

TEST_CASE("fluid: a raft with an added mass heaves with the period of m + A, and one in the air is not heavier") {
  const double mass = 200, added = 300, density = 1000, dt = 1.0 / 1000;
  Tank tank(WaterBody{0, density, {0, 0, 0}}, dt);
  FluidSettings settings;
  settings.added_mass = {0, added, 0};
  const physics::BodyId raft = tank.add(physics::Box{{1, 0.6, 1}}, mass, {0, 0.11, 0}, settings);  // floats at 0.1
  const physics::BodyId ball = tank.add(physics::Sphere{0.3}, mass, {5, 20, 0}, settings);
  const double period = 2 * std::numbers::pi * std::sqrt((mass + added) / (density * 9.81));
  int turns = 0;
  double last = 0, first_at = 0, last_at = 0;
  for (int i = 0; i < 5000; ++i) {
    REQUIRE(tank.simulation.step());
    if (i == 500) CHECK(tank.simulation.world().center_velocity(ball).y == doctest::Approx(-9.81 * 501 * dt));
    const double y = tank.simulation.world().pose(raft).p.y - 0.1;
    if (last > 0 && y <= 0) {
      last_at = i * dt;
      if (turns++ == 0) first_at = last_at;
    }
    last = y;
  }
  REQUIRE(turns >= 3);
  // Above its rest the share of the added mass is a little below 1.
  CHECK((last_at - first_at) / (turns - 1) == doctest::Approx(period).epsilon(0.02));
}

TEST_CASE("fluid: a body without drag keeps Kirchhoff's energy, the better the smaller the step") {
  const Vec3 added{10, 80, 30}, added_inertia{4, 1, 6};
  const double mass = 50;
  const auto drift = [&](double dt) {
    Tank tank(WaterBody{0, 1000, {0, 0, 0}}, dt, {0, 0, 0});
    FluidSettings settings;
    settings.added_mass = added;
    settings.added_inertia = added_inertia;
    const physics::BodyId id = tank.add(physics::Box{{0.5, 0.4, 1.2}}, mass, {0, -100, 0}, settings);
    physics::World& world = tank.simulation.world();
    world.set_velocity(id, {0.3, -0.2, 1}, {0.4, 1.0, -0.3});
    const physics::Inertia inertia = world.mass(id).inertia;
    const auto energy = [&] {
      const geo::Quat to_body = inverse(world.pose(id).q);
      const Vec3 u = to_body * world.center_velocity(id), w = to_body * world.angular_velocity(id);
      return 0.5 * ((mass + added.x) * u.x * u.x + (mass + added.y) * u.y * u.y + (mass + added.z) * u.z * u.z +
                    (inertia.xx + added_inertia.x) * w.x * w.x + (inertia.yy + added_inertia.y) * w.y * w.y +
                    (inertia.zz + added_inertia.z) * w.z * w.z);
    };
    const double before = energy();
    tank.run(5);
    return std::abs(energy() / before - 1);
  };
  const double coarse = drift(1.0 / 60), fine = drift(1.0 / 240), finest = drift(1.0 / 960);
  CAPTURE(coarse);
  CAPTURE(fine);
  CAPTURE(finest);
  CHECK(finest < 0.01);
  CHECK(finest < fine);
  CHECK(fine < coarse);
}
