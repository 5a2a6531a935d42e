#include <doctest/doctest.h>

#include "base/xml/codes.hpp"
#include "formats/script/codes.hpp"
#include "formats/script/script.hpp"

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
  const auto has = [&](const Code& code, std::size_t line) {
    for (const Diagnostic& each : read.diagnostics.items())
      if (std::string_view(each.code) == code.name && each.at.line == line) return true;
    return false;
  };
  CHECK(has(script::code::kOrder, 3));
  CHECK(has(xml::code::kNumberRange, 4));
  CHECK(has(xml::code::kNumber, 4));
  CHECK(has(xml::code::kAttributeMissing, 5));
  CHECK(has(xml::code::kAttributeUnknown, 5));
  CHECK(has(xml::code::kElementUnknown, 6));
  CHECK_FALSE(script::read_script("<World/>", "edits.xml").ok());
  CHECK_FALSE(script::read_script("", "edits.xml").ok());
}
