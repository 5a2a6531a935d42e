#include <doctest/doctest.h>

#include <cstring>
#include <set>

#include "base/core/record_limit.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/graspit.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::graspit;

namespace {

constexpr std::string_view kHand = R"(#Robot ClassType
Hand

#palm
palm.iv

2
r 1.0 5.0e+10 1.0e+11 1.0e+7 20
b -1.0 2.5e+9 1.0e+11 1.0e+7 20 0.5
1
2
2
t 25.0 0 -1.0
R
0 1 0
0 0 1
1 0 0

d0+-5.9	0	50	-90	0	180	5.0e+7
d1*0.5+40 0 55 0 0 144
Revolute
link1.iv 0
Revolute
link2.iv 1

Approach
0 0 0
0 0 1
EigenGrasps
eigen.egr
FlockOfBirds
3
t 1 2 3
VirtualContacts
contacts.vgr
CyberGlove
glove.txt
Tendons
1
Flexor Profundus
2
-1 -1 1 2 3
0 1 4 5 6
TendonWrappers
1
0 1 0 0 0 0 0 1 5
)";

constexpr std::string_view kWorld = R"(#GraspIt! version 2.0 beta
Obstacle
models/table.iv
wood
T (+1 0 0 0)[0 0 -10]

GraspableBody
models/mug.iv
t 1 2 3
rr 1.5707963267948966 z

Robot
models/hand.cfg
+0.5 +0.25 +1 +0.63326 
T (+0.707107 0 0 -0.707107)[+1 0 0]

Robot
models/arm.cfg
0
T (+1 0 0 0)[0 0 0]

Connection
+1 +0 +0 

T (+1 0 0 0)[0 0 +175.05]

CameraFull
+1 +2 +3 0 0 0 +1 +100
)";

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string out(text);
  const std::size_t at = out.find(what);
  REQUIRE(at != std::string::npos);
  return out.replace(at, what.size(), with);
}

struct Row {
  std::string_view what, with, code;
  Position at;
};

}  // namespace

TEST_CASE("graspit: a cfg with every section reads as it is meant, and writes and reads back") {
  for (const Reading reading : {Reading::forgiving, Reading::loader}) {
    const auto robot = read_cfg(kHand, reading, "hand.cfg");
    test::Expected expected(robot.diagnostics);
    const Robot& r = *robot.value;
    CHECK(r.class_name == "Hand");
    CHECK(r.dofs[1].breakaway_torque == 0.5);
    CHECK(r.chains[0].joints[1].variable == Equation{1, 0.5, 40});
    CHECK(r.chains[0].joints[0].viscous == 5e7);
    CHECK(r.flock_of_birds->transform.size() == 1);
    CHECK(r.tendons[0].points[0].chain == -1);
    CHECK(r.wrappers[0].radius == 5);
    CHECK(*read_cfg(write_cfg(r), reading, "again.cfg").value == r);
    CHECK(*read_robot_xml(write_robot_xml(r), "again.xml").value == r);
  }
}

TEST_CASE("graspit: an offset of +-5.9 is negative, d4-5.9 is pointed at and is lost by the loader") {
  CHECK(read_cfg(kHand, Reading::loader, "a").value->chains[0].joints[0].variable.offset == -5.9);
  const std::string text = replaced(kHand, "d0+-5.9", "d0-5.9");
  CHECK(read_cfg(text, Reading::loader, "a").value->chains[0].joints[0].variable.offset == 0);
  const auto meant = read_cfg(text, Reading::forgiving, "a");
  test::Expected expected(meant.diagnostics);
  expected.take(code::kEquationSign, Position{19, 1});
  CHECK(meant.value->chains[0].joints[0].variable.offset == -5.9);
}

TEST_CASE("graspit: R rows are axes, in text and in XML the same nine numbers") {
  const auto robot = read_cfg(kHand, Reading::loader, "a");
  const Matrix3 rows{0, 1, 0, 0, 0, 1, 1, 0, 0};
  CHECK(robot.value->chains[0].base[1].rows == rows);
  CHECK(write_robot_xml(*robot.value).find("<rotationMatrix>0 1 0 0 0 1 1 0 0</rotationMatrix>") != std::string::npos);
}

TEST_CASE("graspit: Fixed links are refused as GraspIt! refuses them, and read all the same") {
  const auto robot = read_cfg(replaced(kHand, "Revolute\nlink1.iv 0", "Fixed\nlink1.iv 0"), Reading::forgiving, "a");
  test::Expected expected(robot.diagnostics);
  expected.take(code::kLinkFixed, Position{21, 1});
  expected.take(code::kLinkSum, Position{22, 1});
  CHECK(robot.value->chains[0].links[0].kind == LinkKind::fixed);
  CHECK(robot.value->chains[0].links[0].last_joint == 0);
}

TEST_CASE("graspit: glass is a material, though the manual omits it") {
  const auto body = read_body_header("#Inventor V2.1 ascii\n#material glass\n", Reading::loader, "a");
  CHECK(body.ok());
  CHECK(body.value->material == "glass");
}

TEST_CASE("graspit: three quaternion traps: w first in T, w last in the camera, and the length") {
  const auto world = read_wld(kWorld, Reading::loader, "a");
  test::Expected none(world.diagnostics);
  CHECK(world.value->robots[0].transform[0].quaternion == std::array<double, 4>{0.707107, 0, 0, -0.707107});
  CHECK(world.value->camera->orientation == std::array<double, 4>{0, 0, 0, 1});
  const auto bad = read_wld(replaced(kWorld, "T (+1 0 0 0)[0 0 -10]", "T (0 0 0 2)[0 0 -10]"), Reading::forgiving, "a");
  test::Expected expected(bad.diagnostics);
  expected.take(code::kQuaternion, Position{5, 1});
}

TEST_CASE("graspit: every problem of a robot has its code and its place") {
  for (const Row& row : {
           Row{"Hand", "Hnd", "graspit-robot-class", {2, 1}},
           Row{"Hand", "Hand ", "graspit-trailing-blank", {2, 1}},
           Row{"\n2\nr", "\nx\nr", "graspit-count", {7, 1}},
           Row{"r 1.0", "h 1.0", "graspit-dof", {8, 1}},
           Row{"1.0e+7 20\n", "1.0e+7 x\n", "graspit-dof", {8, 30}},
           Row{"20 0.5", "20", "graspit-dof", {9, 1}},
           Row{"r 1.0", "c 1.0", "graspit-dof-stiffness", {19, 1}},
           Row{"d1*0.5", "d0*0.5", "graspit-dof-unused", {9, 1}},
           Row{"d1*0.5", "d2*0.5", "graspit-dof-index", {20, 1}},
           Row{"d1*0.5", "e1*0.5", "graspit-joint", {20, 11}},
           Row{"55 0 0 144", "55 0", "graspit-joint", {20, 1}},
           Row{"d1*0.5", " d1*0.5", "graspit-joint-blank", {20, 1}},
           Row{"0 144", "145 144", "graspit-joint-limits", {20, 1}},
           Row{"0 144", "0 144 0 0 1 145", "graspit-joint-limits", {20, 1}},
           Row{"Revolute\nlink2", "Revolut\nlink2", "graspit-link-type", {23, 1}},
           Row{"link2.iv 1", "link2.iv  1", "graspit-link", {24, 1}},
           Row{"link2.iv 1", "link2.iv", "graspit-link", {24, 1}},
           Row{"link2.iv 1", "link2.iv 2", "graspit-link-joint", {24, 1}},
           Row{"link1.iv 0", "link1.iv 1", "graspit-link-sum", {22, 1}},
           Row{"t 25.0 0 -1.0", "t 25.0 -1.0", "graspit-transform", {13, 1}},
           Row{"t 25.0 0 -1.0\nR\n0 1 0\n0 0 1\n1 0 0\n", "", "graspit-transform-missing", {14, 1}},
           Row{"1 0 0\n\n", "1 0 0\n", "graspit-transform-swallow", {18, 1}},
           Row{"0 1 0\n", "0 2 0\n", "graspit-rotation", {14, 1}},
           Row{"0 1 0\n", "0 -1 0\n", "graspit-rotation", {14, 1}},
           Row{"Approach\n0 0 0", "Approach\n#\n0 0 0", "graspit-section", {27, 1}},
           Row{"FlockOfBirds\n3", "FlockOfBirds", "graspit-flock-number", {32, 1}},
           Row{"EigenGrasps\n", "#EigenGrasps\n", "graspit-robot-stray", {30, 1}},
           Row{"EigenGrasps\n", "EigenGrasps \n", "graspit-trailing-blank", {29, 1}},
       }) {
    CAPTURE(row.with);
    CAPTURE(row.code);
    const auto robot = read_cfg(replaced(kHand, row.what, row.with), Reading::forgiving, "a.cfg");
    CAPTURE(test::all_text(robot.diagnostics));
    bool found = false;
    for (const Diagnostic& d : robot.diagnostics.items()) found = found || (d.code == row.code && d.at == row.at);
    CHECK(found);
    CHECK(robot.diagnostics.items().size() <= 3);
  }
  const auto cut = read_cfg(kHand.substr(0, kHand.find("Revolute")), Reading::forgiving, "a.cfg");
  test::Expected expected(cut.diagnostics);
  expected.take(code::kRobotEnd);
}

TEST_CASE("graspit: every problem of a world has its code and its place") {
  for (const Row& row : {
           Row{"GraspableBody", "GraspableBdy", "graspit-world-block", {7, 1}},
           Row{"Obstacle\n", "#x\nObstacle\n", "graspit-world-comment", {2, 1}},
           Row{"+0.25", "x", "graspit-world-dof", {14, 6}},
           Row{"+1 +0 +0 ", "+1 +0 +2 ", "graspit-connection", {23, 1}},
           Row{"+1 +0 +0 ", "+1 ", "graspit-connection", {23, 1}},
           Row{"+1 +0 +0 \n", "+1 +0 +0 ", "graspit-connection", {24, 1}},
           Row{"+1 +2 +3 0 0 0 +1 +100", "+1", "graspit-camera", {28, 1}},
           Row{"wood", "wod", "graspit-material", {4, 1}},
           Row{"[+1 0 0]\n\n", "[+1 0 0]\n", "graspit-transform-swallow", {16, 1}},
       }) {
    CAPTURE(row.with);
    const auto world = read_wld(replaced(kWorld, row.what, row.with), Reading::forgiving, "a.wld");
    CAPTURE(test::all_text(world.diagnostics));
    test::Expected expected(world.diagnostics);
    expected.take(row.code, row.at);
  }
  const auto cut = read_wld("#GraspIt!\nRobot\n", Reading::forgiving, "a.wld");
  test::Expected expected(cut.diagnostics);
  expected.take(code::kWorldEnd);
}

TEST_CASE("graspit: worlds write and read back, in text and XML") {
  const auto world = read_wld(kWorld, Reading::loader, "a");
  CHECK(world.value->robots[0].dof_values == std::vector<double>{0.5, 0.25, 1, 0.63326});
  CHECK(world.value->connections[0].mount.empty());
  CHECK(*read_wld(write_wld(*world.value), Reading::loader, "b").value == *world.value);
  const auto xml = read_world_xml(write_world_xml(*world.value), "c");
  test::Expected expected(xml.diagnostics);
  CHECK(xml.value->bodies[1].transform[1].angle == doctest::Approx(90));
  CHECK(write_world_xml(*xml.value) == write_world_xml(*world.value));
  const auto inner = read_world_xml(
      "<world><graspableBody><body><mass>3</mass><geometryFile>a.iv</geometryFile></body></graspableBody></world>", "d");
  test::Expected none(inner.diagnostics);
  CHECK(inner.value->bodies[0].inline_body->mass == 3);
  CHECK(*read_world_xml(write_world_xml(*inner.value), "e").value == *inner.value);
}

TEST_CASE("graspit: the header's keywords follow the loader's rules; what it ignores is pointed at") {
  struct HeaderRow {
    std::string_view lines, code;
    Position at;
    bool loader_too;
  };
  for (const HeaderRow& row : {
           HeaderRow{"#youngssdf 1500000\n", "graspit-header-keyword", {2, 1}, false},
           HeaderRow{"##youngs 15\n", "graspit-header-keyword", {2, 1}, false},
           HeaderRow{"#---mass 3512\n", "graspit-header-keyword", {2, 1}, false},
           HeaderRow{"# mass 3\n", "graspit-header-keyword", {2, 1}, false},
           HeaderRow{"#Mass 3\n", "graspit-header-keyword", {2, 1}, false},
           HeaderRow{"#mass\t3\n", "graspit-header-blank", {2, 1}, false},
           HeaderRow{"#inertia_tensor\n#1 0 0\n#0 1 0\n#0 0 1\n", "graspit-header-keyword", {2, 1}, false},
           HeaderRow{"#wood\n#300\n", "graspit-header-positional", {2, 1}, false},
           HeaderRow{"#mass 3\n#mass 4\n", "graspit-header-twice", {3, 1}, false},
           HeaderRow{"#material paper\n", "graspit-material", {2, 1}, true},
           HeaderRow{"#mass 0\n", "graspit-mass", {2, 1}, true},
           HeaderRow{"#youngs -1\n", "graspit-mass", {2, 1}, true},
           HeaderRow{"#cog 1 2\n", "graspit-header-number", {2, 1}, true},
           HeaderRow{"#mass much\n", "graspit-header-number", {2, 1}, false},
           HeaderRow{"#mass  300\n", "graspit-header-blank", {2, 1}, false},
           HeaderRow{"#inertia_matrix\n#1 0 0\n\n#0 1 0\n#0 0 1\n", "graspit-inertia-rows", {2, 1}, true},
           HeaderRow{"#inertia_matrix\n#4853.0 -1.1 -6.5\n#-1.1 4853.0 47.542\n#-6.5 0.0 2357.6\n",
                     "graspit-inertia-asymmetric",
                     {2, 1},
                     false},
           HeaderRow{"#inertia_matrix\n#1 0 0\n#0 1 0\n#0 0 9\n", "graspit-inertia-impossible", {2, 1}, false},
           HeaderRow{"#inertia_matrix\n#1.5 0.2 300\n#85000 0.0 0.0\n#0.0 85000 0.0\n#0 0 85000\n",
                     "graspit-inertia-shifted",
                     {2, 1},
                     false},
       }) {
    CAPTURE(row.lines);
    const std::string text = "#Inventor V2.1 ascii\n" + std::string(row.lines) + "Cube {}\n";
    const auto body = read_body_header(text, Reading::forgiving, "a.iv");
    CAPTURE(test::all_text(body.diagnostics));
    bool found = false;
    for (const Diagnostic& d : body.diagnostics.items()) found = found || (d.code == row.code && d.at == row.at);
    CHECK(found);
    const auto loaded = read_body_header(text, Reading::loader, "a.iv");
    found = false;
    for (const Diagnostic& d : loaded.diagnostics.items()) found = found || d.code == row.code;
    CHECK(found == row.loader_too);
  }
  CHECK(!read_body_header("#Inventor\n#mass  300\n", Reading::loader, "a").value->mass.has_value());
  CHECK(read_body_header("#Inventor\n#mass  300\n", Reading::loader, "a").diagnostics.has_errors());
  CHECK(read_body_header("#Inventor\n#mass  300\n", Reading::forgiving, "a").value->mass == 300);
  CHECK(read_body_header("Cube {}\n#mass 3", Reading::loader, "a").value->mass == 3);  // the whole file is scanned
  CHECK(!read_body_header("Cube {}\n #mass 3", Reading::loader, "a").value->mass.has_value());
}

TEST_CASE("graspit: body set edits the header in place and leaves every other byte alone") {
  const std::string_view text =
      "#Inventor V2.1 ascii\r\n# a comment\r\n#mass 3\r\n\r\nCube { width 3 }  # odd  \r\n#inertia_matrix\r\n#1 0 0\r\n#0 1 0\r\n#0 0 1\r\nend";
  Body body;
  body.mass = 300;
  body.material = "wood";
  CHECK(
      set_body_header(text, body) ==
      "#Inventor V2.1 ascii\r\n# a comment\r\n#mass 300\r\n\r\nCube { width 3 }  # odd  \r\n#inertia_matrix\r\n#1 0 0\r\n#0 1 0\r\n#0 0 1\r\n#material wood\r\nend");
  body = {};
  body.inertia = Matrix3{2, 0, 0, 0, 2, 0, 0, 0, 2};
  CHECK(
      set_body_header(text, body) ==
      "#Inventor V2.1 ascii\r\n# a comment\r\n#mass 3\r\n\r\nCube { width 3 }  # odd  \r\n#inertia_matrix\r\n#2 0 0\r\n#0 2 0\r\n#0 0 2\r\nend");
  body = {};
  body.cog = Vector3{0.5, 0, -1};
  CHECK(set_body_header("#VRML V1.0 ascii", body) == "#VRML V1.0 ascii\n#cog 0.5 0 -1");
}

TEST_CASE("graspit: editing the XML of a body changes only its elements") {
  const std::string text =
      "\xEF\xBB\xBF<?xml version=\"1.0\"?>\r\n<!-- <mass>1</mass> -- odd -->\r\n<root>\r\n\t<mass unit=\"a>b\">440 <!-- </mass> -->"
      "</mass>\r\n\t<cog/>\r\n\t<mass>7</mass>\r\n\t<geometryFile type='Inventor'>a&amp;b.iv</geometryFile>\r\n</root> ";
  Body body;
  body.mass = 300;
  body.material = "wood";
  body.cog = Vector3{1, 2, -0.5};
  const auto edited = set_body_xml(text, body, "a.xml");
  REQUIRE(edited.value);
  CHECK(*edited.value == replaced(replaced(text, "440 <!-- </mass> -->", "300"), "<cog/>", "<cog>1 2 -0.5</cog>")
                             .replace(text.find("<mass unit"), 0, "<material>wood</material>\r\n\t"));
  const auto same = set_body_xml(text, Body{}, "a.xml");
  CHECK(same.value == text);
  const auto read = read_body_xml(*edited.value, "a.xml");
  REQUIRE(read.value);
  CHECK(read.value->mass == 300);
  CHECK(read.value->cog == Vector3{1, 2, -0.5});
  CHECK(read.value->geometry_file == "a&b.iv");
  CHECK(set_body_xml("<root/>", body, "a.xml").diagnostics.has_errors());
  CHECK(set_body_xml("<root><mass><b/></mass></root>", body, "a.xml").diagnostics.has_errors());
  CHECK(set_body_xml("<robot><mass>1</mass></robot>", body, "a.xml").diagnostics.has_errors());
  test::for_every_prefix(text, [&](std::string_view part) { (void)set_body_xml(part, body, "a.xml"); });
}

TEST_CASE("graspit: problems of the XML have codes, places, and unknown elements are warned of") {
  const auto missing =
      read_robot_xml("<robot type=\"Hand\">\n<palm>p.xml</palm><dof type=\"r\"><Kp>x</Kp></dof><foo/></robot>", "a.xml");
  std::set<std::string_view> codes;
  for (const Diagnostic& d : missing.diagnostics.items()) codes.insert(d.code);
  CHECK(codes.contains("graspit-xml-missing"));
  CHECK(codes.contains("graspit-xml-text"));
  CHECK(missing.diagnostics.warnings() == 2);  // the unknown element, the DOF without a joint
  CHECK(xml_kind("<?xml version=\"1.0\"?>\n<!-- <root> -->\n<world>") == XmlKind::world);
  CHECK(read_body_xml("<robot/>", "a").diagnostics.has_errors());
}

TEST_CASE("graspit: huge counts, prefixes and mutations end in a reading or in diagnostics") {
  for (const std::string_view count : {"4294967295", "4294967296", "99999999999999999999", "0", "-1"}) {
    (void)read_cfg(replaced(kHand, "\n2\nr", "\n" + std::string(count) + "\nr"), Reading::loader, "a");
    (void)read_cfg(replaced(kHand, "\n1\n2\n2\n", "\n" + std::string(count) + "\n2\n2\n"), Reading::forgiving, "a");
    (void)read_cfg(replaced(kHand, "Tendons\n1", "Tendons\n" + std::string(count)), Reading::forgiving, "a");
  }
  test::for_every_prefix(kHand, [](std::string_view text) {
    (void)read_cfg(text, Reading::forgiving, "a");
    (void)read_cfg(text, Reading::loader, "a");
  });
  test::for_every_prefix(kWorld, [](std::string_view text) { (void)read_wld(text, Reading::loader, "a"); });
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    for (const Reading reading : {Reading::forgiving, Reading::loader}) {
      const auto robot = read_cfg(test::mutated(kHand, seed), reading, "a");
      const auto world = read_wld(test::mutated(kWorld, seed), reading, "a");
      const std::string text = robot.ok() ? write_cfg(*robot.value) : std::string{};
      CAPTURE(text);
      CAPTURE(test::mutated(kHand, seed));
      if (robot.ok() && robot.diagnostics.empty())
        CHECK(*read_cfg(write_cfg(*robot.value), reading, "b").value == *robot.value);
      if (world.ok() && world.diagnostics.empty())
        CHECK(*read_wld(write_wld(*world.value), reading, "b").value == *world.value);
    }
    (void)read_robot_xml(test::mutated(write_robot_xml(*read_cfg(kHand, Reading::loader, "a").value), seed), "a");
  }
}

TEST_CASE("cfg: a tendon count that reaches into the next section is told") {
  const std::string text = simbatch::test::read_text("fuzz/formats/graspit/cfg/tendon-count-too-large.cfg");
  const auto robot = simbatch::graspit::read_cfg(text, simbatch::graspit::Reading::forgiving, "hand.cfg");
  simbatch::test::Expected expected(robot.diagnostics);
  const std::string message = expected.take("graspit-section");
  CHECK(message.find("a tendon's name, found \"TendonWrappers\"") != std::string::npos);
}

TEST_CASE("worlds: blocks beyond the limit are an error at the first one") {
  constexpr std::string_view kBlock = "GraspableBody\na.iv\nT (1 0 0 0)[0 0 0]\n\n";
  const auto parsed = read_wld(test::repeated("#head\n", kBlock, kMaxRecords + 1), Reading::forgiving, "w.wld");
  CHECK_FALSE(parsed.value);
  test::Expected(parsed.diagnostics).take(code::kMany, Position{400'002, 1});
  const auto most = read_wld(test::repeated("#head\n", kBlock, kMaxRecords), Reading::forgiving, "w.wld");
  REQUIRE(most.ok());
  CHECK(most.value->bodies.back().place.at == Position{399'999, 1});
  const std::string text =
      test::repeated("<world>\n", "<obstacle><filename>a.iv</filename><transform/></obstacle>\n", kMaxRecords + 1, "</world>");
  const auto later = read_world_xml(text, "w.xml");
  CHECK_FALSE(later.value);
  test::Expected(later.diagnostics).take(code::kMany, Position{100'002, 1});
}
