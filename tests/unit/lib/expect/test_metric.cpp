// Metrics against closed forms, and texts that are wrong.

#include "lib/expect/metric.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "lib/expect/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/expect/fixed_signals.hpp"

using namespace simbatch;
using namespace simbatch::expect;
using expect::test::FixedSignals;
using simbatch::test::Expected;

namespace {

constexpr double kStep = 0.01;

/// A swing of 2 m at one turn in 4 s, for 10 s; and a number that is none at the start.
FixedSignals swinging() {
  FixedSignals::Column x{"body.x", "m", {}}, v{"body.v", "m/s", {}}, none{"body.none", "1", {}};
  for (int i = 0; i <= 1000; ++i) {
    const double a = M_PI / 2 * i * kStep;
    x.values.push_back(2 * std::sin(a));
    v.values.push_back(M_PI * std::cos(a));
    none.values.push_back(i == 0 ? std::nan("") : 1);
  }
  return FixedSignals({x, v, none});
}

MetricSpec spec(MetricKind kind, const std::string& text, const std::string& unit = {}, double from = 0,
                std::optional<double> to = {}) {
  return {kind, text, {"s.xml", TextPlaces(text)}, unit, from, to};
}

std::optional<double> value(const MetricSpec& wanted, std::string* unit = nullptr) {
  FixedSignals signals = swinging();
  Diagnostics problems;
  auto metric = Metric::bind(wanted, signals, kStep, problems);
  INFO(wanted.text, ": ", simbatch::test::all_text(problems));
  REQUIRE(metric);
  for (std::size_t step = 0; step < signals.steps(); ++step) metric->step(signals.row(step));
  if (unit != nullptr) *unit = metric->unit();
  return metric->value();
}

std::string problem(const MetricSpec& wanted, const Code& code) {
  FixedSignals signals = swinging();
  Diagnostics problems;
  CHECK_FALSE(Metric::bind(wanted, signals, kStep, problems));
  return Expected(problems).take(code);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("metric: extremes, means and integrals of a swing") {
  using enum MetricKind;
  CHECK(value(spec(min, "body.x")).value() == doctest::Approx(-2));
  CHECK(value(spec(max, "body.x + 1 m")).value() == doctest::Approx(3));
  CHECK(value(spec(max, "abs(body.x)", "cm", 2.5, 2.5)).value() == doctest::Approx(200 * std::sqrt(0.5)));
  CHECK(value(spec(final, "body.x")).value() == doctest::Approx(0).epsilon(1e-9));
  CHECK(value(spec(final, "body.x", "", 0, 1)).value() == doctest::Approx(2));
  // Over two turns, the first step left out, so that each phase counts once.
  CHECK(value(spec(mean, "body.x", "", 0.01, 8)).value() == doctest::Approx(0).epsilon(1e-12));
  CHECK(value(spec(rms, "body.x", "", 0.01, 8)).value() == doctest::Approx(std::sqrt(2.0)).epsilon(1e-12));
  // The way there and back: four times 2 m a turn; the trapezoidal rule is of second order.
  std::string unit;
  CHECK(value(spec(integral, "abs(body.v)", "", 0, 8), &unit).value() == doctest::Approx(16).epsilon(1e-4));
  CHECK(unit == "m");
  CHECK(value(spec(integral, "body.x", "", 0, 2), &unit).value() == doctest::Approx(8 / M_PI).epsilon(1e-4));
  CHECK(unit == "m s");
  CHECK(value(spec(max, "body.v", "km/h")).value() == doctest::Approx(3.6 * M_PI));
  CHECK(value(spec(max, "body.x # a comment (")).value() == doctest::Approx(2));
}

TEST_CASE("metric: times of conditions") {
  using enum MetricKind;
  std::string unit;
  CHECK(value(spec(first_time, "body.x > 1 m"), &unit).value() == doctest::Approx(0.34));  // asin(1/2) = 1/3 s
  CHECK(unit == "s");
  CHECK(value(spec(first_time, "body.x > 1 m", "ms", 2)).value() == doctest::Approx(4340));
  CHECK_FALSE(value(spec(first_time, "body.x > 3 m")));
  CHECK(value(spec(time_in, "body.x > 3 m")).value() == 0);
  CHECK(value(spec(time_in, "body.x gt -3 m")).value() == doctest::Approx(10));
  CHECK(value(spec(time_in, "body.x > 1 m and not (body.v lt 0 m/s)", "", 0, 4)).value() ==
        doctest::Approx(2.0 / 3).epsilon(0.03));
  CHECK(value(spec(time_in, "body.x > 1 m or body.x lt -1 m", "", 0, 4)).value() == doctest::Approx(8.0 / 3).epsilon(0.02));
}

TEST_CASE("metric: no steps and no numbers are no value") {
  using enum MetricKind;
  CHECK_FALSE(value(spec(mean, "body.x", "", 11)));
  CHECK_FALSE(value(spec(max, "body.none")));
  CHECK_FALSE(value(spec(min, "body.none")));
  CHECK(value(spec(min, "body.none", "", 0.01)).value() == 1);
}

TEST_CASE("metric: wrong texts are reported at their places, as texts of the user's") {
  using enum MetricKind;
  CHECK(has(problem(spec(max, "body.x > 1 m"), code::kType), "is a condition, expected a number"));
  CHECK(has(problem(spec(time_in, "body.x"), code::kType), "compare it with something"));
  CHECK(has(problem(spec(time_in, "always body.x > 1 m"), code::kType), "one step at a time"));
  CHECK(has(problem(spec(max, "body.x +"), code::kSyntax), "the text ends"));
  CHECK(has(problem(spec(max, "body.x > 1 m; body.v > 1 m/s"), code::kSyntax), "more than one text"));
  CHECK(has(problem(spec(max, "body.y"), code::kName), "body.x"));
  CHECK(has(problem(spec(max, "body.x + body.v"), code::kUnit), "cannot be compared or added"));
  CHECK(has(problem(spec(max, "body.x", "kg"), code::kUnit), "cannot be shown in \"kg\""));
  CHECK(has(problem(spec(max, "body.x", "furlong"), code::kUnit), "unknown unit"));
  CHECK(has(problem(spec(max, ""), code::kSyntax), "no expectation"));
}
