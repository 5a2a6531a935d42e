// Every value of an object file of version 1, spoiled one after the other, is the one error of its file; check() against a plain list of
// its rules; and meshes line by line.
#include <doctest/doctest.h>

#include <limits>

#include "base/core/random.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/cajunbot/codes.hpp"
#include "tests/support/cajunbot_models.hpp"
#include "tests/support/marked.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::cajunbot;
using test::check_only;
using test::Expected;
using test::marked;

namespace {

struct Value {
  const char* text;
  const char* name;  ///< as messages call it; nullptr: a file name, which nothing spoils
};

// Three objects, a value a line; waypoints and positions on one line.
const std::vector<std::vector<Value>> kObjects = {
    {{"0", "type"},          {"0", "controller"},     {"1", "id"},
     {"0", "shape"},         {"1", "start"},          {"2", "start"},
     {"3", "start"},         {"0", "position"},       {"0", "position"},
     {"0", "position"},      {"1.7", "size"},         {"3.68", "size"},
     {"2.16", "size"},       {"0", "orientation"},    {"0", "orientation"},
     {"0", "orientation"},   {"1", "wheel type"},     {"0.38", "wheel radius"},
     {"0.2", "wheel width"}, {"2", "throttle rate"},  {"0.5", "lever rate"},
     {"1", "sensors"},       {"0", "type of sensor"}, {"a.conf", nullptr}},
    {{"2", "type"},
     {"6", "id"},
     {"0", "shape"},
     {"4", "start"},
     {"5", "start"},
     {"6", "start"},
     {"0", "position"},
     {"0", "position"},
     {"0", "position"},
     {"1", "size"},
     {"1", "size"},
     {"1", "size"},
     {"0", "orientation"},
     {"0", "orientation"},
     {"0", "orientation"}},
    {{"1", "type"},        {"3", "controller"},  {"2", "legs"},       {"5", "speed"}, {"0", "pause"}, {"1", "goal"},
     {"1", "goal"},        {"1", "goal"},        {"5", "speed"},      {"0", "pause"}, {"1", "goal"},  {"1", "goal"},
     {"2", "goal"},        {"7", "id"},          {"0", "shape"},      {"7", "start"}, {"8", "start"}, {"9", "start"},
     {"0", "position"},    {"0", "position"},    {"0", "position"},   {"2", "size"},  {"4", "size"},  {"1", "size"},
     {"0", "orientation"}, {"0", "orientation"}, {"0", "orientation"}}};

/// The file with the value `v` of object `o` replaced, and where it is.
std::pair<std::string, Position> spoiled(std::size_t o, std::size_t v, std::string_view with) {
  std::string out = "3 // objects\n";
  Position at;
  std::uint32_t line = 2, column = 1;
  for (std::size_t i = 0; i < kObjects.size(); ++i) {
    for (std::size_t k = 0; k < kObjects[i].size(); ++k) {
      const Value& value = kObjects[i][k];
      if (i == o && k == v) at = {line, column};
      const std::string_view text = i == o && k == v ? with : std::string_view(value.text);
      out += text;
      const bool is_triple =
          value.name != nullptr && (std::string_view(value.name) == "start" || std::string_view(value.name) == "goal");
      // The first two numbers of a waypoint are followed by a blank.
      std::size_t in_triple = 0;
      while (is_triple && k >= in_triple + 1 && kObjects[i][k - in_triple - 1].name == value.name) ++in_triple;
      if (is_triple && in_triple % 3 != 2) {
        out += ' ';
        column += static_cast<std::uint32_t>(text.size()) + 1;
      } else {
        out += '\n';
        ++line;
        column = 1;
      }
    }
    out += '\n';
    ++line;
  }
  return {out, at};
}

}  // namespace

TEST_CASE("v1: each spoiled value is the one error of its file, at its place") {
  const auto good = read_v1(spoiled(9, 0, "").first, "t");
  REQUIRE_MESSAGE(good.value, test::all_text(good.diagnostics));
  REQUIRE(good.diagnostics.empty());
  for (std::size_t o = 0; o < kObjects.size(); ++o)
    for (std::size_t v = 0; v < kObjects[o].size(); ++v) {
      if (kObjects[o][v].name == nullptr) continue;
      for (const char* const with : {"?", "nan", "1e999", "1,5", "--1"}) {
        const std::pair<std::string, Position> file = spoiled(o, v, with);
        CAPTURE(file.first);
        CAPTURE(with);
        const auto read = read_v1(file.first, "t");
        CAPTURE(test::all_text(read.diagnostics));
        CHECK(read.diagnostics.errors() == 1);
        REQUIRE_FALSE(read.diagnostics.empty());
        CHECK(read.diagnostics.items()[0].at == file.second);
      }
    }
}

TEST_CASE("v1: the message names the value and the object that it belongs to") {
  for (const auto& [object, value, says] : {std::tuple{0, 11, "size y of object 1 of 3"},
                                            {0, 17, "wheel"},
                                            {0, 19, "throttle"},
                                            {1, 6, "position"},
                                            {1, 14, "orientation"},
                                            {2, 1, "controller"},
                                            {2, 3, "speed"},
                                            {2, 24, "of object 3 of 3"}}) {
    const auto read = read_v1(spoiled(static_cast<std::size_t>(object), static_cast<std::size_t>(value), "?").first, "t");
    REQUIRE_FALSE(read.diagnostics.empty());
    const std::string message = read.diagnostics.items()[0].message;
    CAPTURE(message);
    CHECK(message.find(says) != std::string::npos);
    CHECK(message.find("found \"?\"") + message.find("is \"?\"") != 2 * std::string::npos);
  }
}

TEST_CASE("v2: each spoiled attribute is the one error of its file, at its place") {
  constexpr std::string_view kFile = R"(<object_file><name>f</name>
<object type="autonomous" shape="box"><name>Car</name>
<start_position segment="1" lane="1" waypoint="1"/>
<position_offset x="0" y="0" z="0"/>
<orientation_offset x="0" y="0" z="0"/>
<size x="1.7" y="3.68" z="2.16"/>
<wheels type="1" radius="0.38" width="0.25"/>
<steering throttle_rate="2" lever_rate="0.5"/>
<sensor conf="front.conf" description=""/></object>
<object type="dynamic" shape="box"><name>Van</name>
<start_position segment="3" lane="1" waypoint="7"/>
<position_offset x="9" y="0" z="0"/>
<orientation_offset x="0" y="0" z="9"/>
<size x="2" y="4.5" z="1.5"/>
<initial_pause>2.5</initial_pause>
<goal speed="4.25" pause="6" segment="3" lane="1" waypoint="2"/></object>
</object_file>
)";
  const auto good = read_v2(kFile, "t");
  REQUIRE_MESSAGE(good.diagnostics.empty(), test::all_text(good.diagnostics));
  std::size_t spoiled_ones = 0;
  // Every attribute whose value is a number, at this value: no number, and missing.
  for (std::size_t at = kFile.find("=\""); at != std::string_view::npos; at = kFile.find("=\"", at + 1)) {
    const std::size_t end = kFile.find('"', at + 2), begin = kFile.find_last_of(" <", at) + 1;
    if (end == at + 2 || kFile[at + 2] < '0' || kFile[at + 2] > '9') continue;
    ++spoiled_ones;
    for (const std::string_view with : {"?", "nan", "", "0x1", "1e999", "1 2"}) {
      const std::string text = std::string(kFile.substr(0, at + 2)) + "@" + std::string(with) + std::string(kFile.substr(end));
      const test::Marked file = marked(text);
      CAPTURE(file.text);
      const auto read = read_v2(file.text, "t");
      CAPTURE(test::all_text(read.diagnostics));
      CHECK(read.diagnostics.errors() == 1);
      REQUIRE_FALSE(read.diagnostics.empty());
      CHECK(read.diagnostics.items()[0].at == file.at);
    }
    std::string without(kFile);
    without.erase(begin, end + 1 - begin);
    const auto read = read_v2(without, "t");
    CAPTURE(without);
    CAPTURE(test::all_text(read.diagnostics));
    // A goal without a waypoint is one to the end of the lane.
    CHECK(read.diagnostics.errors() == (without.find("waypoint=\"2\"") == std::string::npos ? 0 : 1));
  }
  CHECK(spoiled_ones == 34);
}

TEST_CASE("check: random objects have the findings that a plain list of the rules gives") {
  const Code* const kRules[] = {&code::kShapeMesh, &code::kShape,          &code::kWaypointPartial,   &code::kSizeZero,
                                &code::kSpeed,     &code::kControllerIdle, &code::kControllerVehicle, &code::kRate};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "check");
    const Version version = random.below(2) == 0 ? Version::v1 : Version::v2;
    const bool is_first = version == Version::v1;
    // Mostly plausible values, so that objects with no or one finding occur.
    const auto rarely = [&] { return random.below(12) == 0; };
    const auto waypoint = [&] {
      return Waypoint{rarely() ? 0 : 1, static_cast<std::int32_t>(random.below(2)), rarely() ? 0 : 2};
    };
    Object o;
    o.type = static_cast<Type>(random.below(4));
    o.shape = rarely() ? static_cast<Shape>(random.below(5)) : Shape::box;
    o.start = rarely() ? Waypoint{} : waypoint();
    o.size = {rarely() ? 0.0 : 1, rarely() ? 0.0 : 1, rarely() ? 0.0 : 1};
    o.controller = rarely() ? static_cast<Controller>(random.below(4)) : implied_controller(o.type);
    o.throttle_rate = rarely() ? -1 : 1;
    o.lever_rate = rarely() ? 0 : 1;
    for (std::uint64_t n = random.below(3); n > 0; --n) o.goals.push_back({rarely() ? 0.0 : 5, 0, waypoint(), rarely()});
    for (std::uint64_t n = rarely() ? 1 : 0; n > 0; --n) o.script.push_back({rarely() ? -1.0 : 5, 0, 1, 0});

    std::size_t expected[std::size(kRules)] = {};
    const auto expect = [&](const Code& code) {
      for (std::size_t i = 0; i < std::size(kRules); ++i) expected[i] += kRules[i] == &code ? 1 : 0;
    };
    const auto expect_waypoint = [&](const Waypoint& w, bool may_be_none) {
      const bool none = w.segment == 0 && w.lane == 0 && w.point == 0;
      if (none ? !is_first && !may_be_none : w.segment == 0 || w.point == 0) expect(code::kWaypointPartial);
    };
    expect_waypoint(o.start, o.type == Type::mesh);
    if (o.type != Type::mesh) {
      if (o.shape == Shape::mesh) expect(code::kShapeMesh);
      if (!is_first && o.shape != Shape::mesh && o.shape != Shape::box) expect(code::kShape);
      if (o.size.x * o.size.y * o.size.z == 0) expect(code::kSizeZero);
      if (o.type == Type::dynamic && (o.controller == Controller::sensor || o.controller == Controller::manual))
        expect(code::kControllerIdle);
      if (o.type == Type::autonomous && (o.controller == Controller::script || o.controller == Controller::waypoint))
        expect(code::kControllerVehicle);
      if (o.type == Type::autonomous && !(o.throttle_rate > 0 && o.lever_rate > 0)) expect(code::kRate);
      for (const Goal& goal : o.goals) {
        if (goal.speed <= 0) expect(code::kSpeed);
        if (!goal.open) expect_waypoint(goal.to, false);
      }
      for (const ScriptLeg& leg : o.script)
        if (leg.speed <= 0) expect(code::kSpeed);
    }
    ObjectFile file;
    file.objects = {o};
    file.objects[0].place.at = {7, 3};
    Diagnostics found("t");
    check(file, version, found);
    CAPTURE(test::all_text(found));
    for (std::size_t i = 0; i < std::size(kRules); ++i) {
      std::size_t count = 0;
      for (const Diagnostic& d : found.items())
        if (d.code == kRules[i]->name && d.at == Position{7, 3}) ++count;
      CAPTURE(kRules[i]->name);
      CHECK(count == expected[i]);
    }
  }
}

TEST_CASE("mesh files: each line that is not three numbers, at its place") {
  for (const auto& row : {
           std::pair{"0 0 0\n@1 2\n", &code::kMeshLine},
           {"0 0 0\n  @1 2 3 4\n", &code::kMeshLine},
           {"1 2 @x\n", &code::kMeshLine},
           {"1 @2,5 3\n", &code::kMeshLine},
           {"@inf 0 0\n", &code::kMeshLine},
           {"0 @1e999 0", &code::kMeshLine},
           {"0 0 0\r\n\t@-- 0 0\r\n", &code::kMeshLine},
           {"// 1 2\n# 3\n@0 0 // 0\n", &code::kMeshLine},
       }) {
    CAPTURE(row.first);
    const test::Marked file = marked(row.first);
    check_only(read_vertices(file.text, "t").diagnostics, row.second->name, file.at);
  }
  for (const auto& row : {
           std::pair{"0 1 @-1\n", &code::kMeshLine},
           {"0 1 @1.0\n", &code::kMeshLine},
           {"@4294967296 0 1\n", &code::kMeshLine},
           {"0 @4 1\n", &code::kMeshIndex},
           {"@4294967295 0 1\n", &code::kMeshIndex},
           {"0 1 2\n@3 2 3\n", &code::kMeshDegenerate},
           {"0 1 2\n@3 3 3\n", &code::kMeshDegenerate},
           {"@0 1\n", &code::kMeshLine},
       }) {
    CAPTURE(row.first);
    const test::Marked file = marked(row.first);
    check_only(read_indices(file.text, "t", 4).diagnostics, row.second->name, file.at);
  }
  CHECK(read_vertices("", "t").value->empty());
  CHECK(read_vertices("// only\n\n#comments", "t").ok());
  CHECK(read_indices("0 0 0", "t", 0).diagnostics.errors() == 3);
}

TEST_CASE("the version of a file is found by its first line that says anything") {
  for (const auto& row : {std::pair{"3 // objects\n", std::optional(Version::v1)},
                          {"\n  // a comment\n\t12\r\n1", Version::v1},
                          {"\xEF\xBB\xBF"
                           "3\n",
                           Version::v1},
                          {"<object_file/>", Version::v2},
                          {"\xEF\xBB\xBF  <?xml version=\"1.0\"?>\n<!-- a --><object_file>", Version::v2},
                          {"<objects/>", std::nullopt},
                          {"3 4\n", std::nullopt},
                          {"-3\n", std::nullopt},
                          {"3.0\n", std::nullopt},
                          {"RNDF_name x\n", std::nullopt},
                          {"// only a comment", std::nullopt},
                          {"", std::nullopt}}) {
    CAPTURE(row.first);
    CHECK(detect_version(row.first) == row.second);
  }
}

TEST_CASE("paths of meshes: which ones are whole") {
  for (const char* const whole : {"/", "/a/b", "\\a", "C:/a", "z:\\a"}) CHECK_MESSAGE(is_absolute_path(whole), whole);
  for (const char* const part : {"", "a", "a/b", "./a", "C:", "C:a", "CC:/a", "1:/a", " /a"})
    CHECK_MESSAGE(!is_absolute_path(part), part);
}

TEST_CASE("v1: what cannot be written says why, and what can reads back") {
  Object mesh;
  mesh.type = Type::mesh;
  mesh.vertices->name = "v.txt";
  mesh.indices->name = "i.txt";
  CHECK(v1_fault(mesh).empty());
  for (const char* const name : {"", " v", "v ", "a\nb", "a\rb", "a // b", "// a"}) {
    CAPTURE(name);
    Object bad = mesh;
    bad.indices->name = name;
    const bool is_refused = !v1_fault(bad).empty();
    ObjectFile file;
    file.objects = {bad};
    if (is_refused) {
      CHECK_THROWS_AS(write_v1(file), std::invalid_argument);
      continue;
    }
    const auto read = read_v1(write_v1(file), "t");
    REQUIRE_MESSAGE(read.value, test::all_text(read.diagnostics));
    CHECK(read.value->objects[0].indices->name == name);
  }
  Object box;
  for (const double wrong : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Object bad = box;
    bad.orientation_deg.z = wrong;
    CHECK_FALSE(v1_fault(bad).empty());
    bad = box;
    bad.size.y = wrong;
    CHECK_FALSE(v1_fault(bad).empty());
    bad = box;
    bad.type = Type::dynamic;
    bad.goals = {{5, wrong, {1, 1, 1}, false}};
    CHECK_FALSE(v1_fault(bad).empty());
    bad.goals.clear();
    bad.script = {{5, 0, wrong, 0}};
    CHECK_THROWS_AS(write_v1(ObjectFile{{}, false, {bad}}), std::invalid_argument);
  }
}
