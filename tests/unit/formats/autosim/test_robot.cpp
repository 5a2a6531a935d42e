#include <doctest/doctest.h>

#include "base/xml/codes.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/autosim/robot.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/autosim/samples.hpp"

using namespace simbatch;
using namespace simbatch::autosim;
using simbatch::test::Expected;

namespace {

/// A robot with a box "body" and these further lines in Parts and in Devices (from line 5 and line 8 on).
std::string robot_with(std::string_view parts, std::string_view devices) {
  return "<Robot name=\"r\">\n<Parts>\n<Box name=\"body\"><Position x=\"0\" y=\"0\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/>"
         "<Mass value=\"300\"/></Box>\n" +
         std::string(parts) + "\n</Parts>\n<Devices>\n" + std::string(devices) + "\n</Devices>\n</Robot>\n";
}

Expected problems(std::string_view parts, std::string_view devices) {
  return Expected(read_robot(robot_with(parts, devices), "r.xml").diagnostics);
}

constexpr std::string_view kDrive =
    "<DriveActuator name=\"d\"><Part name=\"body\"/><MotorForce value=\"1\"/><BrakeForce value=\"500\"/></DriveActuator>";

std::string wheel(std::string_view drive, std::string_view part = "body") {
  return "<WheelDevice name=\"w\"><Part name=\"" + std::string(part) + "\"/><DriveActuator name=\"" + std::string(drive) +
         "\"/><Position x=\"0\" y=\"0\" z=\"0\"/><Radius value=\"1\"/><Width value=\"1\"/><SuspensionRestLength value=\"0\"/>"
         "<SuspensionKs value=\"1\"/><SuspensionKd value=\"0\"/><Powered value=\"true\"/><Steering value=\"No\"/>"
         "<Brakes value=\"0\"/></WheelDevice>";
}

}  // namespace

TEST_CASE("robot: every part, link, device and parameter is read, and written back the same") {
  const Parsed<Robot> parsed = read_robot(autosim::test::kEveryRobotElement, "every.xml");
  CAPTURE(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  CHECK(parsed.diagnostics.empty());
  const Robot& robot = *parsed.value;
  CHECK(robot.bodies.size() == 7);
  CHECK(robot.links.size() == 3);
  CHECK(robot.devices.size() == 28);
  CHECK(robot.devices[20].latency == 0.02);
  CHECK(robot.bodies[0].place.at == Position{4, 5});
  REQUIRE(robot.bodies[5].is_compound);
  CHECK(robot.bodies[5].mass == 30);
  CHECK(robot.bodies[6].mass == 12);
  CHECK(robot.bodies[1].fluid->quadratic_drag == Vector3{4, 5, 6});
  CHECK(robot.links[1].limits == Limits{-45, 90});
  CHECK(robot.links[1].spring == LinkSpring{20, 0.5, 10});
  CHECK(robot.links[1].friction == 0.1);
  REQUIRE(robot.links[1].motor);
  CHECK(robot.links[1].motor->stiffness == 300);
  CHECK(robot.links[1].motor->noise.size() == 2);
  REQUIRE(robot.links[2].motor);
  CHECK(robot.links[2].motor->mode == LinkMotor::Mode::speed);
  CHECK_FALSE(robot.links[2].motor->stiffness);
  REQUIRE(robot.articulation);
  CHECK(robot.articulation->base == "chassis");
  const auto& motor = std::get<Propeller>(robot.devices[3].kind).motor;
  REQUIRE(motor.has_value());
  CHECK(*motor == DcMotor{0.5, 0.02, 0.03, 1e-4, 1e-5, 1e-3});
  const std::string text = write_robot(robot);
  const Parsed<Robot> again = read_robot(text, "again.xml");
  CAPTURE(text);
  CHECK(again.value == robot);
  CHECK(write_robot(*again.value) == text);
}

TEST_CASE("robot: a motor says what it lacks, and an articulation which body is not there") {
  const std::string head =
      "<Box name=\"b\"><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"3\"/></Box>"
      "<RevoluteLink name=\"l\"><Parent name=\"body\"/><Child name=\"b\"/><Position x=\"0\" y=\"0\" z=\"0\"/>"
      "<Axis x=\"1\" y=\"0\" z=\"0\"/>\n";
  Expected stiffness = problems(head + "<Motor mode=\"position\" maxForce=\"3\"/></RevoluteLink>", "");
  CHECK(stiffness.take(code::kConflict, Position{5, 14}).find("needs a stiffness") != std::string::npos);
  Expected mode = problems(head + "<Motor mode=\"torque\" maxForce=\"-3\"/></RevoluteLink>", "");
  CHECK(mode.take(xml::code::kNumberRange, Position{5, 32}) != "");
  CHECK(mode.take(xml::code::kChoice, Position{5, 14}).find("force") != std::string::npos);
  Expected limit = problems(head + "<Spring stiffness=\"-1\"/><Motor mode=\"speed\"/></RevoluteLink>", "");
  limit.take(xml::code::kNumberRange, Position{5, 20});
  limit.take(xml::code::kAttributeMissing, Position{5, 25});
  std::string text = robot_with(head + "</RevoluteLink>", "");
  text.insert(text.find("<Devices>"), "<Articulation base=\"bdy\" fixed=\"true\"/>");
  Expected base(read_robot(text, "r.xml").diagnostics);
  CHECK(base.take(code::kReference, Position{7, 21}).find("\"body\"") != std::string::npos);
}

TEST_CASE("robot: generated robots come back from the writer, field by field") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Robot robot = autosim::test::random_robot(seed);
    const Parsed<Robot> again = read_robot(write_robot(robot), "generated.xml");
    CAPTURE(simbatch::test::all_text(again.diagnostics));
    REQUIRE(again.ok());
    CHECK(*again.value == robot);
  }
}

TEST_CASE("robot: five independent mistakes give five located errors") {
  const std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<Robot name=\"impreza\">\n"
      "  <Parts>\n"
      "    <Box name=\"chassis\">\n"
      "      <Position x=\"0\" y=\"0\" z=\"1.5x\"/>\n"
      "      <Size x=\"2\" y=\"1\" z=\"4\"/>\n"
      "      <Mass value=\"-3\"/>\n"
      "    </Box>\n"
      "  </Parts>\n"
      "  <Devices>\n"
      "    <PSDSensor name=\"psd0\">\n"
      "      <Part name=\"chasis\"/>\n"
      "      <Position x=\"0\" y=\"0\" z=\"0\"/>\n"
      "      <Direktion x=\"0\" y=\"0\" z=\"1\"/>\n"
      "      <Direction x=\"0\" y=\"0\" z=\"0\"/>\n"
      "      <Range value=\"10\"/>\n"
      "    </PSDSensor>\n"
      "  </Devices>\n"
      "</Robot>\n";
  const Parsed<Robot> parsed = read_robot(text, "impreza.xml");
  CHECK(parsed.diagnostics.errors() == 5);
  Expected expected(parsed.diagnostics);
  expected.take(xml::code::kNumber, Position{5, 32});
  expected.take(xml::code::kNumberRange, Position{7, 20});
  CHECK(expected.take(code::kReference, Position{12, 19}).find("did you mean \"chassis\"") != std::string::npos);
  CHECK(expected.take(xml::code::kElementUnknown, Position{14, 7}).find("did you mean \"Direction\"") != std::string::npos);
  expected.take(code::kZeroVector, Position{15, 7});
}

TEST_CASE("robot: names must be usable and unique") {
  auto names = problems(
      "<Box name=\"body\"><Position x=\"0\" y=\"0\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"1\"/></Box>",
      "<TimeDevice name=\"a.b\"><Part name=\"body\"/></TimeDevice>\n<TimeDevice name=\"t\"><Part name=\"body\"/></TimeDevice>\n"
      "<TimeDevice name=\"t\"><Part name=\"body\"/></TimeDevice>\n<TimeDevice><Part name=\"body\"/></TimeDevice>");
  names.take(code::kDuplicate, Position{4, 1});
  names.take(code::kDuplicate, Position{3, 1});  // the note
  names.take(code::kName, Position{7, 19});
  names.take(code::kDuplicate, Position{9, 1});
  names.take(code::kDuplicate, Position{8, 1});
  names.take(xml::code::kAttributeMissing, Position{10, 1});
}

TEST_CASE("robot: wheels and links must find what they name") {
  auto wheels = problems("", std::string(kDrive) + "\n" + wheel("e"));
  CHECK(wheels.take(code::kReference, Position{8, 63}).find("no DriveActuator \"e\"") != std::string::npos);
  auto other = problems("<Sphere name=\"head\"><Radius value=\"1\"/><Mass value=\"1\"/></Sphere>",
                        std::string(kDrive) + "\n" + wheel("d", "head"));
  CHECK(other.take(code::kReference).find("drives part \"body\"") != std::string::npos);
  auto good = problems("", std::string(kDrive) + "\n" + wheel("d"));
  auto links = problems(
      "<SphericalLink name=\"l\"><Parent name=\"bdy\"/><Child name=\"body\"/><Position x=\"0\" y=\"0\" z=\"0\"/></SphericalLink>\n"
      "<SphericalLink name=\"m\"><Parent name=\"body\"/><Child name=\"body\"/><Position x=\"0\" y=\"0\" z=\"0\"/></SphericalLink>\n"
      "<SphericalLink name=\"n\"><Parent name=\"body\"/><Child name=\"late\"/><Position x=\"0\" y=\"0\" z=\"0\"/></SphericalLink>\n"
      "<RevoluteLink name=\"o\"><Parent name=\"body\"/><Child name=\"late\"/><Position x=\"0\" y=\"0\" z=\"0\"/>"
      "<Axis x=\"0\" y=\"1\" z=\"0\"/><Limits lower=\"2\" upper=\"1\"/></RevoluteLink>\n"
      "<Sphere name=\"late\"><Radius value=\"1\"/><Mass value=\"1\"/></Sphere>",
      "");
  CHECK(links.take(code::kReference, Position{4, 39}).find("did you mean \"body\"") != std::string::npos);
  links.take(code::kConflict, Position{5, 46});
  links.take(code::kLinkOrder, Position{6, 1});
  links.take(code::kOrder, Position{7, 134});
}

TEST_CASE("robot: angles, ranges and counts of a laser scanner that cannot be") {
  const auto scanner = [](const std::string& rest) {
    return "<LaserScanner name=\"s\"><Part name=\"body\"/><Position x=\"0\" y=\"0\" z=\"0\"/>\n" + rest + "</LaserScanner>";
  };
  const std::string across = "<Horizontal min=\"-90\" max=\"90\" count=\"3\"/>", range = "<Range max=\"9\"/>";
  auto good = problems("", scanner(across + range));
  auto turned = problems("", scanner("<Horizontal min=\"90\" max=\"-90\" count=\"3\"/>" + range));
  turned.take(code::kScanner, Position{8, 1});
  auto wide = problems("", scanner("<Horizontal min=\"-200\" max=\"200\" count=\"3\"/>" + range));
  wide.take(code::kScanner);
  auto near = problems("", scanner(across + "<Range min=\"9\" max=\"9\"/>"));
  near.take(code::kScanner);
  auto many = problems(
      "", scanner("<Horizontal min=\"-90\" max=\"90\" count=\"262144\"/><Vertical min=\"0\" max=\"1\" count=\"2\"/>" + range));
  CHECK(many.take(code::kScanner).find("524288 rays") != std::string::npos);
  auto huge = problems("", scanner("<Horizontal min=\"-90\" max=\"90\" count=\"99999999999\"/>" + range));
  huge.take(xml::code::kNumberRange);
  auto missing = problems("", scanner(""));
  missing.take(xml::code::kElementMissing);
  missing.take(xml::code::kElementMissing);
}

TEST_CASE("robot: parameters that exclude each other, or of which one is needed") {
  auto both = problems("", "<Propeller name=\"p\"><Part name=\"body\"/><Position x=\"0\" y=\"0\" z=\"0\"/></Propeller>");
  both.take(xml::code::kElementMissing, Position{7, 1});
  const auto screw = [](const std::string& more) {
    return problems("",
                    "<Propeller name=\"p\"><Part name=\"body\"/><Position x=\"0\" y=\"0\" z=\"0\"/>" + more + "</Propeller>");
  };
  auto no_ratio = screw("<Alpha value=\"1\"/><ReactionTorque rotation=\"left\"/>");
  no_ratio.take(xml::code::kAttributeMissing);
  auto sideways = screw("<Alpha value=\"1\"/><ReactionTorque rotation=\"up\" ratio=\"1\"/>");
  sideways.take(xml::code::kChoice);
  auto two_ratios = screw(
      "<Motor resistance=\"1\" torqueConstant=\"1\" backEmfConstant=\"1\" inertia=\"1\" torqueCoefficient=\"1\" "
      "thrustCoefficient=\"1\"/><ReactionTorque rotation=\"left\" ratio=\"0.1\"/>");
  two_ratios.take(code::kConflict);
  auto compound = problems("<Compound name=\"c\"><Mass value=\"1\"/></Compound>", "");
  compound.take(code::kEmpty, Position{4, 1});
  auto masses = problems(
      "<Compound name=\"c\"><Mass value=\"1\"/><Sphere name=\"s\"><Radius value=\"1\"/><Mass value=\"2\"/></Sphere></Compound>",
      "");
  masses.take(code::kConflict, Position{4, 20});
  auto some = problems(
      "<Compound name=\"c\"><Sphere name=\"t\"><Radius value=\"1\"/></Sphere><Sphere name=\"s\"><Radius value=\"1\"/><Mass value=\"2\"/></Sphere></Compound>",
      "");
  some.take(code::kConflict, Position{4, 1});
  Expected no_parts(read_robot("<Robot name=\"r\"><Parts/></Robot>", "r.xml").diagnostics);
  no_parts.take(code::kEmpty);
  Expected wrong_root(read_robot("<World name=\"r\"/>", "r.xml").diagnostics);
  wrong_root.take(xml::code::kRoot);
}

TEST_CASE("robot: a stiffness in N/m is told that it is per kilogram") {
  auto stiff = problems(
      "",
      "<DriveActuator name=\"d\"><Part name=\"body\"/><MotorForce value=\"1\"/><BrakeForce value=\"1000\"/></DriveActuator>"
      "<WheelDevice name=\"w\"><Part name=\"body\"/><DriveActuator name=\"d\"/><Position x=\"0\" y=\"0\" z=\"0\"/><Radius value=\"0.3\"/>"
      "<Width value=\"0.2\"/><SuspensionRestLength value=\"0.1\"/><SuspensionKs value=\"28000\"/><SuspensionKd value=\"20\"/>"
      "<Powered value=\"true\"/><Steering value=\"true\"/><Brakes value=\"true\"/></WheelDevice>");
  CHECK(stiff.take(code::kStiffUnit).find("for 28000 N/m write ") != std::string::npos);
}

TEST_CASE("robot: a brake force of a few newtons on a car is pointed out") {
  auto weak = problems(
      "", "<DriveActuator name=\"d\"><Part name=\"body\"/><MotorForce value=\"1\"/><BrakeForce value=\"10\"/></DriveActuator>");
  CHECK(weak.take(code::kBrakeWeak).find("600 N") != std::string::npos);
}
