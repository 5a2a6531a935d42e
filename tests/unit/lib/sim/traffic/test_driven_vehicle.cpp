// The autonomous object: throttle and levers move at the file's rates, and drive it.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "formats/cajunbot/cajunbot.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/traffic/driven_vehicle.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/sim/traffic/scene.hpp"

using namespace simbatch;

namespace {

constexpr double kDt = 0.005;

struct Drive {
  test::TemporaryFolder folder;
  scenario::BuildResult result;
  sim::Simulation* simulation = nullptr;
  std::span<const double> body, throttle;  // x, y, z, heading, speed, goal; command, value

  Drive(int wheel_type, const std::string& controls, double throttle_rate = 2, double lever_rate = 0.5) {
    cajunbot::ObjectFile file;
    cajunbot::Object o = test::small_car(wheel_type);
    o.throttle_rate = throttle_rate;
    o.lever_rate = lever_rate;
    file.objects.push_back(o);
    test::write_text(folder.file("bot.obj"), write_v1(file));
    test::write_text(folder.file("n.rndf"), test::one_lane({"48.0 11.0", "48.001 11.0"}));
    test::write_text(folder.file("w.xml"),
                     test::flat_world("<Traffic objects=\"bot.obj\" rndf=\"n.rndf\">\n" + controls + "</Traffic>"));
    result = scenario::build_scenario(folder.file("w.xml"));
    if (!result.value) return;
    simulation = result.value->simulation.get();
    simulation->start();
    body = find("traffic.object_1")->values();
    throttle = find("traffic.object_1.throttle")->values();
  }
  sim::DeviceNode* device(const char* name) { return dynamic_cast<sim::DeviceNode*>(find(name)); }
  sim::TreeNode* find(const char* name) { return simulation->tree().find(name); }
  void run_to(double time) {
    while (simulation->clock().time < time - 1e-9) REQUIRE(simulation->step());
  }
};

std::string control(double time, const char* device, double value) {
  return "<Control time=\"" + std::to_string(time) + "\" device=\"object_1." + device + "\" value=\"" + std::to_string(value) +
         "\"/>\n";
}

}  // namespace

TEST_CASE("a throttle and a lever reach a new setting after its way over their rate, to the step") {
  Drive d(1, control(0.5, "throttle", 1) + control(0.5, "steering", -0.75) + control(2, "throttle", 0.25));
  REQUIRE(d.simulation != nullptr);
  const std::span<const double> steering = d.find("traffic.object_1.steering")->values();
  while (d.simulation->clock().time < 4) {
    const double t = d.simulation->clock().time;
    CAPTURE(t);
    // Set in the step that begins at 0.5 s; 2 strokes a second, then 0.5.
    const double up = std::clamp(2 * (t - 0.5), 0.0, 1.0), down = std::max(1 - 2 * (t - 2), 0.25);
    CHECK(std::fabs(d.throttle[1] - (t <= 2 ? up : down)) < 1e-12);
    CHECK(std::fabs(steering[1] + std::clamp(0.5 * (t - 0.5), 0.0, 0.75)) < 1e-12);
    d.run_to(t + kDt);
  }
  CHECK(d.throttle[0] == 0.25);
  // At 0.5 + 1/2 s it is there exactly, a step before it is not.
  Drive e(1, control(0.5, "throttle", 1));
  e.run_to(1 - kDt);
  CHECK(e.throttle[1] < 1);
  e.run_to(1);
  CHECK(e.throttle[1] == 1);
}

TEST_CASE("an autonomous object without commands stands still, and one whose rate is 0 never moves") {
  Drive alone(1, ""), stuck(1, control(0, "throttle", 1), 0);
  for (Drive* d : {&alone, &stuck}) {
    REQUIRE(d->simulation != nullptr);
    d->run_to(5);
    CHECK(std::hypot(d->body[0], d->body[2]) < 1e-3);
    CHECK(d->body[4] < 1e-6);
    CHECK(d->throttle[1] == 0);
  }
}

TEST_CASE("an autonomous object drives straight: it gains 3 m/s each second up to its setting's speed, and loses as much") {
  Drive d(1, control(1, "throttle", 0.5) + control(8, "throttle", 0));
  REQUIRE(d.simulation != nullptr);
  const double top = 0.5 * sim::kTopSpeed, a = sim::kAcceleration;
  d.run_to(2);
  // Residuals 1e-5 and 2e-3: the springs give, and the body pitches; the speed is that of its middle.
  CHECK(std::fabs(d.body[4] - a * 1) < 0.03);
  d.run_to(8);
  CHECK(std::fabs(d.body[4] - top) < 1e-4);
  const double way = top * top / (2 * a) + top * (7 - top / a);
  CHECK(std::fabs(d.body[2] - way) < 0.1);
  d.run_to(8 + top / a + 1);
  CHECK(d.body[4] < 1e-3);
  CHECK(std::fabs(d.body[2] - (way + top * top / (2 * a))) < 0.15);
  CHECK(std::fabs(d.body[0]) < 1e-3);
  CHECK(std::fabs(d.body[3]) < 1e-4);
}

TEST_CASE("an autonomous object turns left with a left command, on the circle of its wheelbase") {
  Drive d(1, control(0, "throttle", 0.1) + control(0, "steering", -1));
  REQUIRE(d.simulation != nullptr);
  d.run_to(4);  // the steering needs 2 s
  const double heading = d.body[3], v = 0.1 * sim::kTopSpeed;
  d.run_to(5);
  const double wheelbase = 3.68 - 2 * 0.38, rate = v / (wheelbase / std::tan(sim::kSteeringAngle));
  // The rear axle turns on that circle; the wheels slide by a few per cent.
  CHECK(std::remainder(d.body[3] - heading, 2 * std::numbers::pi) == doctest::Approx(-rate).epsilon(0.05));
  CHECK(d.body[0] < -1);
}

TEST_CASE("a skid vehicle drives straight with equal levers and turns in place with opposite ones") {
  Drive straight(0, control(0, "throttle", 0.2) + control(0, "left_lever", 1) + control(0, "right_lever", 1));
  REQUIRE(straight.simulation != nullptr);
  straight.run_to(10);
  CHECK(straight.body[4] == doctest::Approx(0.2 * sim::kTopSpeed).epsilon(1e-3));
  CHECK(std::fabs(straight.body[0]) < 1e-3);
  double turned[2] = {};
  for (const int side : {0, 1}) {
    Drive d(0, control(0, "throttle", 0.2) + control(0, "left_lever", side == 0 ? 1 : -1) +
                   control(0, "right_lever", side == 0 ? -1 : 1));
    REQUIRE(d.simulation != nullptr);
    d.run_to(4);
    double before = d.body[3];
    for (int i = 0; i < 100; ++i) {
      d.run_to(4 + 0.01 * (i + 1));
      turned[side] += std::remainder(d.body[3] - before, 2 * std::numbers::pi);
      before = d.body[3];
    }
    CHECK(std::hypot(d.body[0], d.body[2]) < 0.05);
  }
  CHECK(turned[0] > 0.5);  // left forward, right backward: to the right; the wheels scrub, so it is no 3 rad
  CHECK(turned[0] < 1);
  CHECK(turned[1] == doctest::Approx(-turned[0]).epsilon(1e-3));
}

TEST_CASE("a program sets throttle and steering as any other device, by their full names") {
  Drive d(1, "");
  REQUIRE(d.simulation != nullptr);
  sim::DeviceNode* throttle = d.device("traffic.object_1.throttle");
  REQUIRE(throttle != nullptr);
  const float setting = 0.5F;
  CHECK(throttle->set_data(&setting, sizeof setting) == sim::DeviceError::none);
  d.run_to(2);
  CHECK(d.body[4] > 3);
  float seen[2] = {};
  CHECK(throttle->get_data(seen, sizeof seen) == sim::DeviceError::none);
  CHECK(seen[0] == 0.5F);
  CHECK(seen[1] == 0.5F);
  CHECK(d.device("traffic.object_1.left_lever") == nullptr);
}

TEST_CASE("controls of traffic that name no actuator are reported") {
  Drive d(
      1,
      "<Control time=\"0\" device=\"object_1.throtle\" value=\"1\"/>\n<Control time=\"0\" device=\"object_1.throttle\" brake=\"1\"/>\n");
  CHECK(d.simulation == nullptr);
  test::Expected found(d.result.diagnostics);
  CHECK(found.take(scenario::code::kControlDevice, Position{3, 1}).find("did you mean \"object_1.throttle\"") !=
        std::string::npos);
  found.take(scenario::code::kControlInput, Position{4, 1});
}

TEST_CASE("an autonomous object of any shape is left where it was put, on its wheels") {
  struct Row {
    cajunbot::Shape shape;
    cajunbot::Vector size;
    double wheel_radius;
  };
  using cajunbot::Shape;
  const Row rows[] = {{Shape::wheel, {2, 4, 1.5}, 0.38},        {Shape::wheel, {2, 4, 1.5}, 0.1},
                      {Shape::sphere, {1.7, 3.68, 2.16}, 0.38}, {Shape::sphere, {0.3, 0.8, 0.8}, 0.1},
                      {Shape::sphere, {4, 1, 1}, 0.3},          {Shape::cylinder, {2, 4, 1.5}, 0.38},
                      {Shape::cylinder, {4, 1, 1}, 0.3},        {Shape::box, {0.3, 0.8, 0.8}, 0.1}};
  for (const int wheel_type : {0, 1})
    for (const Row& row : rows) {
      cajunbot::Object o = test::small_car(wheel_type);
      o.shape = row.shape;
      o.size = row.size;
      o.wheel_radius = row.wheel_radius;
      o.position = {3, 5, 0};
      o.orientation_deg.z = 37;
      cajunbot::ObjectFile file;
      file.objects.push_back(o);
      test::TemporaryFolder folder;
      test::write_text(folder.file("bot.obj"), write_v1(file));
      test::write_text(folder.file("n.rndf"), test::one_lane({"48.0 11.0", "48.001 11.0"}));
      test::write_text(folder.file("w.xml"), test::flat_world(R"(<Traffic objects="bot.obj" rndf="n.rndf"/>)"));
      const auto built = scenario::build_scenario(folder.file("w.xml"));
      REQUIRE(built.value);
      sim::Simulation& simulation = *built.value->simulation;
      simulation.start();
      const std::span<const double> body = simulation.tree().find("traffic.object_1")->values();
      double fastest = 0, highest = 0;
      for (int i = 0; i < 1600; ++i) {
        REQUIRE(simulation.step());
        fastest = std::max(fastest, body[4]);
        highest = std::max(highest, std::fabs(body[1]));
      }
      CAPTURE(wheel_type);
      CAPTURE(row.size.x);
      CAPTURE(row.wheel_radius);
      CAPTURE(to_text(row.shape));
      CHECK(fastest < 0.3);
      CHECK(highest < 0.05);
      CHECK(std::hypot(body[0] - 3, body[2] - 5) < 0.01);
    }
}
