// Expectations over traces, and their outcomes in traces.

#include <doctest/doctest.h>

#include <cmath>

#include "formats/trace/read.hpp"
#include "formats/trace/write.hpp"
#include "lib/expect/codes.hpp"
#include "lib/expect/trace_signals.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::expect;

namespace {

/// x = 10 - step, each 5th step of 0.1 s.
trace::Trace make_trace() {
  trace::Trace trace;
  trace.header.dt = 0.1;
  trace.header.every = 5;
  trace.header.steps = 20;
  trace.header.devices = {{"car", "Box", {{"x", "m", "W"}, {"label", "", "", trace::FieldType::text}}}};
  trace.columns = {{{}, {}}};
  for (int step = 0; step <= 20; step += 5) {
    trace.steps.push_back(step);
    trace.columns[0][0].numbers.push_back(10 - step);
    trace.columns[0][1].texts.push_back("a");
  }
  trace.end = trace::End{};
  trace.end->steps = 20;
  trace.end->time = 2;
  return trace;
}

Expectation read_one(const std::string& text) {
  auto parsed = read_expectations(text, {"t", TextPlaces(text)});
  REQUIRE(parsed.ok());
  return parsed.value->front();
}

}  // namespace

TEST_CASE("expect: over a trace, steps are those of the run, and both sides are kept for charts") {
  const trace::Trace trace = make_trace();
  Diagnostics problems;
  const auto check = check_trace(trace, read_one("always car.x > -3 m"), problems);
  REQUIRE(check);
  CHECK(problems.empty());
  CHECK(check->outcome.verdict == Verdict::fails);
  CHECK(check->outcome.margin == -7);
  CHECK(check->outcome.step == 20);
  CHECK(check->outcome.time == 2);
  CHECK(check->outcome.decided == 15);
  CHECK(check->time == std::vector<double>{0, 0.5, 1, 1.5, 2});
  CHECK(check->left == std::vector<double>{10, 5, 0, -5, -10});
  CHECK(check->right == std::vector<double>(5, -3));
  CHECK(check->left_text == "car.x");
  CHECK(check->right_text == "-3 m");
  // A rate is that between rows.
  CHECK(check_trace(trace, read_one("always[0.5, end] rate(car.x) == -10 m/s"), problems)->outcome.verdict == Verdict::holds);
}

TEST_CASE("expect: a trace that was cut decides what its rows decide; it has no events and no sums of texts") {
  trace::Trace trace = make_trace();
  trace.end.reset();
  Diagnostics problems;
  CHECK(check_trace(trace, read_one("always car.x < 100"), problems)->outcome.verdict == Verdict::undecided);
  CHECK(check_trace(trace, read_one("always car.x > 0"), problems)->outcome.verdict == Verdict::fails);
  CHECK(problems.empty());
  CHECK_FALSE(check_trace(trace, read_one("never contact(car)"), problems));
  CHECK_FALSE(check_trace(trace, read_one("always car.label > 0"), problems));
  simbatch::test::Expected expected(problems);
  expected.take(code::kEvent, Position{1, 7});
  expected.take(code::kName, Position{1, 8});
}

TEST_CASE("expect: outcomes go through a trace and come back, infinite margins left out") {
  trace::Trace trace = make_trace();
  Diagnostics problems;
  const Expectation failing = read_one("'a \"b\"': always car.x > 0");
  trace.end->expectations.push_back(trace_outcome(failing, check_trace(trace, failing, problems)->outcome));
  const Expectation empty = read_one("always[50, end] car.x > 0");
  trace.end->expectations.push_back(trace_outcome(empty, check_trace(trace, empty, problems)->outcome));
  CHECK_FALSE(trace.end->expectations[1].margin);
  CHECK_FALSE(trace.end->expectations[1].step);
  const auto back = trace::read_json(trace::to_json(trace), "again");
  INFO(simbatch::test::all_text(back.diagnostics));
  REQUIRE(back.ok());
  CHECK(*back.value == trace);
  CHECK(back.value->end->expectations[0].name == "a \"b\"");
  CHECK(back.value->end->expectations[0].margin == -10);
  CHECK(back.value->end->expectations[0].decided == 10);
}
