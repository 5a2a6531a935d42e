// MJCF files as scenarios, and as robots of scenarios.

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "lib/robots/codes.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/read_mjcf.hpp"
#include "lib/sim/simulation.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr const char* kPendulum =
    "<mujoco model='swing'><option timestep='0.001'/><worldbody><body name='rod' pos='0 0 5'><joint name='hinge' axis='1 0 0'/>"
    "<inertial pos='0 0 -1' mass='2' diaginertia='0.2 0.2 0.2'/></body></worldbody>"
    "<actuator><motor joint='hinge' gear='10' ctrlrange='-1 1'/></actuator></mujoco>";

struct Model {
  test::TemporaryFolder folder;
  scenario::BuildResult result;
  Model() = default;
  explicit Model(const std::string& text) { build(text); }
  void add(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder.file(name)).parent_path());
    test::write_text(folder.file(name), text);
  }
  void build(const std::string& text, const scenario::BuildOptions& options = {}) {
    add("m.xml", text);
    result = scenario::build_scenario(folder.file("m.xml"), options);
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
};

}  // namespace

TEST_CASE("import mjcf: a pendulum swings as its inertia says") {
  Model model(kPendulum);
  auto* hinge = dynamic_cast<sim::DeviceNode*>(model.simulation().tree().find("rod.hinge"));
  REQUIRE(hinge != nullptr);
  hinge->set(0, 6);
  for (int i = 0; i < 50; ++i) REQUIRE(model.simulation().step());
  // 6 N m / (0.2 + 2 * 1 * 1) kg m^2 over 50 ms.
  CHECK(std::abs(std::abs(model.values("rod.hinge")[3]) - 0.5 * 6 / 2.2 * 0.05 * 0.05) < 1e-4);
}

TEST_CASE("import mjcf: a servo holds a weight as far off as its stiffness says") {
  Model model(
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='lift' pos='0 0 1'><joint name='j' type='slide' damping='200'/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='4'/></body></worldbody><actuator><position joint='j' kp='1000' kv='50'/></actuator></mujoco>");
  for (int i = 0; i < 3000; ++i) REQUIRE(model.simulation().step());
  CHECK(std::abs(model.values("lift.j")[3] + 4 * 9.81 / 1000) < 1e-4);
}

TEST_CASE("import mjcf: a box falls onto the floor of its world and lies there") {
  Model model(
      "<mujoco><worldbody><geom type='plane' size='1 1 1' pos='0 0 0.5'/><body name='box' pos='1 2 1.5'><freejoint/>"
      "<geom type='box' size='0.2 0.2 0.1'/></body></worldbody></mujoco>");
  for (int i = 0; i < 1000; ++i) REQUIRE(model.simulation().step());
  CHECK(std::abs(model.values("box.box")[1] - 0.6) < 2e-3);
  CHECK(std::abs(model.values("box.box")[0] - 1) < 1e-3);
}

TEST_CASE("import mjcf: included files and meshes begin at the model's folder") {
  Model model;
  model.add(
      "parts/arm.xml",
      "<mujoco><include file='parts/geoms.xml'/><worldbody><body name='arm'><freejoint/><geom type='mesh' mesh='t'/></body></worldbody></mujoco>");
  model.add("parts/geoms.xml",
            "<mujoco><default><geom density='6'/></default><asset><mesh name='t' file='t.obj'/></asset></mujoco>");
  model.add("meshes/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  model.build("<mujoco><compiler meshdir='meshes'/><include file='parts/arm.xml'/></mujoco>");
  REQUIRE_MESSAGE(model.result.value, test::all_text(model.result.diagnostics));
  CHECK(model.result.diagnostics.warnings() == 0);
  const auto& world = model.simulation().world();
  // A sixth of a cubic meter, of 6 kg/m^3.
  CHECK(std::abs(world.mass(world.find_body("arm.arm")).mass - 1) < 1e-12);
  CHECK(std::abs(world.mass(world.find_body("arm.arm")).center.y - 0.25) < 1e-12);
  // A run depends on all of them.
  std::vector<std::string> names;
  for (const scenario::FileDigest& input : model.result.value->inputs) names.push_back(input.name);
  CHECK(names == std::vector<std::string>{"m.xml", "parts/arm.xml", "parts/geoms.xml", "meshes/t.obj"});
}

TEST_CASE("import mjcf: nothing outside of the folder is read") {
  Model model;
  model.add("secret.xml", "<mujoco><worldbody><body name='secret'/></worldbody></mujoco>");
  model.add("inner/m.xml", "<mujoco><include file='../secret.xml'/><include file='/etc/passwd'/></mujoco>");
  model.result = scenario::build_scenario(model.folder.file("inner/m.xml"));
  test::Expected found(model.result.diagnostics);
  CHECK(found.take(robots::code::kInclude).find("--root") != std::string::npos);
  CHECK(found.take(robots::code::kInclude).find("left out") != std::string::npos);
  const auto whole = scenario::read_mjcf_files(test::read_text(model.folder.file("inner/m.xml")),
                                               model.folder.file("inner/m.xml"), model.folder.path().string());
  CHECK(whole.value->world.bodies.size() == 1);
}

TEST_CASE("import mjcf: what moves in a model is the robot of a scenario") {
  Model model;
  model.add("arm.xml", kPendulum);
  model.add("floor.xml",
            std::string(kPendulum).replace(std::string(kPendulum).find("<body"), 0, "<geom type='plane' size='1 1 1'/>"));
  model.add("none.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>");
  const auto world = [](const std::string& file) {
    return "<World name='w'><Objects><Robot name='r' file='" + file +
           "'><Position x='0' y='0' z='0'/></Robot></Objects></World>";
  };
  model.build(world("arm.xml"));
  CHECK(model.values("r.rod")[1] == 0);  // the scenario says where it is
  model.build(world("floor.xml"));
  REQUIRE(model.result.value);
  test::Expected found(model.result.diagnostics);
  found.take(robots::code::kScene);
  model.build(world("none.xml"));
  CHECK_FALSE(model.result.value);
  test::Expected(model.result.diagnostics).take(robots::code::kEmpty);
}
