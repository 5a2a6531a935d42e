#include <doctest/doctest.h>

#include "formats/trace/select.hpp"
#include "tests/unit/formats/trace/example.hpp"

using namespace simbatch::trace;

TEST_CASE("trace: every n-th row keeps numbers and texts of the same rows, and says so") {
  const Trace whole = example_trace(7);
  CHECK(every_nth_row(whole, 1) == whole);
  const Trace thin = every_nth_row(whole, 3);
  CHECK(thin.steps == std::vector<std::int64_t>{0, 30, 60});
  CHECK(thin.header.every == 30);
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(thin.columns[0][0].numbers[row] == whole.columns[0][0].numbers[3 * row]);
    CHECK(thin.columns[1][2].texts[row] == whole.columns[1][2].texts[3 * row]);
  }
  CHECK(thin.columns[0][0].numbers.size() == 3);
  CHECK(thin.columns[0][0].texts.empty());
  CHECK(thin.end == whole.end);
  CHECK(every_nth_row(whole, 1000).steps == std::vector<std::int64_t>{0});
}

TEST_CASE("trace: devices that are not wanted go, with their columns") {
  const Trace whole = example_trace();
  CHECK(only_devices(whole, [](std::string_view) { return true; }) == whole);
  const Trace one = only_devices(whole, [](std::string_view name) { return name.ends_with("gps0"); });
  REQUIRE(one.header.devices.size() == 1);
  CHECK(one.header.devices[0] == whole.header.devices[1]);
  REQUIRE(one.columns.size() == 1);
  CHECK(one.columns[0] == whole.columns[1]);
  CHECK(one.steps == whole.steps);
  CHECK(only_devices(whole, [](std::string_view) { return false; }).columns.empty());
}

TEST_CASE("trace: rows of a range of steps, ends included") {
  const Trace whole = example_trace(7);  // steps 0, 10, ... 60
  CHECK(only_steps(whole, 0, 60) == whole);
  const Trace part = only_steps(whole, 11, 40);
  CHECK(part.steps == std::vector<std::int64_t>{20, 30, 40});
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(part.columns[0][0].numbers[row] == whole.columns[0][0].numbers[row + 2]);
    CHECK(part.columns[1][2].texts[row] == whole.columns[1][2].texts[row + 2]);
  }
  CHECK(part.columns[0][0].numbers.size() == 3);
  CHECK(part.columns[0][0].texts.empty());
  CHECK(part.end == whole.end);
  CHECK(part.hashes == whole.hashes);
  CHECK(only_steps(whole, 61, 100).steps.empty());
  CHECK(only_steps(whole, 21, 29).columns[0][0].numbers.empty());
}
