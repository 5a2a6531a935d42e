#include <doctest/doctest.h>

#include "base/core/record_limit.hpp"
#include "base/xml/codes.hpp"
#include "formats/urdf/codes.hpp"
#include "formats/urdf/urdf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr std::string_view kArm = R"(<?xml version="1.0"?>
<robot name="arm">
  <material name="blue">
    <color rgba="0 0 0.8 1"/>
  </material>
  <link name="base">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0 0 1.5"/>
      <mass value="2.5"/>
      <inertia ixx="1" ixy="0.5" ixz="0.25" iyy="2" iyz="0.125" izz="3"/>
    </inertial>
    <visual>
      <geometry><box size="1  2 +3."/></geometry>
      <material name="blue"/>
    </visual>
    <collision name="body">
      <origin xyz="1 2 3" rpy="0.5 0 -0.5"/>
      <geometry><cylinder radius="0.5" length="2"/></geometry>
    </collision>
    <contact><lateral_friction value="0.7"/><restitution value="0.1"/></contact>
  </link>
  <link name="tip">
    <collision><geometry><mesh filename="package://arm/tip.stl" scale="0.001 0.001 0.001"/></geometry></collision>
    <collision><geometry><sphere radius="0.25"/></geometry></collision>
    <collision><geometry><capsule radius="0.25" length="1"/></geometry></collision>
  </link>
  <joint name="turn" type="revolute">
    <origin xyz="0 0 1"/>
    <parent link="base"/>
    <child link="tip"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1.5" effort="20" velocity="2"/>
    <dynamics damping="0.25" friction="0.5"/>
  </joint>
</robot>
)";

/// A robot of two links and what is put between them.
std::string robot(std::string_view more, std::string_view links = "<link name='a'/><link name='b'/>") {
  return "<robot name='r'>\n" + std::string(links) + "\n" + std::string(more) + "\n</robot>\n";
}
std::string joint(std::string_view inside, std::string_view type = "fixed") {
  return "<joint name='j' type='" + std::string(type) + "'><parent link='a'/><child link='b'/>" + std::string(inside) +
         "</joint>";
}
test::Expected problems(const std::string& text) { return test::Expected(urdf::read_urdf(text, "r.urdf").diagnostics); }

}  // namespace

TEST_CASE("urdf: a robot as it is written in the file") {
  const auto read = urdf::read_urdf(kArm, "arm.urdf");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  const urdf::Robot& robot = *read.value;
  CHECK(robot.name == "arm");
  REQUIRE(robot.links.size() == 2);
  const urdf::Link& base = robot.links[0];
  CHECK(base.inertial == urdf::Inertial{{{0, 0, 0.1}, {0, 0, 1.5}}, 2.5, {1, 0.5, 0.25, 2, 0.125, 3}});
  REQUIRE(base.visuals.size() == 1);
  CHECK(base.visuals[0].geometry == urdf::Geometry(urdf::Box{{1, 2, 3}}));
  CHECK(base.visuals[0].material == "blue");
  CHECK(base.visuals[0].color == urdf::Color{0, 0, 0.8, 1});
  REQUIRE(base.collisions.size() == 1);
  CHECK(base.collisions[0].name == "body");
  CHECK(base.collisions[0].origin == urdf::Pose{{1, 2, 3}, {0.5, 0, -0.5}});
  CHECK(base.collisions[0].geometry == urdf::Geometry(urdf::Cylinder{0.5, 2}));
  CHECK(base.contact == urdf::Contact{0.7, 0.1});
  const urdf::Link& tip = robot.links[1];
  REQUIRE(tip.collisions.size() == 3);
  CHECK(tip.collisions[0].geometry == urdf::Geometry(urdf::Mesh{"package://arm/tip.stl", {0.001, 0.001, 0.001}}));
  CHECK(tip.collisions[2].geometry == urdf::Geometry(urdf::Capsule{0.25, 1}));
  REQUIRE(robot.joints.size() == 1);
  const urdf::Joint& turn = robot.joints[0];
  CHECK(turn.type == "revolute");
  CHECK(turn.origin.xyz == urdf::Vector{0, 0, 1});
  CHECK(turn.axis == urdf::Vector{0, 1, 0});
  CHECK(turn.limit == urdf::Limit{-1, 1.5, 20, 2});
  CHECK(turn.damping == 0.25);
  CHECK(turn.friction == 0.5);
  CHECK(turn.place.at == Position{27, 3});
}

TEST_CASE("urdf: what is read is written, and read again") {
  const auto read = urdf::read_urdf(kArm, "arm.urdf");
  const auto again = urdf::read_urdf(urdf::write_urdf(*read.value), "again.urdf");
  REQUIRE_MESSAGE(again.ok(), test::all_text(again.diagnostics));
  CHECK(*again.value == *read.value);
}

TEST_CASE("urdf: what a limit does not have is not limited, and is not written") {
  const auto read = urdf::read_urdf(robot(joint("<limit lower='-1' upper='2'/>", "revolute")), "r.urdf");
  REQUIRE(read.ok());
  REQUIRE(read.value->joints.at(0).limit);
  CHECK(read.value->joints[0].limit->lower == -1);
  CHECK_FALSE(read.value->joints[0].limit->effort);
  CHECK_FALSE(read.value->joints[0].limit->velocity);
  const auto again = urdf::read_urdf(urdf::write_urdf(*read.value), "again.urdf");
  REQUIRE(again.ok());
  CHECK(*again.value == *read.value);
}

TEST_CASE("urdf: a template of xacro says how it is expanded") {
  auto expected =
      problems("<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'>\n <xacro:property name='w' value='1'/>\n</robot>");
  expected.take(urdf::code::kXacro, Position{2, 2});
  CHECK(expected.take(urdf::code::kXacro).find("xacro r.urdf > robot.urdf") != std::string::npos);
}

TEST_CASE("urdf: wrong values are located") {
  problems(robot(joint("<origin xyz='1 2'/>"))).take(urdf::code::kVector, Position{3, 78});
  problems(robot(joint("<origin xyz='1 2 x'/>"))).take(urdf::code::kVector);
  problems(robot(joint("", "hinge"))).take(urdf::code::kJointType, Position{3, 23});
  problems(robot(joint("", "revolute"))).take(urdf::code::kLimit);
  problems(robot(joint("<limit lower='2' upper='1' effort='1' velocity='1'/>", "revolute"))).take(urdf::code::kLimit);
  problems(robot(joint("<limit lower='1' upper='2' effort='1'/>", "prismatic"))).take(urdf::code::kLimit);
  problems(robot(joint("<axis xyz='0 0 0'/>", "continuous"))).take(urdf::code::kAxis);
  problems(robot("", "<link name='a'><collision/></link>")).take(urdf::code::kGeometry);
  problems(robot("", "<link name='a'><collision><geometry><torus/></geometry></collision></link>")).take(urdf::code::kGeometry);
  problems(robot("", "<link name='a'><collision><geometry><box size='1 0 1'/></geometry></collision></link>"))
      .take(urdf::code::kGeometry);
  problems(robot("", "<link name='a'><collision><geometry><sphere radius='0'/></geometry></collision></link>"))
      .take(xml::code::kNumberRange);
  problems(robot("", "<link name='a'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"))
      .take(urdf::code::kMass);
  problems(robot("", "<link name='a'><visual><geometry><sphere radius='1'/></geometry><material name='red'/></visual></link>"))
      .take(urdf::code::kMaterial);
}

TEST_CASE("urdf: what does not fit together is located, once for each cause") {
  {
    auto expected = problems(robot("<joint name='j' type='fixed'><parent link='a'/><child link='bse'/></joint>",
                                   "<link name='a'/>\n<link name='base'/>"));
    CHECK(expected.take(urdf::code::kReference, Position{4, 1}).find("did you mean \"base\"") != std::string::npos);
  }
  {
    auto expected = problems(robot(joint(""), "<link name='a'/><link name='b'/><link name='a'/>"));
    expected.take(urdf::code::kName);
    expected.take(urdf::code::kName);  // a note: the first one
  }
  {
    auto expected = problems(robot(""));
    expected.take(urdf::code::kTree);
    expected.drop_notes();
  }
  {
    auto expected = problems(robot("<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>" + joint("")));
    expected.take(urdf::code::kTree);
  }
  {
    auto expected = problems(robot("<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>" + joint(""),
                                   "<link name='a'/><link name='b'/><link name='c'/>"));
    expected.take(urdf::code::kTree);
    expected.drop_notes();
  }
  problems(robot(joint("<mimic joint='x'/>"))).take(urdf::code::kReference);
  problems("<robot name='r'/>").take(urdf::code::kTree);
  // A broken link is one error; the joint that names it is not reported as well.
  problems(robot(joint(""), "<link name='a'/><link name='b'><collision/></link>")).take(urdf::code::kGeometry);
}

TEST_CASE("urdf: what is not read is reported once for each kind") {
  auto expected = problems(robot(joint("") + "<gazebo/><gazebo reference='a'/><transmission/>"));
  CHECK(expected.take(urdf::code::kIgnored).find("2 of them") != std::string::npos);
  expected.take(urdf::code::kIgnored);
}

TEST_CASE("urdf: comments as TinyXML reads them are warnings") {
  const auto read =
      urdf::read_urdf("<!-- a -- b -->\n<?xml version='1.0'?>\n<robot name='r'><link name='a'/></robot>", "r.urdf");
  REQUIRE(read.value);
  CHECK_FALSE(read.diagnostics.has_errors());
  test::Expected expected(read.diagnostics);
  expected.take(xml::code::kComment, Position{1, 8});
  expected.take(xml::code::kComment, Position{2, 1});
}

TEST_CASE("urdf: every prefix and any mutation is read or refused") {
  test::for_every_prefix(
      kArm, [](std::string_view text) { (void)urdf::read_urdf(text, "p"); }, 400);
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto read = urdf::read_urdf(test::mutated(std::string(kArm), seed), "m");
    if (read.ok()) CHECK(urdf::read_urdf(urdf::write_urdf(*read.value), "w").ok());
  }
}

TEST_CASE("urdf: a long chain and many problems take time in proportion") {
  std::string links = "<link name='a0'/>", joints;
  for (int i = 1; i < 20000; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    links += "<link name='a" + n + "'/>";
    joints += "<joint name='j" + n + "' type='fixed'><parent link='a" + before + "'/><child link='a" + n + "'/></joint>";
  }
  CHECK(urdf::read_urdf(robot(joints, links), "chain").ok());
}

TEST_CASE("urdf: links and joints beyond the limit are an error at the first one") {
  const auto read = [](std::size_t links) {
    return urdf::read_urdf(test::repeated("<robot name='r'>\n", "<link name='l#'/>\n", links, "</robot>"), "r.urdf");
  };
  const auto parsed = read(kMaxRecords + 1);
  CHECK_FALSE(parsed.value);
  test::Expected(parsed.diagnostics).take(urdf::code::kMany, Position{100'002, 1});
  test::Expected most(read(kMaxRecords).diagnostics);
  most.take(urdf::code::kTree, Position{3, 1});  // several roots
  most.drop_notes();
}
