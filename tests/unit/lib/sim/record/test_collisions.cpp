// What robots hit: against balls whose impact has a closed form.

#include <doctest/doctest.h>

#include <cmath>

#include "lib/sim/record/collisions.hpp"
#include "lib/sim/record/run.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

/// Balls of robots "a" and "b" (bodies a.ball, b.ball) and one of no robot ("loose"), without gravity unless a test wants it.
struct Table {
  Simulation simulation;
  Diagnostics problems;
  explicit Table(double gravity = 0) : simulation(settings(gravity)) {
    for (const char* name : {"a", "b"})
      simulation.tree().register_child(std::make_unique<TreeNode>(name, make_type("Robot", {})), problems);
    simulation.tree().register_child(std::make_unique<TreeNode>("loose", make_type("Sphere", {})), problems);
  }
  static SimulationSettings settings(double gravity) {
    SimulationSettings settings;
    settings.physics.dt = 0.005;
    settings.physics.gravity = {0, -gravity, 0};
    return settings;
  }
  void ball(const char* name, geo::Vec3 at, geo::Vec3 velocity, physics::BodyKind kind = physics::BodyKind::dynamic) {
    physics::BodySettings body;
    body.name = name;
    body.kind = kind;
    body.parts.push_back({physics::Sphere{0.5}, {}});
    body.pose.p = at;
    body.linear_velocity = velocity;
    simulation.world().add_body(body);
  }
  std::vector<trace::Collision> run(std::int64_t steps) {
    const RunOutputs outputs;
    return run_simulation(simulation, {steps, 1, 0}, outputs, [](std::int64_t) { return true; }).collisions;
  }
};

}  // namespace

TEST_CASE("collisions: two robots meet head on") {
  Table table;
  table.ball("a.ball", {0, 5, 0}, {2, 0, 0});
  table.ball("b.ball", {4, 5, 0}, {-1, 0, 0});
  const auto found = table.run(600);
  REQUIRE(found.size() == 1);
  CHECK(found[0].robot == "a.ball");
  CHECK(found[0].with == "b.ball");
  CHECK(found[0].time == doctest::Approx(1).epsilon(0.02));  // 3 m between them at 3 m/s
  CHECK(found[0].time == found[0].step * 0.005);
  CHECK(found[0].speed == doctest::Approx(3).epsilon(0.001));
  CHECK(found[0].count == 1);
  CHECK(found[0].fastest == found[0].speed);
}

TEST_CASE("collisions: only of robots, with others than themselves, and not with the ground") {
  SUBCASE("loose objects") {
    Table table;
    table.ball("loose", {0, 5, 0}, {2, 0, 0});
    table.ball("other", {2, 5, 0}, {0, 0, 0});
    CHECK(table.run(400).empty());
  }
  SUBCASE("parts of one robot") {
    Table table;
    table.ball("a.ball", {0, 5, 0}, {2, 0, 0});
    table.ball("a.arm", {2, 5, 0}, {0, 0, 0});
    CHECK(table.run(400).empty());
  }
  SUBCASE("a fall onto the ground") {
    Table table(10);
    table.simulation.world().add_plane(0);
    table.ball("a.ball", {0, 5, 0}, {0, 0, 0});
    CHECK(table.run(400).empty());
  }
  SUBCASE("a fall onto a block: 2 m at 10 m/s^2, and then at rest on it") {
    Table table(10);
    table.ball("a.ball", {0, 3, 0}, {0, 0, 0});
    table.ball("block", {0, 0, 0}, {0, 0, 0}, physics::BodyKind::fixed);
    const auto found = table.run(300);
    REQUIRE(found.size() == 1);
    CHECK(found[0].with == "block");
    CHECK(found[0].speed == doctest::Approx(std::sqrt(2 * 10 * 2.0)).epsilon(0.02));
    CHECK(found[0].count == 1);
  }
  SUBCASE("what passes") {
    Table table;
    table.ball("a.ball", {0, 5, 0}, {2, 0, 0});
    table.ball("b.ball", {2, 6.1, 0}, {0, 0, 0});
    CHECK(table.run(400).empty());
  }
}

TEST_CASE("collisions: watching changes no state") {
  const auto hash = [](bool watched) {
    Table table;
    table.ball("a.ball", {0, 5, 0}, {2, 0, 0});
    table.ball("b.ball", {4, 5, 0.3}, {-1, 0, 0});
    Collisions collisions(table.simulation);
    table.simulation.start();
    for (int i = 0; i < 300; ++i) {
      if (watched) collisions.look();
      REQUIRE(table.simulation.step());
    }
    CHECK(collisions.found().size() == (watched ? 1 : 0));
    return table.simulation.state_hash();
  };
  CHECK(hash(true) == hash(false));
}
