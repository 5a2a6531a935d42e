// Lines and elements of real files that GraspIt! reads otherwise than they look, or refuses: each is told, and read as meant.

#include <doctest/doctest.h>

#include "base/xml/codes.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/graspit.hpp"
#include "formats/graspit/robot_class.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::graspit;
using test::Expected;

namespace {

Parsed<Body> header(const std::string& lines) {
  return read_body_header("#Inventor V2.1 ascii\n" + lines + "Cube { }\n", Reading::forgiving, "b.iv");
}

Parsed<Body> body_xml(const std::string& elements) {
  return read_body_xml("<root>\n<geometryFile>a.iv</geometryFile>\n" + elements + "</root>", "b.xml");
}

std::string with_cr(std::string text) {
  for (char& c : text)
    if (c == '\n') c = '\r';
  return text;
}

}  // namespace

TEST_CASE("graspit: a header's keyword after blanks, before a tab or an equals sign, or cut short, is told") {
  auto tab = header("#mass\t200\n");
  CHECK(tab.value->mass == 200);
  CHECK(Expected(tab.diagnostics).take(code::kHeaderBlank, Position{2, 1}).find("after a tab, GraspIt! ignores it") !=
        std::string::npos);
  auto two = header("#mass  200\n");
  CHECK(two.value->mass == 200);
  CHECK(Expected(two.diagnostics).take(code::kHeaderBlank).find("refuses the body") != std::string::npos);
  for (const char* line : {" #mass 3\n", "#mass=3\n", "#mas 3\n", "#mass: 3\n"}) {
    CAPTURE(line);
    auto told = header(line);
    CHECK_FALSE(told.value->mass);
    Expected(told.diagnostics).take(code::kHeaderKeyword, Position{2, 1});
  }
  for (const char* line : {"# by Mas 3 x\n", "#masonry\n", " # mass of all: 3 parts\n", "#ma 3\n"}) {
    CAPTURE(line);
    Expected(header(line).diagnostics);
  }
}

TEST_CASE("graspit: a center of gravity in the first row of the inertia is recognized by the columns below it") {
  // As XR4000's base: its product of inertia is 1.27 % of the moment beside it.
  auto shifted = header("#inertia_matrix\n#0 0 250\n#90000 150 20\n#150 88000 1118\n");
  Expected found(shifted.diagnostics);
  found.take(code::kInertiaShifted);
  found.take(code::kInertiaImpossible);
  auto asymmetric = header("#inertia_matrix\n#90 10 0\n#20 90 0\n#0 0 100\n");
  Expected(asymmetric.diagnostics).take(code::kInertiaAsymmetric);
}

TEST_CASE("graspit: of a body's element that is given twice the first counts, which is a warning") {
  auto twice = body_xml("<youngs>3</youngs>\n<youngs>9</youngs>\n<mass>100</mass>\n");
  REQUIRE(twice.ok());
  CHECK(twice.value->youngs == 3);
  bool told = false;
  for (const Diagnostic& d : twice.diagnostics.items())
    told = told || (d.code == xml::code::kElementRepeated.name && d.severity == Severity::warning && d.at.line == 4);
  CHECK(told);
}

TEST_CASE("graspit: what GraspIt! refuses of a body's XML is an error") {
  for (const char* wrong : {"<geometryScaling>0</geometryScaling>", "<geometryScaling>-2</geometryScaling>",
                            "<geometryScalingY>-1</geometryScalingY>", "<normalCompliance>3</normalCompliance>"}) {
    CAPTURE(wrong);
    const auto read = body_xml(wrong);
    CHECK(read.diagnostics.errors() == 1);
    CHECK(read.diagnostics.items()[0].at == Position{3, 1});
  }
  CHECK(body_xml("<normalCompliance>3</normalCompliance><shearCompliance>2</shearCompliance>").ok());
}

TEST_CASE("graspit: a transform with a tab, or without its last bracket, is read with a warning") {
  const std::string head = "#GraspIt! version 2.0 beta\nGraspableBody\na.iv\n";
  auto bracket = read_wld(head + "T (1 0 0 0)[1 2 3\n\n", Reading::forgiving, "w.wld");
  REQUIRE(bracket.ok());
  CHECK(bracket.value->bodies[0].transform[0].position == Vector3{1, 2, 3});
  CHECK(bracket.diagnostics.warnings() == 1);
  const std::string tab = head + "t\t1 2 3\n\n";
  auto forgiving = read_wld(tab, Reading::forgiving, "w.wld");
  REQUIRE(forgiving.ok());
  CHECK(forgiving.diagnostics.warnings() == 1);
  CHECK_FALSE(read_wld(tab, Reading::loader, "w.wld").ok());
  CHECK(read_wld(head + "T (1 0 0 0)[1 2 3]\n\n", Reading::forgiving, "w.wld").diagnostics.empty());
}

TEST_CASE("graspit: files with CR as line ends are read as those with LF") {
  const std::string cfg =
      "Hand\npalm.iv\n1\nr 1 5e+9 1e+11 1e+7 20\n1\n1\n1\nt 30 0 0\n\nd0 0 100 0 -90 90\nRevolute\nlink.iv 0\n";
  for (const Reading reading : {Reading::forgiving, Reading::loader}) {
    const auto lf = read_cfg(cfg, reading, "r.cfg"), cr = read_cfg(with_cr(cfg), reading, "r.cfg");
    REQUIRE(lf.ok());
    REQUIRE(cr.ok());
    CHECK(*lf.value == *cr.value);
  }
  CHECK(header("#mass 77\n").value ==
        read_body_header(with_cr("#Inventor V2.1 ascii\n#mass 77\nCube { }\n"), Reading::forgiving, "b.iv").value);
  const std::string wld = "#GraspIt! version 2.0 beta\nGraspableBody\na.iv\nT (1 0 0 0)[1 2 3]\n\n";
  CHECK(*read_wld(wld, Reading::forgiving, "w").value == *read_wld(with_cr(wld), Reading::forgiving, "w").value);
}

TEST_CASE("graspit: arms are not hands") {
  for (const char* hand : {"Hand", "Barrett", "Robonaut", "HumanHand", "Pr2Gripper", "RobotIQ", "M7", "M7Tool", "Shadow"})
    CHECK(is_hand(hand));
  for (const char* arm : {"Robot", "Puma560", "IRp6"}) CHECK_FALSE(is_hand(arm));
}
