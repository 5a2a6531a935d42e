// Every problem of the XML files at its place, traps that the tables of test_graspit.cpp leave out, and random models that
// are written and read back.
#include <doctest/doctest.h>

#include <cmath>

#include "base/core/random.hpp"
#include "base/xml/codes.hpp"
#include "formats/graspit/codes.hpp"
#include "formats/graspit/graspit.hpp"
#include "tests/support/marked.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::graspit;
using simbatch::test::check_only;
using simbatch::test::marked;
using simbatch::test::replaced;

namespace {

constexpr std::string_view kRobot = R"(<?xml version="1.0" ?>
<robot type="Hand">
  <palm>palm.xml</palm>
  <dof type="r"><defaultVelocity>1</defaultVelocity><maxEffort>2</maxEffort><Kp>3</Kp><Kd>4</Kd><draggerScale>5</draggerScale></dof>
  <chain>
    <transform><translation>1 2 3</translation><rotation>90 z</rotation></transform>
    <joint type="Revolute"><theta>d0+5</theta><d>0</d><a>50</a><alpha>-90</alpha><minValue>0</minValue><maxValue>180</maxValue></joint>
    <link dynamicJointType="Revolute">link.xml</link>
  </chain>
  <approachDirection><referenceLocation>0 0 0</referenceLocation><direction>0 0 1</direction></approachDirection>
  <flockOfBirds number="3"><transform><translation>0 0 0</translation></transform></flockOfBirds>
  <tendon name="t"><insertionPoint><chain>0</chain><link>0</link><position>1 2 3</position></insertionPoint></tendon>
  <tendonWrapper><chain>-1</chain><link>-1</link><position>1 2 3</position><orientation>0 0 1</orientation><radius>2</radius></tendonWrapper>
</robot>
)";

constexpr std::string_view kBody = R"(<root>
  <material>wood</material>
  <mass>300</mass>
  <cog>0 0 1</cog>
  <inertia_matrix>1 0 0 0 1 0 0 0 1</inertia_matrix>
  <geometryFile type="off">a.off</geometryFile>
  <geometryScaling>2</geometryScaling>
  <transform><rotationMatrix>1 0 0 0 1 0 0 0 1</rotationMatrix></transform>
</root>
)";

constexpr std::string_view kWorld = R"(<world>
  <obstacle><filename>table.xml</filename></obstacle>
  <graspableBody><filename>mug.xml</filename><transform><fullTransform>(1 0 0 0)[1 2 3]</fullTransform></transform></graspableBody>
  <robot><filename>hand.xml</filename><dofValues>0 +0.5</dofValues></robot>
  <robot><filename>arm.xml</filename></robot>
  <connection><parentRobot>1</parentRobot><parentChain>0</parentChain><childRobot>0</childRobot></connection>
  <camera><position>1 2 3</position><orientation>0 0 0 1</orientation><focalDistance>100</focalDistance></camera>
</world>
)";

struct Edit {
  std::string_view what, with;  ///< `with` has the mark
  const Code& code;
};

template <class T>
void check_edits(std::string_view text, Parsed<T> (*read)(std::string_view, std::string_view), std::vector<Edit> edits) {
  const auto good = read(text, "a.xml");
  REQUIRE_MESSAGE(good.diagnostics.items().empty(), test::all_text(good.diagnostics));
  for (const Edit& edit : edits) {
    CAPTURE(edit.with);
    const test::Marked file = marked(replaced(text, edit.what, edit.with));
    check_only(read(file.text, "a.xml").diagnostics, edit.code.name, file.at);
  }
}

// A number that a writer may meet: ordinary, tiny, huge, negative.
double any_number(RandomStream& random) {
  const double sign = random.below(2) == 0 ? 1 : -1;
  switch (random.below(6)) {
    case 0: return 0;
    case 1: return sign * static_cast<double>(random.below(1000));
    case 2: return sign * random.uniform() * 1e-9;
    case 3: return sign * random.uniform() * 1e12;
    default: return sign * random.uniform() * 100;
  }
}

Transform any_transform(RandomStream& random) {
  Transform transform;
  for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
    TransformStep step;
    switch (random.below(5)) {
      case 0:
        for (double& x : step.position) x = any_number(random);
        break;
      case 1:
      case 2:
        step.kind = random.below(2) == 0 ? TransformStep::Kind::degrees : TransformStep::Kind::radians;
        step.angle = any_number(random);
        step.axis = "xyz"[random.below(3)];
        break;
      case 3:
        step.kind = TransformStep::Kind::matrix;
        step.rows = random.below(2) == 0 ? Matrix3{0, 1, 0, 0, 0, 1, 1, 0, 0} : Matrix3{-1, 0, 0, 0, 0.6, 0.8, 0, 0.8, -0.6};
        break;
      default:
        step.kind = TransformStep::Kind::full;
        step.quaternion = {0.5, -0.5, 0.5, -0.5};
        for (double& x : step.position) x = any_number(random);
    }
    transform.push_back(step);
  }
  return transform;
}

Robot any_robot(RandomStream& random) {
  Robot robot;
  robot.class_name = random.below(2) == 0 ? "Hand" : "Robot";
  robot.palm = "palm.iv";
  const auto dofs = static_cast<std::uint32_t>(1 + random.below(4));
  for (std::uint32_t i = 0; i < dofs; ++i) {
    Dof dof;
    dof.kind = random.below(3) == 0 ? DofKind::breakaway : DofKind::rigid;
    for (double* x : {&dof.velocity, &dof.max_effort, &dof.kp, &dof.kd, &dof.dragger_scale}) *x = any_number(random);
    if (dof.kind == DofKind::breakaway) dof.breakaway_torque = std::abs(any_number(random));
    robot.dofs.push_back(dof);
  }
  for (std::uint64_t c = 1 + random.below(3); c > 0; --c) {
    Chain& chain = robot.chains.emplace_back();
    chain.base = any_transform(random);
    std::uint32_t next = 0;
    // Each DOF is followed at least once, in every chain.
    while (next < dofs) {
      Joint joint;
      joint.prismatic = random.below(3) == 0;
      joint.variable = {next++, random.below(2) == 0 ? 1 : any_number(random), any_number(random)};
      (joint.prismatic ? joint.theta : joint.d) = any_number(random);
      joint.a = any_number(random);
      joint.alpha = any_number(random);
      joint.min = any_number(random);
      joint.max = joint.min + std::abs(any_number(random));
      if (random.below(2) == 0) {
        joint.viscous = any_number(random);
        if (random.below(2) == 0) joint.coulomb = any_number(random);
      }
      chain.joints.push_back(joint);
      Link& link = chain.links.emplace_back();
      link.kind = joint.prismatic ? LinkKind::prismatic : LinkKind::revolute;
      link.file = "l" + std::to_string(next) + ".iv";
      link.last_joint = static_cast<std::int64_t>(next) - 1;
    }
  }
  if (random.below(2) == 0) robot.approach = Approach{{any_number(random), 0, 1}, {0, any_number(random), 1}};
  if (random.below(2) == 0) robot.eigen_grasps = "eigen.xml";
  if (random.below(2) == 0) robot.flock_of_birds = FlockOfBirds{"7", any_transform(random)};
  for (std::uint64_t n = random.below(3); n > 0; --n) {
    Tendon& tendon = robot.tendons.emplace_back();
    tendon.name = "tendon " + std::to_string(n);
    for (std::uint64_t k = random.below(3); k > 0; --k) tendon.points.push_back({-1, -1, {any_number(random), 2, 3}});
  }
  for (std::uint64_t n = random.below(3); n > 0; --n)
    robot.wrappers.push_back({0, 0, {1, any_number(random), 3}, {0, 1, 0}, 4});
  return robot;
}

}  // namespace

TEST_CASE("graspit: each problem of a robot in XML is reported at its element") {
  using namespace code;
  check_edits(kRobot, read_robot_xml,
              {{"type=\"Hand\"", "type=\"@Hnd\"", kRobotClass},
               {"<robot type=\"Hand\">\n  <palm>palm.xml</palm>", "@<robot type=\"Hand\">", kXmlMissing},
               {"<dof type=\"r\">", "<dof type=\"@x\">", kDof},
               {"<dof type=\"r\">", "<dof type=\"@\">", xml::code::kAttributeMissing},
               {"<maxEffort>2</maxEffort>", "@<maxEffort>much</maxEffort>", kXmlText},
               {"<maxEffort>2</maxEffort>", "@<maxEffort>2 3</maxEffort>", kXmlText},
               {"<maxEffort>2</maxEffort>", "@<maxEffort></maxEffort>", kXmlText},
               {"<dof type=\"r\"><defaultVelocity>1</defaultVelocity>", "@<dof type=\"r\">", kXmlMissing},
               {"<translation>1 2 3</translation>", "@<translation>1 2</translation>", kTransform},
               {"<translation>1 2 3</translation>", "@<translations>1 2 3</translations>", kTransform},
               {"<rotation>90 z</rotation>", "@<rotation>90 w</rotation>", kTransform},
               {"<rotation>90 z</rotation>", "@<rotation>z 90</rotation>", kTransform},
               {"<rotation>90 z</rotation>", "@<rotationMatrix>1 0 0 0 1 0 0 0</rotationMatrix>", kTransform},
               {"<rotation>90 z</rotation>", "@<rotationMatrix>1 0 0 0 1 0 0 0 2</rotationMatrix>", kRotation},
               {"<rotation>90 z</rotation>", "@<fullTransform>(2 0 0 0)[0 0 0]</fullTransform>", kQuaternion},
               {"<joint type=\"Revolute\">", "<joint type=\"@Revolving\">", kJoint},
               {"<theta>d0+5</theta>", "@<theta>e0</theta>", kJoint},
               {"<theta>d0+5</theta>", "@<theta>d0-5</theta>", kEquationSign},
               {"<joint type=\"Revolute\"><theta>d0+5</theta><d>0</d><a>50</a><alpha>-90</alpha><minValue>0<",
                "@<joint type=\"Revolute\"><theta>d0+5</theta><d>0</d><a>50</a><alpha>-90</alpha><minValue>181<", kJointLimits},
               {"<minValue>0</minValue>", "@<minValue>0 x</minValue>", kXmlText},
               {"dynamicJointType=\"Revolute\"", "dynamicJointType=\"@Hinge\"", kLinkType},
               {"dynamicJointType=\"Revolute\"", "dynamicJointType=\"@Fixed\"", kLinkFixed},
               {"<link dynamicJointType=\"Revolute\">", "@<link dynamicJointType=\"Ball\">", kLinkJoint},
               {"<approachDirection><referenceLocation>0 0 0</referenceLocation>", "@<approachDirection>", kXmlMissing},
               {"<direction>0 0 1</direction>", "@<direction>up</direction>", kXmlText},
               {"<flockOfBirds number=\"3\">", "@<flockOfBirds number=\"three\">", kFlockNumber},
               {"<flockOfBirds number=\"3\">", "@<flockOfBirds>", kFlockNumber},
               {"<chain>0</chain>", "@<chain>-2</chain>", kXmlText},
               {"<chain>0</chain>", "@<chain>0.5</chain>", kXmlText},
               {"<chain>0</chain>", "@<chain>1e300</chain>", kXmlText},
               {"<insertionPoint><chain>0</chain>", "@<insertionPoint>", kXmlMissing},
               {"<radius>2</radius>", "@<radius>wide</radius>", kXmlText}});
}

TEST_CASE("graspit: a compliant DOF in XML wants springs at its joints") {
  check_only(read_robot_xml(replaced(kRobot, "<dof type=\"r\">", "<dof type=\"c\">"), "a").diagnostics,
             code::kDofStiffness.name, {7, 5});
}

TEST_CASE("graspit: each problem of a body in XML is reported at its element") {
  using namespace code;
  check_edits(kBody, read_body_xml,
              {{"<material>wood</material>", "@<material>woood</material>", kMaterial},
               {"<mass>300</mass>", "@<mass>0</mass>", kMass},
               {"<mass>300</mass>", "@<mass>-3</mass>", kMass},
               {"<mass>300</mass>", "@<mass>heavy</mass>", kXmlText},
               {"<mass>300</mass>", "@<mass>1e999</mass>", kXmlText},
               {"<mass>300</mass>", "@<youngs>0</youngs>", kMass},
               {"<cog>0 0 1</cog>", "@<cog>0 0</cog>", kXmlText},
               {"<inertia_matrix>1 0 0 0 1 0 0 0 1<", "@<inertia_matrix>1 0 0 0 1 0 0 0<", kXmlText},
               {"<geometryScaling>2<", "@<geometryScaling>x<", kXmlText},
               {"<geometryScaling>2</geometryScaling>", "@<geometryScalingY>1 1</geometryScalingY>", kXmlText},
               {"<rotationMatrix>1 0 0 0 1 0 0 0 1<", "@<rotationMatrix>1 0 0 0 1 0 0 0<", kTransform}});
  const auto scaled =
      read_body_xml(replaced(kBody, "<geometryScaling>2<", "<geometryScalingZ>5</geometryScalingZ><geometryScaling>2<"), "a");
  CHECK(scaled.value->scaling == Vector3{2, 2, 5});
}

TEST_CASE("graspit: each problem of a world in XML is reported at its element") {
  using namespace code;
  check_edits(kWorld, read_world_xml,
              {{"<obstacle><filename>table.xml</filename></obstacle>", "@<obstacle></obstacle>", kXmlMissing},
               {"<obstacle><filename>table.xml</filename></obstacle>", "@<table/>", kWorldBlock},
               {"<robot><filename>hand.xml</filename>", "@<robot>", kXmlMissing},
               {"<dofValues>0 +0.5<", "@<dofValues>0 open<", kWorldDof},
               {"<parentRobot>1<", "@<parentRobot>-1<", kXmlText},
               {"<connection><parentRobot>1<", "@<connection><parentRobot>2<", kConnection},
               {"<connection><parentRobot>1<", "@<connection><parentRobot>0<", kConnection},
               {"<connection><parentRobot>1</parentRobot>", "@<connection>", kXmlMissing},
               {"<orientation>0 0 0 1<", "@<orientation>0 0 1<", kXmlText},
               {"<camera><position>1 2 3</position>", "@<camera>", kXmlMissing},
               {"<fullTransform>(1 0 0 0)[1 2 3]", "@<fullTransform>(1 0 0 0)[1 2]", kTransform}});
  for (const auto& [text, name] : {std::pair{"<worlds/>", "world"}, {"<robots/>", "robot"}, {"<body/>", "root"}}) {
    const auto read = name == std::string_view("world")   ? read_world_xml(text, "a").diagnostics
                      : name == std::string_view("robot") ? read_robot_xml(text, "a").diagnostics
                                                          : read_body_xml(text, "a").diagnostics;
    check_only(read, kXmlMissing.name, {1, 1});
  }
}

TEST_CASE("graspit: random robots are written and read back, in both forms and by both readings") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "robot");
    const Robot robot = any_robot(random);
    const std::string text = write_cfg(robot);
    CAPTURE(text);
    for (const Reading reading : {Reading::loader, Reading::forgiving}) {
      const auto read = read_cfg(text, reading, "a.cfg");
      REQUIRE_MESSAGE(read.value, test::all_text(read.diagnostics));
      REQUIRE_MESSAGE(!read.diagnostics.has_errors(), test::all_text(read.diagnostics));
      REQUIRE(read.value->chains.size() == robot.chains.size());
      for (std::size_t c = 0; c < robot.chains.size(); ++c) {
        CHECK(read.value->chains[c].base == robot.chains[c].base);
        for (std::size_t j = 0; j < robot.chains[c].joints.size(); ++j) {
          CAPTURE(j);
          const Equation &was = robot.chains[c].joints[j].variable, &is = read.value->chains[c].joints[j].variable;
          CHECK(is.dof == was.dof);
          CHECK(is.factor == was.factor);
          CHECK(is.offset == was.offset);
        }
      }
      REQUIRE(*read.value == robot);
    }
    // Radians become degrees in XML, so the second time is the one that must be the same.
    const auto xml = read_robot_xml(write_robot_xml(robot), "a.xml");
    REQUIRE_MESSAGE(!xml.diagnostics.has_errors(), test::all_text(xml.diagnostics));
    const auto again = read_robot_xml(write_robot_xml(*xml.value), "b.xml");
    CHECK(*again.value == *xml.value);
    CHECK(xml.value->dofs == robot.dofs);
    CHECK(xml.value->tendons == robot.tendons);
    CHECK(xml.value->wrappers == robot.wrappers);
    CHECK(xml.value->approach == robot.approach);
  }
}

TEST_CASE("graspit: random worlds are written and read back, in both forms") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "world");
    World world;
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      WorldBody body;
      body.obstacle = random.below(2) == 0;
      body.file = "models/b" + std::to_string(n) + ".iv";
      if (body.obstacle) body.material = std::string(kMaterials[random.below(std::size(kMaterials))]);
      body.transform = any_transform(random);
      world.bodies.push_back(body);
    }
    for (std::uint64_t n = random.below(4); n > 0; --n) {
      WorldRobot robot;
      robot.file = "models/r.cfg";
      for (std::uint64_t k = random.below(6); k > 0; --k) robot.dof_values.push_back(any_number(random));
      robot.transform = any_transform(random);
      world.robots.push_back(robot);
    }
    if (world.robots.size() >= 2) {
      Connection connection;
      connection.parent_robot = 1;
      if (random.below(2) == 0) connection.mount = "models/mount.iv";
      connection.transform = any_transform(random);
      world.connections.push_back(connection);
    }
    if (random.below(2) == 0) world.camera = Camera{{any_number(random), 2, any_number(random)}, {0, 0, 0.6, 0.8}, 100};
    const std::string text = write_wld(world);
    CAPTURE(text);
    for (const Reading reading : {Reading::loader, Reading::forgiving}) {
      const auto read = read_wld(text, reading, "a.wld");
      REQUIRE_MESSAGE(read.diagnostics.items().empty(), test::all_text(read.diagnostics));
      REQUIRE(*read.value == world);
    }
    const auto xml = read_world_xml(write_world_xml(world), "a.xml");
    REQUIRE_MESSAGE(!xml.diagnostics.has_errors(), test::all_text(xml.diagnostics));
    CHECK(xml.value->bodies.size() == world.bodies.size());
    CHECK(write_world_xml(*xml.value) == write_world_xml(world));
  }
}

TEST_CASE("graspit: random headers go into a body file, come back, and leave its geometry alone") {
  constexpr std::string_view kText = "#Inventor V2.1 ascii\n# a mug\nCube { width 1 }\n";
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "body");
    Body body;
    if (random.below(2) == 0) body.material = std::string(kMaterials[random.below(std::size(kMaterials))]);
    if (random.below(2) == 0) body.mass = 1e-9 + std::abs(any_number(random));
    if (random.below(2) == 0) body.cog = Vector3{any_number(random), any_number(random), any_number(random)};
    const double a = 1 + random.uniform();
    if (random.below(2) == 0) body.inertia = Matrix3{a, 0.1, 0, 0.1, a, 0.2, 0, 0.2, a};
    if (random.below(2) == 0) body.youngs = 1e-9 + std::abs(any_number(random));
    const std::string text = set_body_header(kText, body);
    CAPTURE(text);
    for (const Reading reading : {Reading::loader, Reading::forgiving}) {
      const auto read = read_body_header(text, reading, "a.iv");
      CHECK_MESSAGE(read.diagnostics.items().empty(), test::all_text(read.diagnostics));
      CHECK(*read.value == body);
    }
    CHECK(set_body_header(text, body) == text);
    CHECK(text.ends_with("Cube { width 1 }\n"));
    if (body.mass) CHECK(read_body_xml(write_body_xml(body), "a.xml").value->mass == body.mass);
  }
}

TEST_CASE("graspit: sections that are cut off are reported where they end") {
  const std::string head = "Hand\npalm.iv\n1\nr 1 1 1 1 1\n1\n1\n1\nt 0 0 0\n\nd0 0 0 0 0 1\nRevolute\nl.iv 0\n";
  REQUIRE(read_cfg(head, Reading::forgiving, "a").diagnostics.items().empty());
  for (const std::string_view rest : {
           "Approach\n@0 0 0\n",
           "Approach\n@0 0\n0 0 1\n",
           "EigenGrasps\n@",
           "EigenGrasps\n@CyberGlove\ng.txt\n",
           "VirtualContacts\n@",
           "Tendons\n@many\n",
           "Tendons\n1\n@",
           "Tendons\n1\nFlexor\n@x\n",
           "Tendons\n1\nFlexor\n1\n@0 0 1 2\n",
           "Tendons\n1\nFlexor\n1\n@0.5 0 1 2 3\n",
           "TendonWrappers\n1\n@0 0 1 2 3 4 5 6\n",
           "TendonWrappers\n1\n@-2 0 1 2 3 4 5 6 7\n",
           "FlockOfBirds\n@",
       }) {
    CAPTURE(rest);
    const test::Marked file = marked(head + std::string(rest));
    const auto robot = read_cfg(file.text, Reading::forgiving, "a");
    CAPTURE(test::all_text(robot.diagnostics));
    bool found = false;
    // The place of an end is after the last character of the last line.
    const bool at_end = rest.ends_with('@');
    for (const Diagnostic& d : robot.diagnostics.items())
      found = found || (d.code == code::kSection.name && (at_end ? d.at.line + 1 == file.at.line : d.at == file.at));
    CHECK(found);
    CHECK_FALSE(robot.diagnostics.has_errors());
  }
}
