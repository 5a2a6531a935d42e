#include <doctest/doctest.h>

#include "base/xml/codes.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/cajunbot/codes.hpp"
#include "tests/support/cajunbot_models.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::cajunbot;
using test::Expected;

namespace {

constexpr const char* kFile = R"(<?xml version="1.0" encoding="UTF-8"?>
<object_file>
  <name>Crossing</name>
  <object type="autonomous" shape="box">
    <name>Car</name>
    <start_position segment="1" lane="1" waypoint="1"/>
    <position_offset x="0" y="0" z="0"/>
    <orientation_offset x="0" y="0" z="0"/>
    <size x="1.7" y="3.68" z="2.16"/>
    <wheels type="1" radius="0.38" width="0.20"/><!-- conventional -->
    <steering throttle_rate="2" lever_rate="0.5"/>
    <sensor conf="onboard/front.conf" description=""/>
  </object>
  <object type="dynamic" shape="box">
    <name>Van</name>
    <start_position segment="3" lane="1" waypoint="1"/>
    <position_offset x="0" y="0" z="0"/>
    <orientation_offset x="0" y="0" z="0"/>
    <size x="2" y="4.0" z="1.5"/>
    <initial_pause>2.5</initial_pause>
    <goal speed="4.470400" pause="0.000000" segment="3" lane="1" waypoint="2"/>
    <goal speed="3" pause="0" segment="3" lane="1"/>
  </object>
  <object type="mesh">
    <name>Hill</name>
    <vertices path="base">vertices.txt</vertices>
    <indices path="full">/maps/indices.txt</indices>
  </object>
</object_file>
)";

std::string with(std::string_view from, std::string_view to) {
  std::string text = kFile;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("v2: a file of all kinds is read without diagnostics") {
  auto r = read_v2(kFile, "t.xml");
  CHECK(test::all_text(r.diagnostics) == "");
  REQUIRE(r.value);
  REQUIRE(r.value->objects.size() == 3);
  CHECK(r.value->name == "Crossing");
  const Object& van = r.value->objects[1];
  CHECK(van.initial_pause == 2.5);
  CHECK(van.controller == Controller::waypoint);
  CHECK(van.goals[0] == Goal{4.4704, 0, {3, 1, 2}, false});
  CHECK(van.goals[1] == Goal{3, 0, {3, 1, 0}, true});
  CHECK(van.place.at == Position{14, 3});
  CHECK(*r.value->objects[2].indices == MeshFile{"/maps/indices.txt", true});
}

TEST_CASE("v2: every example of the reference loads") {
  const std::string sample = test::reference_v2_sample();
  if (sample.empty()) return;
  auto r = read_v2(sample, "Objects.xml");
  CHECK(test::all_text(r.diagnostics) == "");
  REQUIRE(r.value);
  CHECK(r.value->objects.size() == 3);
  CHECK(r.value->objects[0].sensors.size() == 2);
  CHECK(r.value->objects[1].goals[1].open);
  for (const char* section : {"[edit] Autonomous object example", "[edit] Dynamic object example",
                              "[edit] Static object example", "[edit] Mesh object example"}) {
    std::string part = test::reference_part(section, "</object>");
    part = part.substr(part.find('<'));
    auto one = read_v2("<object_file><name>x</name>" + part + "</object></object_file>", "example");
    CAPTURE(part);
    CHECK(test::all_text(one.diagnostics) == "");
    REQUIRE(one.value);
    CHECK(one.value->objects.size() == 1);
  }
}

TEST_CASE("v2: what is written reads back the same, and is a fixed point") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    ObjectFile file = test::CajunbotGenerator(seed, test::Facts::both).file();
    file.name_implied = file.name && seed % 3 == 0;
    const std::string text = write_v2(file, {.extras = true});
    CAPTURE(text);
    auto r = read_v2(text, "t");
    CHECK_FALSE(r.diagnostics.has_errors());
    REQUIRE(r.value);
    CHECK(*r.value == file);
    CHECK(write_v2(*r.value, {.extras = true}) == text);
  }
}

TEST_CASE("v2: each broken file gets its located error") {
  struct Row {
    std::string text;
    std::string_view code;
    Position at;
  };
  const Row rows[] = {
      {with("object_file>\n  <name>", "objects>\n  <name>"), xml::code::kSyntax.name, {}},
      {"<objects/>", xml::code::kRoot.name, {1, 1}},
      {with("type=\"dynamic\"", "type=\"moving\""), xml::code::kChoice.name, {14, 17}},
      {with(" type=\"dynamic\"", ""), xml::code::kAttributeMissing.name, {14, 3}},
      {with("shape=\"box\">\n    <name>Van", "shape=\"mesh\">\n    <name>Van"), xml::code::kChoice.name, {14, 33}},
      {with("<name>Van</name>", ""), code::kNameMissing.name, {14, 3}},
      {with("<initial_pause>2.5</initial_pause>", ""), xml::code::kElementMissing.name, {14, 3}},
      {with(">2.5<", ">-1<"), xml::code::kNumberRange.name, {20, 5}},
      {with(">2.5<", ">soon<"), xml::code::kNumber.name, {20, 5}},
      {with("waypoint=\"2\"", "waypoint=\"-2\""), xml::code::kNumberRange.name, {21, 76}},
      {with("y=\"3.68\"", "y=\"3,68\""), xml::code::kNumber.name, {9, 22}},
      {with("<object_file>", "<object_file xmlns=\"urn:x\">"), code::kNamespace.name, {2, 21}},
      {with("<object type=\"mesh\"", "<object xmlns=\"urn:x\" type=\"mesh\""), code::kNamespace.name, {24, 18}},
      {with("y=\"3.68\"", "y=\" 3 68\""), xml::code::kNumber.name, {9, 22}},
      {with("y=\"3.68\"", "y=\"  \""), xml::code::kNumber.name, {9, 22}},
      {with("speed=\"3\"", "speed=\"3\" color=\"red\""), xml::code::kAttributeUnknown.name, {22, 28}},
      {with("vertices.txt", ""), code::kMeshFile.name, {26, 5}},
      {with("<size x=\"2\"", "<size x=\"2\" y=\"4\" z=\"1\"/><size x=\"2\""), xml::code::kElementRepeated.name, {19, 30}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    auto r = read_v2(row.text, "t.xml");
    CAPTURE(test::all_text(r.diagnostics));
    Expected expected(r.diagnostics);
    if (row.at.line == 0)
      expected.take(row.code);
    else
      expected.take(row.code, row.at);
    expected.drop_notes();
  }
}

TEST_CASE("v2: blanks around a number are no part of it, as in the schema") {
  const auto r = read_v2(with("x=\"1.7\" y=\"3.68\"", "x=\" 1.7 \" y=\"\t3.68\n\""), "t.xml");
  CHECK(test::all_text(r.diagnostics) == "");
  CHECK(r.value->objects[0].size == Vector{1.7, 3.68, 2.16});
  const auto whole = read_v2(with("segment=\"1\" lane=\"1\"", "segment=\" 7\" lane=\"1 \""), "t.xml");
  CHECK(test::all_text(whole.diagnostics) == "");
  CHECK(whole.value->objects[0].start == Waypoint{7, 1, 1});
}

TEST_CASE("v2: problems of a goal are reported at the goal") {
  auto r = read_v2(with("speed=\"4.470400\"", "speed=\"0\""), "t.xml");
  REQUIRE(r.ok());
  check(*r.value, Version::v2, r.diagnostics);
  Expected(r.diagnostics).take(code::kSpeed, Position{21, 5});
}

TEST_CASE("v2: five flaws are five errors") {
  std::string text = with("type=\"1\" radius", "type=\"7\" radius");
  for (const auto& [from, to] :
       {std::pair{"y=\"3.68\"", "y=\"x\""}, std::pair{">2.5<", "><"}, std::pair{"lane=\"1\" waypoint=\"2\"", "waypoint=\"2\""},
        std::pair{"path=\"base\"", "path=\"here\""}})
    text.replace(text.find(from), std::string_view(from).size(), to);
  auto r = read_v2(text, "t");
  CHECK(r.diagnostics.errors() == 5);
}

TEST_CASE("v2: prefixes and mutations end in a reading or in a diagnosis") {
  test::for_every_prefix(kFile, [](std::string_view prefix) {
    auto r = read_v2(prefix, "p");
    CHECK((r.value || r.diagnostics.has_errors()));
  });
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    auto r = read_v2(test::mutated(kFile, seed), "m");
    CHECK((r.value || r.diagnostics.has_errors()));
    if (r.value) check(*r.value, Version::v2, r.diagnostics);
  }
}

TEST_CASE("v2: goals under another controller are read as goals") {
  std::string text = with("<object_file>", "<object_file xmlns:a=\"urn:simbatch:cajunbot:version-1\">");
  text.replace(text.find("<initial_pause>"), 0, "<a:extras controller=\"1\" id=\"8\"/>");
  auto r = read_v2(text, "t");
  REQUIRE(r.value);
  CHECK(r.value->objects[1].controller == Controller::waypoint);
  CHECK(r.value->objects[1].id == 8);
  Expected(r.diagnostics).take(code::kExtra);
}

TEST_CASE("the version of a text is guessed from its first byte") {
  CHECK(guess_version("  <?xml") == Version::v2);
  CHECK(guess_version("\xEF\xBB\xBF<a/>") == Version::v2);
  CHECK(guess_version("3 // n") == Version::v1);
  CHECK(guess_version("") == Version::v1);
}
