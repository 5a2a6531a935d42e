#include <doctest/doctest.h>

#include "base/xml/codes.hpp"
#include "formats/autosim/build_data.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/robot.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/autosim/world.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/autosim/samples.hpp"

using namespace simbatch;
using namespace simbatch::autosim;
using simbatch::test::Expected;

namespace {

std::string setup_with(std::string_view highways, std::string_view more = "") {
  return "<Setup name=\"s\"><TerrainSetup>\n<OsmSetup name=\"s\"><NodeOffset lat=\"1\" lon=\"2\"/></OsmSetup>\n"
         "<RoadDimensions name=\"s\"><HeightAboveTerrain value=\"0.03\"/><CurbHeight value=\"0.15\"/></RoadDimensions>\n"
         "<HighwayDimensions name=\"s\">\n" +
         std::string(highways) + "\n</HighwayDimensions>\n" + std::string(more) + "\n</TerrainSetup></Setup>";
}

}  // namespace

TEST_CASE("setup: generated setups come back from the writer") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const MapSetup setup = autosim::test::random_setup(seed);
    const Parsed<MapSetup> again = read_setup(write_setup(setup), "setup.xml");
    CAPTURE(seed);
    CAPTURE(simbatch::test::all_text(again.diagnostics));
    REQUIRE(again.ok());
    CHECK(*again.value == setup);
  }
}

TEST_CASE("setup: mistakes are located, one error each") {
  Expected five(read_setup(setup_with("<primary width=\"0\"/>\n<primary width=\"4\"/>\n<track widht=\"4\"/>",
                                      "<TerrainDimensions name=\"t\"><Size width=\"1\" height=\"x\"/>"
                                      "<HeightDataPerArea value=\"8\"/></TerrainDimensions>"),
                           "setup.xml")
                    .diagnostics);
  five.take(xml::code::kNumberRange, Position{5, 17});
  five.take(code::kDuplicate, Position{6, 1});
  five.take(code::kDuplicate, Position{5, 1});  // the note
  five.take(xml::code::kAttributeMissing, Position{7, 1});
  CHECK(five.take(xml::code::kAttributeUnknown, Position{7, 15}).find("did you mean \"width\"") != std::string::npos);
  five.take(xml::code::kNumber, Position{9, 53});
  five.take(xml::code::kElementMissing, Position{9, 1});
}

TEST_CASE("setup: a kind of highway that OpenStreetMap does not know is pointed out") {
  const std::string text = setup_with("<secondry width=\"7\"/>\n<motorway_link width=\"4\"/>\n<lane width=\"4\"/>");
  const Parsed<MapSetup> parsed = read_setup(text, "setup.xml");
  CHECK(parsed.ok());
  Expected two(parsed.diagnostics);
  CHECK(two.take(code::kHighway, Position{5, 1}) ==
        "OpenStreetMap has no kind of highway \"secondry\", did you mean \"secondary\"?");
  CHECK(two.take(code::kHighway, Position{7, 1}).find("did you mean") == std::string::npos);
}

TEST_CASE("setup, houses: heights of roads and sizes of houses have a limit") {
  std::string text = setup_with("");
  text.replace(text.find("0.15"), 4, "1e9");
  text.replace(text.find("0.03"), 4, "10.5");
  Expected two(read_setup(text, "setup.xml").diagnostics);
  CHECK(two.take(xml::code::kNumberRange, Position{3, 53}).find("value=\"10.5\", expected a number from 0 to 10") !=
        std::string::npos);
  CHECK(two.take(xml::code::kNumberRange, Position{3, 79}).find("value=\"1e9\", expected a number from 0 to 10") !=
        std::string::npos);
  Expected one(read_houses("<houses><forest><tree name=\"t\"><File path=\"p\" type=\"t\"/>\n"
                           "<BoxSize x=\"1000\" y=\"1e9\" z=\"1\"/></tree></forest></houses>",
                           "houses.xml")
                   .diagnostics);
  CHECK(one.take(xml::code::kNumberRange, Position{2, 22}).find("y=\"1e9\", expected a number from above 0 to 1000") !=
        std::string::npos);
}

TEST_CASE("setup: a tile that holds no whole number of height values is pointed out") {
  Expected tile(read_setup(setup_with("",
                                      "<TerrainDimensions name=\"t\"><Size width=\"1\" height=\"1\"/><TileSize value=\"20\"/>"
                                      "<HeightDataPerArea value=\"8\"/><HeightDivisionCoefficient value=\"10\"/>"
                                      "</TerrainDimensions>"),
                           "setup.xml")
                    .diagnostics);
  tile.take(code::kTileSize);
}

TEST_CASE("houses: generated lists come back from the writer") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const HouseList houses = autosim::test::random_houses(seed);
    const Parsed<HouseList> again = read_houses(write_houses(houses), "houses.xml");
    CAPTURE(seed);
    CAPTURE(simbatch::test::all_text(again.diagnostics));
    REQUIRE(again.ok());
    CHECK(*again.value == houses);
  }
}

TEST_CASE("houses: mistakes are located, one error each") {
  Expected four(read_houses("<houses version=\"1\" maker=\"me\">\n<residential>\n"
                            "<house name=\"a\"><File path=\"p\" type=\"t\"/><BoxSize x=\"0\" y=\"1\" z=\"1\"/></house>\n"
                            "<house><File path=\"p\" type=\"t\"/><BoxSize x=\"1\" y=\"1\" z=\"1\"/></house>\n"
                            "<house name=\"a\"><BoxSize x=\"1\" y=\"1\" z=\"1\"/></house>\n</residential></houses>",
                            "houses.xml")
                    .diagnostics);
  four.take(xml::code::kAttributeUnknown, Position{1, 28});
  four.take(xml::code::kNumberRange, Position{3, 54});
  four.take(xml::code::kAttributeMissing, Position{4, 1});
  four.take(code::kDuplicate, Position{5, 1});
  four.take(code::kDuplicate, Position{3, 1});
  four.take(xml::code::kElementMissing, Position{5, 1});
}

TEST_CASE("build data: sections, blocks and parameters are told apart as the thesis says") {
  const Parsed<BuildData> parsed = read_build_data(
      "<Robot name=\"r\"><Parts><Box name=\"b\"><Mass value=\"1400.0\"/><Size x=\"1\" y=\"2\" z=\"wide\"/>"
      "<Noise range=\"1\"/><Noise range=\"2\"/></Box></Parts><Devices/></Robot>",
      "r.xml");
  REQUIRE(parsed.ok());
  const BuildData& robot = *parsed.value;
  CHECK(robot.role() == BuildData::Role::section);
  const BuildData& box = robot.children[0].children[0];
  CHECK(box.role() == BuildData::Role::block);
  CHECK(box.type == "Box");
  CHECK(box.name() == "b");
  CHECK(box.children[0].role() == BuildData::Role::parameter);
  CHECK(box.get_double("Mass") == 1400);
  CHECK(box.get_double("Size", "y") == 2);
  CHECK_FALSE(box.get_double("Size", "z").has_value());
  CHECK(box.get_string("Size", "z") == "wide");
  CHECK_FALSE(box.get_string("Position").has_value());
  CHECK(box.parameters("Noise").size() == 2);
}

TEST_CASE("build data: text is an error and a nameless block a warning") {
  Expected expected(read_build_data("<A name=\"a\">\n<B>text</B><C>\n<D x=\"1\"/></C></A>", "a.xml").diagnostics);
  expected.take(xml::code::kTextStray, Position{2, 1});
  expected.take(code::kNameAbsent, Position{2, 12});
}

TEST_CASE("autosim: prefixes and mutations of every kind of file end in a value or in diagnostics") {
  const std::string texts[] = {std::string(autosim::test::kEveryRobotElement), std::string(autosim::test::kEveryWorldElement),
                               write_setup(autosim::test::random_setup(3)), write_houses(autosim::test::random_houses(5))};
  const auto read_all = [](std::string_view text) {
    const auto robot = read_robot(text, "x");
    CHECK((robot.value || robot.diagnostics.has_errors()));
    const auto world = read_world(text, "x");
    CHECK((world.value || world.diagnostics.has_errors()));
    const auto setup = read_setup(text, "x");
    CHECK((setup.value || setup.diagnostics.has_errors()));
    const auto houses = read_houses(text, "x");
    CHECK((houses.value || houses.diagnostics.has_errors()));
    const auto data = read_build_data(text, "x");
    CHECK((data.value || data.diagnostics.has_errors()));
    // Whatever was read without an error is written and read again.
    if (robot.ok()) CHECK(read_robot(write_robot(*robot.value), "x").value == robot.value);
    if (world.ok()) CHECK(read_world(write_world(*world.value), "x").value == world.value);
    if (setup.ok()) CHECK(read_setup(write_setup(*setup.value), "x").value == setup.value);
    if (houses.ok()) CHECK(read_houses(write_houses(*houses.value), "x").value == houses.value);
    if (data.ok()) CHECK(read_build_data(write_build_data(*data.value), "x").value == data.value);
  };
  for (const std::string& text : texts) {
    simbatch::test::for_every_prefix(text, read_all, 150);
    for (std::uint64_t seed = 0; seed < 150; ++seed) read_all(simbatch::test::mutated(text, seed));
  }
}

TEST_CASE("autosim: hostile documents are refused or read within bounds") {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  CHECK_FALSE(read_build_data(deep, "deep.xml").ok());
  std::string wide = "<Robot name=\"r\"><Parts>";
  for (int i = 0; i < 20000; ++i) wide += "<Bx name=\"b\"/>";
  wide += "</Parts></Robot>";
  const Parsed<Robot> robot = read_robot(wide, "wide.xml");
  CHECK(robot.diagnostics.errors() == 20000);
  CHECK_FALSE(read_world("<!DOCTYPE a [<!ENTITY b \"c\">]><World name=\"&b;\"/>", "entity.xml").ok());
  CHECK_FALSE(read_houses(std::string("<houses>\0</houses>", 18), "nul.xml").ok());
  CHECK_FALSE(read_setup("", "empty.xml").ok());
}
