#include <doctest/doctest.h>

#include "base/core/record_limit.hpp"
#include "base/xml/codes.hpp"
#include "formats/autosim/codes.hpp"
#include "formats/autosim/world.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/formats/autosim/samples.hpp"

using namespace simbatch;
using namespace simbatch::autosim;
using simbatch::test::Expected;

namespace {
Expected problems(std::string_view text) { return Expected(read_world(text, "w.xml").diagnostics); }
}  // namespace

TEST_CASE("world: every element is read, and written back the same") {
  const Parsed<World> parsed = read_world(autosim::test::kEveryWorldElement, "every.xml");
  CAPTURE(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  CHECK(parsed.diagnostics.empty());
  const World& world = *parsed.value;
  CHECK(world.graphics.size() == 2);
  CHECK(world.physics.seed == 18446744073709551615u);
  CHECK(world.physics.water->current == Vector3{0.3, 0, -0.1});
  CHECK(world.terrain.street_map == "town.osm");
  REQUIRE(world.robots.size() == 4);
  CHECK(world.robots[1].is_included);
  CHECK(world.robots[1].file == "impreza");
  CHECK_FALSE(world.robots[0].is_included);
  CHECK(world.robots[0].pose.y == 2);
  CHECK(world.robots[0].pose.tilt_z == -2);
  CHECK(world.robots[0].controls[0].steering == -0.2);
  CHECK_FALSE(world.robots[0].controls[1].steering.has_value());
  CHECK(world.robots[0].programs[0].arguments == std::vector<std::string>{"fast", "two words"});
  CHECK(world.robots[2].pose.geographic == Geographic{-31.97, 115.83});
  CHECK(world.robots[2].pose.above == 0.5);
  CHECK(world.robots[2].motion == StartMotion{{1, 0, -2}, {0, 30, 0}});
  CHECK(world.robots[2].fixed == std::vector<std::string>{"antenna", "mast"});
  CHECK(world.robots[3].is_fixed);
  REQUIRE(world.statics.size() == 6);
  CHECK(world.statics[1].mass == 3);
  CHECK(world.statics[1].motion == StartMotion{{0, 5, 0.5}, {10, 20, 30}});
  CHECK(world.statics[2].shape.hulls == 6);
  CHECK(world.statics[0].shape.size == Vector3{10, 2, 0.5});
  const std::string text = write_world(world);
  const Parsed<World> again = read_world(text, "again.xml");
  CAPTURE(text);
  CHECK(again.value == world);
  CHECK(write_world(*again.value) == text);
}

TEST_CASE("world: generated worlds come back from the writer, field by field") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const World world = autosim::test::random_world(seed);
    const Parsed<World> again = read_world(write_world(world), "generated.xml");
    CAPTURE(simbatch::test::all_text(again.diagnostics));
    REQUIRE(again.ok());
    CHECK(*again.value == world);
  }
}

TEST_CASE("world: an empty world has the documented defaults") {
  const Parsed<World> parsed = read_world("<World name=\"w\"><Objects/></World>", "w.xml");
  REQUIRE(parsed.ok());
  CHECK(parsed.value->physics == Physics{});
  CHECK(parsed.value->physics.step == 1.0 / 240);
  CHECK(parsed.value->terrain.kind == Terrain::Kind::none);
}

TEST_CASE("world: five independent mistakes give five located errors") {
  auto five = problems(
      "<World name=\"w\">\n"
      "  <Physics>\n"
      "    <Engine name=\"e\"><StepSize value=\"0\"/><StartTime utc=\"today\"/></Engine>\n"
      "    <Surface name=\"roads\"><Friction value=\"1\"/></Surface>\n"
      "  </Physics>\n"
      "  <Objects>\n"
      "    <Robot name=\"a\"><Position x=\"0\" z=\"0\"/></Robot>\n"
      "    <Boxx name=\"b\"/>\n"
      "  </Objects>\n"
      "</World>\n");
  five.take(xml::code::kNumberRange, Position{3, 39});
  five.take(code::kTime, Position{3, 43});
  CHECK(five.take(code::kReference, Position{4, 20}).find("did you mean \"road\"") != std::string::npos);
  five.take(xml::code::kAttributeMissing, Position{7, 5});
  CHECK(five.take(xml::code::kElementUnknown, Position{8, 5}).find("did you mean \"Box\"") != std::string::npos);
}

TEST_CASE("world: positions on roads") {
  const auto read = read_world(
      "<World name=\"w\"><Objects><Robot name=\"a\" file=\"f\"><Position road=\"High Street\" at=\"-5.5\" lane=\"-2\"/></Robot>"
      "<Robot name=\"b\" file=\"f\"><Position road=\"7\" above=\"1\"/></Robot></Objects></World>",
      "w.xml");
  REQUIRE(read.ok());
  CHECK(read.value->robots[0].pose.road == RoadPosition{"High Street", -5.5, -2});
  CHECK(read.value->robots[1].pose.road == RoadPosition{"7", std::nullopt, 1});
  auto wrong = problems(
      "<World name=\"w\"><Objects>\n"
      "<Robot name=\"a\" file=\"f\"><Position road=\"\"/></Robot>\n"
      "<Robot name=\"b\" file=\"f\"><Position road=\"r\" x=\"1\" latitude=\"2\"/></Robot>\n"
      "<Robot name=\"c\" file=\"f\"><Position road=\"r\" lane=\"21\"/></Robot>\n"
      "<Robot name=\"d\" file=\"f\"><Position road=\"r\" at=\"nan\"/></Robot>\n"
      "<Robot name=\"e\" file=\"f\"><Position x=\"1\" z=\"1\" at=\"2\"/></Robot>\n"
      "</Objects></World>");
  wrong.take(xml::code::kAttributeMissing);
  wrong.take(code::kConflict);
  wrong.take(code::kConflict);
  wrong.take(xml::code::kNumberRange);
  wrong.take(xml::code::kNumber);
  wrong.take(xml::code::kAttributeUnknown);
}

TEST_CASE("world: only the signals of a map need no position") {
  const std::string signals = R"(<World name="w"><Objects><Robot name="s" file="map:signals"/></Objects></World>)";
  const auto parsed = read_world(signals, "w.xml");
  CAPTURE(simbatch::test::all_text(parsed.diagnostics));
  REQUIRE(parsed.ok());
  const std::string written = write_world(*parsed.value);
  CHECK(written.find("Position") == std::string::npos);
  CHECK(read_world(written, "w.xml").value == parsed.value);
  auto expected = problems(R"(<World name="w"><Objects><Robot name="s" file="signals.xml"/></Objects></World>)");
  CHECK(expected.take(xml::code::kElementMissing).starts_with("<Robot> \"s\" needs a <Position>"));
}

TEST_CASE("world: positions by houses and waypoints") {
  const std::string text =
      "<World name=\"w\"><Objects><Robot name=\"a\" file=\"f\"><Position house=\"High Street 12\"/></Robot>"
      "<Robot name=\"b\" file=\"f\"><Position waypoint=\"1.2.30\" rndf=\"site.rndf\" planar=\"true\" above=\"1\"/></Robot>"
      "<Robot name=\"c\" file=\"f\"><Position waypoint=\"4.0.1\"/></Robot></Objects></World>";
  const auto read = read_world(text, "w.xml");
  REQUIRE(read.ok());
  CHECK(read.value->robots[0].pose.house == "High Street 12");
  CHECK(read.value->robots[1].pose.waypoint == WaypointPosition{{1, 2, 30}, "site.rndf", true});
  CHECK(read.value->robots[2].pose.waypoint == WaypointPosition{{4, 0, 1}, ""});
  const auto again = read_world(write_world(*read.value), "w.xml");
  REQUIRE(again.ok());
  for (std::size_t i = 0; i < 3; ++i) CHECK(again.value->robots[i].pose == read.value->robots[i].pose);
  for (const char* wrong : {"", "1.2", "1.2.", "1.2.3.4", "1.-2.3", "a.b.c", "1..3", "1.2.99999999999"}) {
    CAPTURE(wrong);
    auto found = problems("<World name=\"w\"><Objects>\n<Robot name=\"a\" file=\"f\"><Position waypoint=\"" +
                          std::string(wrong) + "\"/></Robot></Objects></World>");
    if (*wrong != '\0')
      CHECK(found.take(xml::code::kNumber, Position{2, 46}).find("as in \"1.2.3\"") != std::string::npos);
    else
      found.take(xml::code::kAttributeMissing);
  }
  auto both = problems(
      "<World name=\"w\"><Objects>\n"
      "<Robot name=\"a\" file=\"f\"><Position house=\"\"/></Robot>\n"
      "<Robot name=\"b\" file=\"f\"><Position house=\"h\" waypoint=\"1.1.1\"/></Robot>\n"
      "<Robot name=\"c\" file=\"f\"><Position waypoint=\"1.1.1\" x=\"3\"/></Robot>\n"
      "<Robot name=\"d\" file=\"f\"><Position house=\"h\" rndf=\"f\"/></Robot>\n"
      "</Objects></World>");
  both.take(xml::code::kAttributeMissing);
  both.take(code::kConflict);
  both.take(code::kConflict);
  both.take(xml::code::kAttributeUnknown);
}

TEST_CASE("world: what excludes each other is an error") {
  auto poses = problems(
      "<World name=\"w\"><Objects>\n"
      "<Sphere name=\"a\"><Radius value=\"1\"/><Position x=\"0\" z=\"0\" y=\"1\" above=\"2\"/></Sphere>\n"
      "<Sphere name=\"b\"><Radius value=\"1\"/><Position latitude=\"0\" longitude=\"0\" x=\"1\"/></Sphere>\n"
      "<Robot name=\"c\" file=\"f\"><Position x=\"0\" z=\"0\"/>\n"
      "<Control time=\"0\" device=\"d\"/>\n"
      "<Control time=\"0\" device=\"d\" value=\"1\" brake=\"1\"/></Robot>\n"
      "<Sphere name=\"a\"><Radius value=\"1\"/><Position x=\"0\" z=\"0\"/></Sphere>\n"
      "</Objects></World>");
  poses.take(code::kConflict, Position{2, 72});
  poses.take(code::kConflict, Position{3, 77});
  poses.take(code::kEmpty, Position{5, 1});
  poses.take(code::kConflict, Position{6, 37});
  poses.take(code::kDuplicate, Position{7, 1});
  poses.take(code::kDuplicate, Position{2, 1});
  auto twice = problems(
      "<World name=\"w\"><Physics><Engine name=\"a\"/><Engine name=\"b\"/><Water name=\"c\"/><Water name=\"d\"/></Physics>"
      "<Terrain><Plane name=\"p\"/><Plane name=\"q\"/></Terrain><Objects/></World>");
  twice.drop_notes();
  for (int i = 0; i < 3; ++i) twice.take(code::kConflict);
}

TEST_CASE("world: a heading written into Position is told its place") {
  auto heading = problems(
      "<World name=\"w\"><Objects>\n"
      "<Robot name=\"c\" file=\"f\"><Position x=\"0\" z=\"0\" heading=\"90\"/></Robot>\n"
      "</Objects></World>");
  CHECK(heading.take(xml::code::kAttributeUnknown, Position{2, 57}).find("<Heading value=\"90\"/>") != std::string::npos);
}

TEST_CASE("world: an element in the wrong section is reported with the one that has it") {
  auto wrong = problems(
      "<World name=\"w\">\n"
      "<Water name=\"sea\"/>\n"
      "<Objects>\n"
      "<Plane name=\"p\"/>\n"
      "<Banana/>\n"
      "</Objects></World>");
  CHECK(wrong.take(xml::code::kElementUnknown, Position{2, 1}) == "<Water> belongs in <Physics>, not in <World>");
  CHECK(wrong.take(xml::code::kElementUnknown, Position{4, 1}) == "<Plane> belongs in <Terrain>, not in <Objects>");
  CHECK(wrong.take(xml::code::kElementUnknown, Position{5, 1}) == "<Objects> has no element \"Banana\"");
}

TEST_CASE("world: times of day are checked") {
  for (const auto& [text, is_good] : {std::pair{"2008-02-27T12:00:00Z", true},
                                      {"2008-13-27T12:00:00Z", false},
                                      {"2008-02-27T24:00:00Z", false},
                                      {"2008-02-27 12:00:00Z", false},
                                      {"2008-02-27T12:00:00", false},
                                      {"20x8-02-27T12:00:00Z", false}}) {
    const std::string time = text;
    CAPTURE(time);
    const auto parsed = read_world("<World name=\"w\"><Physics><Engine name=\"e\"><StartTime utc=\"" + std::string(text) +
                                       "\"/></Engine></Physics><Objects/></World>",
                                   "w.xml");
    CHECK(parsed.ok() == is_good);
  }
}

TEST_CASE("world: named blocks beyond the limit are an error at the first one") {
  const auto read = [](std::size_t objects) {
    return read_world(simbatch::test::repeated("<World name='w'><Objects>\n",
                                               "<Sphere name='s#'><Radius value='1'/><Position x='1' z='1'/></Sphere>\n",
                                               objects, "</Objects></World>"),
                      "w.xml");
  };
  const auto parsed = read(kMaxRecords);  // and the world
  CHECK_FALSE(parsed.value);
  Expected(parsed.diagnostics).take(code::kMany, Position{100'001, 1});
  CHECK(read(kMaxRecords - 1).ok());
}

TEST_CASE("world: elements of Graphics beyond the limit are an error at the first one") {
  const std::string text =
      simbatch::test::repeated("<World name='w'><Graphics>\n", "<a b='1'/>\n", 50'000, "</Graphics><Objects/></World>");
  problems(text).take(code::kMany, Position{50'001, 1});
}

TEST_CASE("autosim: an element under another name is one error, which names what it is meant for") {
  const auto world = [](std::string_view box) {
    return read_world("<World name=\"w\"><Objects>\n<Box name=\"b\">" + std::string(box) + "</Box>\n</Objects></World>",
                      "w.xml");
  };
  const std::string size = "<Size x=\"1\" y=\"1\" z=\"1\"/>", place = "<Position x=\"0\" y=\"0\" z=\"0\"/>";
  const auto only_error = [&](std::string_view box) {
    return Expected(world(box).diagnostics).take(xml::code::kElementUnknown);
  };
  CHECK(world(size + place).ok());
  CHECK(only_error(size + "<Pose x=\"0\" y=\"0\" z=\"0\"/>").find("no element \"Pose\"; it needs a <Position>") !=
        std::string::npos);
  CHECK(only_error(size + "<Positon x=\"0\" z=\"0\"/>").find("no element \"Positon\", did you mean \"Position\"?") !=
        std::string::npos);
  CHECK(only_error(place + "<Extent x=\"1\" y=\"1\" z=\"1\"/>").find("; it needs a <Size>") != std::string::npos);
  // What is missing for another reason is told.
  Expected both(world(size + "<Color name=\"red\"/>").diagnostics);
  both.take(xml::code::kElementUnknown, Position{2, 40});
  both.take(xml::code::kElementMissing, Position{2, 1});
  Expected none(world("").diagnostics);
  none.take(xml::code::kElementMissing, Position{2, 1});
  none.take(xml::code::kElementMissing, Position{2, 1});
}
