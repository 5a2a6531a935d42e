/// Networks whose coordinates are meters on a plane, as those of some universities are.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "base/geo/geo.hpp"
#include "formats/rndf/codes.hpp"
#include "formats/rndf/rndf.hpp"

using namespace simbatch;
using namespace simbatch::rndf;

namespace {

/// A lane of n waypoints, `step` apart in both coordinates, from `start`.
std::string lane_of(int n, double start, double step) {
  std::string text = fmt::format(
      "RNDF_name\tplane\nnum_segments\t1\nnum_zones\t0\nsegment\t1\nnum_lanes\t1\nlane\t1.1\n"
      "num_waypoints\t{}\n",
      n);
  for (int i = 0; i < n; ++i) text += fmt::format("1.1.{}\t{}\t{}\n", i + 1, start + i * step, -start - i * step / 2);
  return text + "end_lane\nend_segment\nend_file\n";
}

Parsed<Rndf> checked(const std::string& text, const ReadOptions& options) {
  auto parsed = read_rndf(text, "plane.rndf", options);
  REQUIRE(parsed.value.has_value());
  check(*parsed.value, parsed.diagnostics);
  return parsed;
}

}  // namespace

TEST_CASE("rndf: coordinates that look like meters are one problem, which names the option") {
  // Out of range: an error. Within range, with steps of 100 km and more: a warning.
  for (const auto& [start, severity] : {std::pair{300.0, Severity::error}, std::pair{0.0, Severity::warning}}) {
    CAPTURE(start);
    const auto parsed = checked(lane_of(30, start, 2.5), {});
    REQUIRE(parsed.diagnostics.items().size() == 1);
    const Diagnostic& problem = parsed.diagnostics.items()[0];
    CHECK(problem.code == code::kPlanar.name);
    CHECK(problem.severity == severity);
    CHECK(problem.at == Position{start == 0 ? 9u : 8u, 1});
    CHECK(problem.message.find("--planar") != std::string::npos);
    for (const Waypoint& w : parsed.value->segments[0].lanes[0].waypoints) CHECK(w.is_placed == (start == 0));
  }
}

TEST_CASE("rndf: few far waypoints in degrees are each reported, and not as meters") {
  std::string text = lane_of(9, 29.5, 0.0001);
  for (const char* id : {"1.1.3\t", "1.1.4\t", "1.1.5\t"}) text.insert(text.find(id) + 6, "9");
  const auto parsed = checked(text, {});
  CHECK(parsed.diagnostics.items().size() == 3);
  for (const Diagnostic& problem : parsed.diagnostics.items()) CHECK(problem.code == code::kCoordinate.name);
}

TEST_CASE("rndf: far waypoints scattered over a network in degrees are each reported") {
  std::string text = lane_of(7, 29.5, 0.0001);
  for (const char* id : {"1.1.2\t", "1.1.4\t", "1.1.6\t"}) text.insert(text.find(id) + 6, "9");
  CHECK(checked(text, {}).diagnostics.items().size() == 3);
}

TEST_CASE("rndf: with the option meters are read, x to the east and y to the north") {
  const auto parsed = checked(lane_of(30, 300, 2.5), {.strict = true, .planar = true});
  CHECK(parsed.diagnostics.empty());
  const auto& points = parsed.value->segments[0].lanes[0].waypoints;
  REQUIRE(points.size() == 30);
  const geo::LocalFrame plane(geo::LatLon{});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const geo::EastNorth at = plane.to_plane({points[i].lat, points[i].lon});
    CHECK(at.east == doctest::Approx(300 + 2.5 * static_cast<double>(i)).epsilon(1e-12));
    CHECK(at.north == doctest::Approx(-300 - 1.25 * static_cast<double>(i)).epsilon(1e-12));
  }
  // What is written is in degrees.
  CHECK(checked(write_rndf(*parsed.value), {.strict = true}).diagnostics.empty());
}

TEST_CASE("rndf: meters too far away, and words in place of meters, are errors at their places") {
  std::string text = lane_of(3, 300, 2.5);
  text.replace(text.find("300"), 3, "1e7");
  text.replace(text.find("-301.25"), 7, "south");
  const auto parsed = checked(text, {.planar = true});
  REQUIRE(parsed.diagnostics.items().size() == 2);
  CHECK(parsed.diagnostics.items()[0].code == code::kCoordinate.name);
  CHECK(parsed.diagnostics.items()[0].at == Position{8, 7});
  CHECK(parsed.diagnostics.items()[1].code == code::kValue.name);
  CHECK(parsed.diagnostics.items()[1].at == Position{9, 13});
  CHECK_FALSE(parsed.value->segments[0].lanes[0].waypoints[0].is_placed);
  CHECK(parsed.value->segments[0].lanes[0].waypoints[2].is_placed);
}
