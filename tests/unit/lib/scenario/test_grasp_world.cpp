#include <doctest/doctest.h>

#include <filesystem>

#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/grasp/codes.hpp"
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

TEST_CASE("build: of many graspable bodies that fall the first are named, and the rest are counted") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("cube.iv"), "#Inventor V2.1 ascii\nCube { width 40 height 40 depth 40 }\n");
  std::string text = "#GraspIt!\n";
  for (int i = 0; i < 9; ++i) text += "GraspableBody\ncube.iv\nt " + std::to_string(100 * i) + " 0 500\n\n";
  test::write_text(folder.file("w.wld"), text);
  const auto world = scenario::build_scenario(folder.file("w.wld"));
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& d : world.diagnostics.items()) lines.push_back(d.at.line);
  CHECK(lines == std::vector<std::uint32_t>{3, 7, 11, 15, 19, 23});
  test::Expected falls(world.diagnostics);
  for (int i = 0; i < 5; ++i) CHECK(falls.take(sim::grasp_code::kFalls).find("falls from the first step") != std::string::npos);
  CHECK(falls.take(sim::grasp_code::kFalls) == "\"cube_6\" and 3 more bodies fall likewise");
  text.resize(text.size() - 2 * (text.size() - text.rfind("GraspableBody")));
  test::write_text(folder.file("w.wld"), text);
  test::Expected seven(scenario::build_scenario(folder.file("w.wld")).diagnostics);
  for (int i = 0; i < 5; ++i) (void)seven.take(sim::grasp_code::kFalls);
  CHECK(seven.take(sim::grasp_code::kFalls) == "\"cube_6\" and 1 more body falls likewise");
}

TEST_CASE("build: a graspable body that nothing is below is named, and stays where a scenario has no gravity") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("cube.iv"), "#Inventor V2.1 ascii\nCube { width 40 height 40 depth 40 }\n");
  const auto cube = [](const char* kind, double x, double z) {
    return std::string(kind) + "\ncube.iv\n" + (kind[0] == 'O' ? "wood\n" : "") + "t " + std::to_string(x) + " 0 " +
           std::to_string(z) + "\n\n";
  };
  // On an obstacle, and 1 mm in it; over its edge; on another body; in the air beside.
  test::write_text(folder.file("w.wld"), "#GraspIt!\n" + cube("Obstacle", 0, 0) + cube("GraspableBody", 0, 39) +
                                             cube("Obstacle", 100, 0) + cube("GraspableBody", 125, 41) +
                                             cube("GraspableBody", 0, 80) + cube("GraspableBody", 300, 500));
  const auto world = scenario::build_scenario(folder.file("w.wld"));
  test::Expected falls(world.diagnostics);
  REQUIRE(!world.diagnostics.empty());
  CHECK(world.diagnostics.items()[0].at == Position{25, 1});
  CHECK(falls.take(sim::grasp_code::kFalls).find("\"cube_6\" falls from the first step") != std::string::npos);
  const auto floating = scenario::build_scenario(folder.file("w.wld"), {.gravity = std::array{0.0, 0.0, 0.0}});
  test::Expected nothing(floating.diagnostics);
  REQUIRE(floating.value);
  for (int i = 0; i < 300; ++i) REQUIRE(floating.value->simulation->step());
  CHECK(floating.value->simulation->tree().find("cube_6")->values()[1] == doctest::Approx(0.5).epsilon(1e-9));
  const auto with_gravity = [&](const char* gravity) {
    test::write_text(folder.file("s.xml"),
                     "<World name=\"w\"><Physics><Engine name=\"e\"><StepSize value=\"0.002\"/><Gravity x=\"0\" y=\"" +
                         std::string(gravity) +
                         "\" z=\"0\"/></Engine></Physics><Terrain><Plane name=\"p\"><Height value=\"-10\"/></Plane></Terrain>"
                         "<Objects>\n<GraspWorld name=\"g\" file=\"w.wld\"/></Objects></World>");
    return scenario::build_scenario(folder.file("s.xml"));
  };
  const auto weightless = with_gravity("0");
  test::Expected none(weightless.diagnostics);
  REQUIRE(weightless.value);
  sim::Simulation& simulation = *weightless.value->simulation;
  simulation.start();
  const std::span<const double> body = simulation.tree().find("g.cube_6")->values();
  for (int i = 0; i < 300; ++i) REQUIRE(simulation.step());
  CHECK(body[1] == doctest::Approx(0.5).epsilon(1e-9));
  // A floor far below carries it in the end.
  const auto floor = with_gravity("-9.81");
  test::Expected carried(floor.diagnostics);
}

namespace {

// A folder `in` for the scenario, beside a text file and a body outside of it.
struct Confined {
  test::TemporaryFolder folder;
  Confined() {
    std::filesystem::create_directories(folder.path() / "in");
    test::write_text(folder.file("secret.txt"), "the password is swordfish\n");
    std::filesystem::copy_file("scenarios/grasp/" + body, folder.file("body.iv"));
  }
  void world(const std::string& names) {
    test::write_text(folder.file("in/w.wld"), "#GraspIt!\nGraspableBody\n" + names + "\nT (1 0 0 0)[0 0 0]\n\n");
  }
  scenario::BuildResult build(const std::string& attributes) {
    test::write_text(
        folder.file("in/s.xml"),
        "<World name=\"w\"><Terrain><Plane name=\"p\"/></Terrain><Objects>\n<GraspWorld name=\"g\" file=\"w.wld\"" +
            attributes + "/></Objects></World>");
    return scenario::build_scenario(folder.file("in/s.xml"));
  }
  const std::string body = "models/can.iv";
};

void check_silent(const scenario::BuildResult& result) {
  CHECK_FALSE(result.value);
  const std::string text = test::all_text(result.diagnostics);
  CHECK_MESSAGE(text.find("swordfish") == std::string::npos, text);
  CHECK_MESSAGE(text.find("password") == std::string::npos, text);
}

}  // namespace

TEST_CASE("build: a GraspIt! world's root is checked before any file of it is opened") {
  Confined at;
  at.world("secret.txt");
  for (const std::string& root : std::vector<std::string>{"..", "../in/..", "/", at.folder.path().string()}) {
    CAPTURE(root);
    const auto result = at.build(" root=\"" + root + "\"");
    check_silent(result);
    test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kOutside, Position{2, 1});
  }
}

TEST_CASE(
    "build: a GraspIt! world reads nothing outside of its scenario's folder, neither by links nor by the search for its root") {
  Confined at;
  at.world("secret.txt");  // the search for a root would find it one folder up
  check_silent(at.build(""));
  std::filesystem::create_symlink("../secret.txt", at.folder.path() / "in/linked.iv");
  at.world("linked.iv");
  const auto linked = at.build("");
  check_silent(linked);
  test::Expected expected(linked.diagnostics);
  expected.take(scenario::code::kOutside, Position{2, 1});
}

TEST_CASE("build: a GraspIt! world by itself reads its own folder, or the one that an option names") {
  Confined at;
  const std::string file = at.folder.file("in/w.wld"), above = at.folder.path().string();
  at.world("secret.txt");
  check_silent(scenario::build_scenario(file));
  at.world("body.iv");
  const auto alone = scenario::build_scenario(file);
  CHECK_FALSE(alone.value);
  CHECK(test::all_text(alone.diagnostics).find("permit it with --graspit-root " + above) != std::string::npos);
  CHECK(scenario::build_scenario(file, {.graspit_root = above}).value);
  CHECK(scenario::build_scenario(file, {.root = above}).value);
  const auto both = scenario::build_scenario(file, {.root = at.folder.file("in"), .graspit_root = above});
  test::Expected expected(both.diagnostics);
  expected.take(scenario::code::kOutside);
}
