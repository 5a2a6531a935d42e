// The maneuvers of scenarios/handling at four step rates, each against its closed form or the figures of an independent
// multi-body model (corpus/vehicle: CommonRoad vehicle models 2020a). The table of docs/vehicles.md has what is computed here; with
// SIMBATCH_UPDATE_GOLDEN in the environment it is written.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "lib/scenario/build.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr std::array<double, 5> kRates = {60, 120, 240, 1000, 4000};  // the last one for the limit
constexpr double kG = 9.81;

/// A running maneuver. Rights are positive.
class Run {
 public:
  Run(const std::string& name, double hz) {
    scenario::BuildOptions options;
    options.dt = 1 / hz;
    built_ = scenario::build_scenario("scenarios/handling/" + name + ".xml", options);
    CAPTURE(test::all_text(built_.diagnostics));
    REQUIRE(built_.value.has_value());
    simulation_ = built_.value->simulation.get();
    simulation_->start();
    body_ = world().find_body("car.chassis");
    REQUIRE(body_ != physics::kNoBody);
    drive_ = simulation_->tree().find("car.chassis.drive");
  }
  physics::World& world() { return simulation_->world(); }
  double time() const { return simulation_->clock().time; }
  bool step() { return simulation_->step(); }
  /// Until the scenario steers or brakes.
  void begin() {
    while (drive_->values()[1] == 0 && drive_->values()[2] == 0) REQUIRE(step());
  }
  void run(double seconds) {
    const double end = time() + seconds - 1e-9;
    while (time() < end) REQUIRE(step());
  }
  geo::Vec3 place() { return world().pose(body_).p; }
  geo::Vec3 velocity() { return world().center_velocity(body_); }
  double speed() { return std::hypot(world().center_velocity(body_).x, world().center_velocity(body_).z); }
  double yaw_rate() { return world().angular_velocity(body_).y; }
  /// Degrees between the car's upward axis and the vertical.
  double lean() {
    return std::acos(std::clamp((world().pose(body_).q * geo::Vec3{0, 1, 0}).y, -1.0, 1.0)) * 180 / std::numbers::pi;
  }
  double heading() { return geo::heading(world().pose(body_).q); }
  double load(std::size_t wheel) { return simulation_->tree().find(wheel_name(wheel))->values()[7]; }
  double train(std::size_t field) const { return drive_->values()[field]; }

 private:
  static std::string wheel_name(std::size_t i) {
    constexpr const char* kNames[] = {"front_left", "front_right", "rear_left", "rear_right"};
    return std::string("car.chassis.") + kNames[i];
  }
  scenario::BuildResult built_;
  sim::Simulation* simulation_ = nullptr;
  physics::BodyId body_{};
  const sim::TreeNode* drive_ = nullptr;
};

enum class Bound { exact, at_least, at_most };

struct Row {
  const char* what;
  const char* source;  ///< of the exact value
  double exact;
  double tolerance;  ///< relative, from 120 Hz on
  std::function<double(double hz)> measure;
  double near = 7.5e-4;        ///< share of the value below which all is equal: brakes that switch, times that are whole steps
  Bound bound = Bound::exact;  ///< whether `exact` is what the value must be, or a limit that a standard or a lane sets
};

double step_yaw_rate(const std::string& car, double hz) {
  Run run("step_" + car, hz);
  run.begin();
  run.run(4.4);
  return run.yaw_rate();
}

double dwell_peak(double hz) {
  Run run("dwell", hz);
  run.begin();
  double peak = 0;
  for (const double end = run.time() + 2.5; run.time() < end; run.run(1 / hz)) peak = std::min(peak, run.yaw_rate());
  return -peak;
}

double braking_distance(double hz) {
  Run run("brake", hz);
  run.begin();
  const double start = run.place().z;
  while (run.speed() > 0.5) run.run(1 / hz);
  return run.place().z - start;
}

double understeer(double hz) {
  Run run("circle", hz);
  run.begin();
  run.run(6);
  const double v = run.speed(), r = run.yaw_rate(), angle = 2.6 / 400 + 0.0015857;
  return (angle - 2.6 * r / v) / (v * r);
}

/// When the second of the inner wheels leaves the ground, between steps.
double lateral_acceleration_at_lift(double hz) {
  Run run("rollover", hz);
  run.begin();
  double load = 0, last_load = 0, side = 0, last_side = 0;
  while (run.time() < 60) {
    const geo::Vec3 before = run.velocity();
    run.run(1 / hz);
    const geo::Vec3 after = run.velocity(), change = after - before;
    const double now = run.load(1) + run.load(3);  // it turns to the right
    if (now == 0) return side + load / (last_load - load) * (side - last_side);
    last_load = load;
    last_side = side;
    load = now;
    side = hz * (change.x * after.z - change.z * after.x) / run.speed() / kG;
  }
  return 0;
}

/// The same of rest: the car leans by a until the inner springs are free and the outer ones carry all of it, m g cos^2 a = 2 k T sin a; its
/// weight and m a_y then balance about the outer wheels' points on the ground.
double static_lift() {
  const double weight = 1400 * kG, k = 60000, track = 1.6, height = 1.243, both = 2 * k * track;
  const double sine = (std::sqrt(both * both + 4 * weight * weight) - both) / (2 * weight), cosine = std::sqrt(1 - sine * sine);
  const double leg = height + weight / (4 * k) - weight * cosine / (2 * k);  // hard points are as high as the center of mass
  return (track / 2 * cosine - leg * sine) / (leg * cosine + track / 2 * sine);
}

/// Of the first 0.3 s, without the 50 ms in which the brakes come on. Later the car, which is not steered against it, has turned and slides
/// onto one side.
double split_deceleration(double hz) {
  Run run("split", hz);
  run.begin();
  run.run(0.05);
  const double v = run.speed();
  run.run(0.25);
  return (v - run.speed()) / 0.25;
}

/// Angle of a wheel at 0.3 g and 80 km/h, of the cars with a wheelbase of 2.6 m.
constexpr double kAngle = 2.6 * 0.3 * kG / (80 / 3.6 * 80 / 3.6);

/// 49 CFR 571.126 at five times the angle at 0.3 g: how far the car is aside 1.07 s after the wheel begins to turn.
double dwell_aside(double hz) {
  Run run("dwell_5a", hz);
  run.begin();
  const double from = run.place().x;
  run.run(1.07);
  return run.place().x - from;
}

/// The same maneuver: yaw rate `after` the wheel is straight again, as a share of the second peak.
double dwell_rest(double hz, double after) {
  Run run("dwell_5a", hz);
  run.begin();
  const double end = run.time() + 1 / 0.7 + 0.5 + after;
  double peak = 0;
  while (run.time() < end - 1e-9) {
    run.run(1 / hz);
    peak = std::min(peak, run.yaw_rate());
  }
  return run.yaw_rate() / peak;
}

/// Mean lateral acceleration / g between two times (s after the first steering): how fast the direction of travel turns, times the speed.
double sliding_acceleration(const char* name, double hz, double from, double to) {
  Run run(name, hz);
  run.begin();
  run.run(from);
  const geo::Vec3 before = run.velocity();
  const double speed = run.speed();
  run.run(to - from);
  const geo::Vec3 after = run.velocity();
  const double turned = std::atan2(after.x * before.z - after.z * before.x, after.x * before.x + after.z * before.z);
  return std::abs(turned) / (to - from) * (speed + run.speed()) / 2 / kG;
}

/// The least distance of a corner of the car from the cones of ISO 3888-2, m; negative: over them.
double room_to_cones(double hz) {
  constexpr double kWidth = 1.61, kLength = 4.508, kFirst = 1.1 * kWidth + 0.25, kFarther = kFirst + 1;
  struct Lane {
    double begin, end, left, right;
  };
  // The right is the side of the obstacle, which is 1 m wide; the outer cones of the first and the last lane are in one line.
  constexpr Lane kLanes[] = {
      {0, 12, 0, kFirst}, {25.5, 36.5, kFarther, kFarther + kWidth + 1}, {49, 61, 0, std::max(3.0, 1.3 * kWidth + 0.25)}};
  Run run("avoidance", hz);
  run.begin();
  const geo::Vec3 start = run.place();
  double room = 9;
  while (run.place().z - start.z < 61 + 6 + kLength) {
    const geo::Vec3 at = run.place() - start;
    const double heading = run.heading();
    for (const double end : {-kLength / 2, kLength / 2})
      for (const double side : {-kWidth / 2, kWidth / 2}) {
        const double s = at.z - 6 + end * std::cos(heading) - side * std::sin(heading);
        const double y = 1.0017 + at.x + end * std::sin(heading) + side * std::cos(heading);
        for (const Lane& lane : kLanes)
          if (s >= lane.begin && s <= lane.end) room = std::min({room, y - lane.left, lane.right - y});
      }
    run.run(1 / hz);
  }
  return room;
}

/// Mean deceleration by ISO 21994, from 80 to 10 % of the speed at which the brakes are applied.
double braking_deceleration(double hz) {
  Run run("brake_abs", hz);
  run.begin();
  const double v = run.speed();
  while (run.speed() > 0.8 * v) run.run(1 / hz);
  const double fast = run.speed(), from = run.place().z;
  while (run.speed() > 0.1 * v) run.run(1 / hz);
  return (fast * fast - run.speed() * run.speed()) / (2 * (run.place().z - from));
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      {"step steer escort, 20 m/s: steady yaw rate, rad/s", "multi-body", 0.18815, 0.05,
       [](double hz) { return step_yaw_rate("escort", hz); }},
      {"step steer bmw320i", "multi-body", 0.19379, 0.05, [](double hz) { return step_yaw_rate("bmw320i", hz); }},
      {"step steer vanagon", "multi-body", 0.19507, 0.05, [](double hz) { return step_yaw_rate("vanagon", hz); }},
      {"sine with dwell bmw320i, 2 A: second peak, rad/s", "multi-body", 0.26685, 0.1, dwell_peak},
      {"braking bmw320i, 100 km/h to 0.5 m/s at 7 m/s^2, m", "multi-body", 58.103, 0.02, braking_distance},
      {"understeer gradient at 1 m/s^2, rad/(m/s^2)", "(1/c_f - 1/c_r) / g", (1 / 18.0 - 1 / 25.0) / kG, 0.01, understeer},
      {"two wheels lift: lateral acceleration / g", "balance at rest", static_lift(), 0.01, lateral_acceleration_at_lift},
      {"split friction, anti-lock: deceleration of the first 0.3 s, m/s^2", "g mu (1 + 0.3) / 2", kG * 1.0489 * 1.3 / 2, 0.07,
       split_deceleration, 1e-3},
      {"straight braking, anti-lock, 60 km/h: mean deceleration, m/s^2", "g mu", kG * 1.0489, 0.09, braking_deceleration, 5e-3},
      {"sine with dwell bmw320i, 5 A: aside after 1.07 s, m", "49 CFR 571.126", 1.83, 0, dwell_aside, 7.5e-4, Bound::at_least},
      {"the same: yaw rate 1.75 s after it, of its second peak", "49 CFR 571.126", 0.2, 0,
       [](double hz) { return dwell_rest(hz, 1.75); }, 1.5e-2, Bound::at_most},
      {"obstacle avoidance bmw320i, 55 km/h: least room to the cones, m", "ISO 3888-2", 0, 0, room_to_cones, 7.5e-4,
       Bound::at_least},
      {"J-turn, SSF 0.64, on 0.5: lateral acceleration that slides / g", "mu cos(8 A)", 0.5 * std::cos(8 * kAngle), 0.02,
       [](double hz) { return sliding_acceleration("jturn", hz, 0.7, 1.2); }},
      {"fishhook, SSF 0.64, on 0.5: the same, of the second turn", "mu cos(6.5 A)", 0.5 * std::cos(6.5 * kAngle), 0.02,
       [](double hz) { return sliding_acceleration("fishhook", hz, 1.5, 2); }},
  };
  return kRows;
}

// The page with this table between its marks.
void compare_with_page(const std::string& table) {
  constexpr const char* kPage = "docs/vehicles.md";
  constexpr std::string_view kBegin = "<!-- maneuvers: SIMBATCH_UPDATE_GOLDEN=1 test_scenario -->\n",
                             kEnd = "<!-- end of maneuvers -->";
  const std::string page(Input::open(kPage).text());
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string wanted = page.substr(0, begin + kBegin.size()) +
                             "| maneuver | exact value from | exact | 60 Hz | 120 Hz | 240 Hz | 1000 Hz | 4000 Hz | order |\n"
                             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n" +
                             table + page.substr(end);
  if (std::getenv("SIMBATCH_UPDATE_GOLDEN") != nullptr) write_file(kPage, wanted);
  const bool same = wanted == page || std::getenv("SIMBATCH_UPDATE_GOLDEN") != nullptr;
  CHECK_MESSAGE(same, "the table of the page is not what is computed:\n" << table);
}

}  // namespace

namespace {

/// The order at which a row's values come to that of 4 kHz, and complaints where they do not.
std::string order_of(const Row& row, const std::array<double, kRates.size()>& values) {
  const double scale = std::abs(values.back());
  std::array<double, kRates.size() - 1> away{};
  for (std::size_t i = 0; i < away.size(); ++i) {
    away[i] = std::abs(values[i] - values.back()) / scale;
    if (i > 0) CHECK_MESSAGE(away[i] <= std::max(away[i - 1], row.near), row.what << ": an error grows as dt falls");
  }
  if (away.front() < row.near) return "at its limit";
  if (away.back() < 1e-6) return "> 3";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", std::log(away.front() / away.back()) / std::log(kRates[3] / kRates[0]));
  return text;
}

}  // namespace

TEST_CASE("handling: every maneuver has its figure, at every step rate, and none whose error grows as dt falls") {
  std::string table;
  for (const Row& row : rows()) {
    CAPTURE(row.what);
    std::array<double, kRates.size()> values{};
    char text[64];
    std::snprintf(text, sizeof text, "%s%.5g",
                  row.bound == Bound::exact      ? ""
                  : row.bound == Bound::at_least ? "at least "
                                                 : "at most ",
                  row.exact);
    table += "| " + std::string(row.what) + " | " + row.source + " | " + text;
    for (std::size_t i = 0; i < kRates.size(); ++i) {
      values[i] = row.measure(kRates[i]);
      CAPTURE(kRates[i]);
      CAPTURE(values[i]);
      if (row.bound == Bound::exact) {
        const double error = values[i] / row.exact - 1;
        CHECK(std::abs(error) < (kRates[i] < 100 ? 2 : 1) * row.tolerance);
        std::snprintf(text, sizeof text, " | %.5g (%+.2f %%)", values[i], 100 * error);
      } else {
        CHECK((row.bound == Bound::at_least ? values[i] >= row.exact : values[i] <= row.exact));
        std::snprintf(text, sizeof text, " | %.3g", values[i]);
      }
      table += text;
    }
    table += " | " + order_of(row, values) + " |\n";
  }
  compare_with_page(table);
}

TEST_CASE("handling: braked on 15 degrees, along and across, a car moves less than 1 mm in 10 minutes") {
  for (const char* name : {"hill", "hill_across"}) {
    CAPTURE(name);
    Run run(name, 120);
    run.run(2);
    const geo::Vec3 at = run.place();
    run.run(600);
    CHECK(geo::length(run.place() - at) < 1e-3);  // 0.7 and 0.8 mm, in the first seconds
    const geo::Vec3 then = run.place();
    run.run(60);
    CHECK(geo::length(run.place() - then) < 1e-9);
  }
}

TEST_CASE("handling: on split friction the car turns towards the side that grips, and is still rolling") {
  Run run("split", 240);
  run.begin();
  run.run(0.5);
  CHECK(run.yaw_rate() < -0.02);
  CHECK(run.speed() > 5);
}

TEST_CASE("handling: the double lane change stays between its cones") {
  for (const double hz : {60.0, 120.0, 240.0, 1000.0}) {
    CAPTURE(hz);
    Run run("lane_change", hz);
    run.begin();
    const double start = run.place().z, width = 1.61;
    std::array<double, 3> worst{};  // off the middles of the three lanes
    while (run.place().z - start < 140) {
      run.run(1 / hz);
      const double s = run.place().z - start, x = run.place().x;
      if (s < 15) worst[0] = std::max(worst[0], std::abs(x));
      if (s > 45 && s < 70) worst[1] = std::max(worst[1], std::abs(x - 3.5));
      if (s > 110 && s < 125) worst[2] = std::max(worst[2], std::abs(x));
    }
    CHECK(worst[0] < (0.1 * width + 0.25) / 2);
    CHECK(worst[1] < (0.2 * width + 0.25) / 2);
    CHECK(worst[2] < (0.3 * width + 0.25) / 2);
    CHECK(run.speed() > 14);
  }
}

TEST_CASE("handling: a tall car tips over where its tires hold more than its width, a low one slides") {
  for (const double hz : {60.0, 120.0, 240.0, 1000.0}) {
    for (const char* name : {"jturn", "jturn_dry", "fishhook", "fishhook_dry"}) {
      CAPTURE(hz);
      CAPTURE(name);
      Run run(name, hz);
      run.begin();
      double least = 1e9, lean = 0;
      for (const double end = run.time() + 3; run.time() < end; run.run(1 / hz)) {
        least = std::min({least, run.load(0) + run.load(2), run.load(1) + run.load(3)});
        lean = std::max(lean, run.lean());
      }
      const bool dry = std::string_view(name).ends_with("dry");
      CHECK((least == 0) == dry);    // two wheels in the air
      CHECK(lean > (dry ? 40 : 3));  // degrees; it lies on its side
      CHECK((dry || lean < 5));
    }
    Run low("dwell_5a", hz);  // SSF 1.2 on 1.05: slides
    low.begin();
    double lean = 0;
    for (const double end = low.time() + 4; low.time() < end; low.run(1 / hz)) lean = std::max(lean, low.lean());
    CHECK(lean < 10);
  }
}

TEST_CASE("handling: on the test track a car with engine and gears drives its lap, and changes up") {
  Run run("track", 200);
  double highest = 0, worst = 0;
  for (int i = 0; i < 60 * 200; ++i) {
    if (!run.step()) break;
    const geo::Vec3 p = run.place();
    highest = std::max(highest, run.train(4));
    const double end = p.z > 120 ? 120 : p.z < 0 ? 0 : p.z;  // the nearest point of the middle line is 20 m away
    if (run.time() > 5) worst = std::max(worst, std::abs(std::hypot(p.x - 20, p.z - end) - 20));
    if (run.time() > 30 && std::abs(p.x) < 1 && std::abs(p.z) < 3) break;
  }
  CHECK(highest >= 2);
  CHECK(worst < 2);
  CHECK(run.time() < 59);
}

TEST_CASE("handling: a run repeats to the last bit, also with other step rates in between") {
  const auto hash = [](const char* name) {
    Run run(name, 240);
    run.run(14);
    return run.world().state_hash();
  };
  for (const char* name : {"split", "dwell"}) CHECK(hash(name) == hash(name));
}
