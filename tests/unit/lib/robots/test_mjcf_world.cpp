// MJCF models as worlds.

#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/geo.hpp"
#include "lib/robots/codes.hpp"
#include "lib/robots/from_mjcf.hpp"
#include "lib/robots/to_autosim.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using geo::Vec3;

namespace {

struct Made {
  Diagnostics problems;
  robots::World world;
  explicit Made(const std::string& inside, const robots::MeshMeasure& measure = nullptr) {
    const auto read = mjcf::read_mjcf("<mujoco model='m'>" + inside + "</mujoco>", "m.xml", nullptr);
    REQUIRE_MESSAGE(!read.diagnostics.has_errors(), test::all_text(read.diagnostics));
    world = robots::from_mjcf(*read.value, measure, problems);
  }
};

bool near(Vec3 a, Vec3 b) { return geo::length(a - b) < 1e-12; }

}  // namespace

TEST_CASE("mjcf worlds: masses and tensors of the solids, by their formulas") {
  const Made made(
      "<default><geom density='1000'/></default><worldbody>"
      "<body name='ball'><freejoint/><geom size='0.1'/></body>"
      "<body name='box'><freejoint/><geom type='box' size='0.1 0.2 0.3' pos='0 0 1'/></body>"
      "<body name='rod'><freejoint/><geom type='capsule' size='0.1 0.5' mass='3'/></body>"
      "<body name='pair'><freejoint/><geom size='0.1' mass='1' pos='1 0 0'/><geom size='0.1' mass='3' pos='-1 0 0'/></body></worldbody>");
  const auto inertial = [&](std::size_t i) { return made.world.models.at(i).parts.at(0).inertial.value(); };
  const double ball = 4.0 / 3 * std::numbers::pi;
  CHECK(std::abs(inertial(0).mass - ball) < 1e-12);
  CHECK(std::abs(inertial(0).tensor.yy - 0.4 * ball * 0.01) < 1e-14);
  CHECK(std::abs(inertial(1).mass - 48) < 1e-12);
  CHECK(std::abs(inertial(1).tensor.xx - 48 * (0.04 + 0.09) / 3) < 1e-12);
  CHECK(inertial(1).center == Vec3{0, 0, 1});
  // A capsule: as many thin slices across its axis.
  double mass = 0, across = 0, along = 0;
  const int slices = 200'000;
  for (int i = 0; i < slices; ++i) {
    const double z = -0.6 + (i + 0.5) * 1.2 / slices, over = std::max(0.0, std::abs(z) - 0.5), r2 = 0.01 - over * over;
    mass += r2;
    along += r2 * r2 / 2;
    across += r2 * r2 / 4 + r2 * z * z;
  }
  CHECK(std::abs(inertial(2).tensor.zz - 3 * along / mass) < 1e-9);
  CHECK(std::abs(inertial(2).tensor.xx - 3 * across / mass) < 1e-9);
  CHECK(near(inertial(3).center, {-0.5, 0, 0}));
  CHECK(std::abs(inertial(3).tensor.zz - (4 * 0.4 * 0.01 + 1 * 2.25 + 3 * 0.25)) < 1e-12);
}

TEST_CASE("mjcf worlds: bodies of the world are models, its geoms what never moves") {
  const Made made(
      "<worldbody><geom name='floor' type='plane' size='1 1 1'/><geom type='box' size='1 1 1' contype='0' conaffinity='0'/>"
      "<body name='table' pos='1 0 0'><geom type='box' size='1 1 1'/><body name='top'><geom size='1'/></body></body>"
      "<body name='crane' pos='2 0 0'><geom size='1'/><body name='boom' pos='0 0 1'><joint name='j' axis='0 1 0' pos='0 0 1'/><geom size='1'/></body></body>"
      "<body name='ball' pos='0 0 3'><freejoint/><geom size='1'/></body></worldbody>");
  const auto& models = made.world.models;
  REQUIRE(models.size() == 4);
  CHECK(models[0].name == "floor");
  CHECK(models[0].is_static);
  CHECK(models[1].is_static);
  CHECK(models[1].parts.size() == 2);
  REQUIRE(models[2].joints.size() == 2);
  CHECK(models[2].joints[0].kind == robots::Joint::Kind::fixed);
  CHECK(models[2].joints[0].parent.empty());
  CHECK(models[2].joints[1].position == Vec3{0, 0, 2});
  CHECK(models[3].joints.empty());
  CHECK(models[3].pose.p == Vec3{0, 0, 3});
  CHECK(made.problems.empty());
}

TEST_CASE("mjcf worlds: joints of one body follow one another") {
  const Made made(
      "<worldbody><body name='b'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='slide' axis='0 2 0'/>"
      "<joint name='turn' range='-90 90' ref='45' springref='45' stiffness='3' armature='0.2'/><geom size='1' mass='5'/></body></worldbody>");
  const robots::Model& model = made.world.models.at(0);
  REQUIRE(model.parts.size() == 3);
  REQUIRE(model.joints.size() == 3);
  CHECK(model.joints[0].parent.empty());
  CHECK(model.joints[1].parent == model.joints[0].child);
  CHECK(model.joints[2].parent == model.joints[1].child);
  CHECK(model.joints[2].child == "b");
  CHECK(model.joints[1].axis == Vec3{0, 1, 0});
  CHECK(std::abs(*model.joints[2].lower + geo::radians(135)) < 1e-14);
  CHECK(model.joints[2].rest == 0);
  CHECK(model.parts[1].inertial->mass == 0.005);
  CHECK_FALSE(model.self_collision);
  // The rotor needs a motor, which does nothing until a program sets it.
  REQUIRE(model.joints[2].motor);
  CHECK(model.joints[2].rotor == 0.2);
  CHECK(model.joints[2].motor->mode == robots::Motor::Mode::force);
}

TEST_CASE("mjcf worlds: actuators are motors, gears and ranges applied") {
  const Made made(
      "<worldbody><body><joint name='a'/><geom size='1'/><body><joint name='b' ref='30'/><geom size='1'/><body><joint name='c'/><geom size='1'/></body></body></body>"
      "</worldbody><actuator><motor joint='a' gear='-4' ctrlrange='-1 2'/><position name='p' joint='b' kp='10' kv='2' gear='3' forcerange='-5 5'/>"
      "<velocity joint='c' kv='7'/><motor name='second' joint='a'/></actuator>");
  const auto& joints = made.world.models.at(0).joints;
  REQUIRE(joints.size() == 3);
  CHECK(joints[0].motor->effort == 8);
  CHECK(joints[1].motor->mode == robots::Motor::Mode::position);
  CHECK(joints[1].motor->stiffness == 90);
  CHECK(joints[1].motor->damping == 18);
  CHECK(joints[1].motor->effort == 15);
  CHECK(std::abs(joints[1].motor->target + geo::radians(30)) < 1e-15);
  CHECK(joints[2].motor->mode == robots::Motor::Mode::speed);
  CHECK(joints[2].motor->damping == 7);
  test::Expected found(made.problems);
  CHECK(found.take(robots::code::kMotor).find("second") != std::string::npos);
}

TEST_CASE("mjcf worlds: what is too large for a number is refused or left out") {
  Made made(
      "<worldbody><body name='a'><joint name='j'/><geom size='1e8' density='1e300'/></body><body name='b'><joint springdamper='1e-200 1e-200'/>"
      "<geom size='1'/></body></worldbody><actuator><position joint='j' kp='1e300' gear='1e200'/></actuator>");
  CHECK_FALSE(made.world.models.at(0).parts[0].inertial);
  CHECK_FALSE(made.world.models.at(0).joints[0].motor);
  CHECK(made.world.models.at(1).joints[0].stiffness == 0);
  Diagnostics later;
  const auto out = robots::to_autosim(
      made.world, "m.xml", [](const std::string& name, const std::string&, Position) { return std::optional(name); }, later);
  for (const auto& robot : out.robots)
    for (const autosim::Body& body : robot.second.bodies) CHECK(std::isfinite(body.mass));
  test::Expected found(made.problems);
  found.take(robots::code::kMotor);
  found.take(robots::code::kJoint);
}

TEST_CASE("mjcf worlds: a spring by its time constant swings as often as that says") {
  const Made made(
      "<worldbody><body><joint name='j' axis='0 1 0' springdamper='0.5 0.8'/><geom size='0.1' mass='2' pos='0 0 -1'/>"
      "<body pos='0 0 -2'><geom size='0.1' mass='1'/></body></body></worldbody>");
  const robots::Joint& joint = made.world.models.at(0).joints.at(0);
  const double inertia = 3 * 0.4 * 0.01 + 2 * 1 + 1 * 4;
  CHECK(std::abs(joint.stiffness - inertia / (0.25 * 0.64)) < 1e-9);
  CHECK(std::abs(joint.damping - 4 * inertia) < 1e-9);
}

TEST_CASE("mjcf worlds: meshes have the mass of what their triangles enclose") {
  const robots::MeshMeasure measure = [](const std::string& name, const std::string&,
                                         Vec3 scale) -> std::optional<robots::Inertial> {
    CHECK(name == "m/a.stl");
    CHECK(scale == Vec3{2, 2, 2});
    return robots::Inertial{0.5, {0, 0, 0.1}, {1, 1, 1, 0, 0, 0}};
  };
  const Made made(
      "<compiler meshdir='m'/><asset><mesh file='a.stl' scale='2 2 2'/><mesh name='cube' vertex='-1 -1 -1 1 -1 -1 1 1 1 -1 1 2'/>"
      "<mesh name='none'/></asset>"
      "<worldbody><body><freejoint/><geom type='mesh' mesh='a' density='10'/></body>"
      "<body><freejoint/><geom type='mesh' mesh='cube' mass='3'/><geom type='mesh' mesh='none'/></body></worldbody>",
      measure);
  CHECK(made.world.models.at(0).parts[0].inertial->mass == 5);
  CHECK(made.world.models.at(0).parts[0].inertial->tensor.xx == 10);
  const robots::Part& cube = made.world.models.at(1).parts[0];
  CHECK(cube.inertial->mass == 3);
  CHECK(cube.inertial->center == Vec3{0, 0, 0.5});
  REQUIRE(cube.collisions.size() == 1);
  CHECK(cube.collisions[0].shape.size == Vec3{2, 2, 3});
  test::Expected found(made.problems);
  CHECK(found.take(robots::code::kShape).find("box around") != std::string::npos);
  CHECK(found.take(robots::code::kMesh).find("neither a file nor points") != std::string::npos);
}

TEST_CASE("mjcf worlds: what the compiler's settings make of masses") {
  const std::string bodies =
      "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='7' diaginertia='1 1 5'/><geom size='1' mass='2'/></body></worldbody>";
  const auto mass = [&](const std::string& settings) {
    const Made made("<compiler " + settings + "/>" + bodies);
    return made.world.models.at(0).parts[0].inertial.value();
  };
  CHECK(mass("").mass == 7);
  CHECK(mass("inertiafromgeom='true'").mass == 2);
  CHECK(mass("settotalmass='70'").mass == 70);
  CHECK(mass("settotalmass='70'").tensor.zz == 50);
  CHECK(mass("boundmass='9'").mass == 9);
  CHECK(mass("boundinertia='2'").tensor.xx == 2);
  {  // The moments are 0.01 and twice 0.03, about axes that are turned by 45 degrees.
    const Made turned(
        "<compiler boundinertia='0.02'/><worldbody><body><freejoint/>"
        "<inertial pos='0 0 0' mass='1' euler='0 0 45' diaginertia='0.01 0.03 0.03'/><geom size='0.1'/></body></worldbody>");
    const robots::Tensor t = turned.world.models.at(0).parts[0].inertial.value().tensor;
    CHECK(std::abs(t.xx - 0.025) < 1e-12);
    CHECK(std::abs(t.yy - 0.025) < 1e-12);
    CHECK(std::abs(t.xy + 0.005) < 1e-12);
    CHECK(std::abs(t.zz - 0.03) < 1e-12);
  }
  CHECK(std::abs(mass("balanceinertia='true'").tensor.zz - 7.0 / 3) < 1e-12);
}

TEST_CASE("mjcf worlds: the name of a world is valid in AutoSim's files") {
  Made made("<worldbody><geom type='plane' size='1 1 1'/></worldbody>");
  made.world.name = "2-link 0.5 arm";
  const auto out = robots::to_autosim(made.world, "m.xml", nullptr, made.problems);
  CHECK(out.world.name == "2-link_0_5_arm");
}

TEST_CASE("mjcf worlds: an arm becomes an articulation, hung on the world") {
  Made made(
      "<worldbody><body name='arm'><joint name='j' axis='0 0 1'/><geom size='0.1'/><body name='hand' pos='1 0 0'><joint name='k' type='slide'/><geom size='0.1'/></body>"
      "</body></worldbody><actuator><position joint='k' kp='5'/></actuator>");
  const auto out = robots::to_autosim(
      made.world, "m.xml", [](const std::string& name, const std::string&, Position) { return std::optional(name); },
      made.problems);
  REQUIRE(out.robots.contains("arm"));
  const autosim::Robot& robot = out.robots.at("arm");
  REQUIRE(robot.articulation);
  CHECK(robot.articulation->fixed);
  CHECK(robot.articulation->self_collision);
  REQUIRE(robot.links.size() == 2);
  CHECK(robot.links[1].motor->mode == autosim::LinkMotor::Mode::position);
  CHECK(robot.links[1].motor->damping == 0);
}
