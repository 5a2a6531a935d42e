// The monitor against closed forms, and against the definition over whole tables.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/random.hpp"
#include "lib/expect/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/expect/fixed_signals.hpp"

using namespace simbatch;
using namespace simbatch::expect;
using expect::test::FixedSignals;
using expect::test::SlowEvaluator;

namespace {

Expectation read_one(const std::string& text) {
  auto parsed = read_expectations(text, {"t", TextPlaces(text)});
  INFO(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  REQUIRE(parsed.value->size() == 1);
  return parsed.value->front();
}

Monitor make_monitor(const std::string& text, FixedSignals& signals, double dt) {
  Diagnostics problems;
  auto program = bind(read_one(text), signals, dt, problems);
  INFO(text, ": ", simbatch::test::all_text(problems));
  REQUIRE(program);
  return Monitor(*program);
}

Outcome run(const std::string& text, FixedSignals signals, double dt) {
  Monitor monitor = make_monitor(text, signals, dt);
  for (std::size_t step = 0; step < signals.steps(); ++step) monitor.step(signals.row(step));
  monitor.finish();
  return monitor.outcome();
}

/// A ball that falls from 100 m for 4 s, in steps of 0.01 s.
FixedSignals falling() {
  FixedSignals::Column y{"ball.y", "m", {}}, v{"ball.v", "m/s", {}};
  for (int i = 0; i <= 400; ++i) {
    const double t = i * 0.01;
    y.values.push_back(100 - 9.81 * t * t / 2);
    v.values.push_back(-9.81 * t);
  }
  return FixedSignals({y, v});
}

/// Once around a circle of 10 m in 10 s, heading with it.
FixedSignals circling() {
  FixedSignals::Column x{"car.x", "m", {}}, y{"car.y", "m", {}}, z{"car.z", "m", {}}, heading{"car.heading", "deg", {}};
  for (int i = 0; i <= 1000; ++i) {
    const double a = 2 * M_PI * i / 1000;
    x.values.push_back(10 * std::cos(a));
    y.values.push_back(0);
    z.values.push_back(10 * std::sin(a));
    heading.values.push_back(std::fmod(360 - 360.0 * i / 1000, 360));
  }
  return FixedSignals({x, y, z, heading});
}

}  // namespace

TEST_CASE("expect: margins of a falling ball are those of the closed form") {
  struct {
    const char* text;
    bool holds;
    double margin, time;
  } const rows[] = {
      {"always ball.y > 20", true, 100 - 9.81 * 8 - 20, 4},
      {"always ball.y > 50", false, 100 - 9.81 * 8 - 50, 4},
      {"always[0, 2] ball.y > 50", true, 100 - 9.81 * 2 - 50, 2},
      {"always[1, 2] ball.y < 100", true, 9.81 / 2, 1},
      {"eventually ball.v < -30 m/s", true, 9.81 * 4 - 30, 4},
      {"eventually[0 s, 2000 ms] ball.v < -108 km/h", false, 9.81 * 2 - 30, 2},
      {"finally ball.v < -39", true, 9.81 * 4 - 39, 4},
      {"never ball.v < -50", true, 50 - 9.81 * 4, 4},
      {"abs(ball.v) < 1", true, 1, 0},
      {"always abs(rate(ball.y) - ball.v) < 0.05", true, 0.05 - 9.81 * 0.005, 0.5},
      {"ball.v > -20 until ball.y < 90", true, 20 - 9.81 * 1.6677, 1.6677},
      {"always (ball.y < 60 implies ball.v < -25)", true, 28.0 - 25, 0},
      {"eventually (time > 3 and ball.y > 50)", true, 0.187, 3.187},
      {"always[3, end] ball.v < -20", true, 9.81 * 3 - 20, 3},
      {"eventually[0, 3] always ball.v < -20", true, 9.81 * 3 - 20, 3},
      {"always (ball.v < -10 implies eventually[0, 1] ball.v < -15)", true, 0, 0},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const Outcome outcome = run(row.text, falling(), 0.01);
    CHECK((outcome.verdict == Verdict::holds) == row.holds);
    if (row.margin == 0 || std::string_view(row.text).find("implies") != std::string_view::npos) continue;
    CHECK(outcome.margin == doctest::Approx(row.margin).epsilon(0.04));
    if (row.time != 0.5) CHECK(outcome.time == doctest::Approx(row.time).epsilon(0.02));
  }
  // To the last bit where the definition is one comparison.
  const Outcome exact = run("always ball.y > 20 m", falling(), 0.01);
  CHECK(exact.margin == (100 - 9.81 * 4 * 4 / 2) - 20);
  CHECK(exact.step == 400);
  CHECK(exact.condition == "ball.y > 20 m");
  CHECK(exact.left == 100 - 9.81 * 4 * 4 / 2);
  CHECK(exact.right == 20);
  CHECK(exact.unit == "m");
  CHECK(exact.decided == -1);
}

TEST_CASE("expect: margins on a circle: distances, speeds, angles") {
  CHECK(run("always abs(dist(car, 0, 0, 0) - 10) < 1 mm", circling(), 0.01).margin == doctest::Approx(0.001));
  CHECK(run("eventually dist(car, 10, 0, 0) > 19", circling(), 0.01).margin == doctest::Approx(1));
  CHECK(run("always[0.1, end] abs(speed(car) - 6.28319) < 0.01", circling(), 0.01).verdict == Verdict::holds);
  // A heading that jumps at north, made continuous by angle().
  CHECK(run("always abs(angle(car.heading - (360 deg - 36 * time / 1 s))) < 0.001 deg", circling(), 0.01).verdict ==
        Verdict::holds);
  CHECK(run("always car.heading < 350 deg", circling(), 0.01).verdict == Verdict::fails);
}

TEST_CASE("expect: margins on a circle are those of the closed form, at their times") {
  const double diagonal = 10 / std::sqrt(2.0);  // of both coordinates at 45 degrees
  struct {
    const char* text;
    double margin, time;  // time < 0: several steps have it
  } const rows[] = {
      {"always car.x < 11", 1, 0},
      {"always car.x > -9", -1, 5},
      {"eventually car.x < -9", 1, 5},
      {"always[0, 5] car.z > -1", 1, 0},
      {"eventually[0, 2.5] car.z > 9", 1, 2.5},
      {"eventually[0, 1.25] car.z > 8", diagonal - 8, 1.25},
      {"finally car.x > 9", 1, 10},
      {"never car.z < -11", 1, 7.5},
      {"always max(car.x, car.z) > -8", 8 - diagonal, 6.25},
      {"always min(car.x, car.z) < 8", 8 - diagonal, 1.25},
      {"always car.x + car.z < 15", 15 - 2 * diagonal, 1.25},
      {"always dist(car, 10, 0, 0) < 21", 1, 5},
      {"eventually dist(car, 0, 10, 0) < 14", 14 - 2 * diagonal, -1},
      {"car.x > 0 until car.z > 9.9", 10 * std::cos(2 * M_PI / 1000) - 9.9, 2.49},  // a step later x was nearer to 0
      {"always[0, 5] (eventually[0, 5] car.x < -9)", 1, -1},
      {"eventually always car.x > -11", 21, 10},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const Outcome outcome = run(row.text, circling(), 0.01);
    CHECK(outcome.margin == doctest::Approx(row.margin).epsilon(1e-9));
    CHECK((outcome.verdict == Verdict::holds) == (row.margin > 0));
    if (row.time >= 0) CHECK(outcome.time == doctest::Approx(row.time).epsilon(1e-9));
  }
}

TEST_CASE("expect: the step in which the verdict was decided") {
  FixedSignals signals({{"n.x", "m", {5, 4, 3, 2, 1, 0, 1, 2}}});
  Outcome outcome = run("always n.x > 2", signals, 1);
  CHECK(outcome.verdict == Verdict::fails);
  CHECK(outcome.decided == 3);  // 2 > 2 does not hold
  CHECK(outcome.step == 5);
  CHECK(outcome.margin == -2);
  outcome = run("eventually n.x < 2", signals, 1);
  CHECK(outcome.decided == 4);
  CHECK(outcome.margin == 2);
  outcome = run("always[0, 2] n.x > 2", signals, 1);
  CHECK(outcome.decided == 2);
  CHECK(outcome.margin == 1);
  CHECK(run("finally n.x == 2", signals, 1).verdict == Verdict::holds);
  CHECK(run("finally n.x == 2", signals, 1).margin == 0);
  CHECK(run("finally n.x != 2", signals, 1).verdict == Verdict::fails);
}

TEST_CASE("expect: equal values decide by the comparison, divisions by zero do not hold") {
  FixedSignals signals({{"n.x", "1", {0, 0}}});
  CHECK(run("always n.x >= 0", signals, 1).verdict == Verdict::holds);
  CHECK(run("always n.x > 0", signals, 1).verdict == Verdict::fails);
  CHECK(run("not (n.x > 0)", signals, 1).verdict == Verdict::holds);
  CHECK(run("n.x / n.x < 1", signals, 1).verdict == Verdict::fails);
  CHECK(run("not (n.x / n.x < 1)", signals, 1).verdict == Verdict::fails);
  CHECK(run("1 / n.x > 5", signals, 1).verdict == Verdict::holds);
}

TEST_CASE("expect: events have no margin, but a step") {
  FixedSignals signals({{"n.x", "m", {1, 2, 3, 4}}, {"contact.a", "1", {0, 0, 1, 0}}});
  Outcome outcome = run("never contact(a, b)", signals, 0.5);
  CHECK(outcome.verdict == Verdict::fails);
  CHECK(std::isinf(outcome.margin));
  CHECK(outcome.is_event);
  CHECK(outcome.condition == "not (contact(a, b))");
  CHECK(outcome.step == 2);
  CHECK(outcome.time == 1);
  outcome = run("n.x < 4 until contact(a)", signals, 0.5);
  CHECK(outcome.verdict == Verdict::holds);
  CHECK(outcome.margin == 2);
}

TEST_CASE("expect: what a run that ends early has decided") {
  FixedSignals signals({{"n.x", "m", {1, 2, 3}}});
  Monitor low = make_monitor("always[0, 100] n.x < 10", signals, 1), high = make_monitor("always n.x < 3", signals, 1),
          late = make_monitor("eventually n.x > 2", signals, 1);
  CHECK(low.outcome().verdict == Verdict::undecided);  // before the first step
  for (std::size_t step = 0; step < 3; ++step)
    for (Monitor* monitor : {&low, &high, &late}) monitor->step(signals.row(step));
  CHECK(low.outcome().verdict == Verdict::undecided);
  CHECK(low.outcome().margin == 7);
  CHECK(high.outcome().verdict == Verdict::fails);
  CHECK(late.outcome().verdict == Verdict::holds);
  low.finish();
  CHECK(low.outcome().verdict == Verdict::holds);
  CHECK(low.outcome().decided == -1);
}

TEST_CASE("expect: windows much longer than the run cost neither time nor memory") {
  FixedSignals signals({{"n.x", "m", {1, 2, 3}}});
  CHECK(run("always (n.x > 1 implies eventually[0, 1e14] n.x > 2)", signals, 1e-3).verdict == Verdict::holds);
  CHECK(run("always (n.x > 1 implies always[1e9, 1e14] n.x > 2)", signals, 1e-3).verdict == Verdict::holds);
  CHECK(run("always (n.x > 1 implies (n.x > 0 until[0, 1e300] n.x > 5))", signals, 1e-3).verdict == Verdict::fails);
}

// ---- Random formulas

namespace {

/// A random condition. @param may_end  an operator to the end of the run is allowed here  @param at_start  evaluated at step 0
/// only
std::string random_condition(RandomStream& random, int depth, bool may_end, bool at_start) {
  const auto number = [&] { return number_text(static_cast<double>(random.below(9)) - 4); };
  const auto value = [&] {
    const std::string x = "n.x" + number_text(random.below(3));
    switch (random.below(5)) {
      case 0: return "abs(" + x + ")";
      case 1: return "(" + x + " - n.x0)";
      case 2: return "max(" + x + ", rate(n.x1))";
      default: return x;
    }
  };
  if (depth == 0 || random.below(6) == 0) {
    constexpr const char* kSigns[] = {"<", "<=", ">", ">=", "==", "!="};
    return "(" + value() + " " + kSigns[random.below(6)] + " " + number() + ")";
  }
  const auto sub = [&](bool end, bool start) { return random_condition(random, depth - 1, end, start); };
  const auto window = [&](bool& to_end) -> std::string {
    const std::uint64_t from = random.below(4), size = random.below(5);
    to_end = may_end && random.below(2) == 0;
    if (to_end) return random.below(2) == 0 ? "" : "[" + number_text(at_start ? from : 0) + ", end]";
    return "[" + number_text(from) + ", " + number_text(from + size) + "]";
  };
  bool to_end = false;
  switch (random.below(8)) {
    case 0: return "(not " + sub(may_end, at_start) + ")";
    case 1: return "(" + sub(may_end, at_start) + " and " + sub(may_end, at_start) + ")";
    case 2: return "(" + sub(may_end, at_start) + " or " + sub(may_end, at_start) + ")";
    case 3: return "(" + sub(may_end, at_start) + " implies " + sub(may_end, at_start) + ")";
    case 4:
    case 5: {
      const std::string w = window(to_end);
      return std::string("(") + (random.below(2) == 0 ? "always" : "eventually") + w + " " + sub(to_end || at_start, false) +
             ")";
    }
    case 6:
      if (may_end) return "(finally " + sub(true, false) + ")";
      [[fallthrough]];
    default: {
      const std::string w = window(to_end);
      const bool end = to_end || at_start;
      return "(" + sub(end, false) + " until" + w + " " + sub(end, false) + ")";
    }
  }
}

}  // namespace

TEST_CASE("expect: random formulas over random tables give what the definition gives") {
  int evaluated = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    RandomStream random(seed, "expect");
    std::vector<FixedSignals::Column> columns;
    const std::size_t steps = 1 + random.below(24);
    for (int c = 0; c < 3; ++c) {
      FixedSignals::Column column{"n.x" + number_text(c), "", {}};
      for (std::size_t i = 0; i < steps; ++i) column.values.push_back(static_cast<double>(random.below(11)) - 5);
      columns.push_back(column);
    }
    FixedSignals signals(columns);
    const std::string text = random_condition(random, 4, true, true);
    CAPTURE(seed);
    CAPTURE(text);
    const Expectation expectation = read_one(text);
    Diagnostics problems;
    const auto program = bind(expectation, signals, 1, problems);
    if (!program) {
      simbatch::test::Expected expected(problems);
      expected.take(code::kNesting);
      ++refused;
      continue;
    }
    Monitor monitor(*program);
    const auto [margin, holds] = SlowEvaluator(expectation, signals, 1).whole();
    for (std::size_t step = 0; step < steps; ++step) {
      monitor.step(signals.row(step));
      const Verdict early = monitor.outcome().verdict;
      if (early != Verdict::undecided) REQUIRE((early == Verdict::holds) == holds);
    }
    monitor.finish();
    const Outcome outcome = monitor.outcome();
    REQUIRE(outcome.verdict != Verdict::undecided);
    REQUIRE((outcome.verdict == Verdict::holds) == holds);
    REQUIRE(outcome.margin == margin);
    // The step and sides that are named explain the margin.
    if (!std::isinf(margin)) REQUIRE(std::fabs(outcome.left - outcome.right) == std::fabs(margin));
    ++evaluated;
  }
  CHECK(evaluated > 2000);
  CHECK(refused > 0);
}

TEST_CASE("expect: steps of which a monitor says that they change nothing can be passed over") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
  const char* const texts[] = {"always n.x > 1",
                               "always n.x >= 0.1",
                               "never n.x < -2",
                               "always n.x <= 3",
                               "eventually n.x > 4",
                               "finally n.x > 0",
                               "eventually n.x <= -3.3",
                               "always n.x == 1",
                               "always n.x != 1",
                               "eventually n.x == 2",
                               "eventually[3, end] n.x > 2",
                               "always contact(n)",
                               "always[0, 40] n.x < 9",
                               "always 2 > n.x",
                               "always n.x + 1 > 0",
                               "always (n.x > 0 and n.x < 9)"};
  std::int64_t all = 0, passed_in_all = 0;
  for (const char* const text : texts)
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      CAPTURE(text);
      CAPTURE(seed);
      RandomStream random(seed, "quiet");
      FixedSignals::Column x{"n.x", "1", {}}, touches{"contact.n", "1", {}};
      double at = 0;
      for (int i = 0; i < 80; ++i) {
        // A random walk in steps of a tenth that often stays; now and then no number at all.
        if (random.below(3) != 0) at += 0.1 * (static_cast<double>(random.below(21)) - 10);
        const std::uint64_t rare = seed % 3 == 0 ? random.below(60) : 5;
        x.values.push_back(rare == 0 ? kNan : rare == 1 ? kInfinity : rare == 2 ? -kInfinity : at);
        touches.values.push_back(random.below(5) != 0 ? 1 : 0);
      }
      FixedSignals signals({x, touches});
      Monitor stepped = make_monitor(text, signals, 1), passing = stepped;
      std::int64_t passed = 0;
      for (std::size_t step = 0; step < signals.steps(); ++step) {
        const std::vector<double> row = signals.row(step);
        stepped.step(row);
        const Monitor::Quiet quiet = passing.quiet();
        ++all;
        if (row[quiet.slot] >= quiet.low && row[quiet.slot] <= quiet.high) {
          ++passed;
          ++passed_in_all;
        } else {
          passing.pass(std::exchange(passed, 0));
          passing.step(row);
        }
        if (step == 50) CHECK(describe(stepped.outcome()) == describe(passing.outcome()));
      }
      passing.pass(passed);
      stepped.finish();
      passing.finish();
      const Outcome a = stepped.outcome(), b = passing.outcome();
      CHECK(describe(a) == describe(b));
      CHECK(a.verdict == b.verdict);
      CHECK(a.margin == b.margin);
      CHECK(a.step == b.step);
      CHECK(a.decided == b.decided);
      CHECK((a.left == b.left || (std::isnan(a.left) && std::isnan(b.left))));
    }
  CHECK(passed_in_all > all / 5);
}
