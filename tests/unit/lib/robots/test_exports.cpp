// Models as URDF and SDF.

#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/geo.hpp"
#include "formats/sdf/read.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/from_urdf.hpp"
#include "lib/robots/solids.hpp"
#include "lib/robots/to_sdf.hpp"
#include "lib/robots/to_urdf.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using geo::Pose;
using geo::Vec3;
using robots::Joint;

namespace {

robots::Part part(const std::string& name, Pose pose, double mass) {
  robots::Part made;
  made.name = name;
  made.pose = pose;
  made.inertial = robots::Inertial{mass, {0.1, 0.2, 0.3}, {1, 2, 2.5, 0.1, 0.2, 0.3}};
  robots::Solid solid;
  solid.name = "shape";
  solid.pose = {{0.5, 0, 0}, {}};
  solid.shape = {robots::Shape::Kind::capsule, {}, 0.1, 0.6, {}};
  solid.friction = 0.7;
  solid.restitution = 0.2;
  made.collisions.push_back(solid);
  return made;
}

Joint joint(Joint::Kind kind, const std::string& parent, const std::string& child, Vec3 position, Vec3 axis = {0, 0, 1}) {
  Joint made;
  made.kind = kind;
  made.name = parent + "_" + child;
  made.parent = parent;
  made.child = child;
  made.position = position;
  made.axis = axis;
  return made;
}

/// A base on the world, an arm whose frame is not at its joint, and a slide at its end.
robots::Model arm() {
  robots::Model model;
  model.name = "arm";
  model.parts = {part("base", {}, 3), part("upper", {{1, 2, 3}, geo::rotation({1, 2, 3}, 0.7)}, 2),
                 part("hand", {{2, 2, 3}, geo::rotation({0, 1, 0}, -0.4)}, 1)};
  model.joints = {joint(Joint::Kind::fixed, "", "base", {}),
                  joint(Joint::Kind::revolute, "base", "upper", {0.5, 2, 3}, {0, 1, 0}),
                  joint(Joint::Kind::prismatic, "upper", "hand", {2, 2, 2.5}, {0.6, 0, 0.8})};
  model.joints[1].lower = -1;
  model.joints[1].upper = 0.5;
  model.joints[1].damping = 0.3;
  model.joints[1].motor = robots::Motor{robots::Motor::Mode::force, 12, 3, 0, {}, 0};
  model.joints[2].friction = 4;
  return model;
}

bool near(Vec3 a, Vec3 b) { return geo::length(a - b) < 1e-9; }

/// The same places, masses and joints in the model's frame, whatever the frames of the links.
void check_same(const robots::Model& a, const robots::Model& b) {
  for (const robots::Part& p : a.parts) {
    CAPTURE(p.name);
    const auto index = robots::part_index(b, p.name);
    REQUIRE(index);
    const robots::Part& q = b.parts[*index];
    const robots::Inertial before = robots::moved(*p.inertial, p.pose), after = robots::moved(*q.inertial, q.pose);
    CHECK(std::abs(before.mass - after.mass) < 1e-12);
    CHECK(near(before.center, after.center));
    CHECK(near({before.tensor.xx, before.tensor.yy, before.tensor.zz}, {after.tensor.xx, after.tensor.yy, after.tensor.zz}));
    CHECK(near({before.tensor.xy, before.tensor.xz, before.tensor.yz}, {after.tensor.xy, after.tensor.xz, after.tensor.yz}));
    CHECK(near(p.pose * p.collisions[0].pose.p, q.pose * q.collisions[0].pose.p));
  }
  for (const Joint& j : a.joints) {
    if (j.kind == Joint::Kind::fixed) continue;
    CAPTURE(j.name);
    bool found = false;
    for (const Joint& k : b.joints) {
      if (k.name != j.name) continue;
      found = true;
      CHECK(k.kind == j.kind);
      CHECK(near(k.position, j.position));
      CHECK(near(k.axis, j.axis));
      CHECK(k.damping == j.damping);
      CHECK(k.friction == j.friction);
    }
    CHECK(found);
  }
}

}  // namespace

TEST_CASE("robots: a model as URDF is the same model") {
  Diagnostics problems;
  const robots::Model model = arm();
  const urdf::Robot robot = robots::to_urdf(model, problems);
  CHECK(problems.empty());
  const auto read = urdf::read_urdf(urdf::write_urdf(robot), "arm.urdf");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  const robots::Model back = robots::from_urdf(*read.value);
  check_same(model, back);
  CHECK(back.joints[0].parent.empty());
  CHECK(read.value->joints[1].limit->effort == 12);
  CHECK(read.value->joints[1].limit->velocity == 3);
  // A capsule is a cylinder and two spheres.
  CHECK(read.value->links[1].collisions.size() == 3);
  CHECK(read.value->links[1].contact.friction == 0.7);
}

TEST_CASE("robots: a model as SDF is the same model") {
  Diagnostics problems;
  robots::World world;
  world.name = "world";
  world.step = 0.002;
  world.geographic = {48, 11};
  world.models = {arm(), arm()};
  world.models[1].pose = {{0, 0, 5}, geo::rotation({0, 0, 1}, 1)};
  world.models[0].joints[1].stiffness = 6;
  world.models[0].joints[1].rest = 0.2;
  world.models[0].parts[0].collisions[0].shape = {robots::Shape::Kind::ellipsoid, {1, 2, 3}, 0, 0, {}};
  const auto read = sdf::file::read_sdf(sdf::write_world(robots::to_sdf(world, problems)), "arm.sdf");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->world->step == 0.002);
  CHECK((*read.value->world->geographic)[1] == 11);
  const robots::IncludeLoader none = [](const std::string&, const std::string&, Position) {
    return std::optional<robots::IncludedFile>();
  };
  const robots::World back = robots::from_sdf(*read.value, "arm.sdf", none, problems);
  REQUIRE(back.models.size() == 2);
  check_same(world.models[0], back.models[0]);
  CHECK(near(back.models[1].pose * Vec3{1, 0, 0}, world.models[1].pose * Vec3{1, 0, 0}));
  CHECK(back.models[1].name == "arm_2");
  CHECK(back.models[0].joints[1].stiffness == 6);
  CHECK(back.models[0].joints[1].rest == 0.2);
  CHECK(back.models[0].parts[0].collisions[0].shape.kind == robots::Shape::Kind::ellipsoid);
  CHECK(back.models[0].parts[1].collisions[0].shape.length == 0.6);
  CHECK(back.models[0].parts[1].collisions[0].restitution == 0.2);
  CHECK(problems.empty());
}

TEST_CASE("robots: names in SDF have no scopes, stay unique, and are referred to as they are written") {
  robots::World world;
  world.name = "a::world";
  world.models = {arm(), arm()};
  robots::Model& model = world.models[0];
  model.name = world.models[1].name = "outer::arm";
  model.parts[1].name = "in::upper";
  model.parts[2].name = "in_upper";
  model.parts[1].collisions[0].name = "one::shape";
  model.joints[1].name = "in::joint";
  model.joints[1].child = model.joints[2].parent = "in::upper";
  model.joints[2].child = "in_upper";
  Diagnostics problems;
  CHECK(robots::to_sdf(model, problems).name == "outer_arm");
  const std::string text = sdf::write_world(robots::to_sdf(world, problems));
  CHECK(text.find("::") == std::string::npos);
  const auto read = sdf::file::read_sdf(text, "arm.sdf");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  CHECK(read.value->world->models[0].name == "outer_arm");
  CHECK(read.value->world->models[1].name == "outer_arm_2");
  const sdf::file::Model& back = read.value->world->models[0];
  CHECK(back.links[1].name == "in_upper");
  CHECK(back.links[2].name == "in_upper_2");
  CHECK(back.joints[1].name == "in_joint");
  CHECK(back.joints[1].child == "in_upper");
  CHECK(back.joints[2].parent == "in_upper");
  CHECK(back.joints[2].child == "in_upper_2");
  CHECK(problems.warnings() == problems.items().size());
  test::Expected renamed(problems);
  for (std::size_t i = 0; i < problems.items().size(); ++i) renamed.take(robots::code::kLossName);
}

TEST_CASE("robots: what URDF and SDF cannot say is said") {
  robots::Model model = arm();
  model.joints[1].stiffness = 5;
  model.joints[1].rotor = 0.1;
  model.joints[1].motor->mode = robots::Motor::Mode::position;
  model.joints.push_back(joint(Joint::Kind::revolute, "hand", "base", {}));  // a ring
  Diagnostics in_urdf, in_sdf;
  const urdf::Robot robot = robots::to_urdf(model, in_urdf);
  CHECK(robot.joints.size() == 3);
  test::Expected found(in_urdf);
  CHECK(found.take(robots::code::kLossJoint).find("rings") != std::string::npos);
  CHECK(found.take(robots::code::kLossJoint).find("springs") != std::string::npos);
  CHECK(found.take(robots::code::kLossMotor).find("rotors") != std::string::npos);
  CHECK(found.take(robots::code::kLossMotor).find("gains") != std::string::npos);
  CHECK(robots::to_sdf(model, in_sdf).joints.size() == 4);
  test::Expected lost(in_sdf);
  lost.take(robots::code::kLossMotor);
  lost.take(robots::code::kLossMotor);
}

TEST_CASE("robots: a joint from the child's side is turned around") {
  robots::Model model = arm();
  model.joints[1].parent = "upper";
  model.joints[1].child = "base";
  Diagnostics problems;
  const urdf::Robot robot = robots::to_urdf(model, problems);
  CHECK(problems.empty());
  REQUIRE(robot.joints.size() == 3);
  CHECK(robot.joints[1].parent == "base");
  CHECK(robot.joints[1].child == "upper");
  // The angle keeps its sense: the child's turn against the parent is minus the parent's against the child.
  const robots::Model back = robots::from_urdf(robot);
  CHECK(near(back.joints[2].axis, {0, -1, 0}));
}

TEST_CASE("robots: a ball joint is three joints in URDF, and one in SDF") {
  robots::Model model = arm();
  model.joints[2].kind = Joint::Kind::spherical;
  Diagnostics problems;
  const urdf::Robot robot = robots::to_urdf(model, problems);
  CHECK(robot.joints.size() == 5);
  CHECK(robot.joints[4].child == "hand");
  test::Expected(problems).take(robots::code::kLossJoint);
  Diagnostics none;
  CHECK(robots::to_sdf(model, none).joints[2].type == "ball");
  CHECK(none.empty());
}

TEST_CASE("robots: parts that do not hang together are no URDF robot") {
  robots::Model model = arm();
  model.joints.pop_back();
  Diagnostics problems;
  (void)robots::to_urdf(model, problems);
  CHECK(test::Expected(problems).take(robots::code::kTree).find("\"hand\"") != std::string::npos);
}

namespace {

const robots::IncludeLoader kNothing = [](const std::string&, const std::string&, Position) {
  return std::optional<robots::IncludedFile>();
};

urdf::Robot robot_of(std::string_view inside) {
  auto read = urdf::read_urdf("<robot name='r'>" + std::string(inside) + "</robot>", "r.urdf");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  return std::move(*read.value);
}
/// @param file  what is in <sdf>
robots::World world_of(const std::string& text) {
  const auto read = sdf::file::read_sdf(text, "w.sdf");
  REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
  Diagnostics problems;
  robots::World world = robots::from_sdf(*read.value, "w.sdf", kNothing, problems);
  REQUIRE_MESSAGE(!problems.has_errors(), test::all_text(problems));
  return world;
}
std::string model_text(std::string_view inside) {
  return "<sdf version='1.9'><model name='m'>" + std::string(inside) + "</model></sdf>";
}

constexpr const char* kMass =
    "<inertial><mass value='1.1'/><inertia ixx='0.1' ixy='0.01' ixz='0.02' iyy='0.13' iyz='0.03' izz='0.17'/>";

}  // namespace

TEST_CASE("robots: URDF to SDF and back keeps every link and joint, with the same numbers") {
  const std::string mass = kMass;
  const urdf::Robot before = robot_of(
      "<link name='base'>" + mass +
      "<origin xyz='0.1 0.2 0.3' rpy='0.4 0.5 0.6'/></inertial></link>"
      "<link name='plate'>" +
      mass +
      "</inertial></link>"
      "<link name='arm'>" +
      mass +
      "</inertial><visual><origin rpy='1.5707963267948966 0 0.1'/><geometry><box size='1 2 3'/></geometry>"
      "<material name='m'><color rgba='0.1 0.23 0.7058823529411765 0.5'/></material></visual></link>"
      "<link name='hand'>" +
      mass +
      "</inertial></link>"
      "<joint name='weld' type='fixed'><origin xyz='0.1 0.7 0.9' rpy='0.123456789012345 -1.5707963267948966 3'/>"
      "<parent link='base'/><child link='plate'/></joint>"
      "<joint name='turn' type='revolute'><origin xyz='0.3 0.3 0.3' rpy='0.7 0.8 0.9'/><parent link='plate'/><child link='arm'/>"
      "<axis xyz='0.3 0.4 0.6'/><limit lower='-0.1' upper='1.7' effort='0' velocity='3.3'/><dynamics damping='0.7' friction='0.3'/></joint>"
      "<joint name='spin' type='continuous'><origin xyz='0 0 0.1'/><parent link='arm'/><child link='hand'/><axis xyz='0 0 1'/>"
      "<limit lower='0' upper='0' effort='2.2' velocity='0'/><mimic joint='turn' multiplier='-1.5' offset='0.2'/></joint>");
  Diagnostics problems;
  const std::string text = sdf::write_model(robots::to_sdf(robots::from_urdf(before), problems));
  CHECK(text.find("<pose relative_to=\"base\">0.1 0.7 0.9 0.123456789012345 -1.5707963267948966 3</pose>") !=
        std::string::npos);
  const robots::World world = world_of(text);
  urdf::Robot after = robots::to_urdf(world.models.at(0), problems);
  CHECK_MESSAGE(problems.empty(), test::all_text(problems));
  REQUIRE(after.links.size() == before.links.size());
  for (std::size_t i = 0; i < before.links.size(); ++i) {
    CHECK(after.links[i].name == before.links[i].name);
    CHECK(after.links[i].inertial == before.links[i].inertial);
  }
  CHECK(after.links[2].visuals.at(0).origin == before.links[2].visuals[0].origin);
  CHECK(after.links[2].visuals.at(0).color == before.links[2].visuals[0].color);
  CHECK(after.links[0].visuals.empty());
  REQUIRE(after.joints.size() == before.joints.size());
  for (std::size_t i = 0; i < before.joints.size(); ++i) {
    CAPTURE(before.joints[i].name);
    if (before.joints[i].type == "fixed") after.joints[i].axis = before.joints[i].axis;
    CHECK(after.joints[i] == before.joints[i]);
  }
}

TEST_CASE("robots: SDF to SDF keeps nested models, frames, poses in other frames, and joints of all kinds") {
  const std::string text = model_text(
      "<pose>1 2 3 0.1 0.2 0.3</pose><frame name='f' attached_to='a'><pose>0.7 0 0 0 0 0.3</pose></frame>"
      "<frame name='g'><pose>0.3 0.6 0.9 0.1 0.2 0.3</pose></frame>"
      "<link name='a'><pose>0.1 0.3 0.7 0.3 0.6 0.9</pose></link><link name='b'><pose relative_to='f'>0 1 0 0 0 0</pose></link>"
      "<link name='c'><pose>0.1 0 0 0 0 0</pose></link><link name='d'/>"
      "<model name='n'><pose>0.3 0.1 0 0.1 0 0</pose><link name='a'><pose>0.7 0.1 0.3 0.3 0.1 0.7</pose></link><link name='z'/>"
      "<joint name='t' type='prismatic'><parent>a</parent><child>z</child><axis><xyz expressed_in='__model__'>0.3 0.4 0</xyz>"
      "<limit><lower>-0.7</lower></limit></axis></joint></model>"
      "<joint name='r' type='revolute'><pose>0.1 0.2 0.3 0.7 0.1 0.2</pose><parent>a</parent><child>b</child><axis><xyz>0.1 0.2 0.7</xyz>"
      "<limit><lower>-1.1</lower><upper>0.3</upper><velocity>0.7</velocity></limit>"
      "<mimic joint='u'><multiplier>2</multiplier><offset>0.1</offset><reference>0.3</reference></mimic></axis></joint>"
      "<joint name='u' type='universal'><parent>a</parent><child>c</child><axis><xyz>1 0 0</xyz><limit><upper>0.3</upper></limit></axis>"
      "<axis2><xyz>0 1 0</xyz><dynamics><damping>0.1</damping></dynamics></axis2></joint>"
      "<joint name='s' type='ball'><parent>a</parent><child>d</child></joint>"
      "<joint name='w' type='fixed'><parent>b</parent><child>n::a</child></joint>");
  Diagnostics problems;
  const robots::Model before = world_of(text).models.at(0);
  const std::string once = sdf::write_model(robots::to_sdf(before, problems));
  const robots::Model after = world_of(once).models.at(0);
  CHECK(sdf::write_model(robots::to_sdf(after, problems)) == once);
  CHECK_MESSAGE(problems.empty(), test::all_text(problems));
  for (const char* kept :
       {"<pose>1 2 3 0.1 0.2 0.3</pose>", "<pose>0.1 0.3 0.7 0.3 0.6 0.9</pose>", "<pose>0.7 0.1 0.3 0.3 0.1 0.7</pose>",
        "<pose>0.1 0.2 0.3 0.7 0.1 0.2</pose>", "<xyz>0.1 0.2 0.7</xyz>", "expressed_in=\"__model__\">0.3 0.4 0<",
        "<frame name=\"f\" attached_to=\"a\">", "<pose>0.7 0 0 0 0 0.3</pose>", "<reference>0.3</reference>",
        "<child>n::a</child>", "<pose relative_to=\"__model__\">0.3 0.6 0.9 0.1 0.2 0.3</pose>"})
    CHECK_MESSAGE(once.find(kept) != std::string::npos, kept);
  REQUIRE(after.parts.size() == before.parts.size());
  for (std::size_t i = 0; i < before.parts.size(); ++i) {
    CHECK(after.parts[i].name == before.parts[i].name);
    for (const Vec3 v : {Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) CHECK(near(after.parts[i].pose * v, before.parts[i].pose * v));
  }
  REQUIRE(after.joints.size() == before.joints.size());
  for (std::size_t i = 0; i < before.joints.size(); ++i) {
    const Joint &a = before.joints[i], &b = after.joints[i];
    CAPTURE(a.name);
    CHECK(b.name == a.name);
    CHECK(b.kind == a.kind);
    CHECK(b.parent == a.parent);
    CHECK(b.child == a.child);
    CHECK(near(b.axis, a.axis));
    CHECK(b.lower == a.lower);
    CHECK(b.upper == a.upper);
    CHECK(b.velocity == a.velocity);
    CHECK(b.effort == a.effort);
    CHECK(b.damping == a.damping);
  }
  CHECK(after.joints[2].first->upper == 0.3);
  CHECK(after.frames.size() == 2);
}

TEST_CASE("robots: what has no place in SDF or URDF is said, joint by joint") {
  const std::string mass = std::string(kMass) + "</inertial>";
  const robots::Model cart = robots::from_urdf(robot_of(
      "<link name='base'>" + mass + "</link><link name='tip'/><link name='slab'>" + mass + "</link><link name='ball'>" + mass +
      "</link>"
      "<joint name='j' type='fixed'><parent link='base'/><child link='tip'/></joint>"
      "<joint name='p' type='planar'><parent link='base'/><child link='slab'/></joint>"
      "<joint name='q' type='floating'><parent link='base'/><child link='ball'/></joint>"));
  Diagnostics problems;
  const sdf::Model written = robots::to_sdf(cart, problems);
  CHECK(written.joints.size() == 1);
  CHECK(written.links.at(1).inertial->mass == 1e-3);
  test::Expected lost(problems);
  CHECK(lost.take(robots::code::kLossMass).find("\"tip\"") != std::string::npos);
  CHECK(lost.take(robots::code::kLossJoint).find("planar") != std::string::npos);
  Diagnostics none;
  CHECK(robots::to_urdf(cart, none).joints.at(1).type == "planar");
  CHECK(none.empty());

  const robots::Model rig =
      world_of(
          model_text(
              "<frame name='f'/><link name='a'><collision name='c'><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry></collision></link>"
              "<link name='b'/><link name='c'/>"
              "<joint name='u' type='universal'><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>"
              "<joint name='s' type='ball'><parent>a</parent><child>c</child></joint>"))
          .models.at(0);
  Diagnostics in_urdf;
  CHECK(robots::to_urdf(rig, in_urdf).joints.size() == 5);
  test::Expected said(in_urdf);
  CHECK(said.take(robots::code::kLossJoint).find("two axes") != std::string::npos);
  said.take(robots::code::kLossJoint);
  said.take(robots::code::kLossFrame);
  CHECK(said.take(robots::code::kShape).find("volume") != std::string::npos);
}

TEST_CASE("robots: a root without mass moves if what is fixed to it has mass") {
  const std::string mass = std::string(kMass) + "</inertial>",
                    joints =
                        "<joint name='j' type='fixed'><parent link='foot'/><child link='base'/></joint>"
                        "<joint name='k' type='continuous'><parent link='base'/><child link='wheel'/></joint>";
  const robots::Model cart = robots::from_urdf(
      robot_of("<link name='foot'/><link name='base'>" + mass + "</link><link name='wheel'>" + mass + "</link>" + joints));
  CHECK(cart.joints.size() == 2);
  const robots::Model arm =
      robots::from_urdf(robot_of("<link name='foot'/><link name='base'/><link name='wheel'>" + mass + "</link>" + joints));
  REQUIRE(arm.joints.size() == 3);
  CHECK(arm.joints[0].child == "foot");
  CHECK(arm.joints[0].parent.empty());
}

TEST_CASE("robots: masses by density are those of the shapes") {
  robots::World world;
  robots::Part& part = world.models.emplace_back().parts.emplace_back();
  part.by_density = true;
  for (const auto kind : {robots::Shape::Kind::box, robots::Shape::Kind::cone}) {
    robots::Solid& solid = part.collisions.emplace_back();
    solid.shape = {kind, {1, 2, 3}, 1, 2, {}};
    solid.density = 10;
  }
  part.collisions[0].pose.p = {0, 0, 1};
  Diagnostics problems;
  robots::weigh(world, nullptr, problems);
  CHECK(problems.empty());
  const double box = 60, cone = 20 * std::acos(-1) / 3;
  REQUIRE(part.inertial);
  CHECK(std::abs(part.inertial->mass - (box + cone)) < 1e-12);
  CHECK(std::abs(part.inertial->center.z - (box * 1 - cone * 0.5) / (box + cone)) <
        1e-12);  // a quarter of the height below the middle
  CHECK(std::abs(part.inertial->tensor.zz - (box * 5 / 12 + 0.3 * cone)) < 1e-12);
  part.collisions[0].shape.kind = robots::Shape::Kind::mesh;
  robots::weigh(world, nullptr, problems);
  CHECK_FALSE(part.inertial);
  test::Expected(problems).take(robots::code::kMass);
}
