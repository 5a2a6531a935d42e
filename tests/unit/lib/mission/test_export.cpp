#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "formats/kml/codes.hpp"
#include "lib/mission/codes.hpp"
#include "lib/mission/export.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/medusa/examples.hpp"

using namespace simbatch;
using namespace simbatch::mission;
using medusa::test_data::with;
using simbatch::test::Expected;

namespace {
std::optional<mission::Georeference> georeference_of(const medusa::Mission& m) {
  Diagnostics ignored;
  return mission::find_georeference(m.reference, m.origin, "", {0, 0}, ignored);
}
Parsed<std::string> exported(const std::string& text, Target target, const ExportOptions& options = {}) {
  const auto m = *medusa::read_mission(text, "m").value;
  return export_mission(m, georeference_of(m), target, options, "m");
}
std::size_t count(const std::string& text, std::string_view word) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++n;
  return n;
}
}  // namespace

TEST_CASE("a formation exports one line a vehicle, a mission for all one line") {
  CHECK(count(*exported(medusa::test_data::kFormation, Target::geojson).value, "LineString") == 3);
  CHECK(count(*exported(medusa::test_data::kLawnMower, Target::geojson).value, "LineString") == 1);
  CHECK(count(*exported(medusa::test_data::kLawnMower, Target::kml).value, "<LineString>") == 1);
  ExportOptions second;
  second.vehicle = 2;
  CHECK(count(*exported(medusa::test_data::kFormation, Target::kml, second).value, "<LineString>") == 1);
}

TEST_CASE("exported places lie on the arc to 1 cm and keep the ends") {
  const auto m = *medusa::read_mission(medusa::test_data::kLawnMower, "m").value;
  const auto georeference = *georeference_of(m);
  const std::string kml = *export_mission(m, georeference, Target::kml, {}, "m").value;
  std::istringstream in(kml.substr(kml.find("<coordinates>") + 13));
  const mission::Path path(m.sections);
  std::vector<mission::Point> points;
  for (double lon = 0, lat = 0; true;) {
    char c = 0;
    if (!(in >> lon >> c >> lat)) break;
    points.push_back(*georeference.to_mission({lat, lon}));
  }
  REQUIRE(points.size() > 20);
  CHECK(mission::distance(points.front(), {-20.26, -20.26}) < 0.001);
  CHECK(mission::distance(points.back(), {20.26, 20.26}) < 0.001);
  double s = 0, worst = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    for (double t = 0.25; t <= 1; t += 0.25) {
      const mission::Point p{points[i - 1].x + t * (points[i].x - points[i - 1].x),
                             points[i - 1].y + t * (points[i].y - points[i - 1].y)};
      s = path.nearest_near(p, s, 1, 40);
      worst = std::max(worst, mission::distance(p, path.at(s).at));
    }
  CHECK(worst < 0.0101);
}

TEST_CASE("each loss is listed once, with its count") {
  const std::string text =
      with("# words\nPOINT 0 0 1 0.3 -1 5 -1 note\nPOINT 5 0 1 0.3 -1 5 -1\nDEPTH 3 0 -1\nLINE 5 0 9 0 0.3 -1\n");
  Expected kml(exported(text, Target::kml).diagnostics);
  CHECK(kml.take(code::kLossPoint) == "radius, speed, heading and time of 2 POINT sections are not in kml");
  CHECK(kml.take(code::kLossDepth) == "1 DEPTH and ALT sections are not in kml");
  kml.take(code::kLossSpeed);
  CHECK(kml.take(code::kLossComment) == "2 comments and user data are not in kml");
  Expected wpl(exported(text, Target::wpl).diagnostics);
  wpl.take(code::kLossComment);
}

TEST_CASE("a plan holds waypoints, speeds, holds, depths and loitering") {
  const std::string text =
      with("POINT 0 0 1.5 0.3 90 5 -1\nDEPTH 3 20 -1\nLINE 0 0 9 0 0.5 -1\nLINE 9 0 9 5 0.5 -1\nPOINT 9 9 2 -1 -1 -1 -1\n");
  const std::string wpl = *exported(text, Target::wpl).value;
  std::istringstream in(wpl);
  std::string line;
  std::vector<std::vector<std::string>> rows;
  std::getline(in, line);
  CHECK(line == "QGC WPL 110");
  while (std::getline(in, line)) {
    std::vector<std::string> row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    REQUIRE(row.size() == 12);
    rows.push_back(row);
  }
  std::string commands;
  for (const auto& row : rows) commands += row[3] + " ";
  CHECK(commands == "16 178 16 93 178 16 16 17 ");
  CHECK(rows[2][4] == "5");
  CHECK(rows[2][5] == "1.5");
  CHECK(rows[2][7] == "90");
  CHECK(rows[5][10] == "-3");
  CHECK(rows[7][6] == "2");
}

TEST_CASE("what cannot be exported says why") {
  Expected no_zone(exported("3\n1 2\nLINE 0 0 1 0 1 -1\n", Target::kml).diagnostics);
  no_zone.take(code::kExportPlace);
  Expected several(exported(medusa::test_data::kFormation, Target::qgc_plan).diagnostics);
  CHECK(several.take(code::kExportVehicle) ==
        "qgc-plan takes one vehicle's path, the mission has those of 1, 2, 3: choose one (--vehicle)");
  ExportOptions few;
  few.max_points = 10;
  Expected size(exported(medusa::test_data::kLawnMower, Target::svg, few).diagnostics);
  size.take(code::kExportSize);
  Expected nowhere(exported(with("LINE 0 0 1e300 0 1 -1\n"), Target::geojson).diagnostics);
  nowhere.take(code::kExportPlace);
}

TEST_CASE("pictures keep arcs as arcs") {
  CHECK(count(*exported(medusa::test_data::kLawnMower, Target::svg).value, "A10.13 10.13 0 0 ") == 4);  // two halves each
  const std::string dxf = *exported(medusa::test_data::kLawnMower, Target::dxf).value;
  CHECK(count(dxf, "POLYLINE") == 1);
  CHECK(count(dxf, "VERTEX") == 8);
  const std::size_t at = dxf.find("\n42\n-0.4142");  // tan(180 / 8 degrees), clockwise
  CHECK(at != std::string::npos);
}

TEST_CASE("csv samples carry time and gamma") {
  ExportOptions options;
  options.step = 10;
  const std::string csv = *exported(with("LINE 0 0 20 0 0.5 -1\nPOINT 20 0 1 -1 -1 -1 -1\n"), Target::csv, options).value;
  CHECK(count(csv, "\n") == 5);
  CHECK(csv.find("-1,3,LINE,10,0,491900.163,4290832.905,") != std::string::npos);
  CHECK(csv.find(",90,0,0.5,10,20\n") != std::string::npos);
}

TEST_CASE("KML comes back as the path that was exported") {
  const auto m = *medusa::read_mission(medusa::test_data::kLawnMower, "m").value;
  const std::string kml = *export_mission(m, georeference_of(m), Target::kml, {}, "m").value;
  const auto back = import_kml(kml, {}, "m.kml");
  Expected(back.diagnostics);
  REQUIRE(back.value);
  CHECK(back.value->reference->zone == "29S");
  CHECK(std::abs(back.value->reference->easting - (491890.163 - 20.26)) < 0.001);
  const mission::Path original(m.sections), read(back.value->sections);
  CHECK(std::abs(original.length() - read.length()) < 0.05);
  CHECK(back.value->sections[0].velocity == 0.3);
}

TEST_CASE("KML's problems have codes and places") {
  const std::string head = "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Placemark>\n",
                    tail = "</Placemark></Document></kml>\n";
  const auto read = [&](const std::string& body) { return import_kml(head + body + tail, {}, "m").diagnostics; };
  Expected none(read(""));
  none.take(code::kKml);
  Expected bad(read("<LineString><coordinates>1,2 x,3 4,5</coordinates></LineString>"));
  bad.take(kml::code::kCoordinates, Position{2, 13});
  Expected far(read("<LineString><coordinates>5.9,40 6.1,40</coordinates></LineString>"));
  far.take(code::kKmlZone);
  Expected high(read("<LineString><coordinates>5,40,0 5.1,40,7</coordinates></LineString>"));
  high.take(code::kKmlAltitude);
  const auto prefixed = import_kml(
      "<k:kml "
      "xmlns:k=\"http://www.opengis.net/kml/2.2\"><k:Point><k:coordinates>5,40</k:coordinates></k:Point></k:kml>",
      {}, "m");
  REQUIRE(prefixed.value);
  CHECK(prefixed.value->sections[0].kind == medusa::Kind::point);
}

TEST_CASE("KML: what is skipped, joined or wrong is reported where it is, and nothing else") {
  const std::string head =
      "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document><Placemark>\n";
  const auto read = [&](const std::string& body) {
    return import_kml(head + body + "</Placemark></Document></kml>\n", {}, "m");
  };
  // 85 degrees north is on the earth and outside UTM.
  Expected pole(read("<LineString><coordinates>10,85 10.1,85</coordinates></LineString>").diagnostics);
  for (int i = 0; i < 2; ++i) pole.take(code::kKml, Position{2, 13});
  Expected beyond(read("<LineString><coordinates>10,95 10.1,95</coordinates></LineString>").diagnostics);
  for (int i = 0; i < 2; ++i) beyond.take(kml::code::kCoordinates, Position{2, 13});
  Expected blank(read("<LineString><coordinates>-9.1, 38.7 -9.2, 38.8</coordinates></LineString>").diagnostics);
  blank.take(kml::code::kCoordinates, Position{2, 13});
  Expected polygon(read("<Polygon/>").diagnostics);
  polygon.take(kml::code::kSkipped, Position{2, 1});
  polygon.take(code::kKml);
  const auto track = read("<gx:Track><when/><gx:coord>-9.1 38.7 0</gx:coord><gx:coord>-9.1001 38.7 0</gx:coord></gx:Track>");
  REQUIRE(track.value);
  CHECK(track.value->sections.size() == 1);
  const auto two = read(
      "<LineString><coordinates>-9.1,38.7 -9.1001,38.7</coordinates></LineString>\n"
      "<LineString><coordinates>-9.1001,38.7 -9.1002,38.7</coordinates></LineString>\n"
      "<LineString><coordinates>-9.1,38.71 -9.1001,38.71</coordinates></LineString>");
  Expected gap(two.diagnostics);
  gap.take(code::kKmlGap, Position{4, 13});
  REQUIRE(two.value);
  CHECK(two.value->sections.size() == 3);
}

TEST_CASE("a vehicle's track has the sections for all and its own, with and without --vehicle") {
  const auto m = *medusa::read_mission(
                      "3\n491890.163 4290832.905 29S\nLINE 0 0 10 0 0.5 -1\nLINE 10 0 20 0 0.5 1\n"
                      "LINE 10 0 20 5 0.5 2\nLINE 20 0 30 0 0.5 -1\n",
                      "m")
                      .value;
  const auto all = tracks(m, {});
  REQUIRE(all.size() == 3);
  CHECK(all[0].vehicle == medusa::kAllVehicles);
  CHECK(all[0].sections.size() == 2);
  for (const std::size_t i : {1U, 2U}) {
    CHECK(all[i].sections == tracks(m, static_cast<int>(i))[0].sections);
    REQUIRE(all[i].sections.size() == 3);
    CHECK(all[i].sections[1].vehicle == static_cast<int>(i));
  }
}

TEST_CASE("a formation of very many vehicles is refused before its tracks are made, and quick if it is small") {
  std::string list = "FORMATION", sections;
  for (int i = 1; i <= 40'000; ++i) {
    list += " " + std::to_string(i) + " 0 " + std::to_string(i);
    sections += "LINE 0 0 10 0 0.5 " + std::to_string(i) + "\n";
  }
  const std::string head = "3\n491890.163 4290832.905 29S\n" + list + "\n";
  const auto own = medusa::read_mission(head + sections, "m");
  REQUIRE(own.value);
  CHECK(tracks(*own.value, {}).size() == 40'000);
  std::string common;
  for (int i = 0; i < 400; ++i) common += "LINE 0 0 10 0 0.5 -1\n";
  const auto many = medusa::read_mission(head + common, "m");
  REQUIRE(many.value);
  const auto refused = export_mission(*many.value, georeference_of(*many.value), Target::svg, {}, "m");
  CHECK_FALSE(refused.value);
  CHECK(test::all_text(refused.diagnostics).find("40000 vehicles sail 16000000 sections") != std::string::npos);
}

TEST_CASE("extreme and mutated missions are exported or refused, never more") {
  const std::string wild[] = {with("LINE -1e308 0 1e308 0 1e-320 -1\nARC 1e-320 0 0 0 -1e-320 0 1 1 1e308 -1\nPOINT "
                                   "1e308 1e308 1e308 1e308 -1e308 1e308 -1\n"),
                              with("FORMATION 1 1e308 1e308 2 0 -1e308\nARC 1e-300 0 0 0 0 1e-300 1e308 -1 1e308 "
                                   "-1\nLINE 1e308 1e308 -1e308 -1e308 1 -1\n"),
                              with("ARC 1e9 0 0 0 -1e9 0 1 1 1e9 -1\n"), "3\n1e308 1e308 29S\nLINE 1e308 0 0 0 1 -1\n"};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const std::string text =
        seed < 4 ? wild[seed]
                 : simbatch::test::mutated(seed % 2 != 0 ? medusa::test_data::kLawnMower : medusa::test_data::kFormation, seed);
    const auto parsed = medusa::read_mission(text, "m");
    if (!parsed.value) continue;
    for (const Target target :
         {Target::geojson, Target::kml, Target::qgc_plan, Target::wpl, Target::csv, Target::svg, Target::dxf}) {
      ExportOptions options;
      options.max_points = 100'000;
      const auto result = export_mission(*parsed.value, georeference_of(*parsed.value), target, options, "m");
      CHECK((result.value || result.diagnostics.has_errors()));
    }
  }
}

TEST_CASE("any text is read as KML or refused") {
  const auto m = *medusa::read_mission(medusa::test_data::kLawnMower, "m").value;
  const std::string kml = *export_mission(m, georeference_of(m), Target::kml, {}, "m").value;
  for (std::uint64_t seed = 0; seed < 500; ++seed) (void)import_kml(simbatch::test::mutated(kml, seed), {}, "m");
  simbatch::test::for_every_prefix(
      kml, [](std::string_view prefix) { (void)import_kml(prefix, {}, "m"); }, 300);
}

TEST_CASE("versions 2 and 5 become version 3") {
  const auto v5 = *medusa::read_mission("5\n43.933137 15.444171\n0 0\nARC 0 0 5 0 10 0 0.3 -1 5 -1\n", "m").value;
  const auto m = to_version3(v5, false);
  CHECK(m.version == 3);
  CHECK(std::abs(m.reference->easting - 535650.996) < 0.0011);
  CHECK(std::abs(m.reference->northing - 4864542.436) < 0.0011);
  CHECK(m.reference->zone == "33T");
  CHECK(to_version3(v5, true).sections[0].direction == 1);
  CHECK_FALSE(m.origin);
}
