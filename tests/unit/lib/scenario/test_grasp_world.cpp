#include <doctest/doctest.h>

#include "lib/scenario/build.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

TEST_CASE("build: a GraspIt! world runs by itself and inside of a scenario, with every file noted") {
  for (const char* file : {"scenarios/grasp/world.wld", "scenarios/grasp/scenario.xml"}) {
    CAPTURE(file);
    auto built = scenario::build_scenario(file);
    CAPTURE(test::all_text(built.diagnostics));
    REQUIRE(built.value.has_value());
    CHECK(built.value->inputs.size() >= 8);
    sim::Simulation& simulation = *built.value->simulation;
    for (int i = 0; i < 100; ++i) REQUIRE(simulation.step());
    const bool inside = std::string_view(file).ends_with(".xml");
    CHECK(simulation.tree().find(inside ? "cell.can" : "can") != nullptr);
    CHECK(simulation.tree().find(inside ? "cell.gripper.chain2_link2" : "gripper.chain2_link2") != nullptr);
    CHECK(simulation.tree().find(inside ? "cell.contacts" : "contacts") != nullptr);
  }
}

TEST_CASE("build: a scenario's GraspIt! world is read back as it was written, and what is wrong with it is told") {
  test::TemporaryFolder folder;
  test::write_text(
      folder.file("s.xml"),
      "<World name=\"w\"><Terrain><Plane name=\"p\"/></Terrain><Objects><GraspWorld name=\"g\" file=\"a.wld\"/></Objects></World>");
  auto missing = scenario::build_scenario(folder.file("s.xml"));
  CHECK(!missing.value.has_value());
  test::write_text(folder.file("a.wld"), "#GraspIt!\nObstacle\nabsent.iv\nwood\nt 0 0 0\n\n");
  auto broken = scenario::build_scenario(folder.file("s.xml"));
  CHECK(!broken.value.has_value());
  bool told = false;
  for (const Diagnostic& d : broken.diagnostics.items()) told = told || d.code == "graspit-file-missing";
  CHECK(told);
}
