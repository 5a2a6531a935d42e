#include <cmath>

#include "tests/unit/lib/sim/device/rig.hpp"

using namespace simbatch;
using namespace simbatch::sim;

TEST_CASE("actuators: inputs are clamped, noise is drawn once a setting, set_data takes floats") {
  Rig rig;
  DeviceNode* drive = rig.devices->add_drive(rig.part, {"drive", {}, {}}, {}, rig.problems);
  drive->set(drive->find_input("acceleration"), 5);
  drive->set(drive->find_input("brake"), -1);
  CHECK(rig.value("r.part.drive", 0) == 1);
  CHECK(rig.value("r.part.drive", 2) == 0);
  CHECK(drive->find_input("value") == DeviceNode::npos);
  const float three[3] = {0.25f, -0.5f, 0.75f};
  CHECK(drive->set_data(three, 12) == DeviceError::none);
  CHECK(drive->set_data(three, 8) == DeviceError::data_size_mismatch);
  CHECK(rig.value("r.part.drive", 1) == -0.5);
  const float bad[3] = {std::nanf(""), 2, 0};
  CHECK(drive->set_data(bad, 12) == DeviceError::none);
  CHECK(rig.value("r.part.drive", 0) == 0.25);  // a NaN sets nothing
  const NoiseSpec noise{NoiseKind::white, 0.125, 0};
  DeviceNode* light = rig.devices->add_light(rig.part, {"light", {}, {&noise, 1}}, "LightDevice", 0.5, rig.problems);
  CHECK(rig.value("r.part.light") == 0.5);
  light->set(0, 0.25);
  CHECK(rig.value("r.part.light") == 0.375);
  rig.steps(3);
  CHECK(rig.value("r.part.light") == 0.375);
}

TEST_CASE("propeller: the lumped model gives alpha V newtons along its direction, a force and not PAL's impulse a step") {
  for (const double dt : {1.0 / 60, 1.0 / 240}) {
    CAPTURE(dt);
    Rig rig(rig_settings(dt));
    PropellerSettings settings;
    settings.direction = {0, 0, 2};
    settings.alpha = 0.5;
    settings.max_voltage = 12;
    DeviceNode* propeller = rig.devices->add_propeller(rig.part, {"p", {}, {}}, settings, rig.problems);
    propeller->set(0, 0.5);
    rig.steps(static_cast<int>(std::lround(2 / dt)));
    CHECK(rig.value("r.part.p", 1) == 6);
    CHECK(rig.value("r.part.p", 3) == 3);
    // 3 N on 2 kg for 2 s.
    CHECK(rig.simulation.world().linear_velocity(rig.part.body).z == doctest::Approx(3).epsilon(1e-9));
  }
}

TEST_CASE("propeller: dead zone, pole, and no thrust out of the water") {
  Rig rig(rig_settings(), {{0, -1, 0}, {}}, 0.0);
  PropellerSettings settings;
  settings.alpha = 1;
  settings.dead_zone = 0.1;
  settings.pole = 4;
  DeviceNode* p = rig.devices->add_propeller(rig.part, {"p", {}, {}}, settings, rig.problems);
  settings.pole.reset();
  settings.position = {0, 2, 0};
  DeviceNode* dry = rig.devices->add_propeller(rig.part, {"dry", {}, {}}, settings, rig.problems);
  p->set(0, 0.1);
  dry->set(0, 1);
  rig.steps(10);
  CHECK(rig.value("r.part.p", 1) == 0);
  CHECK(rig.value("r.part.dry", 3) == 0);
  p->set(0, 1);
  rig.steps(120);  // half a second: 1 - exp(-2)
  CHECK(rig.value("r.part.p", 1) == doctest::Approx(1 - std::exp(-2.0)).epsilon(1e-9));
}

TEST_CASE("propeller: a DC motor comes to the speed where its torque is the screw's, at any step") {
  // kt (V - kb w) / R = q w^2 with R = 0.5, kt = kb = 0.02, q = 1e-5, V = 12: w = (-b + sqrt(b^2 + 4 q a)) / (2 q).
  const double b = 0.02 * 0.02 / 0.5, a = 0.02 * 12 / 0.5, q = 1e-5;
  const double speed = (-b + std::sqrt(b * b + 4 * q * a)) / (2 * q);
  for (const double dt : {1.0 / 60, 1.0 / 1000}) {
    CAPTURE(dt);
    Rig rig(rig_settings(dt));
    PropellerSettings settings;
    settings.max_voltage = 12;
    settings.motor = PropellerSettings::Motor{0.5, 0.02, 0.02, 1e-4, q, 2e-4};
    DeviceNode* p = rig.devices->add_propeller(rig.part, {"p", {}, {}}, settings, rig.problems);
    p->set(0, -1);
    rig.steps(static_cast<int>(std::lround(10 / dt)));
    CHECK(rig.value("r.part.p", 2) == doctest::Approx(-speed).epsilon(1e-9));
    CHECK(rig.value("r.part.p", 3) == doctest::Approx(-2e-4 * speed * speed).epsilon(1e-9));
  }
}

TEST_CASE("propeller: its part turns against it, by the ratio of torque to thrust") {
  // Angular momentum about the direction after t: ratio F t. Without the element: none.
  for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240, 1.0 / 1000})
    for (const int reaction : {1, -1, 0}) {
      CAPTURE(dt);
      CAPTURE(reaction);
      Rig rig(rig_settings(dt));
      PropellerSettings settings;
      settings.direction = {0, 1, 0};
      settings.alpha = 3;
      settings.reaction = reaction;
      settings.torque_ratio = 0.02;
      rig.devices->add_propeller(rig.part, {"p", {}, {}}, settings, rig.problems)->set(0, 0.5);
      rig.steps(static_cast<int>(std::lround(2 / dt)));
      const physics::World& world = rig.simulation.world();
      const double inertia = world.mass(rig.part.body).inertia.yy;
      CHECK(inertia * world.angular_velocity(rig.part.body).y == doctest::Approx(reaction * 0.02 * 1.5 * 2).epsilon(1e-9));
    }
}

TEST_CASE("propeller: a motor's rotor and its part keep their angular momentum, but for the water's share") {
  for (const double dt : {1.0 / 60, 1.0 / 120, 1.0 / 240, 1.0 / 1000})
    for (const double q : {0.0, 1e-5}) {
      CAPTURE(dt);
      CAPTURE(q);
      Rig rig(rig_settings(dt));
      PropellerSettings settings;
      settings.direction = {0, 0, 1};
      settings.max_voltage = 12;
      settings.motor = PropellerSettings::Motor{0.5, 0.02, 0.02, 1e-4, q, 2e-4};
      settings.reaction = 1;
      rig.devices->add_propeller(rig.part, {"p", {}, {}}, settings, rig.problems)->set(0, 1);
      const physics::World& world = rig.simulation.world();
      const double inertia = world.mass(rig.part.body).inertia.zz;
      double water = 0, before = 0;
      for (int i = 0; i < std::lround(1 / dt); ++i) {
        rig.steps(1);
        const double w = rig.value("r.part.p", 2);
        water += dt * q * w * std::abs(before);  // as the motor's equation is integrated
        before = w;
      }
      // It turns clockwise, seen along z: its own momentum about z is negative in these axes.
      CHECK(inertia * world.angular_velocity(rig.part.body).z - 1e-4 * before == doctest::Approx(water).epsilon(1e-9));
      CHECK(before > 100);
    }
}

namespace {
// A car of 1400 kg on flat ground.
struct Car {
  explicit Car(double dt) : simulation(rig_settings(dt, {0, -9.81, 0})) {
    auto table = std::make_unique<BodyTable>(simulation);
    auto set = std::make_unique<DeviceSet>(simulation, *table);
    TreeNode* node = simulation.tree().register_child(
        std::make_unique<TreeNode>("car", make_type("Box", BodyTable::pose_fields())), problems);
    simulation.world().add_terrain(physics::HeightGrid{3, 3, 1000, -1000, -1000, std::vector<double>(9, 0.0)});
    physics::BodySettings body;
    body.name = "car";
    body.parts.push_back({physics::Box{{2, 1.2, 4.6}}, {}});
    body.pose.p = {0, 0.91, 0};
    body.mass = 1400;
    body.group = 0;
    const physics::BodyId id = simulation.world().add_body(body);
    PartRef part{node, table->add(id, *node), id, 0};
    drive = set->add_drive(part, {"drive", {}, {}}, {2000, 3000, 0.3}, problems);
    physics::VehicleSettings vehicle;
    vehicle.name = "car";
    std::vector<DeviceNode*> wheels;
    for (int i = 0; i < 4; ++i) {
      physics::WheelSettings wheel;
      wheel.position = {i % 2 == 0 ? -0.8 : 0.8, -0.45, i < 2 ? 1.3 : -1.3};
      wheel.powered = wheel.steered = i < 2;
      wheel.braked = true;
      vehicle.wheels.push_back(wheel);
      const std::string name = "w" + std::to_string(i);
      wheels.push_back(set->add_wheel_node(part, {name, {}, {}}, problems));
    }
    set->attach_wheels(*drive, simulation.world().add_vehicle(id, vehicle), wheels);
    set->add_velocimeter(part, {"speed", {}, {}}, {0, 0, 1}, problems);
    set->add_velocimeter(part, {"climb", {}, {}}, {0, 1, 0}, problems);
    simulation.add(std::move(table));
    simulation.add(std::move(set));
  }
  double value(std::string_view name, std::size_t i = 0) { return simulation.tree().find(name)->values()[i]; }
  void run(double seconds) {
    const int n = static_cast<int>(std::lround(seconds / simulation.clock().dt));
    for (int i = 0; i < n; ++i) REQUIRE(simulation.step());
  }
  Simulation simulation;
  Diagnostics problems;
  DeviceNode* drive;
};
}  // namespace

TEST_CASE("drive: MotorForce is newtons on each powered wheel, and a car at rest reads speed 0") {
  Car car(1.0 / 240);
  car.run(1);
  CHECK(std::abs(car.value("car.climb")) < 1e-4);
  CHECK(std::abs(car.value("car.speed")) < 1e-6);
  CHECK(car.value("car.w0", 4) == 1);  // contact
  car.drive->set(0, 0.5);
  car.run(2);
  // 2 wheels x 1000 N on 1400 kg for 2 s. Residual 3e-4 of it (pitching).
  CHECK(car.value("car.speed") == doctest::Approx(2 * 1000.0 / 1400 * 2).epsilon(3e-3));
}

TEST_CASE("drive: BrakeForce is a force and not an impulse a step, and it releases") {
  double stopped_at[2];
  int i = 0;
  for (const double dt : {1.0 / 120, 1.0 / 480}) {
    Car car(dt);
    car.run(1);
    car.drive->set(0, 1);
    car.run(4);
    car.drive->set(0, 0);
    const double v = car.value("car.speed"), z = car.value("car", 2);
    car.drive->set(2, 1);
    car.run(4);
    CHECK(std::abs(car.value("car.speed")) < 1e-3);
    stopped_at[i] = car.value("car", 2) - z;
    // v^2 / 2a with 4 x 3000 N on 1400 kg. Residual 1 %: the last step's speed is v - k dt.
    CHECK(stopped_at[i] == doctest::Approx(v * v / (2 * 4 * 3000 / 1400.0)).epsilon(0.03));
    ++i;
    // PAL's brake was never released.
    car.drive->set(2, 0);
    car.drive->set(0, 1);
    car.run(1);
    CHECK(car.value("car.speed") > 1);
  }
  CHECK(stopped_at[0] == doctest::Approx(stopped_at[1]).epsilon(0.03));
}

TEST_CASE("drive: positive steering turns the nose to the right (+x)") {
  Car car(1.0 / 240);
  car.run(0.5);
  car.drive->set(0, 0.5);
  car.drive->set(1, 0.5);
  car.run(4);
  // 0.15 rad in the middle of the axle, its wheels on circles about one center: 2.6 m of wheelbase, 0.8 m to each side.
  CHECK(car.value("car.w0", 3) == doctest::Approx(std::atan(2.6 / (2.6 / std::tan(0.15) + 0.8))));
  CHECK(car.value("car.w1", 3) == doctest::Approx(std::atan(2.6 / (2.6 / std::tan(0.15) - 0.8))));
  CHECK(car.value("car", 0) > 0.5);
}
