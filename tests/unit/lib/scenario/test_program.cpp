// User programs in scenarios: found, checked, chosen, listed among the inputs.

#include <doctest/doctest.h>

#include <filesystem>

#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/program/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::scenario;
using namespace simbatch::sim;
namespace fs = std::filesystem;

namespace {

const std::string kCar = R"(<Robot name="car">
  <Parts><Box name="part"><Position x="0" y="0" z="0"/><Size x="2" y="1" z="4"/><Mass value="1400"/></Box></Parts>
  <Devices>
    <InclinometerSensor name="sensor"><Part name="part"/><Axis x="1" y="0" z="0"/></InclinometerSensor>
    <LightDevice name="lamp"><Part name="part"/><Position x="0" y="0" z="0"/></LightDevice>
  </Devices>
</Robot>
)";

std::string robot(const std::string& name, int x, const std::string& inside) {
  return "<Robot name=\"" + name + "\" file=\"car.xml\"><Position x=\"" + std::to_string(x) + "\" z=\"0\"/>" + inside +
         "</Robot>\n";
}

// A folder with a scenario, a robot file, and the test's programs, which are built beside this test.
struct Scene {
  test::TemporaryFolder folder;
  explicit Scene(const std::string& robots) {
    test::write_text(folder.file("world.xml"),
                     "<World name=\"w\">\n<Physics><Engine name=\"e\"><StepSize value=\"0.1\"/></Engine></Physics>\n"
                     "<Terrain><Plane name=\"p\"><Height value=\"0\"/></Plane></Terrain>\n<Objects>\n" +
                         robots + "</Objects>\n</World>\n");
    test::write_text(folder.file("car.xml"), kCar);
  }
  void take(const std::string& name) {
    fs::copy_file(fs::read_symlink("/proc/self/exe").parent_path() / "programs" / (name + ".so"), folder.file(name + ".so"));
  }
  /// With permission to run what the scenario names.
  BuildResult build(BuildOptions options = {}) const {
    options.allow_programs = true;
    return build_scenario(folder.file("world.xml"), options);
  }
};

double lamp(const BuiltScenario& built, const std::string& name) {
  return built.simulation->tree().find(name + ".part.lamp")->values()[0];
}

}  // namespace

TEST_CASE("programs: a scenario's program runs, with its arguments, and is one of the inputs") {
  Scene scene(
      robot(
          "a", 0,
          "<UserProgram path=\"behave.so\" arg=\"arguments\"><Argument value=\"two words\"/><Argument value=\"\"/></UserProgram>") +
      robot("b", 9, "<UserProgram path=\"behave.so\" arg=\"forever\"/>"));
  scene.take("behave");
  const BuildResult result = scene.build();
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  CHECK(result.diagnostics.empty());
  REQUIRE(result.value->inputs.size() == 3);
  CHECK(result.value->inputs[2].name == "behave.so");
  REQUIRE(result.value->programs != nullptr);
  REQUIRE(result.value->simulation->step());
  REQUIRE(result.value->programs->ends().size() == 1);
  CHECK(result.value->programs->ends()[0].status == 0);
  CHECK(lamp(*result.value, "b") == 0);
  REQUIRE(result.value->simulation->step());
  CHECK(lamp(*result.value, "b") == 1);
}

TEST_CASE("programs: expectations see their end") {
  Scene scene(
      robot(
          "a", 0,
          "<UserProgram path=\"behave.so\" arg=\"arguments\"><Argument value=\"two words\"/><Argument value=\"\"/></UserProgram>") +
      robot("b", 9, "<UserProgram path=\"behave.so\" arg=\"forever\"/>"));
  scene.take("behave");
  const BuildResult result = scene.build();
  REQUIRE(result.value);
  Diagnostics problems;
  result.value->expectations->add("eventually ended(a); never ended(b); always on_road(a.part)", {"t", {}}, {}, 0, problems);
  CHECK(problems.errors() == 1);  // there is no road
  simbatch::sim::Simulation& simulation = *result.value->simulation;
  simulation.start();
  result.value->expectations->evaluate();
  for (int i = 0; i < 3 && simulation.step(); ++i) result.value->expectations->evaluate();
  result.value->expectations->finish();
  REQUIRE(result.value->expectations->entries().size() == 2);
  const expect::Outcome first = result.value->expectations->entries()[0].monitor.outcome();
  CHECK(first.verdict == expect::Verdict::holds);
  CHECK(first.step == 1);
  CHECK(result.value->expectations->entries()[1].monitor.outcome().verdict == expect::Verdict::holds);
}

TEST_CASE("programs: a library that only the scenario names needs permission, for any robot and in any process") {
  Scene scene(robot("a", 0, "\n<UserProgram path=\"behave.so\"/>") + robot("b", 9, "\n<UserProgram path=\"behave.so\"/>"));
  scene.take("behave");
  const std::string file = scene.folder.file("world.xml");
  for (const bool isolate : {false, true}) {
    const BuildResult refused = build_scenario(file, {.isolate = isolate});
    CHECK_FALSE(refused.value);
    test::Expected expected(refused.diagnostics);
    const std::string message = expected.take(sim::program_code::kPermission, Position{6, 1});  // once for each library
    CHECK(message.find("\"behave.so\"") != std::string::npos);
    CHECK(message.find("--allow-programs") != std::string::npos);
    CHECK(message.find("--program a=" + scene.folder.file("behave.so")) != std::string::npos);
  }
  const std::string library = scene.folder.file("behave.so");
  const BuildResult other = build_scenario(file, {.program_choices = {{"a", library}}});
  test::Expected expected(other.diagnostics);
  expected.take(sim::program_code::kPermission, Position{8, 1});  // b's, which is not chosen
  CHECK(build_scenario(file, {.program_choices = {{"?", library}}}).value);
  CHECK(build_scenario(file, {.programs = ProgramUse::check}).value);
  CHECK(build_scenario(file, {.programs = ProgramUse::ignore}).value);
}

TEST_CASE("programs: a program has the last word over the scenario's controls") {
  Scene scene(robot(
      "a", 0, "<Control time=\"0.1\" device=\"part.lamp\" value=\"0.5\"/><UserProgram path=\"behave.so\" arg=\"forever\"/>"));
  scene.take("behave");
  const BuildResult result = scene.build();
  REQUIRE(result.value);
  for (int i = 0; i < 2; ++i) REQUIRE(result.value->simulation->step());
  CHECK(lamp(*result.value, "a") == 1);
}

TEST_CASE("programs: a failure names robot, program, step, time and place") {
  Scene scene(robot("a", 0, "\n  <UserProgram path=\"behave.so\" arg=\"null\"/>"));
  scene.take("behave");
  const BuildResult result = scene.build();
  REQUIRE(result.value);
  Simulation& simulation = *result.value->simulation;
  while (simulation.step()) REQUIRE(simulation.clock().step < 10);
  REQUIRE(simulation.failure());
  CHECK(simulation.failure()->step == 2);
  CHECK(simulation.failure()->time == doctest::Approx(0.2));
  CHECK(simulation.failure()->object == "a");
  CHECK(simulation.failure()->message.starts_with("its program \"behave.so\" crashed: "));
  CHECK(simulation.failure()->source.file == scene.folder.file("world.xml"));
  CHECK(simulation.failure()->source.at.line == 6);
}

TEST_CASE("programs: a chosen library replaces the scenario's, keeps its arguments, and is listed with its robot") {
  Scene scene(robot("a", 0, "<UserProgram path=\"absent.so\" arg=\"return\"/>") + robot("b1", 9, "") + robot("b2", 18, ""));
  scene.take("behave");
  BuildOptions options;
  options.program_choices = {{"a", scene.folder.file("behave.so")}, {"b?", scene.folder.file("behave.so")}};
  const BuildResult result = scene.build(options);
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  std::vector<std::string> names;
  for (const FileDigest& file : result.value->inputs) names.push_back(file.name);
  CHECK(names == std::vector<std::string>{"world.xml", "car.xml", "a=behave.so", "b1=behave.so", "b2=behave.so"});
  REQUIRE(result.value->simulation->step());
  REQUIRE(result.value->programs->ends().size() == 1);
  CHECK(result.value->programs->ends()[0].status == 42);
}

TEST_CASE("programs: what cannot be run is reported at its position, each library once") {
  SUBCASE("a missing library, and how to make it from the source beside it") {
    Scene scene(robot("a", 0, "\n<UserProgram path=\"drive.so\"/>") + robot("b", 9, "\n<UserProgram path=\"drive.so\"/>"));
    test::write_text(scene.folder.file("drive.cpp"), "int main() {}\n");
    const BuildResult result = scene.build();
    CHECK(result.unreadable);
    CHECK(test::all_text(result.diagnostics).find("simrun compile drive.cpp -o drive.so") != std::string::npos);
    test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kFile, Position{6, 1});
    expected.drop_notes();
  }
  SUBCASE("outside the folder") {
    Scene scene(robot("a", 0, "<UserProgram path=\"../drive.so\"/>"));
    test::Expected expected(scene.build().diagnostics);
    expected.take(scenario::code::kOutside);
  }
  SUBCASE("no library, and libraries without what is needed") {
    Scene scene(
        robot("a", 0, "<UserProgram path=\"car.xml\"/><UserProgram path=\"no_main.so\"/>") +
        robot(
            "b", 9,
            "<UserProgram path=\"no_main.so\"/><UserProgram path=\"other_interface.so\"/><UserProgram path=\"missing_symbol.so\"/>") +
        robot("c", 18, "<UserProgram path=\"crash_while_loading.so\"/>"));
    for (const char* name : {"no_main", "other_interface", "missing_symbol", "crash_while_loading"}) scene.take(name);
    const BuildResult result = scene.build();
    CHECK_FALSE(result.value);
    test::Expected expected(result.diagnostics);
    CHECK(expected.take(program_code::kLibrary).find("\"car.xml\": it is not a shared library") != std::string::npos);
    CHECK(expected.take(program_code::kLibrary).find("\"no_main.so\": it has no main") != std::string::npos);
    CHECK(expected.take(program_code::kLibrary).find("undefined symbol") != std::string::npos);
    expected.take(program_code::kInterface);
    CHECK(expected.take(program_code::kCrash).ends_with(", while it was loaded"));
  }
  SUBCASE("a robot that does not exist") {
    Scene scene(robot("cart", 0, ""));
    BuildOptions options;
    options.program_choices = {{"carrt", "x.so"}};
    test::Expected expected(scene.build(options).diagnostics);
    CHECK(expected.take(program_code::kRobot) == "no robot \"carrt\" to run \"x.so\", did you mean \"cart\"?; robots: cart");
  }
}

TEST_CASE("programs: warnings about a library are given once, however many robots use it") {
  Scene scene(robot("a", 0, "<UserProgram path=\"fast.so\" arg=\"forever\"/>") +
              robot("b", 9, "<UserProgram path=\"fast.so\" arg=\"forever\"/>"));
  scene.take("fast");
  const BuildResult result = scene.build();
  REQUIRE(result.value);
  CHECK(result.diagnostics.empty());
  REQUIRE(result.value->simulation->step());
  test::Expected expected(result.value->programs->warnings());
  expected.take(program_code::kFloatMode);
}

#if defined(__GNUC__) && !defined(__clang__)
TEST_CASE("programs: a library with unique symbols is warned about, since its robots share them") {
  Scene scene(robot("a", 0, "<UserProgram path=\"unique.so\"/>") + robot("b", 9, "<UserProgram path=\"unique.so\"/>"));
  scene.take("unique");
  const BuildResult result = scene.build();
  REQUIRE(result.value);
  test::Expected expected(result.diagnostics);
  expected.take(program_code::kShared);
}
#endif

TEST_CASE("programs: checking runs nothing of a library, ignoring does not even look for it") {
  Scene scene(robot("a", 0, "<UserProgram path=\"crash_while_loading.so\"/>"));
  BuildOptions options;
  options.programs = ProgramUse::ignore;
  CHECK(scene.build(options).value);
  scene.take("crash_while_loading");
  options.programs = ProgramUse::check;
  const BuildResult checked = scene.build(options);
  REQUIRE(checked.value);
  CHECK(checked.value->inputs.size() == 3);
  CHECK(checked.value->programs == nullptr);
}

TEST_CASE("programs: a hundred robots with programs give the same states every time") {
  std::string robots;
  for (int i = 0; i < 100; ++i)
    robots += robot("r" + std::to_string(i), 3 * i, "<UserProgram path=\"behave.so\" arg=\"forever\"/>");
  Scene scene(robots);
  scene.take("behave");
  std::uint64_t first = 0;
  for (int run = 0; run < 2; ++run) {
    const BuildResult result = scene.build();
    REQUIRE(result.value);
    for (int i = 0; i < 30; ++i) REQUIRE(result.value->simulation->step());
    if (run == 0) first = result.value->simulation->state_hash();
    CHECK(result.value->simulation->state_hash() == first);
  }
}

TEST_CASE("programs: the files that a controller's command names are inputs") {
  Scene scene(robot("a", 0, ""));
  test::write_text(scene.folder.file("drive.py"), "print(1)\n");
  const auto inputs = [&](const std::string& command) {
    BuildOptions options;
    options.programs = ProgramUse::check;
    options.controllers = {{"a", command}};
    const BuildResult result = scene.build(options);
    REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
    return result.value->inputs;
  };
  const std::string command = "python3 '" + scene.folder.file("drive.py") + "' --fast";
  const auto before = inputs(command);
  REQUIRE(before.size() == 4);
  CHECK(before[2].name == "a=" + command);
  CHECK(before[3].name == "a=drive.py");
  test::write_text(scene.folder.file("drive.py"), "print(2)\n");
  const auto after = inputs(command);
  CHECK(after[2].digest == before[2].digest);
  CHECK(after[3].digest != before[3].digest);
  CHECK(inputs("python3 " + scene.folder.path().string()).size() == 3);  // a folder is none
}

TEST_CASE("programs: a pattern that fits no robot lists those there are") {
  Scene scene(robot("red", 0, "") + robot("blue", 9, ""));
  BuildOptions options;
  options.controllers = {{"zzz*", "cat"}};
  test::Expected expected(scene.build(options).diagnostics);
  CHECK(expected.take(program_code::kRobot).find("robots: blue, red") != std::string::npos);
}

TEST_CASE("programs: a library that is still to be compiled is an error only for a run") {
  const Scene scene(robot("car", 0, "<UserProgram path=\"make.so\"/>"));
  const BuildResult without_source = scene.build({.programs = ProgramUse::check});
  CHECK(without_source.diagnostics.has_errors());

  test::write_text(scene.folder.file("make.cpp"), "int main() { return 0; }");
  const BuildResult checked = scene.build({.programs = ProgramUse::check});
  CHECK(checked.diagnostics.errors() + checked.diagnostics.warnings() == 0);
  REQUIRE(checked.diagnostics.notes() == 1);
  CHECK(checked.diagnostics.items()[0].message == "make it with: simrun compile make.cpp -o make.so");
  CHECK(scene.build({.programs = ProgramUse::ignore}).diagnostics.empty());
  CHECK(scene.build().diagnostics.has_errors());

  fs::create_directory(scene.folder.file("make.so"));
  CHECK(scene.build().diagnostics.has_errors());
}
