#include <doctest/doctest.h>

#include "base/core/record_limit.hpp"
#include "base/xml/codes.hpp"
#include "formats/sdf/codes.hpp"
#include "formats/sdf/read.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
namespace sf = sdf::file;

namespace {

constexpr std::string_view kWorld = R"(<sdf version="1.9">
  <world name="yard">
    <gravity>0 0 -1.6</gravity>
    <physics name="p" type="ode"><max_step_size>0.002</max_step_size></physics>
    <spherical_coordinates><latitude_deg>48</latitude_deg><longitude_deg>11</longitude_deg></spherical_coordinates>
    <include><uri>model://box</uri><name>crate</name><pose relative_to="mark">1 0 0 0 0 0</pose><static>true</static></include>
    <frame name="mark" attached_to="arm"><pose>0 1 0 0 0 0</pose></frame>
    <model name="arm" canonical_link="b">
      <pose degrees="true">0 0 1 0 0 90</pose>
      <link name="a">
        <inertial><pose>0 0 0.5 0 0 0</pose><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.3</izz></inertia></inertial>
        <collision name="c">
          <geometry><box><size>1 2 3</size></box></geometry>
          <surface><friction><ode><mu>0.5</mu></ode></friction><bounce><restitution_coefficient>0.2</restitution_coefficient></bounce></surface>
        </collision>
      </link>
      <link name="b"><inertial auto="true"><density>500</density></inertial></link>
      <joint name="j" type="revolute">
        <parent>a</parent><child>b</child>
        <axis>
          <xyz expressed_in="a">0 1 0</xyz>
          <limit><lower>-1</lower><upper>1e16</upper><effort>5</effort></limit>
          <dynamics><damping>0.1</damping><friction>0.2</friction></dynamics>
        </axis>
      </joint>
    </model>
  </world>
</sdf>
)";

std::string model(std::string_view inside, std::string_view version = "1.9") {
  return "<sdf version='" + std::string(version) + "'>\n<model name='m'>\n" + std::string(inside) + "\n</model></sdf>";
}
std::string shape(std::string_view geometry) {
  return model("<link name='l'><collision name='c'><geometry>" + std::string(geometry) + "</geometry></collision></link>");
}
std::string joint(std::string_view inside, std::string_view type = "revolute") {
  return model("<link name='a'/><link name='b'/>\n<joint name='j' type='" + std::string(type) + "'>" + std::string(inside) +
               "</joint>");
}
constexpr std::string_view kEnds = "<parent>a</parent><child>b</child>";
test::Expected problems(const std::string& text) { return test::Expected(sf::read_sdf(text, "w.sdf").diagnostics); }

}  // namespace

TEST_CASE("sdf: a world as it is written in the file") {
  const auto read = sf::read_sdf(kWorld, "yard.sdf");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->version == 109);
  REQUIRE(read.value->world);
  const sf::World& world = *read.value->world;
  CHECK(world.gravity == geo::Vec3{0, 0, -1.6});
  CHECK(world.step == 0.002);
  CHECK(world.geographic == std::array<double, 2>{48, 11});
  REQUIRE(world.includes.size() == 1);
  CHECK(world.includes[0].uri == "model://box");
  CHECK(world.includes[0].pose.relative_to == "mark");
  CHECK(world.includes[0].is_static == true);
  CHECK(world.frames[0].attached_to == "arm");
  const sf::Model& arm = world.models.at(0);
  CHECK(arm.canonical_link == "b");
  CHECK(std::abs((arm.pose.pose.q * geo::Vec3{1, 0, 0}).y - 1) < 1e-15);
  CHECK(arm.links[0].inertial->mass == 2);
  CHECK(arm.links[0].inertial->inertia == std::array<double, 6>{0.1, 0, 0, 0.2, 0, 0.3});
  CHECK(arm.links[0].collisions[0].shape.size == geo::Vec3{1, 2, 3});
  CHECK(arm.links[0].collisions[0].friction == 0.5);
  CHECK(arm.links[0].collisions[0].restitution == 0.2);
  CHECK(arm.links[1].inertial->automatic);
  CHECK(arm.links[1].inertial->density == 500);
  const sf::Axis& axis = arm.joints[0].axes.at(0);
  CHECK(axis.expressed_in == "a");
  CHECK(axis.lower == -1);
  CHECK_FALSE(axis.upper);
  CHECK(axis.effort == 5);
  CHECK(axis.damping == 0.1);
  CHECK(axis.friction == 0.2);
}

TEST_CASE("sdf: poses as quaternions") {
  const auto read =
      sf::read_sdf(model("<link name='l'><pose rotation_format='quat_xyzw'>1 2 3  0 0 1 0</pose></link>"), "m.sdf");
  REQUIRE(read.ok());
  CHECK(read.value->model->links[0].pose.pose == geo::Pose{{1, 2, 3}, {0, 0, 0, 1}});
}

TEST_CASE("sdf: wrong values are located") {
  problems("<sdf><model name='m'><link name='l'/></model></sdf>").take(sdf::code::kVersion, Position{1, 1});
  problems(model("<link name='l'/>", "2.0")).take(sdf::code::kVersion, Position{1, 15});
  problems("<sdf version='1.9'/>").take(sdf::code::kMissing);
  problems(model("")).take(sdf::code::kMissing, Position{2, 1});
  problems(model("<link name='l'><pose>1 2 3</pose></link>")).take(sdf::code::kNumber, Position{3, 16});
  problems(model("<link name='l'><pose>1 2 3 a 0 0</pose></link>")).take(sdf::code::kNumber);
  problems(model("<link name='l'><velocity_decay><linear>bad</linear></velocity_decay></link>")).take(sdf::code::kNumber);
  problems(model("<link name='l'><inertial><mass>0</mass></inertial></link>")).take(sdf::code::kRange);
  problems(model("<static>maybe</static><link name='l'/>")).take(sdf::code::kFlag);
  problems(model("<link/>")).take(sdf::code::kName);
  problems(model("<link name='world'/>")).take(sdf::code::kName);
  problems(shape("")).take(sdf::code::kGeometry);
  problems(shape("<torus/>")).take(sdf::code::kGeometry);
  problems(shape("<sphere/>")).take(sdf::code::kMissing);
  problems(shape("<box><size>1 -1 1</size></box>")).take(sdf::code::kRange);
  problems(shape("<mesh><uri>a.obj</uri><scale>1 0 1</scale></mesh>")).take(sdf::code::kRange);
  problems(joint(std::string(kEnds) + "<axis><xyz>0 0 1</xyz></axis>", "hinge")).take(sdf::code::kJointType, Position{4, 23});
  problems(joint(kEnds)).take(sdf::code::kMissing);
  problems(joint(std::string(kEnds) + "<axis><xyz>1 0 0</xyz></axis>", "universal")).take(sdf::code::kMissing);
  problems(joint(std::string(kEnds) + "<axis2><xyz>1 0 0</xyz></axis2>", "revolute2")).take(sdf::code::kMissing);
  problems(joint("<parent>a</parent>", "fixed")).take(sdf::code::kMissing);
  problems(joint(std::string(kEnds) + "<axis><xyz>0 0 0</xyz></axis>")).take(sdf::code::kAxis);
  problems(joint(std::string(kEnds) + "<axis><limit><lower>2</lower><upper>1</upper></limit></axis>")).take(sdf::code::kLimit);
  problems("<sdf version='1.9'><world name='w'><include/></world></sdf>").take(sdf::code::kMissing);
}

TEST_CASE("sdf: a name twice is located with the first one") {
  {
    auto expected = problems(model("<link name='l'/><link name='l'/>"));
    expected.take(sdf::code::kName);
    expected.drop_notes();
  }
  {
    auto expected = problems(model("<link name='l'/><frame name='l'/>"));
    expected.take(sdf::code::kName);
    expected.drop_notes();
  }
  CHECK(sf::read_sdf(model("<link name='l'/><frame name='l'/>", "1.6"), "old.sdf").ok());
  {
    auto expected =
        problems("<sdf version='1.9'><model name='m'><link name='l'/></model><model name='m'><link name='l'/></model></sdf>");
    expected.take(sdf::code::kName);
  }
}

TEST_CASE("sdf: what is not read is reported once for each kind, by what it means") {
  auto expected =
      problems("<sdf version='1.9'><world name='w'><plugin name='P'/><plugin name='Q'/><light/><wind/></world></sdf>");
  CHECK(expected.take(sdf::code::kIgnored).find("2 of them: P, Q") != std::string::npos);
  expected.take(sdf::code::kIgnored);
  expected.take(sdf::code::kLook);
}

TEST_CASE("sdf: models nested too deep are refused") {
  std::string inside = "<link name='l'/>";
  for (int i = 0; i < 60; ++i) inside = "<model name='m'>" + inside + "</model>";
  auto expected = problems(model(inside));
  expected.take(sdf::code::kDepth);
}

TEST_CASE("sdf: every prefix and any mutation is read or refused") {
  test::for_every_prefix(
      kWorld, [](std::string_view text) { (void)sf::read_sdf(text, "p"); }, 400);
  for (std::uint64_t seed = 0; seed < 500; ++seed) (void)sf::read_sdf(test::mutated(std::string(kWorld), seed), "m");
}

TEST_CASE("sdf: models and links beyond the limit are an error at the first one") {
  const auto read = [](std::size_t models) {
    return sf::read_sdf(test::repeated("<sdf version='1.9'><world name='w'>\n", "<model name='m#'><link name='l'/></model>\n",
                                       models, "</world></sdf>"),
                        "w.sdf");
  };
  const auto parsed = read(kMaxRecords / 2 + 1);
  CHECK_FALSE(parsed.value);
  test::Expected(parsed.diagnostics).take(sdf::code::kMany, Position{50'002, 1});
  CHECK(read(kMaxRecords / 2).ok());
}
