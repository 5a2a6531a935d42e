// Tires, suspensions and drive trains of robot files: values, round trip, and what is wrong with them.

#include <doctest/doctest.h>

#include <variant>

#include "base/xml/codes.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/autosim/robot.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/autosim/samples.hpp"

using namespace simbatch;
using namespace simbatch::autosim;
using simbatch::test::Expected;

namespace {

/// A drive (line 6) and a wheel (line 7) with these further elements.
std::string car(std::string_view drive, std::string_view wheel,
                std::string_view spring = "<Suspension stiffness='1' damping='0'/>") {
  std::string text =
      "<Robot name='r'>\n<Parts>\n<Box name='body'><Position x='0' y='0' z='0'/><Size x='1' y='1' z='1'/><Mass value='300'/></Box>\n"
      "</Parts>\n<Devices>\n<DriveActuator name='d'><Part name='body'/><BrakeForce value='500'/>" +
      std::string(drive) +
      "</DriveActuator>\n<WheelDevice name='w'><Part name='body'/><DriveActuator name='d'/><Position x='0' y='0' z='0'/>"
      "<Radius value='1'/><Width value='1'/><SuspensionRestLength value='0'/>" +
      std::string(spring) + "<Powered value='true'/><Steering value='No'/><Brakes value='0'/>" + std::string(wheel) +
      "</WheelDevice>\n</Devices>\n</Robot>\n";
  for (char& c : text)
    if (c == '\'') c = '"';
  return text;
}

Expected problems(std::string_view drive, std::string_view wheel,
                  std::string_view spring = "<Suspension stiffness='1' damping='0'/>") {
  return Expected(read_robot(car(drive, wheel, spring), "r.xml").diagnostics);
}

constexpr std::string_view kMotor = "<MotorForce value='1'/>";

}  // namespace

TEST_CASE("robot: tires, suspensions and drive trains are read, and written back the same") {
  const Parsed<Robot> parsed = read_robot(autosim::test::kEveryRobotElement, "every.xml");
  CAPTURE(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  const DriveActuator* train = nullptr;
  const WheelDevice *left = nullptr, *right = nullptr;
  for (const Device& d : parsed.value->devices) {
    if (d.name == "train") train = &std::get<DriveActuator>(d.kind);
    if (d.name == "tyred_left") left = &std::get<WheelDevice>(d.kind);
    if (d.name == "tyred_right") right = &std::get<WheelDevice>(d.kind);
  }
  REQUIRE(train != nullptr);
  CHECK(train->motor_force == 0);
  CHECK(train->steering == Steering{0.5, 400, 16});
  CHECK(train->engine == Engine{{{1000, 120}, {4000, 180}}, 0.2, 900, 6000, 15, 5});
  CHECK(train->gearbox == Gearbox{{3.6, 2}, 3.4, 3.9, 0.92, 5000, 1800, 0.25});
  CHECK(train->differential == Differential{Differential::Kind::limited, 60, 0.4});
  CHECK(train->brakes == Brakes{0.65, true, 0.12});
  CHECK(train->bars == std::vector<AntiRollBar>{{"tyred_left", "tyred_right", 8000}});
  CHECK(train->air == Aerodynamics{0.7, 0.05, 0.1, 0.2});
  REQUIRE(left != nullptr);
  CHECK(left->suspension == Suspension{25000, 1800, 0.2, 250000, 0.1});
  CHECK(left->tyre == Tyre{Tyre::Model::magic, 22, 1.1, 1.05, 0.8, 5, 0.1, 3500, 0.2, 0.5, 0.012, 1.35, -0.01});
  CHECK(left->inertia == 1.7);
  CHECK(left->roll_influence == 0.9);
  REQUIRE(right != nullptr);
  CHECK(right->tyre->model == Tyre::Model::linear);
  CHECK(right->suspension->bump_stop < 0);

  const Parsed<Robot> again = read_robot(write_robot(*parsed.value), "again.xml");
  REQUIRE(again.ok());
  CHECK(again.value->devices.size() == parsed.value->devices.size());
  CHECK(write_robot(*again.value) == write_robot(*parsed.value));
}

TEST_CASE("robot: conflicts of springs, engines and tires") {
  Expected springs = problems(kMotor, "", "<SuspensionKs value='1'/><Suspension stiffness='1' damping='0'/>");
  CHECK(springs.take(code::kConflict).find("per kilogram") != std::string::npos);
  Expected engines = problems("<MotorForce value='1'/><Engine><Torque speed='1' torque='1'/></Engine>", "");
  CHECK(engines.take(code::kConflict).find("MotorForce and Engine") != std::string::npos);
  Expected gears = problems("<MotorForce value='1'/><Gearbox><Gear ratio='1'/></Gearbox>", "");
  CHECK(gears.take(code::kConflict).find("needs an <Engine>") != std::string::npos);
  Expected friction = problems(kMotor, "<Friction value='1'/><Tyre/>");
  CHECK(friction.take(code::kConflict).find("Friction and Tyre") != std::string::npos);
  Expected linear = problems(kMotor, "<Tyre model='linear' friction='1'/>");
  CHECK(linear.take(code::kConflict).find("linear") != std::string::npos);
  Expected empty = problems("<Engine/>", "");
  CHECK(empty.take(xml::code::kElementMissing).find("<Torque") != std::string::npos);
  Expected falls = problems("<Engine><Torque speed='2' torque='1'/><Torque speed='2' torque='1'/></Engine>", "");
  CHECK(falls.take(code::kOrder).find("do not rise") != std::string::npos);
  Expected bar = problems("<MotorForce value='1'/><AntiRollBar left='w' right='v' stiffness='1'/>", "");
  CHECK(bar.take(code::kReference).find("\"v\"") != std::string::npos);
}

TEST_CASE("robot: every number of a vehicle has a range") {
  for (const char* wheel :
       {"<Tyre stiffness='0'/>", "<Tyre stiffness='nan'/>", "<Tyre friction='-1'/>", "<Tyre relaxationX='0'/>",
        "<Tyre shape='3'/>", "<Tyre curvature='2'/>", "<Tyre model='magic' nominalLoad='inf'/>", "<Tyre loadSensitivity='2'/>",
        "<RollInfluence value='2'/>"}) {
    CAPTURE(wheel);
    CHECK(read_robot(car(kMotor, wheel), "r.xml").diagnostics.errors() == 1);
  }
  for (const char* drive : {"<Steering ackermann='2'/>", "<Steering rate='0'/>", "<Brakes frontShare='1.5'/>",
                            "<Aerodynamics drag='-1'/>", "<AntiRollBar left='w' right='w' stiffness='1'/>"}) {
    CAPTURE(drive);
    CHECK(read_robot(car(std::string(kMotor) + drive, ""), "r.xml").diagnostics.errors() == 1);
  }
  for (const char* drive :
       {"<Engine idle='0'><Torque speed='1' torque='1'/></Engine>",
        "<Engine limit='100'><Torque speed='1' torque='1'/></Engine>",
        "<Engine><Torque speed='1' torque='-1'/><Torque speed='2' torque='1'/></Engine>",
        "<Engine><Torque speed='1' torque='1'/></Engine><Gearbox shiftDown='9000'><Gear ratio='1'/></Gearbox>",
        "<Engine><Torque speed='1' torque='1'/></Engine><Gearbox><Gear ratio='0'/><Gear ratio='1'/></Gearbox>"}) {
    CAPTURE(drive);
    CHECK(read_robot(car(drive, ""), "r.xml").diagnostics.errors() == 1);
  }
}
