#include <doctest/doctest.h>

#include "base/xml/xml.hpp"
#include "formats/sdf/sdf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

/// The text between the tags of the first element of that name after `from`.
std::string inside(const std::string& text, const std::string& name, std::size_t from = 0) {
  const std::size_t begin = text.find("<" + name + ">", from);
  if (begin == std::string::npos) return "absent";
  const std::size_t start = begin + name.size() + 2;
  return text.substr(start, text.find("</" + name + ">", start) - start);
}

std::string with_joint(const sdf::Joint& joint) {
  sdf::Model model;
  model.name = "m";
  model.joints.push_back(joint);
  return sdf::write_model(model);
}

}  // namespace

TEST_CASE("sdf: every shape") {
  struct Row {
    sdf::Geometry geometry;
    std::string_view text;
  };
  const Row rows[] = {
      {sdf::Box{{1, 2, 0.5}}, "<box><size>1 2 0.5</size></box>"},
      {sdf::Cylinder{0.25, 3}, "<cylinder><radius>0.25</radius><length>3</length></cylinder>"},
      {sdf::Sphere{1.5}, "<sphere><radius>1.5</radius></sphere>"},
      {sdf::Plane{{0, 0, 1}, {10, 20}}, "<plane><normal>0 0 1</normal><size>10 20</size></plane>"},
      {sdf::Mesh{"a.stl", {1, 1, 1}}, "<mesh><uri>a.stl</uri></mesh>"},
      {sdf::Mesh{"a & b.stl", {1, 2, 1}}, "<mesh><uri>a &amp; b.stl</uri><scale>1 2 1</scale></mesh>"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    sdf::Model model;
    model.links.push_back({"link", {}, {}, std::nullopt, {}, {{"c", {}, row.geometry, std::nullopt}}});
    std::string text = sdf::write_model(model);
    CHECK(xml::Document::parse(text, "m.sdf").value);
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
      text.erase(at, text.find_first_not_of("\n ", at) - at);
    CHECK(text.find("<geometry>" + std::string(row.text) + "</geometry>") != std::string::npos);
  }
}

TEST_CASE("sdf: links with mass, color and friction") {
  sdf::Link link;
  link.name = "body";
  link.pose.xyz = {1, 2, 3};
  link.inertial = sdf::Inertial{{{0, 0, 0.5}, {}}, 12, {1, 2, 3, 4, 5, 6}};
  link.visuals.push_back({"v", {}, sdf::Sphere{}, sdf::Color{0, 0.1, 1, 0.5}});
  link.collisions.push_back({"c", {}, sdf::Sphere{}, 0.75});
  sdf::Model model;
  model.name = "thing";
  model.is_static = true;
  model.links.push_back(link);
  const std::string text = sdf::write_model(model);
  CHECK(inside(text, "static") == "true");
  CHECK(inside(text, "pose") == "1 2 3 0 0 0");
  CHECK(inside(text, "pose", text.find("<inertial>")) == "0 0 0.5 0 0 0");
  CHECK(inside(text, "mass") == "12");
  const char* names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  for (int i = 0; i < 6; ++i) CHECK(inside(text, names[i]) == std::to_string(i + 1));
  CHECK(inside(text, "diffuse") == "0 0.1 1 0.5");
  CHECK(inside(text, "mu") == "0.75");
  CHECK(inside(text, "mu2") == "0.75");
  model.links[0].visuals[0].color.reset();
  CHECK(inside(sdf::write_model(model), "material") == "absent");
  model.is_static = false;
  model.links[0].collisions[0].friction.reset();
  const std::string plain = sdf::write_model(model);
  CHECK(inside(plain, "static") == "absent");
  CHECK(inside(plain, "mu") == "absent");
}

TEST_CASE("sdf: a joint's limits and dynamics are complete, and a fixed one has no axis") {
  sdf::Joint joint;
  joint.name = "j";
  joint.parent = "world";
  joint.child = "body";
  CHECK(inside(with_joint(joint), "axis") == "absent");
  joint.type = "ball";
  CHECK(inside(with_joint(joint), "axis") == "absent");
  joint.type = "revolute";
  const std::string bare = with_joint(joint);
  CHECK(inside(bare, "parent") == "world");
  CHECK(inside(bare, "xyz") == "0 0 1");
  CHECK(inside(bare, "limit") == "absent");
  CHECK(inside(bare, "dynamics") == "absent");
  joint.axis.effort = 5;  // the schema requires both ends of a limit
  const std::string limited = with_joint(joint);
  CHECK(inside(limited, "lower") == "-1e+16");
  CHECK(inside(limited, "upper") == "1e+16");
  CHECK(inside(limited, "effort") == "5");
  CHECK(inside(limited, "velocity") == "absent");
  joint.axis.lower = -0.5;
  joint.axis.upper = 2;
  joint.axis.velocity = 3;
  joint.axis.spring_stiffness = 40;
  const std::string sprung = with_joint(joint);
  CHECK(inside(sprung, "lower") == "-0.5");
  CHECK(inside(sprung, "upper") == "2");
  CHECK(inside(sprung, "velocity") == "3");
  CHECK(inside(sprung, "spring_stiffness") == "40");
  CHECK(inside(sprung, "spring_reference") == "0");
  CHECK(inside(sprung, "damping") == "absent");
  joint.relative_to = "world";
  joint.axis.expressed_in = "__model__";
  joint.axis.mimic = sdf::Mimic{"k", 2, 0.5, 0.25};
  joint.axis2.emplace().xyz = {1, 0, 0};
  const std::string following = with_joint(joint);
  for (const char* part :
       {"<pose relative_to=\"world\">0 0 0 0 0 0</pose>", "<xyz expressed_in=\"__model__\">0 0 1</xyz>", "<mimic joint=\"k\">",
        "<multiplier>2</multiplier>", "<offset>0.5</offset>", "<reference>0.25</reference>", "<axis2>"})
    CHECK_MESSAGE(following.find(part) != std::string::npos, part);
}

TEST_CASE("sdf: extensions have the name space that the root declares") {
  sdf::World world;
  world.extension_prefix = "graspit";
  world.extension_address = "https://example/g";
  world.extensions.push_back({"graspit:source", {{"head", "a \"b\"\nc"}}});
  const std::string text = sdf::write_world(world);
  auto document = xml::Document::parse(text, "w.sdf");
  REQUIRE(document.value);
  CHECK(document.value->root().attribute("version") == "1.9");
  CHECK(document.value->root().attribute("xmlns:graspit") == "https://example/g");
  CHECK(document.value->root().first_child("world").first_child("graspit:source").attribute("head") == "a \"b\"\nc");
  CHECK(sdf::write_world({}).find("xmlns") == std::string::npos);
}

TEST_CASE("sdf: the example of its page is what is written") {
  sdf::World world;
  world.name = "objects";
  sdf::Model model;
  model.name = "object_1";
  model.is_static = true;
  model.pose = {{12.5, 40, 0.5}, {0, 0, -0.25}};
  model.links.push_back({"body", {}, {}, std::nullopt, {}, {{"body", {}, sdf::Box{{2, 4, 1.5}}, std::nullopt}}});
  world.models.push_back(model);
  const std::string page = test::read_text("docs/formats/sdf.md");
  CHECK_MESSAGE(page.find("```\n" + sdf::write_world(world) + "```") != std::string::npos, sdf::write_world(world));
}

TEST_CASE("sdf: names that readers refuse are changed") {
  CHECK(sdf::valid_name("arm::hand") == "arm_hand");
  CHECK(sdf::valid_name("a::b::c") == "a_b_c");
  CHECK(sdf::valid_name("a:::b") == "a_:b");
  CHECK(sdf::valid_name("::_a_::") == "a__");
  CHECK(sdf::valid_name("__model__") == "model__");
  CHECK(sdf::valid_name("__a") == "__a");
}
