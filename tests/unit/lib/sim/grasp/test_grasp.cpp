// Bodies come to rest, slide where their materials say so, and are held by a hand.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "lib/sim/grasp/codes.hpp"
#include "lib/sim/grasp/grasp.hpp"
#include "lib/sim/grasp/range.hpp"
#include "lib/sim/physics/articulation.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::sim;

namespace {

struct Run {
  test::TemporaryFolder folder;
  std::unique_ptr<Simulation> simulation;
  Run() { std::filesystem::create_directories(folder.path() / "models"); }
  void body(std::string_view name, std::string_view header, std::string_view shape) {
    test::write_text(folder.file("models/" + std::string(name)),
                     "#Inventor V2.1 ascii\n" + std::string(header) + "\n" + std::string(shape) + "\n");
  }
  void start(std::string_view world) {
    test::write_text(folder.file("w.wld"), "#GraspIt! version 2.0 beta\n" + std::string(world));
    load(folder.file("w.wld"));
  }
  void load(const std::string& file) {
    const auto world = grasp::load_world(file, {});
    CAPTURE(test::all_text(world.diagnostics));
    REQUIRE(world.ok());
    SimulationSettings settings;
    settings.physics.dt = 0.002;
    settings.physics.solver_iterations = 50;
    settings.physics.friction_directions = 2;
    simulation = std::make_unique<Simulation>(settings);
    Diagnostics problems;
    add_grasp_world(*simulation, *world.value, {}, problems);
    CHECK(test::all_text(problems).empty());
  }
  void seconds(double s) {
    for (int i = 0; i < static_cast<int>(s / 0.002 + 0.5); ++i) REQUIRE(simulation->step());
  }
  geo::Vec3 position(std::string_view name) {
    const physics::BodyId id = simulation->world().find_body(name);
    REQUIRE(id != physics::kNoBody);
    return simulation->world().pose(id).p;
  }
};

}  // namespace

TEST_CASE("grasp: a dropped body comes to rest on the table, within 1 mm of its support, with its mass") {
  Run run;
  run.body("table.iv", "#material wood",
           "Separator { Translation { translation 0 0 -20 } Cube { width 500 height 500 depth 40 } }");
  run.body("box.iv", "#material plastic\n#mass 250", "Cube { width 60 height 40 depth 30 }");
  run.body("ball.iv", "#material rubber\n#mass 90",
           "Separator { Translation { translation 0 0 5 } Cube { width 20 height 20 depth 20 } }");
  run.start(
      "Obstacle\nmodels/table.iv\nwood\nT (1 0 0 0)[0 0 0]\n\nGraspableBody\nmodels/box.iv\nT (0.9998 0.0175 0.01 0)[10 20 60]\n\n"
      "GraspableBody\nmodels/ball.iv\nt 120 -50 30\n\n");
  CHECK(run.simulation->world().mass(run.simulation->world().find_body("box")).mass == doctest::Approx(0.25));
  run.seconds(2);
  // y of W is up: z of GraspIt!.
  CHECK(std::abs(run.position("box").y - 0.015) < 0.001);
  CHECK(std::abs(run.position("ball").y - 0.005) < 0.001);
  CHECK(std::abs(run.position("ball").x - 0.12) < 0.001);
  CHECK(std::abs(run.position("ball").z + 0.05) < 0.001);
}

TEST_CASE("grasp: sliding starts at the slope that the pair of materials implies") {
  struct Row {
    const char* body;
    const char* slope;
    double friction;
  };
  for (const Row& row :
       {Row{"plastic", "metal", 0.2}, Row{"wood", "wood", 0.4}, Row{"stone", "wood", 0.6}, Row{"frictionless", "rubber", 0}}) {
    for (const double off : {-1.5, 1.5}) {
      const double degrees = std::atan(row.friction) * 180 / 3.141592653589793 + off;
      if (degrees < 0) continue;
      CAPTURE(row.body);
      CAPTURE(degrees);
      Run run;
      run.body("slope.iv", "#material " + std::string(row.slope), "Cube { width 2000 height 500 depth 40 }");
      run.body("box.iv", "#material " + std::string(row.body) + "\n#mass 200", "Cube { width 60 height 60 depth 20 }");
      const std::string turn = "r " + std::to_string(degrees) + " y\n";
      run.start("Obstacle\nmodels/slope.iv\nwood\n" + turn + "\nGraspableBody\nmodels/box.iv\n" + turn + "t 0 0 30.05\n\n");
      run.seconds(0.2);
      const double before = run.position("box").x;
      run.seconds(1);
      const double moved = run.position("box").x - before;
      if (off < 0)
        CHECK(std::abs(moved) < 0.0005);
      else
        CHECK(moved > 0.005);
    }
  }
}

TEST_CASE("grasp: the hand of the scenario lifts its object and holds it for 5 s; the same hash twice") {
  std::uint64_t hash = 0;
  for (int again = 0; again < 2; ++again) {
    Run run;
    run.load("scenarios/grasp/world.wld");
    run.seconds(0.4);
    CHECK(std::abs(run.position("can").y - 0.040) < 0.001);
    run.seconds(6.1);  // closed and lifted by 100 mm
    const geo::Vec3 lifted = run.position("can");
    CHECK(lifted.y > 0.110);
    run.seconds(again == 0 ? 5 : 0.1);
    if (again == 0) {
      CHECK(run.position("can").y > lifted.y - 0.005);
      CHECK(geo::length(run.position("can") - lifted) < 0.01);
    }
    if (again == 0) continue;
    const std::uint64_t now = run.simulation->state_hash();
    Run third;
    third.load("scenarios/grasp/world.wld");
    third.seconds(6.6);
    CHECK(third.simulation->state_hash() == now);
    hash = now;
  }
  CHECK(hash != 0);
}

TEST_CASE("grasp: a robot with more joints than the solver is made for is refused") {
  for (const std::size_t more : {0, 1}) {
    grasp::GraspRobot hand;
    hand.file = "hand.cfg";
    hand.chains.chains.resize(2);
    hand.chains.chains[0].joints.resize(physics::kMaxArticulatedLinks - 1);
    hand.chains.chains[1].joints.resize(1 + more);
    grasp::GraspWorld world;
    world.model.robots.resize(1);
    world.robots = {std::make_shared<const grasp::GraspRobot>(std::move(hand))};
    world.dofs.resize(1);
    Diagnostics problems;
    CHECK(check_range(world, "w.wld", problems) == (more == 0));
    test::Expected expected(problems);
    if (more > 0) CHECK(expected.take(grasp_code::kRange) == "its chains have 1001 joints, expected at most 1000");
  }
}

TEST_CASE("grasp: values that a simulation cannot handle are reported, and an impossible tensor is replaced") {
  struct Row {
    const char* header;
    const char* shape;
    const char* place;
    const Code* code;
    const char* message;
  };
  const char* cube = "Cube { width 60 height 40 depth 30 }";
  const Row rows[] = {
      {"#mass 250", cube, "T (1 0 0 0)[0 0 0]", nullptr, ""},
      {"#mass 250", "Cube { width 60 height 0 depth 1e8 }", "T (1 0 0 0)[0 0 0]", &grasp_code::kRange, "farther than 1000 m"},
      {"#mass 1e-9", cube, "T (1 0 0 0)[0 0 0]", &grasp_code::kRange, "a mass of"},
      {"#mass 1e300", cube, "T (1 0 0 0)[0 0 0]", &grasp_code::kRange, "a mass of"},
      {"#cog 1e300 0 0", cube, "T (1 0 0 0)[0 0 0]", &grasp_code::kRange, "center of gravity"},
      {"#mass 250", cube, "T (1 0 0 0)[0 1e200 0]", &grasp_code::kRange, "it is farther than 100 km"},
      {"#mass 250\n#inertia_matrix\n# 100 -1e308 0\n# -1e308 100 0\n# 0 0 100", cube, "T (1 0 0 0)[0 0 0]",
       &grasp_code::kInertia, "that of the uniform solid is used"},
      {"#mass 250\n#inertia_matrix\n# 100 120 0\n# 120 100 0\n# 0 0 100", cube, "T (1 0 0 0)[0 0 0]", &grasp_code::kInertia,
       "that of the uniform solid is used"},
      {"#mass 250", "Cube { width 60 height 1e-9 depth 30 }", "T (1 0 0 0)[0 0 0]", nullptr, ""},
      {"#mass 250", "Cube { width 1e-12 height 1e-12 depth 1e5 }", "T (1 0 0 0)[0 0 0]", nullptr, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.header);
    CAPTURE(row.shape);
    Run run;
    run.body("b.iv", row.header, row.shape);
    test::write_text(run.folder.file("w.wld"),
                     std::string("#GraspIt! version 2.0 beta\nGraspableBody\nmodels/b.iv\n") + row.place + "\n\n");
    const auto world = grasp::load_world(run.folder.file("w.wld"), {});
    REQUIRE(world.value);
    Simulation simulation{SimulationSettings{}};
    Diagnostics problems;
    GraspSettings settings;
    settings.file = run.folder.file("w.wld");
    add_grasp_world(simulation, *world.value, settings, problems);
    test::Expected expected(problems);
    if (row.code != nullptr) CHECK(expected.take(*row.code).find(row.message) != std::string::npos);
    if (problems.has_errors()) continue;
    simulation.start();
    for (int i = 0; i < 5; ++i) CHECK(simulation.step());
  }
}

TEST_CASE("grasp: hands close, and arms hold the values of their DOFs") {
  for (const char* kind : {"Hand", "Barrett", "Robot", "Puma560"}) {
    CAPTURE(kind);
    Run run;
    std::filesystem::create_directories(run.folder.path() / "arm/iv");
    for (const char* name : {"arm/iv/palm.iv", "arm/iv/link.iv"})
      test::write_text(run.folder.file(name),
                       "#Inventor V2.1 ascii\n#mass 100\nSeparator { Translation { translation -50 0 0 } Cube { width 100 "
                       "height 20 depth 20 } }\n");
    test::write_text(run.folder.file("arm/arm.cfg"), std::string(kind) +
                                                         "\npalm.iv\n1\nr 1 5e+9 1e+11 1e+7 20\n1\n1\n1\nt 30 0 0\n\n"
                                                         "d0 0 100 0 -90 90\nRevolute\nlink.iv 0\n");
    run.start("Robot\narm/arm.cfg\n0.25\nT (1 0 0 0)[0 0 0]\n\n");
    run.seconds(1.5);
    const std::span<const double> dofs = run.simulation->tree().find("arm.dofs")->values();
    const bool hand = std::string_view(kind) == "Hand" || std::string_view(kind) == "Barrett";
    CHECK(dofs[0] == doctest::Approx(hand ? 1.25 : 0.25).epsilon(0.01));
    CHECK(dofs[1] == doctest::Approx(hand ? 1.25 : 0.25).epsilon(0.05));
  }
}
