// Traffic and what it meets: it is seen by sensors, pushes loose bodies, and blocks vehicles.

#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/geo.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/simulation.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/sim/traffic/scene.hpp"

using namespace simbatch;

namespace {

constexpr double kSpeed = 8, kWait = 1;

/// A road of 100 m to the north from the origin, a vehicle of 2 x 4 x 1.5 m that drives along it after a second, an autonomous
/// object on a road of its own 20 m to the west, heading for a vehicle that is parked there, and a robot of one box with two
/// distance sensors.
struct Street {
  test::TemporaryFolder folder;
  scenario::BuildResult result;
  sim::Simulation* simulation = nullptr;
  double length = 0;  // of the road

  explicit Street(const std::string& robot_place) {
    length = geo::geodesic({48, 11}, {48.0009, 11}).distance;
    cajunbot::ObjectFile file;
    cajunbot::Object o = test::mover({{kSpeed, 0, {1, 1, 2}, false}});
    o.initial_pause = kWait;
    file.objects.push_back(o);
    o.start = {};
    o.position = {-20, 30, 0};
    o.goals.clear();
    o.initial_pause = 0;
    file.objects.push_back(o);
    o = test::small_car();
    o.position = {-20, 0, 0};
    file.objects.push_back(o);
    test::write_text(folder.file("t.xml"), write_v2(file));
    test::write_text(folder.file("n.rndf"), test::one_lane({"48.0 11.0", "48.0009 11.0"}));
    test::write_text(folder.file("watcher.xml"),
                     R"(<Robot name="watcher"><Parts><Box name="post"><Position x="0" y="0" z="0"/><Size x="0.6" y="1" z="0.6"/>
<Mass value="30"/></Box></Parts><Devices>
<PSDSensor name="along"><Part name="post"/><Position x="0" y="0" z="-0.3"/><Direction x="0" y="0" z="-1"/><Range value="60"/></PSDSensor>
<PSDSensor name="across"><Part name="post"/><Position x="-0.3" y="0.1" z="0"/><Direction x="-1" y="0" z="0"/><Range value="12"/></PSDSensor>
</Devices></Robot>)");
    test::write_text(
        folder.file("w.xml"),
        test::flat_world(
            R"(<Robot name="watcher" file="watcher.xml">)" + robot_place +
            R"(</Robot><Traffic objects="t.xml" rndf="n.rndf"><Control time="0" device="object_3.throttle" value="0.3"/></Traffic>)"));
    result = scenario::build_scenario(folder.file("w.xml"));
    CAPTURE(test::all_text(result.diagnostics));
    REQUIRE(result.value);
    simulation = result.value->simulation.get();
    simulation->start();
  }
  double value(const char* node, std::size_t field) { return simulation->tree().find(node)->values()[field]; }
};

}  // namespace

TEST_CASE("a robot's distance sensors see a traffic vehicle coming and passing, as its time table says") {
  // Beside the road's end, looking back along it; the sensor across looks to the west at z = 110.
  Street coming(R"(<Position x="0.5" z="115"/>)");
  while (coming.simulation->clock().time < 16) {
    const double t = coming.simulation->clock().time;
    const double front = std::min(std::max(t - kWait, 0.0) * kSpeed, coming.length) + 2;
    const double distance = 115 - 0.3 - front;
    CAPTURE(t);
    // Residual 1.2e-4: the post sinks and leans in its contact.
    CHECK(std::fabs(coming.value("watcher.post.along", 0) - std::min(distance, 60.0)) < 1e-3);
    REQUIRE(coming.simulation->step());
  }
  // Beside the road, looking across: 12 m of nothing, 4 m of the vehicle's side, nothing again.
  Street passing(R"(<Position x="6" z="50"/>)");
  int seen = 0;
  while (passing.simulation->clock().time < 10) {
    const double t = passing.simulation->clock().time, middle = std::max(t - kWait, 0.0) * kSpeed;
    CAPTURE(t);
    const double off = std::fabs(middle - 50);
    if (off < 1.99) {
      CHECK(std::fabs(passing.value("watcher.post.across", 0) - (6 - 0.3 - 1)) < 1e-3);
      ++seen;
    } else if (off > 2.01) {
      CHECK(passing.value("watcher.post.across", 0) == 12);
    }
    REQUIRE(passing.simulation->step());
  }
  CHECK(seen == doctest::Approx(2 * 1.99 / kSpeed / 0.005).epsilon(0.02));
}

TEST_CASE("a traffic vehicle pushes a loose body along and is not held up by it") {
  Street s(R"(<Position x="0.2" z="40"/>)");
  while (s.simulation->clock().time < 20) {
    const double t = s.simulation->clock().time, z = std::min(std::max(t - kWait, 0.0) * kSpeed, s.length);
    CHECK(std::fabs(s.value("traffic.object_1", 2) - z) < 1e-6);
    REQUIRE(s.simulation->step());
  }
  // Pushed to the end of the road or off to a side, never run through.
  const double x = s.value("watcher.post", 0), z = s.value("watcher.post", 2);
  const bool ahead = z > s.length + 2, aside = std::fabs(x) > 1;
  CHECK((ahead || aside));
  CHECK(z > 41);
}

TEST_CASE("a stopped traffic vehicle blocks an autonomous object") {
  Street s(R"(<Position x="40" z="0"/>)");
  while (s.simulation->clock().time < 12) REQUIRE(s.simulation->step());
  // 4 m/s for 12 s would be past it; bumper to bumper the middles are 2 + 1.84 m apart.
  CHECK(s.value("traffic.object_3", 2) == doctest::Approx(30 - 2 - 1.84).epsilon(0.02));
  CHECK(s.value("traffic.object_3", 4) < 0.1);
  CHECK(std::fabs(s.value("traffic.object_2", 2) - 30) < 1e-9);
}
