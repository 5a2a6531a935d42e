// Scenarios as they are built, as models.

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "base/geo/geo.hpp"
#include "lib/robots/codes.hpp"
#include "lib/scenario/build.hpp"
#include "lib/worlds/models_of.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using geo::Vec3;

namespace {

constexpr const char* kRobot = R"(<Robot name="crane">
  <Articulation base="foot" fixed="true"/>
  <Parts>
    <Box name="foot"><Position x="0" y="0.5" z="0"/><Size x="1" y="2" z="3"/><Mass value="10"/></Box>
    <Capsule name="boom"><Position x="0" y="2" z="1"/><Rotation x="90" y="0" z="0"/><Radius value="0.1"/><Length value="2"/><Mass value="4"/></Capsule>
    <RevoluteLink name="hinge"><Parent name="foot"/><Child name="boom"/><Position x="0" y="2" z="0"/><Axis x="1" y="0" z="0"/>
      <Limits lower="-30" upper="60"/><Spring stiffness="5" damping="2" rest="10"/><Motor mode="force" maxForce="70"/></RevoluteLink>
  </Parts>
  <Devices><PSDSensor name="eye"><Part name="boom"/><Position x="0" y="0" z="0"/><Direction x="0" y="0" z="1"/><Range value="5"/></PSDSensor></Devices>
</Robot>)";
constexpr const char* kWorld = R"(<World name="yard">
  <Physics><Engine name="e"><StepSize value="0.005"/></Engine></Physics>
  <Terrain><Plane name="ground"><Height value="0.5"/></Plane></Terrain>
  <Objects>
    <Robot name="crane1" file="crane.xml"><Position x="10" z="20"/><Heading value="90"/></Robot>
    <Sphere name="ball"><Position x="1" y="4" z="2"/><Radius value="0.25"/><Mass value="3"/></Sphere>
    <Box name="wall"><Position x="5" y="0.5" z="6"/><Size x="4" y="1" z="0.2"/></Box>
    <Mesh name="rock"><Position x="0" y="0.5" z="-9"/><File path="rock.obj"/></Mesh>
  </Objects>
  <Expectations duration="1"><Expect name="up" that="always crane1.boom.y &gt; 0"/></Expectations>
</World>)";

struct Yard {
  test::TemporaryFolder folder;
  Diagnostics problems;
  grasp::MeshFiles meshes;
  robots::World world;
  Yard() {
    test::write_text(folder.file("crane.xml"), kRobot);
    test::write_text(folder.file("world.xml"), kWorld);
    test::write_text(folder.file("rock.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const auto built = scenario::build_scenario(folder.file("world.xml"));
    REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
    const auto files = scenario::read_scenario_files(folder.file("world.xml"), {}, problems);
    REQUIRE(files);
    worlds::report_losses(*files, "world.xml", problems);
    world = worlds::models_of(*built.value, *files, {}, meshes, problems);
  }
  const robots::Model& model(const std::string& name) const {
    for (const robots::Model& model : world.models)
      if (model.name == name) return model;
    FAIL("no model " << name);
    return world.models.front();
  }
};

bool near(Vec3 a, Vec3 b) { return geo::length(a - b) < 1e-9; }

}  // namespace

TEST_CASE("worlds: bodies where they are, with z up") {
  const Yard yard;
  CHECK(yard.world.models.size() == 5);
  CHECK(yard.world.step == 0.005);
  CHECK(near(yard.world.gravity, {0, 0, -9.81}));
  const robots::Model& ball = yard.model("ball");
  CHECK_FALSE(ball.is_static);
  CHECK(near(ball.pose.p, {1, 2, 4.25}));  // its underside is at 4
  CHECK(ball.parts[0].inertial->mass == 3);
  CHECK(std::abs(ball.parts[0].inertial->tensor.zz - 0.4 * 3 * 0.0625) < 1e-12);
  const robots::Model& wall = yard.model("wall");
  CHECK(wall.is_static);
  CHECK(near(wall.pose.p, {5, 6, 1}));
  CHECK(near(wall.parts[0].collisions[0].shape.size, {4, 0.2, 1}));
  const robots::Model& ground = yard.model("terrain");
  CHECK(ground.parts[0].collisions[0].shape.kind == robots::Shape::Kind::plane);
  CHECK(ground.pose.p.z == 0.5);
}

TEST_CASE("worlds: a robot stands on the ground, turned by its heading, with its joints") {
  const Yard yard;
  const robots::Model& crane = yard.model("crane1");
  REQUIRE(crane.parts.size() == 2);
  // The lowest point of the foot is 0.5 below the robot's origin; north (+z) became east.
  CHECK(near(crane.pose.p, {10, 20, 1}));
  CHECK(near(crane.pose * Vec3{0, 1, 0} - crane.pose.p, {1, 0, 0}));
  CHECK(near(crane.parts[0].pose.p, {0, 0, 0.5}));
  CHECK(std::abs(crane.parts[0].inertial->mass - 10) < 1e-12);
  const robots::Part& boom = crane.parts[1];
  // Along y in its frame, turned by 90 degrees about x: along z (forward), which is y here.
  CHECK(boom.collisions[0].shape.kind == robots::Shape::Kind::capsule);
  CHECK(std::abs(std::abs((boom.pose.q * Vec3{0, 0, 1}).y) - 1) < 1e-9);
  REQUIRE(crane.joints.size() == 2);
  CHECK(crane.joints[0].kind == robots::Joint::Kind::fixed);
  CHECK(crane.joints[0].child == "foot");
  const robots::Joint& hinge = crane.joints[1];
  CHECK(near(hinge.position, {0, 0, 2}));
  CHECK(near(hinge.axis, {-1, 0, 0}));
  CHECK(std::abs(*hinge.upper - geo::radians(60)) < 1e-12);
  CHECK(hinge.stiffness == 5);
  CHECK(hinge.damping == 2);
  CHECK(hinge.motor->effort == 70);
}

TEST_CASE("worlds: a mesh becomes a file of triangles whose sides look outward") {
  const Yard yard;
  REQUIRE(yard.meshes.size() == 1);
  const auto& [name, bytes] = *yard.meshes.begin();
  CHECK(name == "meshes/rock.stl");
  CHECK(bytes.size() == 84 + 4 * 50);
  CHECK(yard.model("rock").parts[0].collisions[0].shape.file == name);
}

TEST_CASE("worlds: friction, restitution and colors of what moves and of what does not") {
  test::TemporaryFolder folder;
  test::write_text(
      folder.file("cart.xml"),
      R"(<Robot name="cart"><Parts><Box name="box"><Size x="1" y="1" z="1"/><Mass value="1"/><Friction value="0.25"/></Box></Parts></Robot>)");
  test::write_text(folder.file("world.xml"), R"(<World name="w">
  <Physics><Engine name="e"><Friction value="0.5"/><Restitution value="0.375"/></Engine></Physics>
  <Terrain><Plane name="ground"><Height value="0"/><Friction value="0.125"/></Plane></Terrain>
  <Objects>
    <Robot name="cart" file="cart.xml"><Position x="9" z="0"/></Robot>
    <Box name="wall"><Position x="5" y="0.5" z="6"/><Size x="4" y="1" z="0.2"/><Friction value="1"/></Box>
    <Sphere name="ball"><Position x="1" y="4" z="2"/><Radius value="0.25"/><Mass value="3"/></Sphere>
  </Objects>
</World>)");
  const auto built = scenario::build_scenario(folder.file("world.xml"));
  REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
  Diagnostics problems;
  const auto files = scenario::read_scenario_files(folder.file("world.xml"), {}, problems);
  REQUIRE(files);
  grasp::MeshFiles meshes;
  const robots::World world = worlds::models_of(*built.value, *files, {}, meshes, problems);
  std::map<std::string, robots::Solid> solids;
  for (const robots::Model& model : world.models) solids[model.name] = model.parts[0].collisions[0];
  REQUIRE(solids.size() == 4);
  CHECK(solids["terrain"].friction == 0.125);
  CHECK(solids["ball"].friction == 0.5);
  CHECK(solids["cart"].friction == 0.25);
  CHECK_FALSE(solids["wall"].friction);  // 1, which others assume
  for (const auto& [name, solid] : solids) CHECK(solid.restitution == 0.375);
  // Grass, with the green of the pictures' palette.
  REQUIRE(solids["terrain"].color);
  CHECK(std::abs((*solids["terrain"].color)[1] * 255 - 138) < 3);
  CHECK_FALSE(solids["wall"].color);
}

TEST_CASE("worlds: parts have the colors that a model gives them") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("m.xml"),
                   "<mujoco model='m'><worldbody><body name='b'><freejoint/><geom size='0.1' rgba='1 0.5 0 1'/>"
                   "<geom size='0.2' pos='1 0 0'/></body></worldbody></mujoco>");
  const auto built = scenario::build_scenario(folder.file("m.xml"));
  REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
  Diagnostics problems;
  const auto files = scenario::read_scenario_files(folder.file("m.xml"), {}, problems);
  REQUIRE(files);
  grasp::MeshFiles meshes;
  const robots::World world = worlds::models_of(*built.value, *files, {}, meshes, problems);
  REQUIRE(world.models.size() == 1);
  const std::vector<robots::Solid>& solids = world.models[0].parts.at(0).collisions;
  REQUIRE(solids.size() == 2);
  CHECK(solids[0].color == std::array<double, 4>{1, 128.0 / 255, 0, 1});
}

TEST_CASE("worlds: what no body shows is said") {
  const Yard yard;
  test::Expected found(yard.problems);
  CHECK(found.take(robots::code::kLossDevice).find("PSDSensor") != std::string::npos);
  CHECK(found.take(robots::code::kLossScenario).find("expectations") != std::string::npos);
}

TEST_CASE("worlds: in place of a tensor that no solid has the nearest one is written, which is said") {
  test::TemporaryFolder folder;
  test::write_text(folder.file("car.xml"),
                   "<Robot name=\"car\"><Parts>\n<Box name=\"body\"><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"900\"/>"
                   "<Inertia x=\"1565\" y=\"1791\" z=\"207\"/></Box>\n</Parts></Robot>");
  test::write_text(folder.file("world.xml"),
                   "<World name=\"w\"><Objects><Robot name=\"car\" file=\"car.xml\"><Position x=\"0\" y=\"1\" z=\"0\"/></Robot>"
                   "</Objects></World>");
  const auto built = scenario::build_scenario(folder.file("world.xml"));
  REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
  Diagnostics problems;
  const auto files = scenario::read_scenario_files(folder.file("world.xml"), {}, problems);
  REQUIRE(files);
  worlds::report_losses(*files, "world.xml", problems);
  grasp::MeshFiles meshes;
  const robots::World world = worlds::models_of(*built.value, *files, {}, meshes, problems);
  REQUIRE(world.models.size() == 1);
  const robots::Tensor& t = world.models[0].parts[0].inertial->tensor;
  CHECK(t.xx == doctest::Approx(1565));
  CHECK(t.yy == doctest::Approx(207));
  CHECK(t.zz == doctest::Approx(1565 + 207));  // about the axis that is up
  test::Expected found(problems);
  CHECK(found.take(robots::code::kLossInertia).find("\"body\"") != std::string::npos);
}
