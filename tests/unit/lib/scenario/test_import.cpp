// URDF and SDF files as scenarios, and as robots of scenarios.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "lib/robots/codes.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/simulation.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr const char* kInertial =
    "<inertial><mass value='2'/><inertia ixx='0.2' ixy='0' ixz='0' iyy='0.2' iyz='0' izz='0.2'/></inertial>";
constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

struct Imported {
  test::TemporaryFolder folder;
  scenario::BuildResult result;
  explicit Imported(const std::string& file, const std::string& text, scenario::BuildOptions options = {}) {
    test::write_text(folder.file(file), text);
    result = scenario::build_scenario(folder.file(file), options);
  }
  sim::Simulation& simulation() {
    REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
    return *result.value->simulation;
  }
  std::span<const double> values(std::string_view name) {
    const sim::TreeNode* node = simulation().tree().find(name);
    REQUIRE_MESSAGE(node != nullptr, name);
    return node->values();
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) REQUIRE(simulation().step());
  }
};

std::string pendulum(const std::string& collision) {
  return std::string("<robot name='pendulum'><link name='world'/><link name='rod'>") +
         "<inertial><origin xyz='0 0 -1'/><mass value='2'/><inertia ixx='0.2' ixy='0' ixz='0' iyy='0.2' iyz='0' izz='0.2'/>"
         "</inertial>" +
         collision +
         "</link><joint name='hinge' type='continuous'><origin xyz='0 0 5'/><parent link='world'/><child link='rod'/>"
         "<axis xyz='1 0 0'/><limit effort='100' velocity='0'/></joint></robot>";
}

}  // namespace

TEST_CASE("import: a URDF pendulum swings as its inertia says") {
  Imported imported("pendulum.urdf", pendulum(""));
  auto* hinge = dynamic_cast<sim::DeviceNode*>(imported.simulation().tree().find("pendulum.hinge"));
  REQUIRE(hinge != nullptr);
  // At first it accelerates by 6 N m / (0.2 + 2 * 1 * 1) kg m^2.
  hinge->set(0, 6);
  imported.run(50);
  const double angle = imported.values("pendulum.hinge")[3];
  CHECK(std::abs(angle - 0.5 * 6 / 2.2 * 0.05 * 0.05) < 1e-4);
}

TEST_CASE("import: a continuous URDF joint without a limit is driven") {
  std::string text = pendulum("");
  const std::string limit = "<limit effort='100' velocity='0'/>";
  text.erase(text.find(limit), limit.size());
  Imported imported("pendulum.urdf", text);
  auto* hinge = dynamic_cast<sim::DeviceNode*>(imported.simulation().tree().find("pendulum.hinge"));
  REQUIRE(hinge != nullptr);
  REQUIRE(hinge->find_input("target") == 0);
  hinge->set(0, 6);
  imported.run(50);
  CHECK(std::abs(imported.values("pendulum.hinge")[3] - 0.5 * 6 / 2.2 * 0.05 * 0.05) < 1e-4);
}

TEST_CASE("import: a robot without a fixed base stands on the ground") {
  Imported imported("box.urdf", std::string("<robot name='box'><link name='body'>") + kInertial +
                                    "<collision><geometry><box size='1 2 3'/></geometry></collision></link></robot>");
  imported.run(1);
  CHECK(std::abs(imported.values("box.body")[1] - 1.5) < 1e-4);  // z up is y up
  imported.run(200);
  CHECK(std::abs(imported.values("box.body")[1] - 1.5) < 0.02);
}

TEST_CASE("import: an SDF world falls, and meets its ground") {
  Imported imported(
      "w.sdf",
      "<sdf version='1.9'><world name='w'><physics name='p' type='ode'><max_step_size>0.002</max_step_size></physics>"
      "<model name='ground'><static>true</static><pose>0 0 1 0 0 0</pose><link name='l'><collision name='c'><geometry>"
      "<plane><normal>0 0 1</normal></plane></geometry></collision></link></model>"
      "<model name='ball'><pose>3 4 5 0 0 0</pose><link name='l'><inertial><mass>1</mass></inertial><collision name='c'>"
      "<geometry><sphere><radius>0.5</radius></sphere></geometry></collision></link></model></world></sdf>");
  CHECK(imported.simulation().settings().physics.dt == 0.002);
  imported.run(1);
  const auto before = imported.values("ball.l");
  CHECK(std::abs(before[0] - 3) < 1e-4);
  CHECK(std::abs(before[1] - 5) < 1e-4);
  CHECK(std::abs(before[2] - 4) < 1e-4);
  imported.run(1500);
  CHECK(std::abs(imported.values("ball.l")[1] - 1.5) < 0.02);
}

TEST_CASE("import: meshes beside the file, in packages above it, and nowhere") {
  const std::string mesh = "<collision><geometry><mesh filename='package://arm/meshes/t.obj'/></geometry></collision>";
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "arm/urdf");
  std::filesystem::create_directories(folder.path() / "arm/meshes");
  test::write_text(folder.file("arm/meshes/t.obj"), kTetrahedron);
  test::write_text(folder.file("arm/urdf/arm.urdf"), pendulum(mesh));
  scenario::BuildOptions options;
  options.root = folder.file("arm");
  auto inside = scenario::build_scenario(folder.file("arm/urdf/arm.urdf"), options);
  CHECK_MESSAGE(inside.diagnostics.empty(), test::all_text(inside.diagnostics));
  CHECK(inside.value);
  CHECK(inside.value->inputs.size() == 2);
  {
    auto outside = scenario::build_scenario(folder.file("arm/urdf/arm.urdf"));
    CHECK(outside.value);
    test::Expected expected(std::move(outside.diagnostics));
    CHECK(expected.take(robots::code::kMesh).find("--root") != std::string::npos);
  }
  {
    Imported none("p.urdf", pendulum("<collision><geometry><mesh filename='no.stl'/></geometry></collision>"
                                     "<collision><geometry><mesh filename='no.dae'/></geometry></collision>"));
    CHECK(none.result.value);
    test::Expected expected(std::move(none.result.diagnostics));
    expected.take(robots::code::kMesh);
    expected.take(robots::code::kMesh);
  }
}

TEST_CASE("import: a scenario takes URDF and SDF robots, with its own places") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("p.urdf"), pendulum(""));
  test::write_text(folder.file("m.sdf"),
                   "<sdf version='1.9'><model name='m'><link name='l'><collision name='c'><geometry><box>"
                   "<size>1 1 1</size></box></geometry></collision></link></model></sdf>");
  test::write_text(folder.file("world.xml"),
                   "<World name='w'><Terrain><Plane name='g'/></Terrain><Objects>"
                   "<Robot name='p1' file='p.urdf'><Position x='5' y='0' z='0'/></Robot>"
                   "<Robot name='p2' file='p.urdf'><Position x='9' y='0' z='0'/></Robot>"
                   "<Robot name='m1' file='m.sdf'><Position x='20' z='0'/></Robot></Objects></World>");
  auto built = scenario::build_scenario(folder.file("world.xml"));
  REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
  REQUIRE(built.value->simulation->step());
  const sim::SimulationTree& tree = built.value->simulation->tree();
  CHECK(std::abs(tree.find("p1.rod")->values()[0] - 5) < 1e-4);
  CHECK(std::abs(tree.find("p2.rod")->values()[0] - 9) < 1e-4);
  CHECK(std::abs(tree.find("m1.l")->values()[1] - 0.5) < 1e-3);
}

TEST_CASE("import: a file without a robot, or with several, cannot be the robot of a scenario") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("m.sdf"), "<sdf version='1.9'><world name='w'/></sdf>");
  test::write_text(folder.file("world.xml"),
                   "<World name='w'><Objects><Robot name='m' file='m.sdf'><Position x='5' z='0' y='0'/>"
                   "</Robot></Objects></World>");
  auto built = scenario::build_scenario(folder.file("world.xml"));
  CHECK_FALSE(built.value);
  test::Expected expected(std::move(built.diagnostics));
  expected.take(robots::code::kEmpty);
}

TEST_CASE("import: models that an SDF world includes, and those that are not there") {
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "crate");
  test::write_text(folder.file("crate/model.sdf"),
                   "<sdf version='1.9'><model name='crate'><link name='l'><collision name='c'><geometry>"
                   "<box><size>1 1 1</size></box></geometry></collision></link></model></sdf>");
  test::write_text(
      folder.file("w.sdf"),
      "<sdf version='1.9'><world name='w'><include><uri>model://crate</uri><name>a</name><pose>1 2 3 0 0 0</pose></include>"
      "<include><uri>crate</uri><name>b</name></include><include><uri>nothing</uri></include>"
      "<include><uri>https://example.org/x</uri></include></world></sdf>");
  auto built = scenario::build_scenario(folder.file("w.sdf"));
  REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
  REQUIRE(built.value->simulation->step());
  CHECK(std::abs(built.value->simulation->tree().find("a.l")->values()[1] - 3) < 1e-4);
  CHECK(built.value->simulation->tree().find("b.l") != nullptr);
  test::Expected expected(std::move(built.diagnostics));
  expected.take(robots::code::kInclude);
  expected.take(robots::code::kInclude);
}
