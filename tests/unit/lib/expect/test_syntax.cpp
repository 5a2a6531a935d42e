// Texts of expectations: what is read, and what is refused with which place and advice.

#include <doctest/doctest.h>

#include "lib/expect/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/expect/fixed_signals.hpp"

using namespace simbatch;
using namespace simbatch::expect;
using simbatch::test::Expected;

namespace {

expect::test::FixedSignals tree() {
  return expect::test::FixedSignals({{"impreza.chassis.x", "m", {0}},
                                     {"impreza.chassis.y", "m", {0}},
                                     {"impreza.chassis.z", "m", {0}},
                                     {"impreza.chassis.psd0.distance", "m", {0}},
                                     {"impreza.chassis.gps0.course", "deg", {0}},
                                     {"impreza.chassis.velocimeter0.speed", "m/s", {0}},
                                     {"my-car.body.x", "m", {0}},
                                     {"contact.impreza", "1", {0}}});
}

/// All diagnostics of reading and binding.
Diagnostics problems_of(const std::string& text, double dt = 0.01) {
  auto parsed = read_expectations(text, {"file.expect", TextPlaces(text)});
  Diagnostics all = std::move(parsed.diagnostics);
  expect::test::FixedSignals signals = tree();
  for (const Expectation& expectation : *parsed.value) (void)bind(expectation, signals, dt, all);
  return all;
}

}  // namespace

TEST_CASE("expect: a file has names, comments, semicolons, several lines") {
  const std::string text =
      "# of the first drive\n"
      "stops: finally speed(impreza.chassis) < 0.1 m/s;\n"
      "'keeps its distance':\n"
      "  always impreza.chassis.psd0.distance > 0.5;  # m; not less\n"
      "0 < impreza.chassis.x <= 5\n";
  const auto parsed = read_expectations(text, {"f", TextPlaces(text)});
  REQUIRE(parsed.ok());
  REQUIRE(parsed.value->size() == 3);
  CHECK((*parsed.value)[0].name == "stops");
  CHECK((*parsed.value)[0].text == "finally speed(impreza.chassis) < 0.1 m/s");
  CHECK((*parsed.value)[1].name == "keeps its distance");
  CHECK((*parsed.value)[1].text == "always impreza.chassis.psd0.distance > 0.5");
  CHECK((*parsed.value)[2].name == "0 < impreza.chassis.x <= 5");
  CHECK((*parsed.value)[1].at((*parsed.value)[1].nodes.back()) == Position{4, 3});
  CHECK(problems_of(text).empty());
}

TEST_CASE("expect: every problem is reported, at its place, with what was meant") {
  struct {
    const char* text;
    const Code* code;
    Position at;
    const char* says;
  } const rows[] = {
      {"always impreza.chasis.psd0.distance > 1", &code::kName, {1, 8}, "did you mean \"impreza.chassis.psd0.distance\"?"},
      {"always impreza.chassis.psd0.bearing > 1", &code::kName, {1, 8}, "the node has distance"},
      {"always dist(impreza.chassi, impreza.chassis) > 1", &code::kName, {1, 8}, "did you mean \"impreza.chassis\"?"},
      {"alway impreza.chassis.x > 1", &code::kSyntax, {1, 1}, "did you mean \"always\"?"},
      {"always impreza.chassis.x", &code::kType, {1, 8}, "compare it with something"},
      {"always (impreza.chassis.x > 1) + 2 > 3", &code::kType, {1, 8}, "is a condition, expected a number"},
      {"always impreza.chassis.x > 1 and impreza.chassis.y > 1", &code::kSyntax, {1, 30}, "ambiguous"},
      {"always impreza.chassis.x > 1 m/s", &code::kUnit, {1, 8}, "\"m\" and one in \"m/s\""},
      {"always impreza.chassis.x > 1 furlong", &code::kSyntax, {1, 30}, "unknown unit \"furlong\", expected one of m, mm"},
      {"always impreza.chassis.x > 50 km/hr", &code::kSyntax, {1, 28}, "unknown unit \"km/hr\", expected one of m, mm"},
      {"always[0, 5 sec] impreza.chassis.x > 1", &code::kSyntax, {1, 13}, "unknown unit \"sec\""},
      {"always t < 30", &code::kSyntax, {1, 8}, "did you mean \"time\"?"},
      {"always impreza.chassis.x = 1", &code::kSyntax, {1, 26}, "equality is written =="},
      {"always impreza.chassis.x > 1kph", &code::kSyntax, {1, 28}, "unknown unit \"kph\", expected one of m, mm"},
      {"always[5, 1] impreza.chassis.x > 1", &code::kWindow, {1, 7}, "before it begins"},
      {"always[0.001, 0.002] impreza.chassis.x > 1", &code::kWindow, {1, 1}, "contains no step; steps are 0.01 s apart"},
      {"always[0, 5 m] impreza.chassis.x > 1", &code::kUnit, {1, 11}, "not a unit of time"},
      {"always[0, 5 impreza.chassis.x > 1", &code::kSyntax, {1, 13}, "expected \"]\""},
      {"impreza.chassis.x = 1", &code::kSyntax, {1, 19}, "equality is written =="},
      {"impreza.chassis.x > 1 && 1 > 2", &code::kSyntax, {1, 23}, "the words and, or, not"},
      {"impreza.chassis.x >", &code::kSyntax, {1, 20}, "the text ends"},
      {"abs(1, 2) > 1", &code::kSyntax, {1, 1}, "expected 1"},
      {"min(1) > 1", &code::kSyntax, {1, 1}, "expected 2 to 64"},
      {"dist(impreza.chassis, 1, 2) > 1", &code::kSyntax, {1, 1}, "a node and three numbers"},
      {"norm(1) > 1", &code::kSyntax, {1, 1}, "unknown function \"norm\""},
      {"never contact(imprezza, wall)", &code::kName, {1, 7}, "there is no body \"imprezza\""},
      {"always[0, 5] (impreza.chassis.x > 1 implies eventually[0, 1] always impreza.chassis.x > 2)",
       &code::kNesting,
       {1, 45},
       "expected a window"},
      {"'x > 1", &code::kSyntax, {1, 1}, "quotation mark"},
      {"1e999 > 1", &code::kSyntax, {1, 1}, "not a number that can be represented"},
      {"", &code::kSyntax, {1, 1}, "has no expectation"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    Expected expected(problems_of(row.text));
    const std::string message = expected.take(*row.code, row.at);
    CAPTURE(message);
    CHECK(message.find(row.says) != std::string::npos);
  }
  Expected both(problems_of("a: always x.y > 1;\nb: always 1 >;\na: always 2 > 1; a: always 3 > 1"));
  both.take(code::kName, Position{1, 11});
  both.take(code::kSyntax, Position{2, 14});
  both.take(code::kDuplicate, Position{3, 1});
  both.take(code::kDuplicate, Position{3, 18});
}

TEST_CASE("expect: names in quotes, units that fit, words instead of signs") {
  for (const char* text :
       {"always 'my-car.body.x' lt 5", "always impreza.chassis.gps0.course < 90 deg",
        "always impreza.chassis.velocimeter0.speed le 50 km/h", "always impreza.chassis.x / 2 s < 3 m/s",
        "always rate(impreza.chassis.velocimeter0.speed) < 9.81 m/s^2", "contact(impreza, wall) implies time > 5 s",
        "always sqrt(impreza.chassis.x * impreza.chassis.x) ge 0", "never never impreza.chassis.x == 0"}) {
    CAPTURE(text);
    CHECK(problems_of(text).empty());
  }
}

TEST_CASE("expect: hostile texts are refused in reasonable time") {
  std::string deep(5000, '('), terms = "1 > 0", many, chain = "n.x";
  for (int i = 0; i < 3000; ++i) terms += " and 1 > 0";
  for (int i = 0; i < 3000; ++i) many += "a" + std::to_string(i) + ": a.b > 1;\n";
  for (int i = 0; i < 60; ++i) chain = "dist(impreza.chassis, " + chain + ", 0, 0)";
  for (const std::string& text : {deep, terms, many, chain + " > 1", std::string(2 << 20, ' '), std::string("\0\xff\x80", 3)}) {
    const Diagnostics problems = problems_of(text);
    CHECK(problems.has_errors());
  }
  const std::string sample =
      "a: always[0, 5 s] (impreza.chassis.x > 1 and dist(impreza.chassis, 1, 2, 3) < 4) ; b: 'x.y' until[1, end] z.w == 2";
  simbatch::test::for_every_prefix(sample, [](std::string_view text) { (void)problems_of(std::string(text)); });
  for (std::uint64_t seed = 0; seed < 2000; ++seed) (void)problems_of(simbatch::test::mutated(sample, seed));
}
