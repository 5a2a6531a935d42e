#include <doctest/doctest.h>

#include "lib/plot/expectation_charts.hpp"

using namespace simbatch;

TEST_CASE("plot: an expectation is its signal, its bound, the worst moment and the moment it broke") {
  trace::Trace trace;
  trace.header.dt = 0.5;
  trace.header.steps = 3;
  trace.header.devices = {{"car", "Box", {{"x", "m", "W"}}}};
  trace.steps = {0, 1, 2, 3};
  trace.columns = {{{{5, 1, 0, 4}, {}}}};
  trace.end = trace::End{};
  trace.end->steps = 3;
  const auto record = [&](const char* name, const char* text) {
    trace.end->expectations.emplace_back();
    trace.end->expectations.back().name = name;
    trace.end->expectations.back().text = text;
  };
  record("far enough", "always car.x > 2 m");
  record("no touch", "never contact(car)");
  record("of something not traced", "always car.y > 2 m");
  const auto charts = plot::recorded_expectation_charts(trace);
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].title == "far enough: fails");
  CHECK(charts[0].y_label == "m");
  REQUIRE(charts[0].series.size() == 2);
  CHECK(charts[0].series[0].name == "car.x");
  CHECK(charts[0].series[0].y == std::vector<double>{5, 1, 0, 4});
  CHECK(charts[0].series[1].name == "> 2 m");
  CHECK(charts[0].series[1].y == std::vector<double>{2, 2, 2, 2});
  REQUIRE(charts[0].marks.size() == 2);
  CHECK(charts[0].marks[0].x == 1);
  CHECK(charts[0].marks[0].text == "-2 at 1 s");
  CHECK(charts[0].marks[1].x == 0.5);
  CHECK(charts[0].marks[1].y == 1);
  CHECK(charts[0].marks[1].text == "broken at 0.5 s");
}
