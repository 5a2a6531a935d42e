// What conversions of GraspIt! files lose: each code is provoked here.
#include <doctest/doctest.h>

#include "lib/grasp/codes.hpp"
#include "lib/grasp/export.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::grasp;

TEST_CASE("grasp: losses between text and XML are reported") {
  Diagnostics diagnostics;
  graspit::World world;
  world.bodies.push_back({true, "a.iv", {}, "metal", {}});
  (void)world_for_xml(world, diagnostics);
  world.bodies[0].inline_body = graspit::Body{};
  (void)world_for_text(world, diagnostics);
  graspit::Robot robot;
  robot.dofs.resize(1);
  robot.dofs[0].default_value = 3;
  robot.chains.resize(1);
  robot.chains[0].links.push_back({graspit::LinkKind::fixed, "a.iv", 0, {{"collisionRule", "Off"}}});
  (void)robot_for_xml(robot, diagnostics);
  (void)robot_for_text(robot, diagnostics);
  test::Expected expected(diagnostics);
  expected.take(code::kLossMaterial);
  expected.take(code::kLossShape);
  expected.take(code::kLossLastJoint);
  expected.take(code::kLossAttribute);
  expected.take(code::kLossDefault);
}

TEST_CASE("grasp: what a URDF and an SDF cannot hold of a robot is reported") {
  graspit::Robot model;
  model.class_name = "Hand";
  model.dofs.resize(3);
  model.dofs[0].kind = graspit::DofKind::breakaway;
  model.dofs[0].breakaway_torque = 1;
  model.dofs[1].kind = graspit::DofKind::compliant;
  model.dofs[2].kp = 1;
  model.dofs[2].default_value = 3;
  model.approach = graspit::Approach{};
  model.chains.resize(1);
  for (std::uint32_t dof : {0U, 1U, 2U, 2U}) {
    graspit::Joint joint;
    joint.variable.dof = dof;
    joint.max = 90;
    if (dof == 1) joint.stiffness = 5;
    model.chains[0].joints.push_back(joint);
    model.chains[0].links.push_back({graspit::LinkKind::revolute, "", model.chains[0].links.empty() ? 0 : dof, {}});
  }
  GraspRobot robot;
  robot.name = "hand";
  robot.model = model;
  robot.chains = chains_of(model, &robot.dof_is_length);
  robot.links = {std::vector<std::shared_ptr<const GraspBody>>(4)};
  MeshFiles meshes;
  Diagnostics diagnostics;
  (void)to_urdf(robot, {}, meshes, diagnostics);
  test::Expected in_urdf(diagnostics);
  in_urdf.take(code::kLossControl);
  in_urdf.take(code::kLossBreakaway);
  in_urdf.take(code::kLossCompliance);
  in_urdf.take(code::kLossSpring);
  in_urdf.take(code::kLossDefault);
  in_urdf.take(code::kLossSection);

  GraspWorld world;
  world.model.robots.resize(2);
  world.model.robots[0].file = world.model.robots[1].file = "hand.cfg";
  world.robots.assign(2, std::make_shared<GraspRobot>(robot));
  world.dofs.assign(2, {0, 0, 0});
  auto body = std::make_shared<GraspBody>();
  body->given.youngs = 2;
  body->inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  body->mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  body->mesh.triangles = {{0, 1, 2}};
  body->mesh.parts = {{0, 1}};
  world.model.bodies.push_back({false, "soft.iv", {}, "", {}});
  world.bodies = {body};
  world.model.connections.push_back({0, 0, 1, "mount.iv", {}});
  world.mounts = {body};
  world.model.camera = graspit::Camera{};
  Diagnostics of_world;
  (void)to_sdf(world, {}, meshes, of_world);
  test::Expected in_sdf(of_world);
  for (int i = 0; i < 2; ++i) {
    in_sdf.take(code::kLossControl);
    in_sdf.take(code::kLossBreakaway);
    in_sdf.take(code::kLossCompliance);
    in_sdf.take(code::kLossCoupling);
    in_sdf.take(code::kLossDefault);
    in_sdf.take(code::kLossSection);
  }
  in_sdf.take(code::kLossYoungs);
  in_sdf.take(code::kLossConnection);
  in_sdf.take(code::kLossMount);
  in_sdf.take(code::kLossCamera);
}

TEST_CASE("grasp: what the targets of bodies and the XML of worlds cannot hold is reported") {
  GraspBody body;
  body.mesh.parts.resize(2);
  body.given.shear_compliance = 1;
  const auto codes_for = [&](BodyTarget target) {
    Diagnostics diagnostics;
    report_body_losses(body, target, diagnostics);
    std::vector<std::string> codes;
    for (const Diagnostic& d : diagnostics.items()) codes.emplace_back(d.code);
    return codes;
  };
  using Codes = std::vector<std::string>;
  CHECK(codes_for(BodyTarget::plain_mesh) == Codes{std::string(code::kLossColor.name)});
  CHECK(codes_for(BodyTarget::colored_mesh).empty());
  CHECK(codes_for(BodyTarget::scene) == Codes{std::string(code::kLossScene.name)});
  CHECK(codes_for(BodyTarget::header) == Codes{std::string(code::kLossGeometry.name)});
  CHECK(codes_for(BodyTarget::xml).empty());

  graspit::World world;
  world.head = "my own line";
  Diagnostics diagnostics;
  CHECK(world_for_xml(world, diagnostics).head == graspit::World{}.head);
  test::Expected expected(diagnostics);
  expected.take(code::kLossHead);
}
