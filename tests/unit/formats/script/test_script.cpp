#include <doctest/doctest.h>

#include "base/xml/codes.hpp"
#include "formats/script/codes.hpp"
#include "formats/script/script.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

TEST_CASE("script: what is written reads the same") {
  script::Script script{"scenario.xml", 1203, {}};
  script.settings = {{0, "car.chassis.drive", "steering", -0.1, {}},
                     {0, "a \"b\" <c>", "x", 1e300, {}},
                     {4503599627370496, "d", "y", 5e-324, {}}};
  const std::string text = script::write_script(script);
  const auto read = script::read_script(text, "edits.xml");
  REQUIRE(read.ok());
  CHECK(*read.value == script);
  CHECK(read.value->settings[1].at.line == 4);
  CHECK(script::write_script(*read.value) == text);
  CHECK(script::read_script("<Script/>", "edits.xml").value == script::Script{});
}

TEST_CASE("script: every problem at its place") {
  const auto read = script::read_script(R"(<Script>
  <Set step="5" device="d" input="i" value="1"/>
  <Set step="4" device="d" input="i" value="1"/>
  <Set step="-1" device="d" input="i" value="inf"/>
  <Set step="6" device="" value="1" extra="2"/>
  <Other/>
</Script>)",
                                        "edits.xml");
  CHECK_FALSE(read.ok());
  test::Expected expected(read.diagnostics);
  expected.take(script::code::kOrder, Position{3, 14});
  expected.take(xml::code::kNumberRange, Position{4, 14});
  expected.take(xml::code::kNumber, Position{4, 46});
  expected.take(xml::code::kAttributeMissing, Position{5, 3});   // no input
  expected.take(xml::code::kAttributeMissing, Position{5, 25});  // an empty device
  expected.take(xml::code::kAttributeUnknown, Position{5, 44});
  expected.take(xml::code::kElementUnknown, Position{6, 3});
  CHECK_FALSE(script::read_script("<World/>", "edits.xml").ok());
  CHECK_FALSE(script::read_script("", "edits.xml").ok());
}
