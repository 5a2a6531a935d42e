// GPS tracks of traces: which devices and rows become points, and what damaged traces lose.
#include <doctest/doctest.h>

#include <limits>

#include "lib/view/codes.hpp"
#include "lib/view/gps_tracks.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

trace::Field number(const char* name) { return {name, "deg", "G", trace::FieldType::number}; }
trace::Column column(std::vector<double> numbers) { return {std::move(numbers), {}}; }

/// One GPS that has measured these places.
trace::Trace one_gps(std::vector<double> latitudes, std::vector<double> longitudes, std::vector<double> times) {
  trace::Trace rows;
  rows.header.scenario = "town.xml";
  rows.header.devices = {{"car.gps", "GPSSensor", {number("latitude"), number("longitude"), number("utc")}}};
  for (std::size_t i = 0; i < latitudes.size(); ++i) rows.steps.push_back(static_cast<std::int64_t>(i));
  rows.columns = {{column(std::move(latitudes)), column(std::move(longitudes)), column(std::move(times))}};
  return rows;
}

}  // namespace

TEST_CASE("gps_tracks: a track for each GPS, each fix once") {
  Diagnostics problems("run.json");
  trace::Trace rows = one_gps({1, 1, 2, 2}, {10, 10, 10, 10}, {0, 0, 1, 2});
  rows.header.devices.push_back({"car.yaw", "GyroscopeSensor", {number("latitude"), number("longitude")}});
  rows.columns.push_back({column({1, 2, 3, 4}), column({1, 2, 3, 4})});
  const gpx::Document document = view::gps_tracks(rows, problems);
  CHECK(problems.items().empty());
  CHECK(document.name == "town.xml");
  REQUIRE(document.tracks.size() == 1);
  CHECK(document.tracks[0].name == "car.gps");
  CHECK(document.tracks[0].points == std::vector<gpx::Point>{{{1, 10}, 0.0}, {{2, 10}, 1.0}, {{2, 10}, 2.0}});
}

TEST_CASE("gps_tracks: places that are not on the earth, and traces without GPS") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Diagnostics problems("run.json");
  const gpx::Document document = view::gps_tracks(one_gps({1, 91, kNan, 3}, {10, 10, 10, 1e300}, {0, 1, 2, 3}), problems);
  REQUIRE(document.tracks.size() == 1);
  CHECK(document.tracks[0].points.size() == 1);
  REQUIRE(problems.items().size() == 1);
  CHECK(problems.items()[0].code == view_code::kGpsPlace.name);
  CHECK(problems.items()[0].message == "3 of 4 places of \"car.gps\" are not on the earth and are left out");

  Diagnostics none("run.json");
  trace::Trace rows = one_gps({1}, {1}, {1});
  rows.header.devices[0].fields[0].name = "height";
  CHECK(view::gps_tracks(rows, none).tracks.empty());
  REQUIRE(none.items().size() == 1);
  CHECK(none.items()[0].code == view_code::kNoGps.name);
}
