// Mistakes of every construct at their places: each text has its mark where the problem is reported.

#include <doctest/doctest.h>

#include <span>
#include <string>

#include "lib/expect/codes.hpp"
#include "tests/support/marked.hpp"
#include "tests/unit/lib/expect/fixed_signals.hpp"

using namespace simbatch;
using namespace simbatch::expect;

namespace {

Diagnostics problems_of(const std::string& text) {
  auto parsed = read_expectations(text, {"file.expect", TextPlaces(text)});
  Diagnostics all = std::move(parsed.diagnostics);
  expect::test::FixedSignals signals({{"car.body.x", "m", {0}},
                                      {"car.body.y", "m", {0}},
                                      {"car.body.z", "m", {0}},
                                      {"car.body.speed", "m/s", {0}},
                                      {"car.body.course", "deg", {0}},
                                      {"contact.car", "1", {0}}});
  for (const Expectation& expectation : *parsed.value) (void)bind(expectation, signals, 0.01, all);
  return all;
}

struct Row {
  const Code* code;
  const char* text;
  const char* says;
};

void check_rows(std::span<const Row> rows) {
  for (const Row& row : rows) {
    CAPTURE(std::string(row.text));
    const simbatch::test::Marked marked = simbatch::test::marked(row.text);
    const Diagnostics problems = problems_of(marked.text);
    simbatch::test::check_only(problems, row.code->name, marked.at);
    CHECK(simbatch::test::all_text(problems).find(row.says) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("expect: mistakes of operators and windows at their places") {
  const Row rows[] = {
      {&code::kSyntax, "always @", "the text ends"},
      {&code::kSyntax, "not @", "the text ends"},
      {&code::kSyntax, "always[@", "expected a time in seconds"},
      {&code::kSyntax, "always[@-1, 2] car.body.x > 1", "not negative"},
      {&code::kSyntax, "always[1@] car.body.x > 1", "and the window's end"},
      {&code::kSyntax, "always[1, @x] car.body.x > 1", "expected a time"},
      {&code::kWindow, "always@[2 min, 5 s] car.body.x > 1", "ends at 5 s, before it begins at 120 s"},
      {&code::kWindow, "car.body.x > 1 until@[3, 2] car.body.y > 1", "before it begins"},
      {&code::kUnit, "eventually[@5 m, 6] car.body.x > 1", "not a unit of time"},
      {&code::kSyntax, "always car.body.x > 1 @or car.body.y > 1", "ambiguous"},
      {&code::kSyntax, "finally car.body.x > 1 @implies car.body.y > 1", "ambiguous"},
      {&code::kSyntax, "never car.body.x > 1 @-> car.body.y > 1", "ambiguous"},
      {&code::kSyntax, "car.body.x > 1 until car.body.y > 1 @until car.body.z > 1", "ambiguous"},
      {&code::kSyntax, "car.body.x > 1 until car.body.y > 1 @and car.body.z > 1", "ambiguous"},
      {&code::kType, "not @car.body.x", "is a number, expected a condition"},
      {&code::kType, "@car.body.x and car.body.y > 1", "is a number"},
      {&code::kType, "car.body.y > 1 or @car.body.x", "is a number"},
      {&code::kType, "car.body.y > 1 implies @5 m", "\"5 m\" is a number"},
      {&code::kType, "@5 implies car.body.y > 1", "is a number"},
      {&code::kType, "@time until car.body.y > 1", "is a number"},
      {&code::kType, "car.body.y > 1 until @time", "is a number"},
      {&code::kType, "finally @(car.body.x + 1 m)", "is a number"},
  };
  check_rows(rows);
}

TEST_CASE("expect: mistakes of numbers, functions and events at their places") {
  const Row rows[] = {
      {&code::kType, "@(car.body.x > 1) < 2", "is a condition, expected a number"},
      {&code::kType, "2 < @(car.body.x > 1)", "is a condition"},
      {&code::kType, "1 + @(car.body.x > 1) < 2", "is a condition"},
      {&code::kType, "-@(car.body.x > 1) < 2", "is a condition"},
      {&code::kType, "abs(@contact(car, wall)) < 2", "is a condition"},
      {&code::kType, "@contact(car, wall) < 2", "is a condition"},
      {&code::kSyntax, "(car.body.x > 1@", "to close the parenthesis"},
      {&code::kSyntax, "car.body.x > 1@)", "expected the end"},
      {&code::kSyntax, "car.body.x >@> 1", "expected a field, a number"},
      {&code::kSyntax, "car.body.x @= 1", "equality is written =="},
      {&code::kSyntax, "car.body.x > 1 @| car.body.y > 1", "and, or, not"},
      {&code::kSyntax, "@!(car.body.x > 1)", "and, or, not"},
      {&code::kSyntax, "car.body.x > @5furlongs", "unknown unit"},
      {&code::kSyntax, "car.body.x > @1e400", "can be represented"},
      {&code::kSyntax, "car.body.x > @'x", "quotation mark"},
      {&code::kSyntax, "@car > 1", "neither a field nor a word"},
      {&code::kSyntax, "car.body.x > @and", "word of the language"},
      {&code::kSyntax, "@abs() > 1", "0 numbers as arguments, expected 1"},
      {&code::kSyntax, "abs(1 @2) > 1", "between arguments"},
      {&code::kSyntax, "@max(1) > 1", "expected 2 to 64"},
      {&code::kSyntax, "@dist(car.body, 1, 2) > 1", "two nodes, or a node and three numbers"},
      {&code::kSyntax, "dist(car.body@) > 1", "a second node"},
      {&code::kSyntax, "speed(@1) > 1", "expected the name of a node"},
      {&code::kSyntax, "speed(car.body@, 2) > 1", "after the arguments of speed()"},
      {&code::kSyntax, "@sqr(2) > 1", "did you mean \"sqrt\"?"},
      {&code::kSyntax, "contact(@)", "expected the name of a node"},
      {&code::kSyntax, "contact(car, wall@, tree)", "after the arguments of contact()"},
      {&code::kSyntax, "on_road(car@, wall)", "after the arguments of on_road()"},
      {&code::kName, "@car.body.xx > 1", "did you mean \"car.body.x\"?"},
      {&code::kName, "1 m < @car.body.xx", "did you mean"},
      {&code::kUnit, "@car.body.x > 1 s", "\"m\" and one in \"s\""},
      {&code::kUnit, "@car.body.x + car.body.speed > 1", "\"m\""},
      {&code::kUnit, "always (@max(car.body.x, car.body.speed) > 1)", "\"m\""},
  };
  check_rows(rows);
}

TEST_CASE("expect: places count from the start of the file, in every item, after comments and empty items") {
  const Row rows[] = {
      {&code::kSyntax, "a: car.body.x > 1;\n# b; c\n;;\nb:\n  car.body.x > @;\nc: car.body.y > 1", "found \";\""},
      {&code::kType, "a: car.body.x > 1;\r\n\r\nb: always @car.body.y", "is a number"},
      {&code::kDuplicate, "a: car.body.x > 1; @a: car.body.y > 1", "a second expectation"},
      {&code::kDuplicate, "car.body.x > 1;\n@car.body.x   >   1", "a second expectation"},
      {&code::kSyntax, "a: @: car.body.x > 1", "expected a field"},
      {&code::kSyntax, "@# nothing", "has no expectation"},
      {&code::kSyntax, "'a;b': car.body.x > #;\n@;", "found \";\""},
  };
  check_rows(rows);
}

TEST_CASE("expect: the numbers of arguments that a message names are those that are read") {
  std::string many = "max(1";
  for (int i = 0; i < 64; ++i) many += ", 1";
  const Diagnostics problems = problems_of(many + ") > 0");
  simbatch::test::check_only(problems, code::kSyntax.name, {1, 1});
  CHECK(simbatch::test::all_text(problems).find("has 65 numbers as arguments, expected 2 to 64") != std::string::npos);
  CHECK(problems_of("max(1, 2) > 0").empty());
}

TEST_CASE("expect: limits of nesting and size are exact") {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "not ";
    return text + "car.body.x > 1";
  };
  // The whole, each "not", the operand and its two sides count.
  int deepest = 0;
  while (!problems_of(nested(deepest + 1)).has_errors()) ++deepest;
  CHECK(deepest > 90);
  CHECK(deepest < 100);
  std::string terms = "1 > 0";
  for (std::size_t i = 1; i < kMaxNodes / 4; ++i) terms += " and 1 > 0";
  CHECK_FALSE(read_expectations(terms, {"f", TextPlaces(terms)}).diagnostics.has_errors());
  for (std::size_t i = 0; i < kMaxNodes / 8; ++i) terms += " and 1 > 0";
  CHECK(read_expectations(terms, {"f", TextPlaces(terms)}).diagnostics.has_errors());
  std::string items;
  for (std::size_t i = 0; i < kMaxExpectations; ++i) items += "a" + std::to_string(i) + ": a.b > 1;\n";
  CHECK(read_expectations(items, {"f", TextPlaces(items)}).ok());
  items += "last: a.b > 1";
  const auto parsed = read_expectations(items, {"f", TextPlaces(items)});
  simbatch::test::check_only(parsed.diagnostics, code::kSyntax.name, {static_cast<std::uint32_t>(kMaxExpectations) + 1, 1});
}
