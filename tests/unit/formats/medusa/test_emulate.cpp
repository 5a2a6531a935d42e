#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/core/random.hpp"
#include "formats/medusa/emulate.hpp"
#include "formats/medusa/medusa.hpp"
#include "formats/medusa/scan_format.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/medusa/examples.hpp"

using namespace simbatch;
using namespace simbatch::medusa;
using test_data::with;

namespace {
/// Words that scanf's corners are made of.
std::string any_field(RandomStream& random) {
  static constexpr const char* kWords[] = {"1",          "-1",
                                           "+5",         "0x10",
                                           "0x1p3",      "0x",
                                           "nan",        "inf",
                                           "-INF",       "infinity",
                                           "infi",       "1e5",
                                           "1e",         "1e+",
                                           "1e-3",       ".5",
                                           "5.",         ".",
                                           "-",          "+-1",
                                           "1.2.3",      "1,5",
                                           "abc",        "1e999",
                                           "1e-999",     "99999999999999999999",
                                           "2147483648", "-1.0",
                                           "0.1",        "3.25",
                                           "",           "0x.8",
                                           "0xg",        "1e5.5",
                                           "nano",       "-.5e-2x",
                                           "00012",      "1d5",
                                           "0x1e+5"};
  return kWords[random.below(std::size(kWords))];
}
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(static_cast<double>(a)) && std::isnan(static_cast<double>(b)));
}
}  // namespace

TEST_CASE("scanf's conversions are those of the C library") {
  RandomStream random(1, "scanf");
  for (int round = 0; round < 40'000; ++round) {
    std::string text;
    for (int i = 0; i < 5; ++i) text += any_field(random) + (random.below(5) == 0 ? "" : random.below(4) == 0 ? " \t" : " ");
    CAPTURE(text);
    double a = 0, b = 0, d = 0, e = 0;
    float c = 0, f = 0;
    int n = 0, m = 0;
    const int expected = std::sscanf(text.c_str(), " %lf %f %d %lf", &a, &c, &n, &d);
    detail::ScanFormat scan(text);
    (void)(scan.next(b) && scan.next(f) && scan.next(m) && scan.next(e));
    REQUIRE(scan.converted() == std::max(0, expected));
    CHECK(same(a, b));
    CHECK(same(c, f));
    CHECK(n == m);
    CHECK(same(d, e));
    CHECK(detail::c_atoi(text) == std::atoi(text.c_str()));
    CHECK(same(detail::c_atof(text), std::atof(text.c_str())));
  }
}

TEST_CASE("the vehicle keeps and drops lines as its sscanf calls do") {
  RandomStream random(2, "lines");
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t i = 4 + random.below(9); i > 0; --i)
      text += " " + (random.below(6) == 0 ? any_field(random) : std::to_string(i));
    double v[7];
    float f[4];
    int k[2];
    CAPTURE(text);
    const std::string line = "LINE" + text, arc = "ARC" + text, point = "POINT" + text, depth = "DEPTH" + text;
    int res = std::sscanf(line.c_str(), "LINE %lf %lf %lf %lf %f %d %lf", v, v + 1, v + 2, v + 3, f, k, v + 4);
    CHECK(vehicle_line(line).is_section == (res == 5 || res == 6));
    res = std::sscanf(arc.c_str(), "ARC %lf %lf %lf %lf %lf %lf %f %d %f %d %lf", v, v + 1, v + 2, v + 3, v + 4, v + 5, f, k,
                      f + 1, k + 1, v + 6);
    CHECK(vehicle_line(arc).is_section == (res == 9 || res == 10));
    res = std::sscanf(point.c_str(), "POINT %lf %lf %f %f %f %f %d", v, v + 1, f, f + 1, f + 2, f + 3, k);
    CHECK(vehicle_line(point).is_section == (res >= 6));
    res = std::sscanf(depth.c_str(), "DEPTH %f %f %d", f, f + 1, k);
    CHECK((vehicle_line(depth).section.kind == Kind::depth) == (res == 3));
    CHECK(vehicle_line(depth).is_section);
  }
}

TEST_CASE("the reader's word on a line's outcome is the emulations' word on the text") {
  struct Count : MissionSink {
    void section(const Section&, ReaderOutcome outcome) override { add(outcome); }
    void lost(std::uint32_t, ReaderOutcome outcome) override { add(outcome); }
    void add(ReaderOutcome outcome) {
      vehicle += outcome.vehicle ? 1 : 0;
      console += outcome.console ? 1 : 0;
    }
    std::size_t vehicle = 0, console = 0;
  };
  const std::string base = with(
      "LINE 0 0 1 0 1 -1\nARC 1 0 1 1 1 2 0.5 1 1 2\nPOINT 1 2 1.5 -1 -1 5\nDEPTH 3 10 -1\nLINE 1 0 2 0 1 3 words\n"
      "ALT 1 1 1\nARC 1 0 1 1 1 2 0.5 -1 1\nLINE 5 5 6 6 1 -1 2.5\n");
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::string text = "3\n1 2 29S\n" + simbatch::test::mutated(base.substr(base.find("LINE")), seed);
    CAPTURE(text);
    Count count;
    (void)scan_mission(text, {}, "m", count);
    const Reading vehicle = emulate(text, Reader::vehicle);
    if (vehicle.formation.empty() && vehicle.remarks.empty()) {
      std::size_t known = 0;
      for (const Section& s : vehicle.sections) known += s.kind != Kind::none ? 1 : 0;
      CHECK(count.vehicle == known);
    }
    const Reading console = emulate(text, Reader::console);
    if (!console.refused) CHECK(count.console == console.sections.size());
  }
}

TEST_CASE("the vehicle's slips: gamma, float id, two dots, blank reference, stuck depth") {
  CHECK(emulate(with("LINE 0 0 1 0 1 -1 1.0\n"), Reader::vehicle).dropped.size() == 1);
  CHECK(emulate(with("ARC 0 0 1 0 2 0 1 1 1 -1.0\n"), Reader::vehicle).sections.empty());
  const Reading dots = emulate(with("POINT 20 -7.5.000 1.5 -1 -1 5 -1\n"), Reader::vehicle);
  REQUIRE(dots.sections.size() == 1);
  CHECK(dots.sections[0].radius == 0);
  CHECK(dots.sections[0].velocity == 1.5);
  CHECK(dots.sections[0].time == -1);
  CHECK(dots.sections[0].vehicle == 5);
  EmulateOptions options;
  options.previous.easting = 77;
  const Reading blank = emulate("3\n\n1 2 29S\nLINE 0 0 1 0 1 -1\n", Reader::vehicle, options);
  CHECK(blank.reference.easting == 77);
  CHECK(blank.sections.size() == 1);
  const Reading late = emulate("3\nLINE 0 0 1 0 1 -1\n", Reader::vehicle);
  CHECK(late.sections.size() == 1);
  const Reading stuck = emulate(with("DEPTH 3 10\n"), Reader::vehicle);
  REQUIRE(stuck.sections.size() == 1);
  CHECK(stuck.sections[0].kind == Kind::none);
  CHECK(emulate("2\n1 2 29S\nLINE 0 0 1 0 1\n", Reader::vehicle).refused);
  CHECK(emulate("\n3\n1 2 29S\nLINE 0 0 1 0 1\n", Reader::vehicle).refused);
}

TEST_CASE("a formation shifts the vehicle's sections, and stops a vehicle that is not in it") {
  EmulateOptions first;
  first.own_id = 1;
  const Reading one = emulate(test_data::kFormation, Reader::vehicle, first);
  REQUIRE(one.sections.size() == 5);
  CHECK(one.sections[0].xi == doctest::Approx(-21.57));     // 3 m to the right of north
  CHECK(one.sections[1].xe == doctest::Approx(-3));         // inside of the clockwise arc
  CHECK(one.sections[1].radius == doctest::Approx(12.29));  // the field stays
  EmulateOptions fourth;
  fourth.own_id = 4;
  const Reading four = emulate(test_data::kFormation, Reader::vehicle, fourth);
  CHECK(four.sections.empty());
  CHECK_FALSE(four.walker_starts);
}

TEST_CASE("the console skips blanks, reads version 5, and knows no DEPTH") {
  CHECK(emulate("\n\n3\n\n1 2 29S\nLINE 0 0 1 0 1 -1 7\n", Reader::console).sections.size() == 1);
  CHECK(emulate("5\n43 15\n1 2\nLINE 0 0 1 0 1 -1\n", Reader::console).origin->east == 1);
  CHECK(emulate(with("DEPTH 3 10 -1\n"), Reader::console).sections.empty());
  CHECK(emulate(with("LINE 0  0 1 0 1 -1\n"), Reader::console).dropped.size() == 1);
  CHECK(emulate("2\n1 2 29S\n", Reader::console).refused);
}
