#include <doctest/doctest.h>

#include "base/xml/xml.hpp"
#include "formats/urdf/urdf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

urdf::Robot arm() {
  urdf::Robot robot;
  robot.name = "arm & hand";
  urdf::Link base, tip, tool;
  base.name = "base";
  tip.name = "tip";
  tool.name = "tool";
  base.inertial = urdf::Inertial{{{0, 0, 0.1}, {}}, 2.5, {1, 0.5, 0.25, 2, 0.125, 3}};
  urdf::Shape mesh;
  mesh.origin = {{1, 2, 3}, {0.5, 0, -0.5}};
  mesh.geometry = urdf::Mesh{"meshes/base.stl"};
  base.collisions.push_back(mesh);
  mesh.color = urdf::Color{1, 0.2, 0, 1};
  base.visuals.push_back(mesh);
  robot.links = {base, tip, tool};
  urdf::Joint turn;
  turn.name = "turn";
  turn.type = "revolute";
  turn.parent = "base";
  turn.child = "tip";
  turn.axis = {0, 1, 0};
  turn.limit = urdf::Limit{-1, 1.5, 20, 2};
  turn.damping = 0.25;
  turn.mimic = urdf::Mimic{"other", -0.5, 0.1};
  urdf::Joint hold;
  hold.name = "hold";
  hold.parent = "tip";
  hold.child = "tool";
  hold.origin.xyz = {0, 0, 0.3};
  robot.joints = {turn, hold};
  return robot;
}

}  // namespace

TEST_CASE("urdf: links, their inertia and meshes") {
  const std::string text = urdf::write_urdf(arm());
  auto document = xml::Document::parse(text, "arm.urdf");
  REQUIRE_MESSAGE(document.value, test::all_text(document.diagnostics));
  const xml::Element root = document.value->root();
  CHECK(root.attribute("name") == "arm & hand");
  const xml::Element base = root.first_child("link");
  CHECK(base.attribute("name") == "base");
  const xml::Element inertial = base.first_child("inertial");
  CHECK(inertial.first_child("origin").attribute("xyz") == "0 0 0.1");
  CHECK(inertial.first_child("mass").attribute("value") == "2.5");
  const xml::Element inertia = inertial.first_child("inertia");
  CHECK(inertia.attribute("ixx") == "1");
  CHECK(inertia.attribute("ixy") == "0.5");
  CHECK(inertia.attribute("ixz") == "0.25");
  CHECK(inertia.attribute("iyy") == "2");
  CHECK(inertia.attribute("iyz") == "0.125");
  CHECK(inertia.attribute("izz") == "3");
  const xml::Element visual = base.first_child("visual");
  CHECK(visual.first_child("origin").attribute("rpy") == "0.5 0 -0.5");
  CHECK(visual.first_child("geometry").first_child("mesh").attribute("filename") == "meshes/base.stl");
  // Materials of one name are one for readers, so the name contains the color, as bytes if it is made of them.
  CHECK(visual.first_child("material").attribute("name") == "color_255_51_0");
  CHECK(visual.first_child("material").first_child("color").attribute("rgba") == "1 0.2 0 1");
  CHECK(!base.first_child("collision").first_child("material"));
  urdf::Robot other;
  other.links.resize(1);
  other.links[0].visuals.resize(2);
  other.links[0].visuals[0].color = urdf::Color{0.1, 0.2, 0, 0.5};
  other.links[0].visuals[1].color = urdf::Color{0.1, 0.2, 0, 0.5};
  other.links[0].visuals[1].material = "glass";
  const std::string colors = urdf::write_urdf(other);
  CHECK(colors.find("<material name=\"color_0.1_0.2_0_0.5\">") != std::string::npos);
  CHECK(colors.find("<material name=\"glass\">") != std::string::npos);
  CHECK(colors.find("rgba=\"0.1 0.2 0 0.5\"") != std::string::npos);
}

TEST_CASE("urdf: joints have an axis only if they move, and their limits and couplings") {
  const std::string text = urdf::write_urdf(arm());
  auto document = xml::Document::parse(text, "arm.urdf");
  REQUIRE(document.value);
  const xml::Element turn = document.value->root().first_child("joint");
  CHECK(turn.attribute("type") == "revolute");
  CHECK(!turn.first_child("origin"));  // zero
  CHECK(turn.first_child("parent").attribute("link") == "base");
  CHECK(turn.first_child("child").attribute("link") == "tip");
  CHECK(turn.first_child("axis").attribute("xyz") == "0 1 0");
  const xml::Element limit = turn.first_child("limit");
  CHECK(limit.attribute("lower") == "-1");
  CHECK(limit.attribute("upper") == "1.5");
  CHECK(limit.attribute("effort") == "20");
  CHECK(limit.attribute("velocity") == "2");
  CHECK(turn.first_child("dynamics").attribute("damping") == "0.25");
  CHECK(turn.first_child("dynamics").attribute("friction") == "0");
  CHECK(turn.first_child("mimic").attribute("joint") == "other");
  CHECK(turn.first_child("mimic").attribute("multiplier") == "-0.5");
  CHECK(turn.first_child("mimic").attribute("offset") == "0.1");
  const std::size_t fixed = text.find("<joint name=\"hold\" type=\"fixed\">");
  REQUIRE(fixed != std::string::npos);
  CHECK(text.find("<axis", fixed) == std::string::npos);
  CHECK(text.find("<origin xyz=\"0 0 0.3\" rpy=\"0 0 0\"/>", fixed) != std::string::npos);
}

TEST_CASE("urdf: the example of its page is what is written") {
  urdf::Robot robot;
  robot.name = "gripper";
  robot.links.resize(2);
  robot.links[0].name = "palm";
  robot.links[0].inertial = urdf::Inertial{{}, 0.3, {0.0002, 0, 0, 0.0002, 0, 0.0001}};
  robot.links[1].name = "chain0_link0";
  urdf::Joint joint;
  joint.name = "chain0_joint0";
  joint.type = "revolute";
  joint.parent = "palm";
  joint.child = "chain0_link0";
  joint.origin = {{0.02, 0, 0.05}, {0, 0, 1.5}};
  joint.limit = urdf::Limit{0, 1.2, 2.5, 1};
  robot.joints = {joint};
  const std::string page = test::read_text("docs/formats/urdf.md");
  CHECK_MESSAGE(page.find("```\n" + urdf::write_urdf(robot) + "```") != std::string::npos, urdf::write_urdf(robot));
}
