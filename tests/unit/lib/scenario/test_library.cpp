// <Include robot=/>: robots of the installation's library.

#include "lib/scenario/library.hpp"

#include <doctest/doctest.h>

#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/simulation.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr const char* kBall =
    "<Robot name=\"ball\"><Parts><Sphere name=\"body\"><Radius value=\"0.5\"/><Mass value=\"2\"/></Sphere></Parts></Robot>";

struct Shelf {
  test::TemporaryFolder library, folder;
  Shelf() {
    test::write_text(library.file("ball.xml"), kBall);
    test::write_text(library.file("notes.txt"), "no robot");
  }
  scenario::BuildResult build(const std::string& robots, bool with_library = true) {
    const std::string text = "<World name=\"w\"><Objects>\n" + robots + "\n</Objects></World>";
    test::write_text(folder.file("w.xml"), text);
    scenario::BuildOptions how;
    if (with_library) how.library = library.path().string();
    return scenario::build_scenario(folder.file("w.xml"), how);
  }
};

std::string included(const std::string& name, const std::string& robot) {
  return "<Robot name=\"" + name + "\"><Include robot=\"" + robot + "\"/><Position x=\"" + (name == "a" ? "0" : "5") +
         "\" y=\"3\" z=\"0\"/></Robot>";
}

}  // namespace

TEST_CASE("library: robots by name, several of one, and their file among the inputs") {
  Shelf shelf;
  auto result = shelf.build(included("a", "ball") + included("b", "ball"));
  INFO(test::all_text(result.diagnostics));
  REQUIRE(result.value);
  CHECK(result.value->simulation->tree().find("a.body") != nullptr);
  CHECK(result.value->simulation->tree().find("b.body") != nullptr);
  REQUIRE(result.value->inputs.size() == 2);
  CHECK(result.value->inputs[1].name == "library:ball.xml");
  CHECK(scenario::library_robots(shelf.library.path().string()) == std::vector<std::string>{"ball"});
}

TEST_CASE("library: an Include of a path is the scenario's own file") {
  Shelf shelf;
  test::write_text(shelf.folder.file("ball.xml"), kBall);
  auto result = shelf.build(included("a", "ball.xml"));
  INFO(test::all_text(result.diagnostics));
  REQUIRE(result.value);
  CHECK(result.value->inputs[1].name == "ball.xml");
  CHECK_FALSE(shelf.build(included("a", "../ball.xml")).value);
}

TEST_CASE("library: what it does not have is reported with what it has, at the robot") {
  Shelf shelf;
  for (const bool with_library : {true, false}) {
    auto result = shelf.build(included("a", "bal"), with_library);
    CHECK_FALSE(result.value);
    test::Expected expected(result.diagnostics);
    const std::string message = expected.take(scenario::code::kLibrary, Position{2, 1});
    CHECK(message.find(with_library ? "expected one of ball" : "comes with Simbatch's installation") != std::string::npos);
  }
  CHECK(scenario::library_robots(shelf.folder.file("none")).empty());
}
