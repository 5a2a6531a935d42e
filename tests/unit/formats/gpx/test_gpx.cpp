#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "formats/gpx/gpx.hpp"

using namespace simbatch;

namespace {

std::string time_of(double utc) {
  const std::string text = gpx::write_gpx({"", {{"p", {{0, 0}, utc}}}, {}, {}});
  const std::size_t from = text.find("<time>"), to = text.find("</time>");
  return from == std::string::npos ? "" : text.substr(from + 6, to - from - 6);
}

}  // namespace

TEST_CASE("gpx: waypoints, then routes, then tracks") {
  gpx::Document document;
  document.name = "a & b";
  document.tracks.push_back({"t", {{{48.1, 11.5}, 0.0}, {{48.1000000004, -11.6}, 0.05}}});
  document.routes.push_back({"r", {{{1, 2}, {}}}});
  document.waypoints.push_back({"w", {{-90, 180}, {}}});
  CHECK(gpx::write_gpx(document) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<gpx xmlns=\"http://www.topografix.com/GPX/1/1\" version=\"1.1\" creator=\"simbatch\">\n"
        "  <metadata>\n"
        "    <name>a &amp; b</name>\n"
        "  </metadata>\n"
        "  <wpt lat=\"-90\" lon=\"-180\">\n"
        "    <name>w</name>\n"
        "  </wpt>\n"
        "  <rte>\n"
        "    <name>r</name>\n"
        "    <rtept lat=\"1\" lon=\"2\"/>\n"
        "  </rte>\n"
        "  <trk>\n"
        "    <name>t</name>\n"
        "    <trkseg>\n"
        "      <trkpt lat=\"48.1\" lon=\"11.5\">\n"
        "        <time>1970-01-01T00:00:00Z</time>\n"
        "      </trkpt>\n"
        "      <trkpt lat=\"48.1\" lon=\"-11.6\">\n"
        "        <time>1970-01-01T00:00:00.05Z</time>\n"
        "      </trkpt>\n"
        "    </trkseg>\n"
        "  </trk>\n"
        "</gpx>\n");
}

TEST_CASE("gpx: times are UTC to the millisecond, within the years that xsd:dateTime has") {
  CHECK(time_of(1194091200) == "2007-11-03T12:00:00Z");
  CHECK(time_of(951782400.25) == "2000-02-29T00:00:00.25Z");
  CHECK(time_of(-0.001) == "1969-12-31T23:59:59.999Z");
  CHECK(time_of(0.0004) == "1970-01-01T00:00:00Z");
  CHECK(time_of(-62135596800) == "0001-01-01T00:00:00Z");
  CHECK(time_of(253402300799) == "9999-12-31T23:59:59Z");
  CHECK(time_of(253402300800) == "");
  CHECK(time_of(-1e300) == "");
  CHECK(time_of(std::nan("")) == "");
}

TEST_CASE("gpx: a place that is not on the earth is refused") {
  for (const geo::LatLon at :
       {geo::LatLon{90.1, 0}, geo::LatLon{0, -180.5}, geo::LatLon{std::nan(""), 0}, geo::LatLon{0, INFINITY}})
    CHECK_THROWS_AS(gpx::write_gpx({"", {{"p", {at, {}}}}, {}, {}}), std::invalid_argument);
  CHECK(gpx::write_gpx({"", {{"p", {{0, 179.9999999999}, {}}}}, {}, {}}).find("lon=\"-180\"") != std::string::npos);
}
