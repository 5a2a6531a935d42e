// An autonomous object that has legs and is left to itself drives along them.

#include <doctest/doctest.h>

#include <cmath>

#include "base/core/number.hpp"
#include "base/geo/geo.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/device/device_node.hpp"
#include "lib/sim/simulation.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/sim/traffic/scene.hpp"

using namespace simbatch;

namespace {

struct Run {
  test::TemporaryFolder folder;
  scenario::BuildResult result;
  sim::Simulation* simulation = nullptr;
  std::span<const double> body;

  Run(const cajunbot::Object& object, const std::string& controls,
      const std::vector<std::string>& lane = {"48.0 11.0", "48.0004 11.0", "48.0004 11.0006"}) {
    cajunbot::ObjectFile file;
    file.objects.push_back(object);
    test::write_text(folder.file("bot.obj"), write_v1(file));
    test::write_text(folder.file("n.rndf"), test::one_lane(lane));
    test::write_text(folder.file("w.xml"),
                     test::flat_world(R"(<Traffic objects="bot.obj" rndf="n.rndf">)" + controls + "</Traffic>"));
    result = scenario::build_scenario(folder.file("w.xml"));
    CAPTURE(test::all_text(result.diagnostics));
    REQUIRE(result.value);
    simulation = result.value->simulation.get();
    simulation->start();
    body = simulation->tree().find("traffic.object_1")->values();
  }
  /// Runs until the body's goal is `goal` or `time` has come.
  bool reaches(double goal, double time) {
    while (simulation->clock().time < time && body[5] != goal) REQUIRE(simulation->step());
    return body[5] == goal;
  }
};

cajunbot::Object bot(int wheel_type) {
  cajunbot::Object o = test::small_car(wheel_type);
  o.controller = cajunbot::Controller::waypoint;
  o.start = {1, 1, 1};
  o.goals = {{6, 2, {1, 1, 2}, false}, {5, 0, {1, 1, 3}, false}};
  return o;
}

}  // namespace

TEST_CASE("an autonomous object with waypoint legs drives to them, pauses, and stops at the last") {
  const double north = geo::geodesic({48, 11}, {48.0004, 11}).distance,
               east = geo::geodesic({48.0004, 11}, {48.0004, 11.0006}).distance;
  for (const int wheel_type : {1, 0}) {
    CAPTURE(wheel_type);
    Run r(bot(wheel_type), "");
    CHECK(r.body[5] == 1);
    while (r.body[2] < north - 1 && r.simulation->clock().time < 60) REQUIRE(r.simulation->step());
    REQUIRE(r.reaches(2, 60));
    // Not before the timetable, and not much later: it accelerates and slows down, and stops before it counts as there.
    CHECK(r.simulation->clock().time > north / 6);
    CHECK(r.simulation->clock().time < north / 6 + 8);
    CHECK(std::hypot(r.body[0], r.body[2] - north) < 0.3);
    const double arrived = r.simulation->clock().time;
    while (r.simulation->clock().time < arrived + 1.99) REQUIRE(r.simulation->step());
    CHECK(r.body[4] < 0.1);
    REQUIRE(r.reaches(3, 120));
    CHECK(std::hypot(r.body[0] - east, r.body[2] - north) < 0.5);
    CHECK(r.simulation->clock().time > arrived + 2 + east / 5);
    for (int i = 0; i < 400; ++i) REQUIRE(r.simulation->step());
    CHECK(std::hypot(r.body[0] - east, r.body[2] - north) < 0.5);
  }
}

TEST_CASE("an autonomous object rounds a corner without a pause, and follows script legs") {
  cajunbot::Object o = bot(1);
  o.goals[0].pause = 0;
  Run corner(o, "");
  CHECK(corner.reaches(3, 60));
  o = bot(1);
  o.goals.clear();
  o.controller = cajunbot::Controller::script;
  o.script = {{4, 1, 20, 0}, {4, 0, 15, -90}, {4, 0, 20, -180}};
  Run script(o, "");
  CHECK(script.reaches(4, 90));
  CHECK(std::hypot(script.body[0] - 15, script.body[2]) < 0.5);
}

TEST_CASE("the driver of an autonomous object lets go when the scenario or a program commands it") {
  Run held(bot(1), "<Control time=\"1\" device=\"object_1.steering\" value=\"0\"/>");
  CHECK_FALSE(held.reaches(1, 3));
  CHECK(held.body[5] == 0);
  CHECK(held.body[4] < 1e-3);
  Run taken(bot(1), "");
  CHECK_FALSE(taken.reaches(2, 3));
  CHECK(taken.body[4] > 3);
  auto* throttle = dynamic_cast<sim::DeviceNode*>(taken.simulation->tree().find("traffic.object_1.throttle"));
  REQUIRE(throttle != nullptr);
  throttle->set(0, 0);
  CHECK_FALSE(taken.reaches(2, 8));
  CHECK(taken.body[4] < 1e-3);
  CHECK(throttle->values()[0] == 0);
}

TEST_CASE("an autonomous object brakes for a stop that is several short legs ahead") {
  // Lanes of real networks have a waypoint every 4 to 18 m; from 12 m/s braking takes 36 m.
  for (const int wheel_type : {1, 0})
    for (const double spacing : {4.0, 8.0}) {
      CAPTURE(wheel_type);
      CAPTURE(spacing);
      const double degrees = spacing / geo::geodesic({48, 11}, {49, 11}).distance;
      const auto count = static_cast<std::int32_t>(160 / spacing);  // legs
      std::vector<std::string> lane;
      cajunbot::Object o = test::small_car(wheel_type);
      o.controller = cajunbot::Controller::waypoint;
      o.start = {1, 1, 1};
      for (std::int32_t k = 0; k <= count; ++k) {
        lane.push_back(number_text(48 + static_cast<double>(k) * degrees) + " 11");
        if (k > 0) o.goals.push_back({12, k == count / 2 ? 2.0 : 0.0, {1, 1, k + 1}, false});
      }
      Run r(o, "", lane);
      double fastest = 0;
      while (r.body[2] < 79 && r.simulation->clock().time < 60) {
        REQUIRE(r.simulation->step());
        fastest = std::max(fastest, r.body[4]);
      }
      CHECK(fastest > 9);
      REQUIRE(r.reaches(static_cast<double>(count) / 2 + 1, 60));
      CHECK(std::fabs(r.body[2] - 80) < 0.5);
      CHECK(r.body[4] < 0.3);
      REQUIRE(r.reaches(static_cast<double>(count) + 1, 90));
      for (int i = 0; i < 400; ++i) REQUIRE(r.simulation->step());
      CHECK(std::fabs(r.body[2] - 160) < 0.5);
    }
}
