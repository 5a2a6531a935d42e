// Models as URDF and SDF.

#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/geo.hpp"
#include "formats/sdf/read.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/from_sdf.hpp"
#include "lib/robots/from_urdf.hpp"
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
  const robots::Model back = robots::from_urdf(*read.value, problems);
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
  CHECK(problems.empty());
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
  const robots::Model back = robots::from_urdf(robot, problems);
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
