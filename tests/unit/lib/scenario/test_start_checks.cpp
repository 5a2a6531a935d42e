// What is checked of a world before its first step: overlaps, wheels in the air, drives without power; and that the order of
// the objects in a file is of no consequence.

#include <doctest/doctest.h>

#include <algorithm>

#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::scenario;
using simbatch::test::TemporaryFolder;
using simbatch::test::write_text;

namespace {

std::string box_robot(const std::string& extra = "") {
  return "<Robot name=\"crate\">\n<Parts>\n<Box name=\"body\"><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"10\"/></Box>\n</Parts>\n" +
         (extra.empty() ? "" : "<Devices>\n" + extra + "\n</Devices>\n") + "</Robot>\n";
}

std::string wheel(const std::string& name, const std::string& position, const char* powered = "true") {
  return "<WheelDevice name=\"" + name + "\"><Part name=\"body\"/><DriveActuator name=\"drive\"/><Position " + position +
         "/><Radius value=\"0.1\"/><Width value=\"0.1\"/><SuspensionRestLength value=\"0.1\"/><SuspensionKs value=\"200\"/>"
         "<SuspensionKd value=\"23\"/><Powered value=\"" +
         powered + "\"/><Steering value=\"false\"/><Brakes value=\"true\"/></WheelDevice>\n";
}

std::string vehicle_robot(const std::string& y, const char* powered = "true", const char* force = "100") {
  std::string all = std::string("<DriveActuator name=\"drive\"><Part name=\"body\"/><MotorForce value=\"") + force +
                    "\"/><BrakeForce value=\"100\"/></DriveActuator>\n";
  int i = 0;
  for (const char* place : {"x=\"-0.4\" z=\"0.4\" ", "x=\"0.4\" z=\"0.4\" ", "x=\"-0.4\" z=\"-0.4\" ", "x=\"0.4\" z=\"-0.4\" "})
    all += wheel("w" + std::to_string(i++), place + ("y=\"" + y + "\""), powered);
  return box_robot(all);
}

std::string at(const std::string& name, const std::string& position) {
  return "<Robot name=\"" + name + "\" file=\"robot.xml\"><Position " + position + "/></Robot>\n";
}

struct Scene {
  TemporaryFolder folder;
  Scene(const std::string& robot, const std::string& objects, const std::string& physics = "") {
    write_text(folder.file("robot.xml"), robot);
    write_text(folder.file("world.xml"),
               "<World name=\"w\">\n<Physics>" + physics +
                   "</Physics>\n<Terrain><Plane name=\"p\"><Height value=\"0\"/></Plane></Terrain>\n<Objects>\n" + objects +
                   "</Objects>\n</World>\n");
  }
  BuildResult build() const { return build_scenario(folder.file("world.xml")); }
  std::uint64_t hash(int steps) const {
    const BuildResult built = build();
    REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
    for (int i = 0; i < steps; ++i) REQUIRE(built.value->simulation->step());
    return built.value->simulation->state_hash();
  }
};

}  // namespace

TEST_CASE("start: two robots in the same place are a warning at the second, with the depth") {
  const Scene scene(box_robot(),
                    at("red", "x=\"0\" z=\"0\"") + at("blue", "x=\"0.75\" z=\"0\"") + at("far", "x=\"5\" z=\"0\""));
  test::Expected expected(scene.build().diagnostics);
  const std::string message = expected.take("sim-overlap", Position{6, 1});
  CHECK(message.find("\"blue.body\" and \"red.body\" overlap by 0.25 m") != std::string::npos);
}

TEST_CASE("start: a robot in a wall, in the ground or in a house is a warning; one that touches is none") {
  SUBCASE("a wall") {
    const Scene scene(box_robot(),
                      at("red", "x=\"0\" z=\"0\"") +
                          "<Box name=\"wall\"><Position x=\"0.9\" z=\"0\"/><Size x=\"1\" y=\"3\" z=\"4\"/></Box>\n");
    test::Expected expected(scene.build().diagnostics);
    CHECK(expected.take("sim-overlap", Position{5, 1}).find("\"wall\"") != std::string::npos);
  }
  SUBCASE("the ground") {
    const Scene scene(box_robot(), at("red", "x=\"0\" y=\"0.2\" z=\"0\""));
    test::Expected expected(scene.build().diagnostics);
    CHECK(expected.take("sim-overlap", Position{5, 1}).find("0.3 m in the ground") != std::string::npos);
  }
  SUBCASE("touching") {
    const Scene scene(box_robot(),
                      at("red", "x=\"0\" z=\"0\"") + at("blue", "x=\"1\" z=\"0\"") +
                          "<Box name=\"wall\"><Position x=\"-1\" z=\"0\"/><Size x=\"1\" y=\"3\" z=\"4\"/></Box>\n");
    CHECK(scene.build().diagnostics.empty());
  }
}

TEST_CASE(
    "start: an arm in reduced coordinates that reaches into a wall is a warning; its own links and its fixed base are none") {
  const std::string arm =
      "<Robot name=\"arm\">\n<Articulation base=\"base\" fixed=\"true\"/>\n<Parts>\n"
      "<Box name=\"base\"><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"10\"/></Box>\n"
      "<Box name=\"bar\"><Position x=\"0\" y=\"0.3\" z=\"1\"/><Size x=\"0.2\" y=\"0.2\" z=\"2\"/><Mass value=\"2\"/></Box>\n"
      "<RevoluteLink name=\"hinge\"><Parent name=\"base\"/><Child name=\"bar\"/><Position x=\"0\" y=\"0.3\" z=\"0\"/><Axis x=\"0\" "
      "y=\"1\" z=\"0\"/></RevoluteLink>\n</Parts>\n</Robot>\n";
  const auto wall = [](const char* z) {
    return std::string("<Box name=\"wall\"><Position x=\"0\" y=\"0\" z=\"") + z +
           "\"/><Size x=\"3\" y=\"2\" z=\"0.4\"/></Box>\n";
  };
  test::Expected problems(Scene(arm, at("arm", "x=\"0\" y=\"0.5\" z=\"0\"") + wall("1.8")).build().diagnostics);
  CHECK(problems.take(scenario::code::kOverlap, Position{5, 1}).find("\"arm.bar\" and \"wall\" overlap by") !=
        std::string::npos);
  CHECK(Scene(arm, at("arm", "x=\"0\" y=\"0.5\" z=\"0\"") + wall("2.3")).build().diagnostics.empty());
  CHECK(
      Scene(arm, at("arm", "x=\"0\" y=\"0.5\" z=\"0\"") + wall("-0.5")).build().diagnostics.empty());  // only the base is in it
}

TEST_CASE("start: wheels that cannot reach the ground, drives without power") {
  SUBCASE("too high on the chassis") {
    const Scene scene(vehicle_robot("-0.2"), at("red", "x=\"0\" z=\"0\""));
    test::Expected expected(scene.build().diagnostics);
    for (const std::uint32_t line : {7u, 8u, 9u, 10u})
      CHECK(expected.take("sim-wheel-reach", Position{line, 1}).find("0.1 m above the underside") != std::string::npos);
  }
  SUBCASE("low enough") {
    const Scene scene(vehicle_robot("-0.45"), at("red", "x=\"0\" z=\"0\""));
    CHECK(scene.build().diagnostics.empty());
  }
  SUBCASE("no wheel is powered") {
    const Scene scene(vehicle_robot("-0.45", "false"), at("red", "x=\"0\" z=\"0\""));
    test::Expected expected(scene.build().diagnostics);
    expected.take("sim-drive-without-power", Position{6, 1});
  }
  SUBCASE("a trailer has no motor and needs no powered wheel") {
    const Scene scene(vehicle_robot("-0.45", "false", "0"), at("red", "x=\"0\" z=\"0\""));
    CHECK(scene.build().diagnostics.empty());
  }
}

TEST_CASE("start: an unknown device of a Control lists those there are") {
  const Scene scene(box_robot("<LightDevice name=\"lamp\"><Part name=\"body\"/></LightDevice>\n"
                              "<LightDevice name=\"horn\"><Part name=\"body\"/></LightDevice>"),
                    "<Robot name=\"red\" file=\"robot.xml\"><Position x=\"0\" z=\"0\"/>\n"
                    "<Control time=\"0\" device=\"zzzzzz\" value=\"1\"/></Robot>\n");
  test::Expected expected(scene.build().diagnostics);
  CHECK(expected.take("sim-control-device", Position{6, 1}).find("body.lamp, body.horn") != std::string::npos);
}

TEST_CASE("start: the order of the objects in a file does not matter") {
  std::vector<std::string> objects{
      "<Robot name=\"red\" file=\"robot.xml\"><Position x=\"0\" y=\"3\" z=\"0\"/><Control time=\"0.1\" device=\"body.lamp\" "
      "value=\"0.5\"/></Robot>\n",
      "<Robot name=\"blue\" file=\"robot.xml\"><Position x=\"0.6\" y=\"1.5\" z=\"0\"/><Control time=\"0.1\" device=\"body.lamp\" "
      "value=\"0.25\"/></Robot>\n",
      at("white", "x=\"0.3\" z=\"0.2\""),
      "<Box name=\"wall\"><Position x=\"1.5\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"4\"/></Box>\n",
      "<Box name=\"step\"><Position x=\"-1.5\" z=\"0\"/><Size x=\"1\" y=\"0.5\" z=\"4\"/></Box>\n"};
  const std::string robot = box_robot(
      "<LightDevice name=\"lamp\"><Part name=\"body\"/></LightDevice>\n"
      "<GyroscopeSensor name=\"gyro\"><Part name=\"body\"/><Axis x=\"1\" y=\"0\" z=\"0\"/>"
      "<WhiteGaussianNoise range=\"0.1\"/></GyroscopeSensor>");
  std::sort(objects.begin(), objects.end());
  std::optional<std::uint64_t> first;
  int orders = 0;
  do {
    std::string all;
    for (const std::string& object : objects) all += object;
    const Scene scene(robot, all);
    const std::uint64_t hash = scene.hash(120);
    if (!first) first = hash;
    CHECK(hash == *first);
  } while (++orders < 120 && std::next_permutation(objects.begin(), objects.end()));
  CHECK(orders == 120);
}
