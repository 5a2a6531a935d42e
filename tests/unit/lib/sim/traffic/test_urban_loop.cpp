// scenarios/urban_loop to the end of all goals: each arrives when its pauses, its distances on the earth, and its speeds say.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/traffic/traffic.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

/// One goal of one vehicle.
struct Arrival {
  std::size_t object = 0;   // from 1
  int goal = 0, goals = 0;  // from 1
  double time = 0, speed = 0, pause = 0;
  double next_speed = 0;  // towards the goal after it, 0: there is none
};

/// By sums over geodesics; nothing of the simulation's own arithmetic.
std::vector<Arrival> expected_arrivals() {
  auto file = cajunbot::read_v2(test::read_text("scenarios/urban_loop/traffic.xml"), "traffic.xml");
  const auto network = rndf::read_rndf(test::read_text("scenarios/urban_loop/site.rndf"), "site.rndf");
  REQUIRE(file.ok());
  REQUIRE(network.ok());
  const rndf::Index index(*network.value);
  const auto place = [&](const cajunbot::Waypoint& w) {
    const rndf::Waypoint* found = index.find({w.segment, w.lane, w.point});
    REQUIRE(found != nullptr);
    return geo::LatLon{found->lat, found->lon};
  };
  std::vector<Arrival> arrivals;
  for (std::size_t i = 0; i < file.value->objects.size(); ++i) {
    cajunbot::Object& o = file.value->objects[i];
    if (o.type != cajunbot::Type::dynamic) continue;
    CHECK(o.position == cajunbot::Vector{});
    traffic::expand_goals(o, i + 1, index, file.diagnostics);
    double time = o.initial_pause;
    cajunbot::Waypoint from = o.start;
    for (std::size_t k = 0; k < o.goals.size(); ++k) {
      const cajunbot::Goal& goal = o.goals[k];
      time += geo::geodesic(place(from), place(goal.to)).distance / goal.speed;
      arrivals.push_back({i + 1, static_cast<int>(k + 1), static_cast<int>(o.goals.size()), time, goal.speed, goal.pause,
                          k + 1 < o.goals.size() ? o.goals[k + 1].speed : 0});
      time += goal.pause;
      from = goal.to;
    }
  }
  std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.time < b.time; });
  return arrivals;
}

}  // namespace

TEST_CASE("urban_loop: every vehicle reaches every goal in the step that speeds and pauses say") {
  const std::vector<Arrival> arrivals = expected_arrivals();
  REQUIRE(arrivals.size() == 192);
  scenario::BuildOptions options;
  options.dt = 0.01;
  auto built = scenario::build_scenario("scenarios/urban_loop/scenario.xml", options);
  CAPTURE(test::all_text(built.diagnostics));
  REQUIRE(built.value);
  sim::Simulation& s = *built.value->simulation;
  s.start();
  const auto values = [&](const Arrival& a) { return s.tree().find("traffic.object_" + std::to_string(a.object))->values(); };
  for (const Arrival& a : arrivals) {
    CAPTURE(a.object);
    CAPTURE(a.goal);
    CAPTURE(a.time);
    // The last step before it, unless that is where the goal before was reached.
    const auto before = static_cast<std::int64_t>(std::ceil(a.time / *options.dt)) - 1;
    while (s.clock().step < before) REQUIRE(s.step());
    if (s.clock().step == before) {
      CHECK(values(a)[5] == a.goal);
      CHECK(values(a)[4] == a.speed);
      REQUIRE(s.step());
    }
    // Now it is there: waiting, on its way to the next one, or done.
    CHECK(values(a)[5] == (a.pause > 0 ? a.goal : a.goal + 1));
    CHECK(values(a)[4] == (a.pause > 0 ? 0 : a.next_speed));
  }
  // All are done, and stay.
  const double end = s.clock().time;
  while (s.clock().time < end + 6) REQUIRE(s.step());
  for (const Arrival& a : arrivals) {
    CHECK(values(a)[5] == a.goals + 1);
    CHECK(values(a)[4] == 0);
  }
}
