// The map under the paths, and where texts of marks are.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "lib/plot/chart.hpp"

using namespace simbatch::plot;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Chart map_chart() {
  Chart map{"Paths", "x", "z", {{"car", {0, 100}, {0, 50}}}, {}, true};
  map.ground.roads.push_back({{{0, 0}, {100, 50}}, 7});
  map.ground.roads.push_back({{{5000, 0}, {6000, 0}}, 7});
  map.ground.areas.push_back({GroundPlan::Kind::house, {{10, 20}, {20, 20}, {20, 30}, {10, 30}}});
  map.ground.areas.push_back({GroundPlan::Kind::tree, {{-900, 0}, {-901, 0}, {-900, 1}}});
  return map;
}

}  // namespace

TEST_CASE("ground plan: what is in the frame is drawn, cut off there, and in the legend") {
  Chart map = map_chart();
  const std::string picture = svg({&map, 1}, 1);
  CHECK(count(picture, ">roads<") == 1);
  CHECK(count(picture, ">houses<") == 1);
  CHECK(count(picture, ">trees<") == 0);
  CHECK(count(picture, ">water<") == 0);
  CHECK(count(picture, "stroke=\"#d8d8d8\"") == 2);  // one sample in the legend, one path: the far road is not drawn
  CHECK(count(picture, "clip-path=\"url(#frame0)\"") == 1);
  CHECK(picture.find("clip-path") < picture.find("class=\"grid\""));
  CHECK(svg({&map, 1}, 1) == picture);
}

TEST_CASE("ground plan: one scale in both directions, whatever the legend takes") {
  Chart map = map_chart();
  for (int i = 0; i < 9; ++i) map.series.push_back({"a robot with a long name", {0, 1}, {0, 1}});
  map.ground.areas = {{GroundPlan::Kind::house, {{0, 0}, {10, 0}, {10, 10}, {0, 10}}}};
  const std::string picture = svg({&map, 1}, 1);
  const std::size_t at = picture.find("d=\"M", picture.find("fill=\"#e3cfa8\""));
  double x[4], y[4];
  REQUIRE(std::sscanf(picture.c_str() + at, "d=\"M%lf %lfL%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]) == 6);
  CHECK(std::hypot(x[1] - x[0], y[1] - y[0]) == doctest::Approx(std::hypot(x[2] - x[1], y[2] - y[1])).epsilon(0.01));
}

TEST_CASE("ground plan: water is sampled where it is asked for, and plans are dashed behind the paths") {
  Chart map = map_chart();
  map.ground = {};
  map.ground.is_water = [](double x, double) { return x > 50; };
  map.series.push_back({"plan", {0, 10}, {0, 10}});
  map.series.back().dashed = true;
  const std::string picture = svg({&map, 1}, 1);
  CHECK(count(picture, ">water<") == 1);
  CHECK(picture.find("stroke-dasharray") < picture.rfind("#0072B2"));
  map.ground.is_water = [](double, double) { return false; };
  CHECK(count(svg({&map, 1}, 1), ">water<") == 0);
}

TEST_CASE("plot: the text of a mark keeps clear of a curve that falls to it") {
  // The mark is at the lower right, where a curve has come down: on each side of it, a text beside the mark would lie over it.
  for (const double end : {45.0, 52.0}) {
    CAPTURE(end);
    Chart chart{"stops",
                "time (s)",
                "m/s",
                {{"speed", {0, 5, 34, 40, 45, end}, {0, 16, 15, 0, 0, 0}}, {"bound", {0, end}, {0.5, 0.5}}},
                {{end - 2, 0, "0.5 at 43.03 s"}}};
    chart.series[1].is_bound = true;
    const std::string picture = svg({&chart, 1}, 1);
    const auto number = [&](std::size_t from, const std::string& name) {
      return std::stod(picture.substr(picture.find(name, from) + name.size()));
    };
    const std::size_t text = picture.find("class=\"tick rim\"");
    const double x = number(text, " x=\""), length = 5.8 * 14, baseline = number(text, " y=\"");
    const bool ends_there = picture.substr(text, picture.find('>', text) - text).find("end") != std::string::npos;
    const double left = ends_there ? x - length : x, right = left + length;
    double points[10] = {};
    const std::size_t line = picture.find("d=\"M", picture.find("stroke=\"#0072B2\"", picture.find("class=\"line\"")));
    REQUIRE(std::sscanf(picture.c_str() + line, "d=\"M%lf %lfL%lf %lfL%lf %lfL%lf %lf", &points[0], &points[1], &points[2],
                        &points[3], &points[4], &points[5], &points[6], &points[7]) == 8);
    // Where the falling piece is at the text's upper and lower edges.
    const auto falling_x = [&](double y) {
      return points[4] + (std::clamp(y, points[5], points[7]) - points[5]) / (points[7] - points[5]) * (points[6] - points[4]);
    };
    CHECK((right < falling_x(baseline - 9) || left > falling_x(baseline + 2)));
  }
}

TEST_CASE("plot: the text of a mark keeps clear of the bound beside it") {
  // The signal rises to 0.02 under its bound: there is no room for a text between them.
  Chart chart{
      "bound", "time (s)", "m", {{"signal", {0, 5, 10}, {0, 0.98, 0}}, {"bound", {0, 10}, {1, 1}}}, {{5, 0.98, "0.02 at 5 s"}}};
  chart.series[1].is_bound = true;
  const std::string picture = svg({&chart, 1}, 1);
  const auto number = [&](std::size_t from, const std::string& name) {
    const std::size_t at = picture.find(name, from) + name.size();
    return std::stod(picture.substr(at));
  };
  const std::size_t circle = picture.find("<circle"), text = picture.find("class=\"tick rim\"");
  const double y = number(circle, "cy=\""), baseline = number(text, " y=\"");
  const std::size_t line = picture.find("stroke=\"#D55E00\"", picture.find("class=\"line\""));
  const double bound = number(picture.find("M", line), " ");
  CHECK(bound < y);
  CHECK((baseline - 9 > bound || baseline + 2 < bound));
}
