// Expectations of simulations: fields and events of the tree, and that looking changes nothing.

#include <doctest/doctest.h>

#include <cmath>

#include "lib/expect/codes.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using expect::Verdict;

namespace {

/// A ball falls 5 m onto a plane, beside a wall.
constexpr const char* kBall = R"(<Robot name="ball">
  <Parts><Sphere name="body"><Position x="0" y="0" z="0"/><Radius value="0.5"/><Mass value="2"/></Sphere></Parts>
  <Devices>
    <InclinometerSensor name="level"><Part name="body"/><Axis x="1" y="0" z="0"/></InclinometerSensor>
    <GPSSensor name="gps"><Part name="body"/></GPSSensor>
  </Devices>
</Robot>)";

struct Scene {
  simbatch::test::TemporaryFolder folder;
  scenario::BuildResult result;
  explicit Scene(const std::string& expectations, scenario::BuildOptions options = {}) {
    simbatch::test::write_text(folder.file("ball.xml"), kBall);
    simbatch::test::write_text(
        folder.file("world.xml"),
        "<World name=\"w\">\n<Physics><Engine name=\"e\"><StepSize value=\"0.005\"/><Origin latitude=\"0\" longitude=\"0\"/>"
        "</Engine></Physics>\n<Terrain><Plane name=\"p\"><Height value=\"0\"/></Plane></Terrain>\n<Objects>\n"
        "<Robot name=\"ball\" file=\"ball.xml\"><Position x=\"0\" y=\"5.5\" z=\"0\"/></Robot>\n"
        "<Box name=\"wall\"><Position x=\"5\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/></Box>\n</Objects>\n" +
            expectations + "</World>\n");
    result = scenario::build_scenario(folder.file("world.xml"), options);
  }
  void run(int steps) {
    sim::Simulation& simulation = *result.value->simulation;
    simulation.start();
    result.value->expectations->evaluate();
    for (int i = 0; i < steps; ++i) {
      REQUIRE(simulation.step());
      result.value->expectations->evaluate();
    }
    result.value->expectations->finish();
  }
  expect::Outcome outcome(std::size_t i = 0) const { return result.value->expectations->entries()[i].monitor.outcome(); }
};

std::string section(const std::string& inside, const std::string& duration = "2") {
  return "<Expectations duration=\"" + duration + "\">" + inside + "</Expectations>";
}

}  // namespace

TEST_CASE("sim expect: a falling ball: margins as mechanics has them, the touch at its step") {
  Scene scene(
      section("<Expect name=\"a\" that=\"always ball.body.y &gt; 0.4\"/>"
              "<Expect name=\"b\" that=\"never contact(ball, ground)\"/>"
              "<Expect name=\"c\" that=\"never contact(ball, wall)\"/>"
              "<Expect name=\"d\" that=\"eventually[0, 0.5] speed(ball.body) &gt; 4 m/s\"/>"
              "<Expect name=\"e\" that=\"ball.body.y &gt; 0.7 until contact(ball)\"/>"));
  INFO(simbatch::test::all_text(scene.result.diagnostics));
  REQUIRE(scene.result.value);
  scene.run(400);
  CHECK(scene.outcome(0).verdict == Verdict::holds);
  CHECK(scene.outcome(0).margin == doctest::Approx(0.1).epsilon(0.2));
  const double touch = std::sqrt(2 * 5 / 9.81);  // s
  CHECK(scene.outcome(1).verdict == Verdict::fails);
  CHECK(scene.outcome(1).time == doctest::Approx(touch).epsilon(0.02));
  CHECK(scene.outcome(1).decided == scene.outcome(1).step);
  CHECK(scene.outcome(2).verdict == Verdict::holds);
  CHECK(scene.outcome(3).margin == doctest::Approx(9.81 * 0.5 - 4).epsilon(0.05));
  CHECK(scene.outcome(3).step == 100);
  CHECK(scene.outcome(4).verdict == Verdict::fails);  // at the touch it is at 0.5 m
}

TEST_CASE("sim expect: a run is the same with and without expectations") {
  Scene plain(""), watched(section("<Expect name=\"a\" that=\"never contact(ball)\"/>"
                                   "<Expect name=\"b\" that=\"always[0, 1] dist(ball.body, 0, 0, 0) &lt; 20\"/>"));
  REQUIRE(plain.result.value);
  REQUIRE(watched.result.value);
  plain.run(300);
  watched.run(300);
  CHECK(plain.result.value->simulation->state_hash() == watched.result.value->simulation->state_hash());
}

TEST_CASE("sim expect: problems are found before the first step, at their places in the scenario") {
  Scene scene(
      section("<Expect name=\"a\" that=\"always 1 &lt; 2 &amp; ball.body.y &gt; 0\"/>\n"
              "<Expect name=\"b\"\n  that=\"always\n1 &lt;= 2 )\"/>\n"
              "<Expect name=\"a\" that=\"always 1 &gt; 0\"/>\n"
              "<Expect name=\"g\" that=\"\"/><Expect that=\"1 &gt; 0\"/>"));
  CHECK_FALSE(scene.result.value);
  simbatch::test::Expected expected(scene.result.diagnostics);
  expected.drop_notes();
  expected.take("autosim-name-duplicate", Position{12, 1});
  expected.take("xml-attribute-missing", Position{13, 24});
  expected.take("xml-attribute-missing");
  expected.take(expect::code::kSyntax, Position{8, 67});   // behind a reference of four bytes
  expected.take(expect::code::kSyntax, Position{11, 11});  // and a line end
}

TEST_CASE("sim expect: names are checked against what was built") {
  Scene scene(
      section("<Expect name=\"a\" that=\"always ball.bodi.y &gt; 0\"/>\n"
              "<Expect name=\"c\" that=\"never contact(bal)\"/>\n"
              "<Expect name=\"d\" that=\"always ball.body.gps.sentence &gt; 0\"/>\n"
              "<Expect name=\"e\" that=\"always on_road(ball.body)\"/>\n"
              "<Expect name=\"f\" that=\"eventually ended(ball)\"/>\n"
              "<Expect name=\"g\" that=\"eventually ended(bal)\"/>\n"
              "<Expect name=\"h\" that=\"always on_road(ball)\"/>"));
  CHECK_FALSE(scene.result.value);
  simbatch::test::Expected expected(scene.result.diagnostics);
  CHECK(expected.take(expect::code::kName, Position{8, 58}).find("\"ball.body.y\"?") != std::string::npos);
  CHECK(expected.take(expect::code::kName, Position{9, 30}).find("\"ball\"?") != std::string::npos);
  CHECK(expected.take(expect::code::kName).find("is a text") != std::string::npos);
  CHECK(expected.take(expect::code::kEvent).find("no roads") != std::string::npos);
  CHECK(expected.take(expect::code::kEvent).find("no program") != std::string::npos);
  CHECK(expected.take(expect::code::kName).find("no robot") != std::string::npos);
  CHECK(expected.take(expect::code::kName).find("has no position (fields x, y, z), did you mean \"ball.body\"?") !=
        std::string::npos);
}

TEST_CASE("sim expect: what has no position is said with what to write instead") {
  Scene scene(
      section("<Expect name=\"a\" that=\"always dist(ball.body, wall) &gt; 0\"/>\n"
              "<Expect name=\"b\" that=\"always speed(ball) &gt; 0\"/>\n"
              "<Expect name=\"c\" that=\"always wall.x &gt; 0\"/>\n"
              "<Expect name=\"d\" that=\"always speed(ground) &gt; 0\"/>\n"
              "<Expect name=\"e\" that=\"never on_road(wall)\"/>\n"
              "<Expect name=\"f\" that=\"always speed(bal.body) &gt; 0\"/>"));
  CHECK_FALSE(scene.result.value);
  simbatch::test::Expected expected(scene.result.diagnostics);
  const auto has = [&expected](const char* text) { CHECK(expected.take(expect::code::kName).find(text) != std::string::npos); };
  has("\"wall\" does not move and has no fields; write its place as numbers, as in dist(NODE, 5, 0.5, 0)");
  has("there is no node \"ball\" with a position (fields x, y, z), did you mean \"ball.body\"?");
  has("\"wall\" does not move and has no fields");
  has("\"ground\" is part of the terrain, which has no position");
  has("\"wall\" is not part of a robot");
  has("there is no node \"bal.body\" with a position (fields x, y, z), did you mean \"ball.body\"?");
}

TEST_CASE("sim expect: a run shorter than the scenario says decides what it can") {
  Scene scene(
      section("<Expect name=\"a\" that=\"eventually contact(ball)\"/><Expect name=\"b\" that=\"always ball.body.y &lt; 5\"/>"
              "<Expect name=\"c\" that=\"eventually ball.body.y &lt; 5\"/>"));
  REQUIRE(scene.result.value);
  CHECK(scene.result.value->duration == 2);
  Diagnostics problems;
  scene.result.value->expectations->add("mine: finally ball.body.y < 5", {"--expect", {}}, {}, 0, problems);
  scene.result.value->expectations->add("a: 1 < 0", {"--expect", {}}, {}, 0, problems);
  simbatch::test::Expected(problems).take(expect::code::kDuplicate);
  scene.run(100);
  CHECK(scene.outcome(0).verdict == Verdict::undecided);
  CHECK(scene.outcome(1).verdict == Verdict::fails);
  CHECK(scene.outcome(2).verdict == Verdict::holds);
  CHECK(scene.outcome(3).verdict == Verdict::holds);
}
