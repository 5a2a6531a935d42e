// Links of robot files: springs, motors, articulations.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "base/core/number.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/program/port.hpp"
#include "tests/unit/lib/scenario/robot_scene.hpp"

using namespace simbatch;
using namespace simbatch::scenario;
using namespace simbatch::scenario::test_scene;
using namespace simbatch::sim;

namespace {

std::string box(const std::string& name, const std::string& x, const std::string& mass) {
  return "<Box name=\"" + name + "\"><Position x=\"" + x +
         "\" y=\"0\" z=\"0\"/><Size x=\"1\" y=\"0.1\" z=\"0.1\"/><Mass value=\"" + mass + "\"/></Box>\n";
}
std::string hinge(const std::string& name, const std::string& parent, const std::string& child, const std::string& x,
                  const std::string& more) {
  return "<RevoluteLink name=\"" + name + "\"><Parent name=\"" + parent + "\"/><Child name=\"" + child + "\"/><Position x=\"" +
         x + "\" y=\"0\" z=\"0\"/><Axis x=\"0\" y=\"0\" z=\"1\"/>" + more + "</RevoluteLink>\n";
}
// Beside the arm, so that nothing hits it.
std::string base(const std::string& mass) {
  return "<Box name=\"base\"><Position x=\"0\" y=\"0\" z=\"3\"/><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"" + mass +
         "\"/></Box>\n";
}
// An arm of two bars of 1 m along +x on a base.
std::string arm(const std::string& shoulder, const std::string& elbow) {
  return base("1e6") + box("upper", "0.5", "3") + box("lower", "1.5", "2") + hinge("shoulder", "base", "upper", "0", shoulder) +
         hinge("elbow", "upper", "lower", "1", elbow);
}
const std::string kFixed = "<Articulation base=\"base\" fixed=\"true\"/>";
std::string motor(const std::string& attributes) { return "<Motor " + attributes + "/>"; }
std::string step(double rate) { return "<StepSize value=\"" + number_text(1 / rate) + "\"/>"; }

}  // namespace

TEST_CASE("links: an arm's position motors droop by load / stiffness, at any rate, and its nodes show what they do") {
  for (const double rate : {60.0, 120.0, 240.0, 1000.0}) {
    CAPTURE(rate);
    RobotScene scene(arm(motor("mode=\"position\" target=\"20\" stiffness=\"3000\" maxForce=\"200\""),
                         motor("mode=\"position\" target=\"-50\" stiffness=\"2000\" maxForce=\"100\"")),
                     "", step(rate), entry(), kFixed);
    scene.run(6);
    const auto shoulder = scene.values("r.shoulder"), elbow = scene.values("r.elbow");
    const double a = shoulder[3], b = elbow[3];
    const double lower = 2 * 9.81 * 0.5 * std::cos(a + b);
    const double upper = 3 * 9.81 * 0.5 * std::cos(a) + 2 * 9.81 * std::cos(a) + lower;
    CHECK(elbow[0] == doctest::Approx(geo::radians(-50)));
    CHECK(elbow[1] == 1);
    CHECK(elbow[5] == doctest::Approx(lower).epsilon(1e-6));
    CHECK(shoulder[5] == doctest::Approx(upper).epsilon(1e-6));
    CHECK(a == doctest::Approx(geo::radians(20) - upper / 3000).epsilon(1e-6));
    CHECK(b == doctest::Approx(geo::radians(-50) - lower / 2000).epsilon(1e-6));
    CHECK(std::abs(shoulder[4]) < 1e-8);
    // The last bar's pose follows from the angles.
    const auto bar = scene.values("r.lower");
    CHECK(bar[0] == doctest::Approx(std::cos(a) + 0.5 * std::cos(a + b)).epsilon(1e-9));
    CHECK(bar[1] == doctest::Approx(std::sin(a) + 0.5 * std::sin(a + b)).epsilon(1e-9));
  }
}

TEST_CASE("links: an articulation and constraints between bodies move alike, the nearer the smaller the step") {
  double last = 1;
  const auto run = [](double rate, bool reduced) {
    RobotScene scene(arm("<Spring stiffness=\"60\" damping=\"2\"/>", "<Spring stiffness=\"20\" damping=\"0.5\" rest=\"60\"/>"),
                     "", step(rate) + "<Gravity x=\"0\" y=\"0\" z=\"0\"/>", entry(), reduced ? kFixed : "");
    scene.run(1);
    return scene.values("r.elbow")[0];
  };
  const double exact = run(4000, true);
  CHECK(std::abs(run(240, true) - exact) < 0.01);
  for (const double rate : {240.0, 1000.0}) {
    const double difference = std::abs(run(rate, false) - run(rate, true));
    CHECK(difference < last);
    last = difference / 2;
  }
  CHECK(last < 0.01);
}

TEST_CASE("links: a mirrored articulation moves as the mirror image") {
  const std::string drive =
      motor("mode=\"position\" target=\"TURN\" stiffness=\"300\" damping=\"3\" maxForce=\"60\" maxSpeed=\"90\"");
  const auto with = [&](const char* turn) {
    std::string text = drive;
    return text.replace(text.find("TURN"), 4, turn);
  };
  const auto mirrored = base("10") + box("upper", "-0.5", "3") + box("lower", "-1.5", "2") +
                        hinge("shoulder", "base", "upper", "0", with("-40")) +
                        hinge("elbow", "upper", "lower", "-1", with("70"));
  const auto plain = base("10") + box("upper", "0.5", "3") + box("lower", "1.5", "2") +
                     hinge("shoulder", "base", "upper", "0", with("40")) + hinge("elbow", "upper", "lower", "1", with("-70"));
  for (const bool fixed : {true, false}) {
    const std::string head = fixed ? kFixed : "<Articulation/>";
    RobotScene a(plain, "", "", entry(), head), b(mirrored, "", "", entry(), head);
    for (int i = 0; i < 240; ++i) {
      a.run(1.0 / 240);
      b.run(1.0 / 240);
      const auto p = a.values("r.lower"), q = b.values("r.lower");
      CHECK(p[0] == doctest::Approx(-q[0]).epsilon(1e-10));
      CHECK(p[1] == doctest::Approx(q[1]).epsilon(1e-10));
      CHECK(a.values("r.elbow")[5] == doctest::Approx(-b.values("r.elbow")[5]).epsilon(1e-9));
    }
    CHECK(std::abs(a.values("r.elbow")[3]) > 0.5);
  }
}

TEST_CASE("links: a double pendulum in reduced coordinates keeps its energy to first order") {
  const auto drift = [](double rate) {
    RobotScene scene(arm("", ""), "", step(rate), entry(), kFixed);
    Simulation& simulation = scene.simulation();
    const physics::World& world = simulation.world();
    const auto energy = [&] {
      double sum = 0;
      for (const char* name : {"r.upper", "r.lower"}) {
        const physics::BodyId body = world.find_body(name);
        const double m = world.mass(body).mass;
        const geo::Vec3 v = world.center_velocity(body), w = world.angular_velocity(body);
        sum += m * dot(v, v) / 2 + world.mass(body).inertia.zz * w.z * w.z / 2 + m * 9.81 * world.center_of_mass(body).y;
      }
      return sum;
    };
    double most = 0;
    for (int i = 0; i < static_cast<int>(3 * rate); ++i) {
      REQUIRE(simulation.step());
      most = std::max(most, std::abs(energy()));
    }
    return most;
  };
  CHECK(drift(240) < 3);  // of 40 J that go back and forth; the velocities are those of half a step before
  CHECK(drift(960) < drift(240) / 3);
}

TEST_CASE("links: programs read links and set their motors, with one to three numbers") {
  RobotScene scene(
      arm(motor("mode=\"position\" stiffness=\"3000\" maxForce=\"200\" maxSpeed=\"180\""), "<Friction value=\"0.1\"/>"), "",
      "<Gravity x=\"0\" y=\"0\" z=\"0\"/>", entry("r", "<Control time=\"0.5\" device=\"shoulder\" value=\"0.3\"/>"), kFixed);
  ProgramPort port(scene.simulation(), "r");
  float shoulder[6] = {}, elbow[2] = {};
  scene.run(2);
  CHECK(port.get_data("r.shoulder", shoulder, sizeof shoulder) == DeviceError::none);
  CHECK(port.get_data("r.elbow", elbow, sizeof elbow) == DeviceError::none);
  CHECK(shoulder[0] == doctest::Approx(0.3));
  CHECK(shoulder[3] == doctest::Approx(0.3).epsilon(1e-3));
  float more[4] = {-0.5F, 2, 1, 0};
  CHECK(port.set_data("r.shoulder", more, 0) == DeviceError::data_size_mismatch);
  CHECK(port.set_data("r.shoulder", more, 6) == DeviceError::data_size_mismatch);
  CHECK(port.set_data("r.shoulder", more, 16) == DeviceError::data_size_mismatch);
  CHECK(port.set_data("r.elbow", more, 4) == DeviceError::invalid_operation);
  CHECK(port.set_data("r.shoulder", more, 12) == DeviceError::none);  // speed, with at most 1 N m
  scene.run(0.1);
  CHECK(scene.values("r.shoulder")[5] == doctest::Approx(-1));
  more[2] = 200;
  CHECK(port.set_data("r.shoulder", more, 12) == DeviceError::none);
  scene.run(1);
  CHECK(scene.values("r.shoulder")[4] == doctest::Approx(-0.5).epsilon(1e-6));
  more[0] = 1000;
  CHECK(port.set_data("r.shoulder", more, 4) == DeviceError::none);  // more than maxSpeed
  scene.run(1);
  CHECK(scene.values("r.shoulder")[4] == doctest::Approx(geo::radians(180)).epsilon(1e-6));
  more[1] = 0;
  more[0] = 0;
  CHECK(port.set_data("r.shoulder", more, 8) == DeviceError::none);  // no torque: turns on, whole turns count
  scene.run(4);
  CHECK(scene.values("r.shoulder")[3] > 7);
}

TEST_CASE("links: a wheel's angle counts whole turns, of a link between bodies as well") {
  RobotScene scene(arm(motor("mode=\"speed\" target=\"360\" maxForce=\"500\""), ""), "", "<Gravity x=\"0\" y=\"0\" z=\"0\"/>",
                   entry());
  scene.run(4);
  CHECK(scene.values("r.shoulder")[3] == doctest::Approx(8 * std::numbers::pi).epsilon(0.01));
}

TEST_CASE("links: an articulation with more links than the solver is made for is refused at the first of them") {
  std::string bodies, links;
  constexpr std::size_t kBodies = physics::kMaxArticulatedLinks + 2;
  for (std::size_t i = 0; i < kBodies; ++i) {
    const std::string name = "b" + number_text(i), x = number_text(2 * i);
    bodies += box(name, x, "1");
    if (i > 0) links += hinge("j" + number_text(i), "b0", name, x, "");
  }
  RobotScene scene(bodies + links, "", "", entry(), "<Articulation/>");
  simbatch::test::Expected expected(std::move(scene.result.diagnostics));
  CHECK(expected.take(scenario::code::kArticulation, Position{kBodies + 3, 1}) ==
        "an articulation has at most 1001 bodies, found 1002");
}

TEST_CASE("links: what an articulation cannot be is reported where it is") {
  RobotScene ring(arm("", "") + hinge("ring", "lower", "base", "2", ""), "", "", entry(), kFixed);
  simbatch::test::Expected closed(std::move(ring.result.diagnostics));
  CHECK(closed.take(scenario::code::kArticulation, Position{8, 1}).find("\"elbow\"") != std::string::npos);
  RobotScene apart(arm("", "") + box("lost", "7", "1"), "", "", entry(), "<Articulation/>");
  simbatch::test::Expected alone(std::move(apart.result.diagnostics));
  CHECK(alone.take(scenario::code::kArticulation, Position{9, 1}).find("\"lost\"") != std::string::npos);
  RobotScene ball(
      arm("", "") + box("end", "7", "1") +
          "<SphericalLink name=\"ball\"><Parent name=\"lower\"/><Child name=\"end\"/><Position x=\"2\" y=\"0\" "
          "z=\"0\"/></SphericalLink>",
      "<DriveActuator name=\"d\"><Part name=\"base\"/><MotorForce value=\"1\"/><BrakeForce value=\"500\"/></DriveActuator>", "",
      entry(), "<Articulation/>");
  simbatch::test::Expected spherical(std::move(ball.result.diagnostics));
  CHECK(spherical.take(scenario::code::kArticulation, Position{10, 1}).find("spherical") != std::string::npos);
  CHECK(spherical.take(scenario::code::kArticulation, Position{13, 1}).find("DriveActuator") != std::string::npos);
  const std::string heavy =
      "<Box name=\"end\"><Position x=\"7\" y=\"0\" z=\"0\"/><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"1\"/>"
      "<AddedMass x=\"1\" y=\"0\" z=\"0\"/></Box>\n";
  RobotScene marine(arm("", "") + heavy + hinge("wrist", "lower", "end", "2", ""), "", "", entry(), "<Articulation/>");
  simbatch::test::Expected water(std::move(marine.result.diagnostics));
  CHECK(water.take(scenario::code::kArticulation, Position{9, 1}).find("AddedMass") != std::string::npos);
}
