// Velocities, contacts and forces of bodies, where a trace asks for them.

#include <doctest/doctest.h>

#include <numbers>

#include "lib/sim/device/body_table.hpp"
#include "lib/sim/record/body_fields.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/recording.hpp"
#include "lib/sim/tree/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;
using geo::Vec3;

namespace {

struct Scene {
  Simulation simulation;
  BodyTable* table;
  Diagnostics problems;

  explicit Scene(Vec3 gravity = {0, -9.81, 0}) : simulation(settings(gravity)) {
    table = &simulation.add(std::make_unique<BodyTable>(simulation));
    physics::BodySettings ground;
    ground.name = "ground";
    ground.kind = physics::BodyKind::fixed;
    ground.parts.push_back({physics::Box{{50, 1, 50}}, {{0, -0.5, 0}, {}}});
    add(ground);
  }
  static SimulationSettings settings(Vec3 gravity) {
    SimulationSettings s;
    s.physics.dt = 1.0 / 240;
    s.physics.gravity = gravity;
    return s;
  }
  physics::BodyId add(const physics::BodySettings& body) {
    TreeNode* node = simulation.tree().register_child(
        std::make_unique<TreeNode>(body.name, make_type("Box", BodyTable::pose_fields())), problems);
    const physics::BodyId id = simulation.world().add_body(body);
    table->add(id, *node);
    return id;
  }
  physics::BodyId box(const std::string& name, Vec3 at, double mass, Vec3 size = {1, 1, 1}) {
    physics::BodySettings body;
    body.name = name;
    body.mass = mass;
    body.parts.push_back({physics::Box{size}, {}});
    body.pose.p = at;
    return add(body);
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) REQUIRE(simulation.step());
  }
  std::span<const double> values(std::string_view node) {
    const TreeNode* found = simulation.tree().find(node);
    REQUIRE(found != nullptr);
    return found->values();
  }
};

}  // namespace

TEST_CASE("body fields: a box at rest on another: weight in the contacts, nothing in the force, and who presses it") {
  Scene scene;
  scene.box("lower", {0, 0.5, 0}, 10);
  scene.box("upper", {0, 1.5, 0}, 4);
  add_body_fields(scene.simulation, {true, true, true}, scene.problems);
  CHECK(scene.problems.empty());
  scene.run(480);
  const auto upper = scene.values("upper.contacts"), lower = scene.values("lower.contacts");
  CHECK(upper[0] == 4);
  CHECK(upper[2] == doctest::Approx(4 * 9.81).epsilon(1e-3));
  CHECK(lower[2] == doctest::Approx(10 * 9.81).epsilon(1e-3));  // the ground's push less the upper one's weight
  CHECK(lower[0] == 8);
  std::string names[2];
  scene.simulation.tree().find("upper.contacts")->text(6, upper, names[0]);
  scene.simulation.tree().find("lower.contacts")->text(6, lower, names[1]);
  CHECK(names[0] == "lower");
  CHECK(names[1] == "ground");
  for (const double v : scene.values("upper.force")) CHECK(std::abs(v) < 0.05);
  for (const double v : scene.values("upper.velocity")) CHECK(std::abs(v) < 1e-4);
  CHECK(scene.simulation.tree().find("ground.velocity") == nullptr);
}

TEST_CASE("body fields: what falls and is pushed shows its velocity and the force on it") {
  Scene scene;
  const physics::BodyId id = scene.box("crate", {0, 30, 0}, 2, {1, 2, 3});
  add_body_fields(scene.simulation, {true, false, true}, scene.problems);
  const double inertia = 2.0 / 12 * (4 + 9);
  for (int i = 0; i < 240; ++i) {
    scene.simulation.world().apply_force(id, {0, 0, 6});
    scene.simulation.world().apply_torque(id, {3, 0, 0});
    scene.run(1);
  }
  const auto v = scene.values("crate.velocity"), f = scene.values("crate.force");
  CHECK(v[1] == doctest::Approx(-9.81));
  CHECK(v[2] == doctest::Approx(3));
  CHECK(v[3] == doctest::Approx(3 / inertia));
  CHECK(f[1] == doctest::Approx(-2 * 9.81));
  CHECK(f[2] == doctest::Approx(6));
  CHECK(f[3] == doctest::Approx(3).epsilon(1e-6));
  CHECK(std::abs(f[4]) < 1e-9);
  CHECK(scene.simulation.tree().find("crate.contacts") == nullptr);
}

TEST_CASE("body fields: looking changes neither the state hash nor what a recording holds") {
  Scene plain, watched;
  for (Scene* scene : {&plain, &watched}) scene->box("crate", {0, 3, 0}, 2);
  add_body_fields(watched.simulation, {true, true, true}, watched.problems);
  plain.run(300);
  watched.run(300);
  CHECK(plain.simulation.state_hash() == watched.simulation.state_hash());
  CHECK(tree_fingerprint(plain.simulation.tree()) == tree_fingerprint(watched.simulation.tree()));
  CHECK(recorded_nodes(watched.simulation.tree(), {}).size() == 2);
  CHECK(traced_nodes(watched.simulation.tree(), {}).size() == 5);
  CHECK(traced_nodes(watched.simulation.tree(), {"crate.f*"}).size() == 1);
}

TEST_CASE("body fields: words, and the kinds by which a trace's run is repeated") {
  BodyFields fields;
  ask_for("poses", fields);
  CHECK(!fields.any());
  ask_for("forces", fields);
  ask_for("contacts", fields);
  CHECK((fields.forces && fields.contacts && !fields.velocities));
  const BodyFields again = body_fields_of({"Box", "BodyForce", "BodyContacts"});
  CHECK((again.forces && again.contacts && !again.velocities));
}

TEST_CASE("body fields: a device that has the name already is reported") {
  Scene scene;
  scene.box("crate", {0, 3, 0}, 2);
  scene.simulation.tree().find("crate")->register_child(std::make_unique<TreeNode>("force", make_type("X", {{"v", "1", ""}})),
                                                        scene.problems);
  add_body_fields(scene.simulation, {false, false, true}, scene.problems);
  REQUIRE(!scene.problems.empty());
  CHECK(scene.problems.items().front().code == tree_code::kDuplicate.name);
}
