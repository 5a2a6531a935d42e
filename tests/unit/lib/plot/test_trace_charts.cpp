#include <doctest/doctest.h>

#include "lib/plot/trace_charts.hpp"

using namespace simbatch;

TEST_CASE("plot: a trace becomes a map of what moves and a chart for each sensor and unit") {
  trace::Trace trace;
  trace.header.dt = 0.5;
  trace.header.devices = {
      {"car.chassis", "Box", {{"x", "m", "W"}, {"z", "m", "W"}}},
      {"house", "Box", {{"x", "m", "W"}, {"z", "m", "W"}}},
      {"car.chassis.gps0",
       "GPSSensor",
       {{"latitude", "deg", "G"}, {"speed", "m/s", "G"}, {"sentence", "", "", trace::FieldType::text}}},
      {"car.chassis.light", "LightDevice", {{"intensity", "1", ""}}},
  };
  trace.steps = {0, 2};
  trace.columns = {{{{0, 3}, {}}, {{0, 4}, {}}},
                   {{{7, 7}, {}}, {{7, 7}, {}}},
                   {{{48, 49}, {}}, {{1, 2}, {}}, {{}, {"a", "b"}}},
                   {{{0, 1}, {}}}};
  auto charts = plot::trace_charts(trace);
  REQUIRE(charts.size() == 3);
  CHECK(charts[0].title == "Paths");
  REQUIRE(charts[0].series.size() == 1);
  CHECK(charts[0].series[0].y == std::vector<double>{0, 4});
  CHECK(charts[1].y_label == "latitude (deg)");
  CHECK(charts[1].series[0].x == std::vector<double>{0, 1});
  CHECK(charts[2].series[0].name == "speed");
  charts = plot::trace_charts(trace, {[](std::string_view name) { return name.ends_with("light"); }, 24});
  REQUIRE(charts.size() == 2);
  CHECK(charts[1].title == "car.chassis.light");
}
