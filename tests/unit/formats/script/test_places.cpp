// Every problem of a script at its line and column, all of a file at once, and random scripts that come back.
#include <doctest/doctest.h>

#include <cmath>

#include "base/core/random.hpp"
#include "base/xml/codes.hpp"
#include "formats/script/codes.hpp"
#include "formats/script/script.hpp"
#include "tests/support/marked.hpp"

using namespace simbatch;
using test::check_only;
using test::marked;

namespace {

constexpr std::string_view kScript = R"(<Script scenario="town.xml" steps="90">
  <Set step="4" device="car.drive" input="steering" value="0.25"/>
  <Set step="7" device="car.drive" input="force" value="-1"/>
</Script>
)";

}  // namespace

TEST_CASE("script: each spoiled part is the one problem of its file, at its place") {
  REQUIRE(script::read_script(kScript, "s").diagnostics.empty());
  struct Row {
    std::string_view what, with;  // `with` has the mark
    const Code& code;
  };
  using namespace xml::code;
  for (const Row& row : {
           Row{"step=\"7\"", "step=\"@7.5\"", kNumber},
           Row{"step=\"7\"", "step=\"@seven\"", kNumber},
           Row{"step=\"7\"", "step=\"@-1\"", kNumberRange},
           Row{"step=\"7\"", "step=\"@4503599627370497\"", kNumberRange},
           Row{"step=\"7\"", "step=\"@3\"", script::code::kOrder},
           Row{"steps=\"90\"", "steps=\"@-1\"", kNumberRange},
           Row{"steps=\"90\"", "steps=\"@1e3\"", kNumber},
           Row{"steps=\"90\"", "stops=\"@90\"", kAttributeUnknown},
           Row{"value=\"-1\"", "value=\"@nan\"", kNumber},
           Row{"value=\"-1\"", "value=\"@1e999\"", kNumberRange},
           Row{"value=\"-1\"", "value=\"@0x1\"", kNumber},
           Row{"value=\"-1\"", "value=\"-1\" until=\"@3\"", kAttributeUnknown},
           Row{"  <Set step=\"7\" device=\"car.drive\" input=\"force\" value=\"-1\"/>",
               "  @<Set step=\"7\" device=\"car.drive\" input=\"force\"/>", kAttributeMissing},
           Row{"  <Set step=\"7\" device=\"car.drive\"", "  @<Set step=\"7\"", kAttributeMissing},
           Row{"</Script>", "@<Get/></Script>", kElementUnknown},
       }) {
    CAPTURE(row.with);
    const test::Marked file = marked(test::replaced(kScript, row.what, row.with));
    const auto read = script::read_script(file.text, "s");
    check_only(read.diagnostics, row.code.name, file.at);
    CHECK(read.value.has_value() == !read.diagnostics.has_errors());
  }
  check_only(script::read_script("\n <World/>", "s").diagnostics, xml::code::kRoot.name, {2, 2});
  for (const std::string_view text : {"", "<Script>", "<Script/><Script/>", "Script", "<Script steps=\"1\" steps=\"2\"/>"}) {
    CAPTURE(text);
    const auto read = script::read_script(text, "s");
    CHECK_FALSE(read.value);
    CHECK(read.diagnostics.has_errors());
  }
}

TEST_CASE("script: settings of one step keep their order") {
  const auto read = script::read_script(R"(<Script><Set step="5" device="b" input="i" value="2"/>
<Set step="5" device="a" input="i" value="1"/><Set step="5" device="b" input="i" value="0"/></Script>)",
                                        "s");
  REQUIRE(read.ok());
  REQUIRE(read.value->settings.size() == 3);
  CHECK(read.value->settings[0].value == 2);
  CHECK(read.value->settings[1].device == "a");
  CHECK(read.value->settings[2].value == 0);
}

TEST_CASE("script: random scripts are written and read back, cut and damaged ones never crash") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "script");
    script::Script script;
    if (random.below(2) == 0) script.scenario = "a & \"b\" <c>.xml";
    script.steps = static_cast<std::int64_t>(random.below(1000));
    std::int64_t step = 0;
    for (std::uint64_t n = random.below(8); n > 0; --n) {
      step += static_cast<std::int64_t>(random.below(3));
      constexpr double kValues[] = {0, -0.0, 1e-300, -1.7976931348623157e308, 0.1};
      script.settings.push_back({step,
                                 random.below(2) == 0 ? "car"
                                                      : "r\xC3\xA4"
                                                        "der.a",
                                 "in'put",
                                 kValues[random.below(5)],
                                 {}});
    }
    const std::string text = script::write_script(script);
    const auto read = script::read_script(text, "s");
    REQUIRE_MESSAGE(read.ok(), test::all_text(read.diagnostics));
    CHECK(*read.value == script);
    CHECK(script::write_script(*read.value) == text);
    for (std::size_t i = 0; i < script.settings.size(); ++i)
      CHECK(std::signbit(read.value->settings[i].value) == std::signbit(script.settings[i].value));
  }
  test::for_every_prefix(kScript, [](std::string_view cut) {
    if (cut.size() + 1 < kScript.size()) CHECK_FALSE(script::read_script(cut, "s").value);
  });
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const auto read = script::read_script(test::mutated(kScript, seed), "s");
    CHECK((read.value.has_value() || read.diagnostics.has_errors()));
    if (!read.value) continue;
    for (std::size_t i = 1; i < read.value->settings.size(); ++i)
      CHECK(read.value->settings[i - 1].step <= read.value->settings[i].step);
  }
}
