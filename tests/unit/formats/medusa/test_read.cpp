#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "formats/medusa/codes.hpp"
#include "formats/medusa/medusa.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/medusa/examples.hpp"

using namespace simbatch;
using namespace simbatch::medusa;
using simbatch::test::Expected;
using std::numbers::pi;
using test_data::with;

namespace {
struct Values {
  Kind kind;
  double xi, yi, xc, yc, xe, ye;
  int direction;
  double radius, gamma_s, gamma_e;
};

void compare(const Mission& m, const std::vector<Values>& expected) {
  REQUIRE(m.sections.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    const Section& s = m.sections[i];
    const Values& v = expected[i];
    CHECK(s.kind == v.kind);
    CHECK(s.xi == v.xi);
    CHECK(s.yi == v.yi);
    CHECK(s.xc == v.xc);
    CHECK(s.yc == v.yc);
    CHECK(s.xe == v.xe);
    CHECK(s.ye == v.ye);
    CHECK(s.velocity == 0.3);
    CHECK(s.direction == v.direction);
    CHECK(s.radius == v.radius);
    CHECK(s.heading == -1);
    CHECK(s.time == -1);
    CHECK(s.vehicle == -1);
    CHECK(s.depth == 0);
    CHECK(std::abs(s.gamma_s - v.gamma_s) < 1e-9);
    CHECK(std::abs(s.gamma_e - v.gamma_e) < 1e-9);
  }
}
}  // namespace

TEST_CASE("the documentation's lawn mower reads to hand-checked sections") {
  const auto parsed = read_mission(test_data::kLawnMower, "m");
  Expected(parsed.diagnostics);
  REQUIRE(parsed.value);
  const Mission& m = *parsed.value;
  CHECK(m.version == 3);
  REQUIRE(m.reference);
  CHECK(m.reference->easting == 491890.163);
  CHECK(m.reference->northing == 4290832.905);
  CHECK(m.reference->zone == "29S");
  const double arc = pi * 10.13;
  compare(m, {{Kind::line, -20.26, -20.26, -1, -1, -20.26, 10.13, 0, 0, 0, 30.39},
              {Kind::arc, -20.26, 10.13, -10.13, 10.13, 0, 10.13, -1, 10.13, 30.39, 30.39 + arc},
              {Kind::line, 0, 10.13, -1, -1, 0, -10.13, 0, 0, 30.39 + arc, 50.65 + arc},
              {Kind::arc, 0, -10.13, 10.13, -10.13, 20.26, -10.13, 1, 10.13, 50.65 + arc, 50.65 + 2 * arc},
              {Kind::line, 20.26, -10.13, -1, -1, 20.26, 20.26, 0, 0, 50.65 + 2 * arc, 81.04 + 2 * arc}});
  CHECK(m.sections[0].line == 6);
}

TEST_CASE("the documentation's formation reads to hand-checked sections") {
  const auto parsed = read_mission(test_data::kFormation, "m");
  Expected(parsed.diagnostics);
  REQUIRE(parsed.value);
  CHECK(parsed.value->formation == std::vector<Offset>{{1, 0, -3}, {2, 0, 0}, {3, 0, 3}});
  const double arc = pi * 12.29;
  compare(*parsed.value, {{Kind::line, -24.57, -24.57, -1, -1, -24.57, 12.29, 0, 0, 0, 36.86},
                          {Kind::arc, -24.57, 12.29, -12.29, 12.29, 0, 12.29, -1, 12.29, 36.86, 36.86 + arc},
                          {Kind::line, 0, 12.29, -1, -1, 0, -12.29, 0, 0, 36.86 + arc, 61.44 + arc},
                          {Kind::arc, 0, -12.29, 12.29, -12.29, 24.57, -12.29, 1, 12.29, 61.44 + arc, 61.44 + 2 * arc},
                          {Kind::line, 24.57, -12.29, -1, -1, 24.57, 24.57, 0, 0, 61.44 + 2 * arc, 98.3 + 2 * arc}});
}

TEST_CASE("every primitive with every optional field is read") {
  const auto parsed = read_mission(with("FORMATION 1 0.5 2 7 0 -2\nBIAS 2 1 1\n"
                                        "POINT 1 2 1.5 -1 90 5\nPOINT 1 2 1.5 0.4 -1 0 3\nPOINT 1 2 3 1 0 -1 2 7.5 some words\n"
                                        "DEPTH 3 10 -1\nALT 2.5 0 4 11\n"
                                        "LINE 0 0 1 0 0.5\nLINE 0 0 1 0 0.5 2 note this\nLINE 0 0 1 0 0.5 2 9.25 81.4 x\n"
                                        "ARC 1 0 1 1 1 2 0.5 1 1 6\n"),
                                   "m");
  Expected left(parsed.diagnostics);
  left.take(code::kGamma);
  REQUIRE(parsed.value);
  const Mission& m = *parsed.value;
  CHECK(m.formation.size() == 2);
  CHECK(m.bias == std::vector<Offset>{{2, 1, 1}});
  REQUIRE(m.sections.size() == 9);
  CHECK(m.sections[0].xe == 1);
  CHECK(m.sections[0].ye == 2);
  CHECK(m.sections[0].radius == 1.5);
  CHECK(m.sections[0].velocity == -1);
  CHECK(m.sections[0].heading == 90);
  CHECK(m.sections[0].time == 5);
  CHECK(m.sections[0].vehicle == -1);
  CHECK(m.sections[1].vehicle == 3);
  CHECK(m.sections[2].gamma == 7.5);
  CHECK(m.sections[2].user_data == "some words");
  CHECK(m.sections[3].kind == Kind::depth);
  CHECK(m.sections[3].depth == 3);
  CHECK(m.sections[3].time == 10);
  CHECK(m.sections[4].kind == Kind::alt);
  CHECK(m.sections[4].vehicle == 4);
  CHECK(m.sections[4].gamma == 11);
  CHECK(m.sections[6].user_data == "note this");
  CHECK(m.sections[7].gamma == 9.25);
  CHECK(m.sections[7].user_data == "81.4 x");
  CHECK(m.sections[8].direction == 1);
  CHECK(m.sections[8].vehicle == 6);
}

TEST_CASE("gamma restarts after POINT, DEPTH and ALT, and counts sections of other vehicles") {
  const auto m =
      *read_mission(with("LINE 0 0 3 4 1 1\nLINE 3 4 3 5 1 2\nPOINT 0 0 1 -1 -1 0 -1\nLINE 0 0 2 0 1 -1\nDEPTH 1 1 -1\n"
                         "LINE 0 0 7 0 1 -1\nALT 1 1 -1\nARC 0 0 1 0 2 0 1 -1 5 -1\n"),
                    "m")
           .value;
  const double expected[][2] = {{0, 5}, {5, 6}, {0, 0}, {0, 2}, {0, 0}, {0, 7}, {0, 0}, {0, 5 * pi}};
  for (std::size_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(m.sections[i].gamma_s == doctest::Approx(expected[i][0]).epsilon(1e-15));
    CHECK(m.sections[i].gamma_e == doctest::Approx(expected[i][1]).epsilon(1e-15));
  }
}

TEST_CASE("a closed arc has no length clockwise and a full circle counter-clockwise, by the vehicle's rule") {
  const auto m = *read_mission(with("ARC 1 0 0 0 1 0 1 -1 1 -1\nARC 1 0 0 0 1 0 1 1 1 -1\n"), "m").value;
  CHECK(m.sections[0].gamma_e == 0);
  CHECK(m.sections[1].gamma_e == doctest::Approx(2 * pi));
}

TEST_CASE("versions 2 and 5 are read in their own dialect") {
  const auto v2 = read_mission(
      "#Version Number\n2\n#Xrefpoint, Yrefpoint, Zone\n491952.326 4290847.696 29S\n"
      "ARC -100.000 0.000 -100.000 -25.000 -100.000 -50.000 0.500 -1.000 25.000\n"
      "LINE 0 0 1 0 0.5 7 words\n",
      "m");
  Expected old(v2.diagnostics);
  old.take(code::kVersionOld, Position{2, 1});
  REQUIRE(v2.value);
  CHECK(v2.value->version == 2);
  CHECK(v2.value->sections[0].direction == 1);  // the opposite sign of version 3
  CHECK(v2.value->sections[0].radius == 25);
  CHECK(v2.value->sections[1].vehicle == -1);
  CHECK(v2.value->sections[1].user_data == "7 words");

  const auto v5 = read_mission("5\n# Origin point\n43.93314 15.44417\n# Translation point\n1.5 -2\nLINE 0 0 1 0 0.3 -1\n", "m");
  Expected caddy(v5.diagnostics);
  caddy.take(code::kVersionOld);
  REQUIRE(v5.value);
  REQUIRE(v5.value->origin);
  CHECK(v5.value->origin->lat == 43.93314);
  CHECK(v5.value->origin->lon == 15.44417);
  CHECK(v5.value->origin->east == 1.5);
  CHECK(v5.value->origin->north == -2);
  CHECK(v5.value->sections.size() == 1);
}

TEST_CASE("numbers are read exactly, short and long") {
  const auto m =
      *read_mission(with("LINE .5 5. -0 1e-1 0.1\nLINE 123456789012345678 0.1234567890123456789 +5 -1E+2 1\n"), "m").value;
  REQUIRE(m.sections.size() == 2);
  CHECK(m.sections[0].xi == 0.5);
  CHECK(m.sections[0].yi == 5);
  CHECK(std::signbit(m.sections[0].xe));
  CHECK(m.sections[0].ye == 0.1);
  CHECK(m.sections[1].xi == 123456789012345678.0);
  CHECK(m.sections[1].yi == 0.1234567890123456789);
  CHECK(m.sections[1].xe == 5);
  CHECK(m.sections[1].ye == -100);
}

TEST_CASE("each code of the reader has a mission that provokes it, at its place") {
  struct Row {
    const Code& code;
    std::string text;
    Position at;
    Reader audience = Reader::spec;
    Severity severity = Severity::warning;
  };
  const std::string head = "3\n1 2 29S\n";
  const Row rows[] = {
      {code::kEncoding,
       "\xEF\xBB\xBF"
       "3\n1 2 29S\nLINE 0 0 1 0 1 -1\n",
       {1, 1},
       Reader::vehicle,
       Severity::error},
      {code::kEncoding, head + std::string("LINE 0 0 1 0 1 -1 a\0b\n", 22), {3, 1}},
      {code::kEmpty, head, {0, 0}},
      {code::kFields, head + "LINE 0 0 1 0\n", {3, 1}, Reader::spec, Severity::error},
      {code::kVersion, "4\n1 2 29S\n", {1, 1}, Reader::spec, Severity::error},
      {code::kVersion, "", {0, 0}, Reader::spec, Severity::error},
      {code::kVersion, "# only\n4\n1 2 29S\nLINE 0 0 1 0 1 -1\n", {2, 1}, Reader::spec, Severity::error},
      {code::kVersion, "3.7\n1 2 29S\nLINE 0 0 1 0 1 -1\n", {1, 1}},
      {code::kVersion, "1 2 29S\nLINE 0 0 1 0 1 -1\n", {1, 1}, Reader::spec, Severity::error},
      {code::kVersionOld, "2\n1 2 29S\nLINE 0 0 1 0 1\n", {1, 1}, Reader::vehicle, Severity::error},
      {code::kBlankVersion, "\n3\n1 2 29S\nLINE 0 0 1 0 1 -1\n", {1, 0}, Reader::vehicle, Severity::error},
      {code::kBlankReference, "3\n  \n1 2 29S\nLINE 0 0 1 0 1 -1\n", {2, 0}, Reader::vehicle, Severity::error},
      {code::kReferenceMissing, "3\nLINE 0 0 1 0 1 -1\n", {2, 1}, Reader::spec, Severity::error},
      {code::kReference, "3\neast 2 29S\nLINE 0 0 1 0 1 -1\n", {2, 1}, Reader::spec, Severity::error},
      {code::kOrigin, "5\n91 0\n0 0\nLINE 0 0 1 0 1 -1\n", {2, 1}, Reader::spec, Severity::error},
      {code::kKeyword, head + "LIME 0 0 1 0 1 -1\nPOINT 0 0 1 1 -1 0 -1\n", {3, 1}, Reader::spec, Severity::error},
      {code::kKeywordCase, head + "line 0 0 1 0 1 -1\n", {3, 1}, Reader::vehicle, Severity::error},
      {code::kIndent, head + " LINE 0 0 1 0 1 -1\n", {3, 2}, Reader::vehicle, Severity::error},
      {code::kCommentIndent, head + " # words\nLINE 0 0 1 0 1 -1\n", {3, 1}},
      {code::kFused, head + "LINE0 0 1 0 1 -1\n", {3, 5}},
      {code::kFused, head + "LINE0 0 1 0 1 -1\n", {3, 5}, Reader::console, Severity::error},
      {code::kSeparator, head + "LINE 0  0 1 0 1 -1\n", {3, 7}},
      {code::kSeparator, head + "LINE 0\t0 1 0 1 -1\n", {3, 7}, Reader::console, Severity::error},
      {code::kFields, head + "LINE 0 0 1 0\nPOINT 0 0 1 1 -1 0 -1\n", {3, 1}, Reader::spec, Severity::error},
      {code::kNumber, head + "LINE 0 zero 1 0 1\nPOINT 0 0 1 1 -1 0 -1\n", {3, 8}, Reader::spec, Severity::error},
      {code::kNumberDots,
       head + "POINT 20 -7.5.000 1.5 -1 -1 5 -1\nPOINT 0 0 1 1 -1 0 -1\n",
       {3, 10},
       Reader::spec,
       Severity::error},
      {code::kNumberComma, head + "LINE 0,0,1,0,1\nPOINT 0 0 1 1 -1 0 -1\n", {3, 6}, Reader::spec, Severity::error},
      {code::kNumberRange, head + "LINE 0 0 nan 0 1\nPOINT 0 0 1 1 -1 0 -1\n", {3, 10}, Reader::spec, Severity::error},
      {code::kNumberRange, head + "LINE 0 0 0x10 0 1\nPOINT 0 0 1 1 -1 0 -1\n", {3, 10}, Reader::spec, Severity::error},
      {code::kNumberRange, head + "LINE 0 0 1e999 0 1\nPOINT 0 0 1 1 -1 0 -1\n", {3, 10}, Reader::spec, Severity::error},
      {code::kVehicle, head + "LINE 0 0 1 0 1 -2\n", {3, 16}, Reader::spec, Severity::error},
      {code::kVehicleFloat, head + "LINE 0 0 1 0 1 -1.0\n", {3, 16}, Reader::vehicle, Severity::error},
      {code::kDirection, head + "ARC 0 0 1 0 2 0 1 0 1 -1\n", {3, 19}, Reader::spec, Severity::error},
      {code::kDirectionFloat, head + "ARC 0 0 1 0 2 0 1 -1.000 1 -1\n", {3, 19}, Reader::vehicle, Severity::error},
      {code::kGamma, head + "LINE 0 0 1 0 1 -1 1.0\n", {3, 19}},
      {code::kGamma, head + "LINE 0 0 1 0 1 -1 1.0\n", {3, 19}, Reader::vehicle, Severity::error},
      {code::kDiffers, head + "LINE 0 0 1 0 1 -1 nan\n", {3, 1}, Reader::vehicle, Severity::error},
      {code::kDepthFields, head + "DEPTH 3 10\n", {3, 1}, Reader::vehicle, Severity::error},
      {code::kDepthConsole, head + "ALT 3 10 -1\n", {3, 1}, Reader::console, Severity::error},
      {code::kFormationCount, head + "FORMATION 1 0\nLINE 0 0 1 0 1 -1\n", {3, 1}, Reader::spec, Severity::error},
      {code::kFormationBlank, head + "FORMATION 1 0 3  2 0 0\nLINE 0 0 1 0 1 -1\n", {3, 1}, Reader::vehicle, Severity::error},
      {code::kFormationBlank, head + "FORMATION 1 0 3 \r\nLINE 0 0 1 0 1 -1\r\n", {3, 1}},
      {code::kFormationDuplicate, head + "FORMATION 1 0 3 1 0 0\nLINE 0 0 1 0 1 -1\n", {3, 17}, Reader::spec, Severity::error},
      {code::kFormationLate, head + "LINE 0 0 1 0 1 -1\nFORMATION 1 0 3\n", {4, 1}},
  };
  std::vector<std::string_view> provoked;
  for (const Row& row : rows) {
    CAPTURE(row.text);
    ReadOptions options;
    options.audience = row.audience;
    const auto parsed = read_mission(row.text, "m", options);
    if (row.audience != Reader::spec || row.severity == Severity::error) CHECK(parsed.diagnostics.has_errors());
    for (const Diagnostic& d : parsed.diagnostics.items())
      if (d.code == row.code.name) CHECK(d.severity == row.severity);
    Expected left(parsed.diagnostics);
    left.take(row.code, row.at);
    if (row.text[0] == '5') left.take(code::kVersionOld);
    provoked.push_back(row.code.name);
  }
  for (const Code* code : code::kAll) {
    CAPTURE(code->name);
    CHECK(std::find(provoked.begin(), provoked.end(), code->name) != provoked.end());
  }
}

TEST_CASE("a broken line costs itself, not what follows it") {
  const auto parsed = read_mission(with("LINE 0 0 x 0 1\nLINE 0 0 1 0 1 -1\nARC 1\nLINE 1 0 2 0 1 -1\n"), "m");
  Expected left(parsed.diagnostics);
  left.take(code::kNumber, Position{3, 10});
  left.take(code::kFields, Position{5, 1});
  CHECK(parsed.value->sections.size() == 2);
}

TEST_CASE("any text gives a reading or diagnostics: every prefix, many mutations") {
  const std::string texts[] = {test_data::kLawnMower, test_data::kFormation, "5\n43.9 15.4\n0 0\nLINE 0 0 1 0 1 -1\n",
                               with("POINT 1 2 3 1 0 -1 2 7.5 some words\nDEPTH 3 10 -1\nALT 1 1 1\nBIAS 1 0 0\n")};
  for (const std::string& text : texts)
    simbatch::test::for_every_prefix(text, [](std::string_view prefix) { (void)read_mission(prefix, "m"); });
  for (std::uint64_t seed = 0; seed < 3000; ++seed) (void)read_mission(simbatch::test::mutated(texts[seed % 4], seed), "m");
  std::string long_line = "3\n1 2 29S\nLINE ";
  long_line.append(10'000'000, '7');
  const auto parsed = read_mission(long_line, "m");
  CHECK(parsed.diagnostics.errors() == 1);
}
