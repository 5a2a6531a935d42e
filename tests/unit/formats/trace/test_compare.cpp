// Comparisons of random traces against a plain search for differences, and of headers and ends part by part.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/core/random.hpp"
#include "formats/trace/compare.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch;
using namespace simbatch::trace;

namespace {

Trace random_trace(RandomStream& random) {
  Trace trace;
  trace.header.dt = 0.5;
  for (std::int64_t step = 0; step < 12; ++step)
    if (random.below(3) != 0) trace.steps.push_back(step);
  for (const char* const name : {"a", "b", "c"}) {
    if (random.below(4) == 0) continue;
    Device device{name, "Box", {}};
    std::vector<Column> columns;
    for (const char* const field : {"x", "y", "t"}) {
      if (random.below(4) == 0) continue;
      const bool is_text = *field == 't' && random.below(3) != 0;
      device.fields.push_back({field, "m", "W", is_text ? FieldType::text : FieldType::number});
      Column& column = columns.emplace_back();
      // The same step mostly has the same value in all traces.
      for (const std::int64_t step : trace.steps) {
        const bool is_other = random.below(30) == 0;
        if (is_text)
          column.texts.push_back(is_other ? "other" : "t" + std::to_string(step));
        else
          column.numbers.push_back(is_other ? 1e3 + random.uniform() : static_cast<double>(step) * (step % 2 == 0 ? -0.0 : 1));
      }
    }
    if (random.below(2) == 0 && device.fields.size() > 1) {  // another order
      std::swap(device.fields[0], device.fields[1]);
      std::swap(columns[0], columns[1]);
    }
    trace.header.devices.push_back(std::move(device));
    trace.columns.push_back(std::move(columns));
  }
  return trace;
}

using Cells = std::map<std::tuple<std::string, std::string, FieldType, std::int64_t>, std::pair<double, std::string>>;

Cells cells_of(const Trace& trace) {
  Cells cells;
  for (std::size_t d = 0; d < trace.header.devices.size(); ++d)
    for (std::size_t f = 0; f < trace.header.devices[d].fields.size(); ++f)
      for (std::size_t r = 0; r < trace.steps.size(); ++r) {
        const Field& field = trace.header.devices[d].fields[f];
        const Column& column = trace.columns[d][f];
        auto& cell = cells[{trace.header.devices[d].name, field.name, field.type, trace.steps[r]}];
        if (field.type == FieldType::text)
          cell.second = column.texts[r];
        else
          cell.first = column.numbers[r];
      }
  return cells;
}

}  // namespace

TEST_CASE("trace: comparisons find what a search through all cells finds") {
  int different = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "compare");
    const Trace a = random_trace(random), b = random_trace(random);
    const double tolerance = random.below(2) == 0 ? 0 : 0.25;
    const Cells in_a = cells_of(a), in_b = cells_of(b);
    std::int64_t differing = 0, first = 1000;
    for (const auto& cell : in_a) {
      const auto other = in_b.find(cell.first);
      if (other == in_b.end()) continue;
      if (std::abs(cell.second.first - other->second.first) <= tolerance && cell.second.second == other->second.second)
        continue;
      ++differing;
      first = std::min(first, std::get<3>(cell.first));
    }
    std::int64_t common = 0;
    for (const std::int64_t step : a.steps) common += std::count(b.steps.begin(), b.steps.end(), step);

    const Comparison c = compare(a, b, tolerance);
    CHECK(c.rows == common);
    CHECK(c.rows_only_a == static_cast<std::int64_t>(a.steps.size()) - common);
    CHECK(c.rows_only_b == static_cast<std::int64_t>(b.steps.size()) - common);
    CHECK(c.differing_values == differing);
    CHECK(c.first.has_value() == (differing > 0));
    if (!c.first) continue;
    ++different;
    CHECK(c.first->step == first);
    CHECK(c.first->time == static_cast<double>(first) * 0.5);
    // No column of a before this one differs in this step.
    bool found = false;
    for (std::size_t d = 0; d < a.header.devices.size() && !found; ++d)
      for (const Field& field : a.header.devices[d].fields) {
        found = a.header.devices[d].name == c.first->device && field.name == c.first->field;
        if (found) break;
        const auto x = in_a.find({a.header.devices[d].name, field.name, field.type, first});
        const auto y = in_b.find({a.header.devices[d].name, field.name, field.type, first});
        if (y != in_b.end())
          CHECK((std::abs(x->second.first - y->second.first) <= tolerance && x->second.second == y->second.second));
      }
    CHECK(found);
    // The other way around the same counts.
    const Comparison back = compare(b, a, tolerance);
    CHECK(back.differing_values == differing);
    CHECK(back.only_a.size() == c.only_b.size());
    CHECK(back.only_b.size() == c.only_a.size());
  }
  CHECK(different > 300);
}

TEST_CASE("trace: a field of another type is another field, a device that moved is the same") {
  const Trace a = example_trace();
  Trace typed = a;
  typed.header.devices[0].fields[1].type = FieldType::integer;
  const Comparison c = compare(a, typed);
  CHECK(c.only_a == std::vector<std::string>{"impreza.chassis.y"});
  CHECK(c.only_b == std::vector<std::string>{"impreza.chassis.y"});
  CHECK_FALSE(c.equal());
  Trace moved = a;
  std::swap(moved.header.devices[0], moved.header.devices[2]);
  std::swap(moved.columns[0], moved.columns[2]);
  CHECK(compare(a, moved).equal());
  Trace zero = a;
  for (double& value : zero.columns[0][1].numbers)
    if (value == 0) value = 0;  // not -0
  CHECK(compare(a, zero).equal());
}

TEST_CASE("trace: each part of a header that differs is a line, and makes no run another one") {
  const Trace a = example_trace();
  struct Row {
    const char* says;
    void (*change)(Header&);
  };
  for (const Row& row : {
           Row{"generator: simrun 0.1.0 | g", [](Header& h) { h.generator = "g"; }},
           Row{"scenario: scenario.xml | s", [](Header& h) { h.scenario = "s"; }},
           Row{"dt: ", [](Header& h) { h.dt = 1; }},
           Row{"steps: 40 | 41", [](Header& h) { h.steps = 41; }},
           Row{"every: 10 | 1", [](Header& h) { h.every = 1; }},
           Row{"engine: ", [](Header& h) { h.engine = "e"; }},
           Row{"mathematics: ", [](Header& h) { h.mathematics = "m"; }},
           Row{"float mode: ", [](Header& h) { h.float_mode = "f"; }},
           Row{"input scenario.xml: 00000000000000aa | 00000000000000ab", [](Header& h) { h.inputs[0].digest.back() = 'b'; }},
           Row{"input robots/impreza.xml: 00000000000000bb | -", [](Header& h) { h.inputs.pop_back(); }},
           Row{"input new.xml: - | 1",
               [](Header& h) {
                 h.inputs.push_back({"new.xml", "1"});
               }},
           Row{"script: - | step 3 d i 0.5",
               [](Header& h) {
                 h.script = {{3, "d", "i", 0.5}, {4, "d", "i", 1}};
               }},
       }) {
    CAPTURE(row.says);
    Trace b = a;
    row.change(b.header);
    const Comparison c = compare(a, b);
    REQUIRE(c.headers.size() == 1);
    CHECK(c.headers[0].starts_with(row.says));
    CHECK(c.equal());
  }
}

TEST_CASE("trace: how the ends differ, exactly and within a tolerance") {
  const Trace a = example_trace();
  const auto ends = [&](void (*change)(Trace&), double tolerance) {
    Trace b = a;
    change(b);
    const Comparison c = compare(a, b, tolerance);
    CHECK(c.equal() == (c.ends.empty() && !c.first_hash));
    return c.ends;
  };
  const auto cut = [](Trace& b) { b.end.reset(); };
  const auto failed = [](Trace& b) { b.end->outcome = "failed"; };
  const auto shorter = [](Trace& b) { b.end->steps = 30; };
  const auto state = [](Trace& b) { b.end->state_hash = 4; };
  const auto expectation = [](Trace& b) { b.end->expectations.push_back({}); };
  CHECK(ends(cut, 0) == "complete after 40 steps, state hash 0000000000000003 | cut");
  CHECK_FALSE(ends(cut, 0.1).empty());
  CHECK(ends(failed, 0).find("| failed after 40 steps") != std::string::npos);
  CHECK_FALSE(ends(failed, 0.1).empty());
  CHECK_FALSE(ends(shorter, 0).empty());
  CHECK_FALSE(ends(shorter, 0.1).empty());
  CHECK_FALSE(ends(state, 0).empty());
  CHECK(ends(state, 0.1).empty());  // values that differ a little make every state another one
  CHECK(ends(expectation, 0).empty());
  // Hashes of the same steps only, and not within a tolerance.
  Trace b = a;
  b.hashes = {{0, 1}, {10, 99}, {40, 5}};
  CHECK(compare(a, b).first_hash == 40);
  CHECK_FALSE(compare(a, b, 0.1).first_hash);
}

TEST_CASE("compare: directions on both sides of north are as far apart as the shorter way round") {
  const auto trace_of = [](double heading, double angle) {
    Trace trace;
    trace.header.devices = {{"car.compass", "CompassSensor", {{"heading", "rad", "N"}, {"angle", "rad", "B"}}}};
    trace.steps = {0};
    trace.columns = {{Column{{heading}, {}}, Column{{angle}, {}}}};
    return trace;
  };
  const Comparison result = compare(trace_of(0.001, 0.001), trace_of(6.28, 6.28));
  REQUIRE(result.fields.size() == 2);
  CHECK(result.first->size == doctest::Approx(0.0041853).epsilon(1e-4));
  CHECK(result.fields[0].largest == result.first->size);
  CHECK(result.fields[1].largest == doctest::Approx(6.279));  // a joint turns any number of times
}
