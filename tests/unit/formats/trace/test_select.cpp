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
