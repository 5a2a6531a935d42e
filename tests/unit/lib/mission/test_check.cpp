#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lib/mission/check.hpp"
#include "lib/mission/codes.hpp"
#include "lib/mission/georeference.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/medusa/examples.hpp"

using namespace simbatch;
using namespace simbatch::mission;
using medusa::test_data::with;
using simbatch::test::Expected;

TEST_CASE("the documentation's missions are clean") {
  for (const std::string& text : {medusa::test_data::kLawnMower, medusa::test_data::kFormation}) {
    const CheckResult result = check_mission(text, "m");
    Expected(result.diagnostics);
    CHECK(result.summary.sections() == 5);
    CHECK(result.summary.kept_by_vehicle == 5);
    CHECK(result.summary.kept_by_console == 5);
    CHECK(result.summary.georeference);
  }
  const Summary s = check_mission(medusa::test_data::kLawnMower, "m").summary;
  CHECK(s.length == doctest::Approx(81.04 + 2 * 3.14159265358979 * 10.13));
  CHECK(s.duration == doctest::Approx(s.length / 0.3));
}

TEST_CASE("each code of the checks has a mission that provokes it, at its place") {
  struct Row {
    const Code& code;
    std::string text;
    Position at;
  };
  const Row rows[] = {
      {code::kArcRadius, with("ARC 0 0 10 0 22.16 0 0.3 1 10 -1\n"), {3, 1}},
      {code::kArcNominal, with("ARC 0 0 13.89 0 27.78 0 0.3 1 12.5 -1\n"), {3, 1}},
      {code::kArcZero, with("ARC 0 0 0 0 2 0 0.3 1 1 -1\n"), {3, 1}},
      {code::kArcFull, with("ARC 0 0 5 0 0 0 0.3 1 5 -1\n"), {3, 1}},
      {code::kArcHalf, with("ARC 5 0 0 0 0 5 0.3 1 5 -1\n"), {3, 1}},
      {code::kLineZero, with("LINE 1 1 1 1 0.3 -1\n"), {3, 1}},
      {code::kJoinGap, with("LINE 0 0 5 0 0.3 2\nLINE 0 9 4 9 0.3 3\nLINE 5.5 0 9 0 0.3 2\n"), {5, 1}},
      {code::kJoinHeading, with("LINE 0 0 5 0 0.3 -1\nLINE 5 0 5 5 0.3 -1\n"), {4, 1}},
      {code::kSpeed, with("LINE 0 0 5 0 0 -1\n"), {3, 1}},
      {code::kSpeedLow, with("LINE 0 0 5 0 0.0057 -1\n"), {3, 1}},
      {code::kSpeedHigh, with("LINE 0 0 5 0 2 -1\n"), {3, 1}},
      {code::kPointRadius, with("POINT 0 0 0 -1 -1 5 -1\n"), {3, 1}},
      {code::kPointHold, with("POINT 0 0 1 -1 -1 -1 -1\nPOINT 5 5 1 -1 -1 0 -1\n"), {3, 1}},
      {code::kUnreached, with("LINE 0 0 5 0 0.3 -1\nDEPTH 3 10 -1\n"), {4, 1}},
      {code::kDepthNegative, with("DEPTH -3 10 -1\n"), {3, 1}},
      {code::kDepthEndless, with("DEPTH 3 0 -1\nDEPTH 5 10 -1\n"), {4, 1}},
      {code::kFormationId, with("FORMATION 1 0 0\nLINE 0 0 5 0 0.3 2\n"), {4, 1}},
      {code::kFormationRadius, with("FORMATION 1 0 -6\nARC 0 0 5 0 10 0 0.3 -1 5 -1\n"), {3, 1}},
      {code::kFormationAhead, with("FORMATION 1 4 0\nARC 0 0 5 0 10 0 0.3 -1 5 -1\n"), {3, 1}},
      {code::kVehicleMixed, with("LINE 0 0 5 0 0.3 -1\nLINE 0 1 5 1 0.3 2\n"), {4, 1}},
      {code::kReferenceZero, "3\n0 0 29S\nLINE 491890 4290832 491990 4290832 0.3 -1\n", {2, 1}},
      {code::kZoneMissing, "3\n491890.163 4290832.905\nLINE 0 0 5 0 0.3 -1\n", {2, 1}},
      {code::kZone, "3\n491890.163 4290832.905 77S\nLINE 0 0 5 0 0.3 -1\n", {2, 24}},
      {code::kZone, "3\n491890.163 4290832.905 29\nLINE 0 0 5 0 0.3 -1\n", {2, 24}},
      {code::kZoneBand, "3\n502757.593 4625051.051 31S\nLINE 0 0 5 0 0.3 -1\n", {2, 24}},
      {code::kZoneHemisphere, "3\n491890.163 4290832.905 29N\nLINE 0 0 5 0 0.3 -1\n", {2, 24}},
      {code::kZoneHemisphere, "3\n334000 6252000 56S\nLINE 0 0 5 0 0.3 -1\n", {2, 16}},
      {code::kFar, with("LINE 0 0 1e7 1e7 0.3 -1\n"), {3, 1}},
      {code::kPlace, "3\n91890.163 94290832.905 29S\nLINE 0 0 5 0 0.3 -1\n", {2, 1}},
  };
  std::vector<std::string_view> provoked;
  for (const Row& row : rows) {
    CAPTURE(row.text);
    Expected left(check_mission(row.text, "m").diagnostics);
    left.take(row.code, row.at);
    provoked.push_back(row.code.name);
  }
  const auto of_conversions = [](std::string_view name) {  // test_export.cpp has these
    return name.starts_with("mission-export-") || name.starts_with("mission-loss-") || name.starts_with("mission-kml");
  };
  for (const Code* code : code::kAll) {
    if (of_conversions(code->name)) continue;
    CAPTURE(code->name);
    const auto begins = [&](std::string_view prefix) { return code->name.starts_with(prefix); };
    if (begins("mission-export-") || begins("mission-loss-") || begins("mission-kml")) continue;  // test_export.cpp
    CHECK(std::find(provoked.begin(), provoked.end(), code->name) != provoked.end());
  }
}

TEST_CASE("a mission across the limit of two bands names that of its reference or of its sections") {
  // The reference is 11 m south of 48 degrees north, in band T; the section begins 39 m farther north, in band U.
  const auto zone = [](std::string_view letter) {
    return check_mission("3\n500000 5316286 32" + std::string(letter) + "\nLINE 0 39 0 80 0.3 -1\n", "m").diagnostics;
  };
  CHECK(zone("T").empty());
  CHECK(zone("U").empty());
  Expected(zone("V")).take(code::kZoneBand, Position{2, 16});
}

TEST_CASE("a message says by how much") {
  Expected left(check_mission(with("ARC 0 0 10.13 0 22.42 0 0.3 1 10.13 -1\n"), "m").diagnostics);
  CHECK(left.take(code::kArcRadius) == "arc ends 2.16 m off its circle (radius 10.13 m)");
}

TEST_CASE("UTM places of real references come out to 1e-8 degrees, and 29S is Lisbon") {
  struct Row {
    double easting, northing;
    const char* zone;
    double lat, lon;
  };
  const Row rows[] = {{491890.163, 4290832.905, "29S", 38.766170275, -9.093349518},
                      {491854.338, 4290819.848, "29S", 38.766052279, -9.093761732},
                      {502757.593, 4625051.051, "31T", 41.777299449, 3.033181732},
                      {502757.593, 4625051.051, "31S", 41.777299449, 3.033181732},
                      {357725.443829966, 4264777.54945621, "26S", 38.520024721, -28.632030671}};
  for (const Row& row : rows) {
    Diagnostics ignored;
    medusa::Reference r{row.easting, row.northing, row.zone, {2, 1}, {2, 1}};
    const auto georeference = find_georeference(r, {}, "", {0, 0}, ignored);
    REQUIRE(georeference);
    const geo::LatLon at = *georeference->at({0, 0});
    CHECK(std::abs(at.lat - row.lat) < 1e-8);
    CHECK(std::abs(at.lon - row.lon) < 1e-8);
  }
  const auto r = to_reference({43.933137, 15.444171, 0, 0, {}});
  REQUIRE(r);
  CHECK(std::abs(r->easting - 535650.996) < 1e-3);
  CHECK(std::abs(r->northing - 4864542.436) < 1e-3);
  CHECK(r->zone == "33T");
}

TEST_CASE("grid north is told: hardly off in Lisbon, a degree in Faial") {
  Diagnostics ignored;
  const auto at = [&](double e, double n, const char* zone) {
    return geo::degrees(find_georeference(medusa::Reference{e, n, zone, {}, {}}, {}, "", {0, 0}, ignored)->convergence());
  };
  CHECK(at(491890.163, 4290832.905, "29S") == doctest::Approx(-0.058).epsilon(0.01));
  CHECK(at(502757.593, 4625051.051, "31S") == doctest::Approx(0.022).epsilon(0.02));
  CHECK(at(357725.444, 4264777.549, "26S") == doctest::Approx(-1.017).epsilon(0.001));
}

TEST_CASE("zones are a number and a band, in any case of the letter") {
  CHECK(parse_zone("29S")->north);
  CHECK(parse_zone("29s")->band == 'S');
  CHECK_FALSE(parse_zone("29M")->north);
  CHECK(parse_zone("29")->band == 0);
  for (const char* text : {"", "S", "0S", "61S", "29I", "29O", "29A", "29SS", "129S", "29 S", "-1S"})
    CHECK_FALSE(parse_zone(text));
  CHECK(band_of(38.77) == 'S');
  CHECK(band_of(83.9) == 'X');
  CHECK(band_of(-80) == 'C');
  CHECK(band_of(-81) == 0);
}

TEST_CASE("real missions: the verdict of the checks") {
  struct Row {
    const char* file;
    std::vector<std::pair<std::string_view, int>> codes;  // each this often
    std::size_t vehicle;
  };
  const Row rows[] = {
      {"20151112_Mission_side_by_side.txt", {}, 3},
      {"20151127_1539_30m.txt", {{"mission-vehicle-mixed", 1}}, 9},
      {"lm_50m_10mR.txt", {{"mission-gamma-column", 5}}, 0},
      {"mission_WP_test.txt", {{"mission-zone-missing", 0}}, 4},
      {"missao_mission_specification.txt", {{"mission-formation-ahead", 1}, {"mission-unreached", 1}}, 4},
      {"mission_U_09_03_2012.txt", {{"mission-version-old", 1}}, 0},
      {"caddy_mission_dubins_2.txt", {{"mission-version-old", 1}, {"mission-arc-half", 30}}, 0},
  };
  for (const Row& row : rows) {
    const auto file = simbatch::test::shared_file(std::string("corpus/mission/") + row.file);
    if (!file) return;
    CAPTURE(row.file);
    const CheckResult result = check_mission(simbatch::test::read_text(*file), row.file);
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    CHECK(result.summary.kept_by_vehicle == row.vehicle);
    for (const auto& [code, count] : row.codes) {
      const std::string_view name = code;
      CHECK(std::count_if(result.diagnostics.items().begin(), result.diagnostics.items().end(),
                          [&](const Diagnostic& d) { return d.code == name; }) == count);
    }
    std::size_t known = 0;
    for (const auto& row_code : row.codes) known += static_cast<std::size_t>(row_code.second);
    CHECK(result.diagnostics.items().size() == known);
  }
}

TEST_CASE("the checks take any text") {
  for (std::uint64_t seed = 0; seed < 3000; ++seed)
    (void)check_mission(
        simbatch::test::mutated(seed % 2 != 0 ? medusa::test_data::kLawnMower : medusa::test_data::kFormation, seed), "m");
}

TEST_CASE("the journey to a POINT takes time, from where the same vehicle was before") {
  struct Row {
    const char* sections;
    double seconds;
  };
  for (const Row& row : {
           Row{"POINT 0 0 1 0.5 -1 10 -1\n", 10},  // where it comes from is not known
           Row{"POINT 0 0 1 0.5 -1 10 -1\nPOINT 30 40 1 0.5 -1 5 -1\n", 10 + 50 / 0.5 + 5},
           Row{"LINE 0 0 6 8 0.5 -1\nPOINT 6 20 1 0.4 -1 0 -1\n", 10 / 0.5 + 12 / 0.4},
           Row{"POINT 0 0 1 0.5 -1 0 -1\nDEPTH 3 7 -1\nPOINT 0 9 1 0.5 -1 0 -1\n", 7 + 9 / 0.5},
           Row{"POINT 0 0 1 0.5 -1 0 -1\nPOINT 0 0 1 0.5 -1 3 -1\n", 3},
           Row{"POINT 0 0 1 -1 -1 4 -1\nPOINT 9 0 1 -1 -1 3 -1\n", 7},  // automatic speed: only what is known counts
           Row{"POINT 0 0 1 0.5 -1 0 1\nPOINT 100 0 1 0.5 -1 0 2\nPOINT 10 0 1 0.5 -1 0 1\n", 10 / 0.5},
       }) {
    CAPTURE(row.sections);
    const std::string text = with(row.sections);
    CHECK(check_mission(text, "m").summary.duration == doctest::Approx(row.seconds));
  }
  // A POINT that holds ends nothing: its time is not counted.
  const Summary holds = check_mission(with("POINT 0 0 1 0.5 -1 2 -1\nPOINT 5 0 1 0.5 -1 -1 -1\n"), "m").summary;
  CHECK(holds.endless);
  CHECK(holds.duration == doctest::Approx(2));
}

TEST_CASE("the duration of a mission for several vehicles is that of the one that sails longest") {
  const std::string head = "3\n491890.163 4290832.905 29S\n";
  CHECK(check_mission(head + "LINE 0 0 10 0 0.5 1\nLINE 0 5 30 5 0.5 2\n", "m").summary.duration == doctest::Approx(60));
  CHECK(check_mission(head + "LINE 0 0 10 0 0.5 -1\nLINE 0 5 30 5 0.5 2\nDEPTH 3 7 1\n", "m").summary.duration ==
        doctest::Approx(80));
}

TEST_CASE("a section to where the earth has no place is an error at its line") {
  const std::string head = "3\n491890.163 4290832.905 29S\n";
  for (const char* line : {"LINE 0 0 1e308 1e308 0.3 -1\n", "LINE 0 0 1e7 1e7 0.3 -1\n", "POINT 1e9 0 2 -1 -1 0 -1\n"}) {
    CAPTURE(line);
    auto result = check_mission(head + "LINE -10 0 0 0 0.3 -1\n" + line, "m");
    bool found = false;
    for (const Diagnostic& d : result.diagnostics.items()) found = found || (d.code == code::kFar.name && d.at.line == 4);
    CHECK(found);
  }
}

TEST_CASE("without a zone a section is too far where no zone has it") {
  const auto is_far = [](const char* reference, const char* line) {
    const CheckResult result = check_mission(std::string("3\n") + reference + "\n" + line, "m");
    const bool told = test::all_text(result.diagnostics).find("mission-far") != std::string::npos;
    CHECK(told == result.summary.is_far);
    return told;
  };
  for (const char* reference : {"0 0", "491890.163 4290832.905"}) {
    CAPTURE(reference);
    CHECK(is_far(reference, "LINE 0 0 9e7 0 0.3 -1\n"));
    CHECK(is_far(reference, "LINE 0 0 1e7 1e7 0.3 -1\n"));
    CHECK(is_far(reference, "LINE 0 0 1e308 1e308 0.3 -1\n"));
    CHECK_FALSE(is_far(reference, "LINE 0 0 -5e4 -5e4 0.3 -1\n"));
  }
  CHECK_FALSE(is_far("0 0", "LINE 491890 4290832 491990 4290832 0.3 -1\n"));
  CHECK_FALSE(is_far("0 0", "LINE 491890 9290832 491990 9290832 0.3 -1\n"));
}
