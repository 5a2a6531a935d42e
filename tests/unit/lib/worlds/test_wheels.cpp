// Wheels of vehicles as links on joints.

#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/geo.hpp"
#include "lib/robots/codes.hpp"
#include "lib/scenario/build.hpp"
#include "lib/worlds/models_of.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using geo::Vec3;

namespace {

std::string wheel(const std::string& name, double x, double z, bool front, const std::string& more = {}) {
  return "<WheelDevice name=\"" + name + "\"><Part name=\"chassis\"/><DriveActuator name=\"drive\"/>" + "<Position x=\"" +
         std::to_string(x) + "\" y=\"-0.25\" z=\"" + std::to_string(z) +
         "\"/><Radius value=\"0.5\"/><Width value=\"0.25\"/><SuspensionRestLength value=\"0.5\"/>" +
         "<SuspensionKs value=\"9.81\"/><SuspensionKd value=\"3\"/><Powered value=\"" + (front ? "false" : "true") +
         "\"/><Steering value=\"" + (front ? "true" : "false") + "\"/><Brakes value=\"true\"/>" + more + "</WheelDevice>";
}

/// A car of 1000 kg, whose wheels hang 0.5 m below their hard points and give 0.25 m under its weight.
std::string car(const std::string& more_of_wheels = {}, const std::string& steering = {}) {
  return "<Robot name=\"car\"><Parts><Box name=\"chassis\"><Position x=\"0\" y=\"1\" z=\"0\"/><Size x=\"2\" y=\"1\" z=\"4\"/>"
         "<Mass value=\"1000\"/><CenterOfMass x=\"0\" y=\"-0.25\" z=\"0.5\"/></Box></Parts><Devices><DriveActuator name=\"drive\">"
         "<Part name=\"chassis\"/><MotorForce value=\"3000\"/><BrakeForce value=\"4000\"/><SteeringAngle value=\"30\"/>" +
         steering + "</DriveActuator>" + wheel("fl", -1, 1.5, true, more_of_wheels) +
         wheel("fr", 1, 1.5, true, more_of_wheels) + wheel("rl", -1, -1.5, false, more_of_wheels) +
         wheel("rr", 1, -1.5, false, more_of_wheels) + "</Devices></Robot>";
}

struct Converted {
  test::TemporaryFolder folder;
  Diagnostics problems;
  robots::World world;
  explicit Converted(const std::string& robot) {
    test::write_text(folder.file("car.xml"), robot);
    test::write_text(folder.file("world.xml"),
                     "<World name=\"w\"><Objects><Robot name=\"car\" file=\"car.xml\"><Position x=\"3\" z=\"0\"/><Heading "
                     "value=\"90\"/></Robot></Objects></World>");
    const auto built = scenario::build_scenario(folder.file("world.xml"));
    REQUIRE_MESSAGE(built.value, test::all_text(built.diagnostics));
    const auto files = scenario::read_scenario_files(folder.file("world.xml"), {}, problems);
    REQUIRE(files);
    worlds::report_losses(*files, "world.xml", problems);
    grasp::MeshFiles meshes;
    world = worlds::models_of(*built.value, *files, {}, meshes, problems);
    REQUIRE(world.models.size() == 1);
  }
  const robots::Model& model() const { return world.models[0]; }
  const robots::Part& part(const std::string& name) const {
    for (const robots::Part& part : model().parts)
      if (part.name == name) return part;
    FAIL("no part " << name);
    return model().parts.front();
  }
  const robots::Joint& joint(const std::string& name) const {
    for (const robots::Joint& joint : model().joints)
      if (joint.name == name) return joint;
    FAIL("no joint " << name);
    return model().joints.front();
  }
};

bool near(Vec3 a, Vec3 b) { return geo::length(a - b) < 1e-9; }

}  // namespace

TEST_CASE("worlds: a wheel is a cylinder on an axle, where the springs carry the car") {
  const Converted car1(car("<Friction value=\"0.75\"/>"));
  CHECK(car1.model().parts.size() == 7);
  CHECK_FALSE(car1.model().self_collision);
  const robots::Part& rear = car1.part("rr");
  // 1000 kg on four springs of 9810 N/m: 0.25 m of their 0.5 m are left below hard points at a height of 0.75 m.
  CHECK(near(rear.pose.p, {1, -1.5, 0.5}));
  REQUIRE(rear.collisions.size() == 1);
  CHECK(rear.collisions[0].shape.kind == robots::Shape::Kind::cylinder);
  CHECK(rear.collisions[0].shape.radius == 0.5);
  CHECK(rear.collisions[0].shape.length == 0.25);
  CHECK(near(rear.collisions[0].pose.q * Vec3{0, 0, 1}, {1, 0, 0}));
  CHECK(rear.collisions[0].friction == 0.75);
  REQUIRE(rear.collisions[0].color);
  CHECK((*rear.collisions[0].color)[0] < 0.2);
  const robots::Joint& axle = car1.joint("rr_axle");
  CHECK(axle.parent == "chassis");
  CHECK(axle.child == "rr");
  CHECK(near(axle.position, rear.pose.p));
  CHECK(near(axle.axis, {-1, 0, 0}));  // right-handed: forward is positive
  CHECK_FALSE(axle.lower);
  REQUIRE(axle.motor);
  CHECK(axle.motor->effort == 1500);  // MotorForce at the radius
  CHECK_FALSE(car1.joint("fr_axle").motor);
  const robots::Joint& steering = car1.joint("fr_steering");
  CHECK(steering.parent == "chassis");
  CHECK(steering.child == "fr_knuckle");
  CHECK(car1.joint("fr_axle").parent == "fr_knuckle");
  CHECK(near(steering.axis, {0, 0, 1}));
  // Ackermann: the wheel on the inside turns more. 3 m between the axles, 1 m from the middle.
  CHECK(*steering.upper == doctest::Approx(std::atan(3 / (3 / std::tan(geo::radians(30)) - 1))));
  CHECK(*steering.lower == -*steering.upper);
}

TEST_CASE("worlds: a steered wheel turns by the drive's angle where its wheels stay parallel") {
  const Converted car1(car({}, "<Steering ackermann=\"0\"/>"));
  CHECK(*car1.joint("fl_steering").upper == doctest::Approx(geo::radians(30)));
}

TEST_CASE("worlds: wheels take their masses from the part, and the whole stays the same") {
  for (const char* inertia : {"", "<Inertia value=\"2\"/>", "<Inertia value=\"90\"/>"}) {
    CAPTURE(inertia);
    const Converted car1(car(inertia));
    robots::Inertial whole = robots::moved(*car1.part("chassis").inertial, car1.part("chassis").pose);
    for (const robots::Part& part : car1.model().parts)
      if (part.name != "chassis") {
        REQUIRE(part.inertial);
        CHECK(part.inertial->mass > 0);
        CHECK(robots::is_physical(part.inertial->tensor));
        whole = robots::combined(whole, robots::moved(*part.inertial, part.pose));
      }
    CHECK(whole.mass == doctest::Approx(1000));
    CHECK(near(whole.center, {0, 0.5, 0.75}));
    CHECK(robots::is_physical(car1.part("chassis").inertial->tensor));
  }
  // A disk of radius 0.5 m with 2 kg m^2 about its axle.
  const Converted heavy(car("<Inertia value=\"2\"/>"));
  CHECK(heavy.part("rl").inertial->mass == doctest::Approx(16));
  CHECK(heavy.part("rl").inertial->tensor.xx == doctest::Approx(2));
  CHECK(heavy.part("fl_knuckle").inertial->mass == doctest::Approx(1.6));
  const Converted light(car());
  CHECK(light.part("rl").inertial->mass == doctest::Approx(15));
}

TEST_CASE("worlds: what wheels lose is said once") {
  Converted car1(car());
  test::Expected found(car1.problems);
  CHECK(found.take(robots::code::kLossDevice) ==
        "the wheels of \"car\" become links on joints: their suspensions, tires, engine and brakes are lost");
  std::string two = car();
  two.insert(two.find("</Parts>"),
             "<Box name=\"load\"><Position x=\"0\" y=\"3\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/>"
             "<Mass value=\"10\"/></Box>");
  test::Expected parts(Converted(two).problems);
  CHECK(
      parts.take(robots::code::kLossDevice) ==
      "the wheels of \"car\" become links on joints: their suspensions, tires, engine and brakes are lost, and its parts do not "
      "collide with each other any more");
}
