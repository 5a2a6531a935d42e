#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "formats/kml/codes.hpp"
#include "formats/kml/kml.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using kml::Geometry;

namespace {
const std::vector<geo::LatLon> kLine = {{48.1, 11.5}, {48.2, -11.6}};

Parsed<std::vector<Geometry>> read(const std::string& body) {
  return kml::read_kml("<kml xmlns='http://www.opengis.net/kml/2.2'>\n" + body + "</kml>", "m.kml");
}
}  // namespace

TEST_CASE("kml: a document of placemarks in folders") {
  kml::Writer writer("a & b");
  writer.point("p", {1.0000000004, -2});
  writer.start_folder("lines");
  writer.line("l", kLine);
  writer.end_folder();
  CHECK(writer.take() ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\">\n"
        "  <Document>\n"
        "    <name>a &amp; b</name>\n"
        "    <Placemark>\n"
        "      <name>p</name>\n"
        "      <Point>\n"
        "        <coordinates>-2,1</coordinates>\n"
        "      </Point>\n"
        "    </Placemark>\n"
        "    <Folder>\n"
        "      <name>lines</name>\n"
        "      <Placemark>\n"
        "        <name>l</name>\n"
        "        <LineString>\n"
        "          <tessellate>1</tessellate>\n"
        "          <coordinates>11.5,48.1 -11.6,48.2</coordinates>\n"
        "        </LineString>\n"
        "      </Placemark>\n"
        "    </Folder>\n"
        "  </Document>\n"
        "</kml>\n");
}

TEST_CASE("kml: polygons are closed and counter-clockwise") {
  for (const std::vector<geo::LatLon>& ring :
       {std::vector<geo::LatLon>{{0, 0}, {0, 2}, {1, 2}}, std::vector<geo::LatLon>{{1, 2}, {0, 2}, {0, 0}}}) {
    kml::Writer writer("");
    writer.polygon("area", ring);
    CHECK(writer.take().find("<coordinates>0,0 2,0 2,1 0,0</coordinates>") != std::string::npos);
  }
}

TEST_CASE("kml: misuse is refused, any name is well-formed") {
  kml::Writer writer(std::string_view("nul \0, bad \xff", 11));
  CHECK_THROWS_AS(writer.line("short", std::vector<geo::LatLon>{{0, 0}}), std::logic_error);
  CHECK_THROWS_AS(writer.polygon("short", kLine), std::logic_error);
  writer.point("escape \x1b", {0, 0});
  const auto parsed = kml::read_kml(writer.take(), "m.kml");
  CHECK_MESSAGE(parsed.ok(), test::all_text(parsed.diagnostics));
  kml::Writer open("");
  open.start_folder("f");
  CHECK_THROWS_AS((void)open.take(), std::logic_error);
}

TEST_CASE("kml: what is written reads back") {
  kml::Writer writer("d");
  writer.start_folder("f");
  writer.line("l", kLine);
  writer.end_folder();
  writer.point("p", {-33.3, 179.999999999});
  const auto parsed = kml::read_kml(writer.take(), "m.kml");
  REQUIRE(parsed.ok());
  REQUIRE(parsed.value->size() == 2);
  CHECK((*parsed.value)[0].kind == Geometry::Kind::line);
  REQUIRE((*parsed.value)[0].places.size() == 2);
  CHECK((*parsed.value)[0].places[1] == kLine[1]);
  CHECK((*parsed.value)[1].places[0] == geo::LatLon{-33.3, 179.999999999});
}

TEST_CASE("kml: points and lines anywhere, with prefixes, altitudes and blanks") {
  const auto parsed = kml::read_kml(
      "<k:kml xmlns:k='http://www.opengis.net/kml/2.2'><k:Document><k:MultiGeometry>"
      "<k:Point><k:altitudeMode>absolute</k:altitudeMode><k:coordinates>\n 1,2,3.5 \n</k:coordinates></k:Point>"
      "<k:Polygon><k:LinearRing><k:coordinates>0,0 1,0 1,1 0,0</k:coordinates></k:LinearRing></k:Polygon>"
      "<k:LineString><k:coordinates>1,2, 3,4,0</k:coordinates></k:LineString>"
      "</k:MultiGeometry></k:Document></k:kml>",
      "m.kml");
  REQUIRE_MESSAGE(parsed.ok(), test::all_text(parsed.diagnostics));
  REQUIRE(parsed.value->size() == 2);
  CHECK((*parsed.value)[0].kind == Geometry::Kind::point);
  CHECK((*parsed.value)[0].altitudes == std::vector<double>{3.5});
  CHECK((*parsed.value)[1].altitudes.empty());
  CHECK((*parsed.value)[1].places[1] == geo::LatLon{4, 3});
}

TEST_CASE("kml: altitudes that begin after the first place belong to their places") {
  const auto parsed = read("<LineString><coordinates>1,2 3,4,5 6,7</coordinates></LineString>");
  REQUIRE(parsed.ok());
  CHECK((*parsed.value)[0].altitudes == std::vector<double>{0, 5, 0});
}

TEST_CASE("kml: every unreadable coordinate is reported, the others are kept") {
  const auto parsed = read(
      "<Point><coordinates>1,2 x,2 181,0 0,91 1 1,2,z 1,2,3,4 5,6</coordinates></Point>\n"
      "<LineString><coordinates>1,2</coordinates></LineString>");
  test::Expected expected(parsed.diagnostics);
  for (int i = 0; i < 6; ++i) expected.take(kml::code::kCoordinates, Position{2, 8});
  expected.take(kml::code::kLine, Position{3, 13});
  REQUIRE(parsed.value->size() == 1);
  CHECK((*parsed.value)[0].places.size() == 2);
}

TEST_CASE("kml: no prefix and no mutation of a document breaks the reader") {
  kml::Writer writer("d");
  writer.line("l", kLine);
  writer.point("p", kLine[0]);
  const std::string text = writer.take();
  test::for_every_prefix(
      text, [](std::string_view prefix) { (void)kml::read_kml(prefix, "m"); }, 300);
  for (std::uint64_t seed = 0; seed < 500; ++seed) (void)kml::read_kml(test::mutated(text, seed), "m");
}
