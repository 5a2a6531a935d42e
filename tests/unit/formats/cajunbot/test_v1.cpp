#include <doctest/doctest.h>

#include "base/core/record_limit.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/cajunbot/codes.hpp"
#include "tests/support/cajunbot_models.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::cajunbot;
using test::Expected;

namespace {

constexpr const char* kVehicle =
    "0 // dyn_sim\n0 // sensor\n1 // id\n0 // box\n1 2 3\n0\n0\n0\n1.7\n3.68\n2.16\n0\n0\n0\n1\n0.38\n0.20\n2\n0.5\n2\n0\n"
    "onboard/front.conf\n0\nonboard/back.conf\n";
constexpr const char* kBox = "2\n6\n0\n4 5 6 // position\n0\n0\n0\n1.2\n1.2\n1.2\n0\n0\n0\n";
/// A dynamic object; `controller` is "3\n" or nothing.
std::string mover(const std::string& controller, int legs) {
  std::string out = "1\n" + controller + std::to_string(legs) + "\n";
  for (int i = 1; i <= legs; ++i) out += "5\n0\n1 1 " + std::to_string(i) + "\n";
  return out + "7\n0\n7 8 9\n0\n0\n0\n2\n4\n1\n0\n0\n0\n";
}
std::string join(std::initializer_list<std::string> objects, int count = -1) {
  std::string out = std::to_string(count < 0 ? static_cast<int>(objects.size()) : count) + " // number of objects\n";
  for (const std::string& o : objects) out += o + " \n";
  return out;
}
ObjectFile read_clean(const std::string& text) {
  auto r = read_v1(text, "t.obj");
  CAPTURE(text);
  CHECK(test::all_text(r.diagnostics) == "");
  REQUIRE(r.value);
  return *r.value;
}

}  // namespace

TEST_CASE("v1: the reference's sample reads, with one warning for the missing controller line") {
  const std::string sample = test::reference_v1_sample();
  if (sample.empty()) return;
  auto r = read_v1(sample, "Sample.obj");
  REQUIRE(r.value);
  const ObjectFile& f = *r.value;
  REQUIRE(f.objects.size() == 3);
  CHECK(f.objects[0].type == Type::autonomous);
  CHECK(f.objects[0].size == Vector{1.7, 3.68, 2.16});
  CHECK(f.objects[0].start == Waypoint{1, 2, 3});
  CHECK(f.objects[0].sensors.size() == 2);
  CHECK(f.objects[0].sensors[1].conf == "onboard/scan_gp_driver_2.conf");
  CHECK(f.objects[0].wheel_width == 0.2);
  CHECK(f.objects[1].id == 6);
  CHECK(f.objects[2].type == Type::dynamic);
  CHECK(f.objects[2].controller == Controller::waypoint);
  REQUIRE(f.objects[2].goals.size() == 8);
  CHECK(f.objects[2].goals[7] == Goal{5, 0, {1, 1, 8}, false});
  CHECK(f.objects[2].id == 7);
  Expected expected(r.diagnostics);
  expected.take(code::kControllerImplied);
}

TEST_CASE("v1: strict reading refuses the sample's third object, as the Format section asks for a controller") {
  auto r = read_v1(join({kVehicle, kBox, mover("", 8)}), "t.obj", {.strict = true});
  CHECK(r.diagnostics.errors() == 1);
  CHECK(r.diagnostics.items()[0].code == code::kField.name);
  CHECK(r.diagnostics.items()[0].message.find("controller") != std::string::npos);
}

TEST_CASE("v1: every prefix of a file ends in a reading or in a diagnosis") {
  std::string text = test::reference_v1_sample();
  if (text.empty()) text = join({kVehicle, kBox, mover("", 8)});
  std::size_t clean = 0;
  test::for_every_prefix(text, [&](std::string_view prefix) {
    auto r = read_v1(prefix, "p");
    CHECK((r.value || r.diagnostics.has_errors()));
    if (!r.diagnostics.has_errors()) ++clean;
  });
  // Only cuts after the last value are clean.
  CHECK(clean <= 20);
}

TEST_CASE("v1: both layouts, any number of legs, alone and many") {
  for (const int count : {1, 2, 3, 10}) {
    for (const int legs : {0, 1, 2, 3, 8}) {
      CAPTURE(count);
      CAPTURE(legs);
      std::string explicit_text = std::to_string(count) + "\n", implied_text = explicit_text;
      for (int i = 0; i < count; ++i) {
        explicit_text += mover("3\n", legs);
        implied_text += mover("", legs);
      }
      auto a = read_v1(explicit_text, "a"), b = read_v1(implied_text, "b");
      REQUIRE(a.value);
      CHECK(a.diagnostics.empty());
      REQUIRE(b.value);
      REQUIRE(b.value->objects.size() == static_cast<std::size_t>(count));
      // Without legs "1 0 7" is also "controller sensor": same object otherwise.
      if (legs > 0) CHECK(*a.value == *b.value);
      if (legs > 0) CHECK(b.diagnostics.warnings() == static_cast<std::size_t>(count));
    }
  }
}

TEST_CASE("v1: controllers sensor, manual and script on dynamic objects and vehicles") {
  const std::string tail = "7\n0\n7 8 9\n0\n0\n0\n2\n4\n1\n0\n0\n0\n";
  CHECK(read_clean(join({"1\n0\n" + tail})).objects[0].controller == Controller::sensor);
  CHECK(read_clean(join({"1\n1\n" + tail, kBox})).objects[0].controller == Controller::manual);
  const ObjectFile f = read_clean(join({"1\n2\n2\n3\n1\n10\n90\n4\n0\n5.5\n-45\n" + tail, kBox}));
  REQUIRE(f.objects[0].script.size() == 2);
  CHECK(f.objects[0].script[1] == ScriptLeg{4, 0, 5.5, -45});
  std::string vehicle = kVehicle;
  vehicle.replace(vehicle.find("0 // sensor"), 11, "3\n1\n5\n0\n1 1 2");
  CHECK(read_clean(join({vehicle})).objects[0].goals.size() == 1);
}

TEST_CASE("v1: layout of the text does not matter: one line, CRLF, tabs, byte order mark, glued comments") {
  const ObjectFile want = read_clean(join({kVehicle, kBox}));
  std::string crlf;
  for (const char c : join({kVehicle, kBox})) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(read_clean(crlf) == want);
  CHECK(read_clean("\xEF\xBB\xBF" + join({kVehicle, kBox})) == want);
  std::string flat;
  for (const char c : std::string("1\n") + kBox) flat += c == '\n' ? '\t' : c;
  CHECK(read_clean("1 2\t6//x\n0 4 5 6 0 0 0 1.2 1.2 1.2 0 0 0").objects[0] == want.objects[1]);
  CHECK(read_clean("1 2 6 0 4\n5\n6 0 0 0 1.2 1.2 1.2 0 0 0//y").objects[0] == want.objects[1]);
}

TEST_CASE("v1: file names keep blanks and slashes") {
  std::string vehicle = kVehicle;
  vehicle.replace(vehicle.find("onboard/front.conf"), 18, "my files//front one.conf // the front");
  CHECK(read_clean(join({vehicle})).objects[0].sensors[0].conf == "my files//front one.conf");
}

TEST_CASE("v1: mesh objects by any type number from 3 on") {
  const ObjectFile f = read_clean(join({"3\nvertices.txt\nindices.txt\n0 0 0\n", kBox}));
  CHECK(f.objects[0].type == Type::mesh);
  CHECK(f.objects[0].vertices->name == "vertices.txt");
  auto r = read_v1(join({"4\nv.txt // v\ni.txt\n1 2 3\n", kBox}), "t");
  REQUIRE(r.value);
  CHECK(r.value->objects[0].mesh_type == 4);
  CHECK(r.value->objects[0].start == Waypoint{1, 2, 3});
  Expected(r.diagnostics).take(code::kMeshType, Position{2, 1});
}

TEST_CASE("v1: a count that is too small is a warning, one that is too large an error") {
  auto small = read_v1(join({kVehicle, kBox}, 1), "t");
  REQUIRE(small.value);
  CHECK(small.value->objects.size() == 2);
  Expected(small.diagnostics).take(code::kCount, Position{1, 1});
  auto large = read_v1(join({kVehicle, kBox}, 4), "t");
  CHECK(Expected(large.diagnostics).take(code::kEnd) == "the file ends after 2 of 4 objects");
}

TEST_CASE("v1: a count of 2,000,000,000 allocates nothing") {
  Expected(read_v1("2000000000\n", "t").diagnostics).take(code::kEnd);
  Expected(read_v1("1\n1\n3\n2000000000\n5\n0\n1 1 1\n", "t").diagnostics).take(code::kEnd);
  Expected(read_v1("1\n0 0 1 0 1 2 3 0 0 0 1 1 1 0 0 0 1 1 1 1 1 2000000000\n0\nx.conf\n", "t").diagnostics).take(code::kEnd);
}

TEST_CASE("v1: five flaws are five located errors") {
  std::string a = kVehicle, b = kBox, c = mover("3\n", 2), d = kBox, e = kBox;
  a.replace(a.find("3.68"), 4, "3,68");          // a decimal comma
  b.replace(b.find("\n0\n4 5 6"), 3, "\n9\n");   // an unknown shape
  c.replace(c.find("5\n0\n1 1 2"), 3, "5\n-1");  // a negative pause -> "-1"
  d.replace(d.find("1.2"), 3, "wide");
  e.erase(e.find("4 5 6"), 2);  // a value missing
  auto r = read_v1(join({a, b, c, d, e}), "t");
  CHECK(r.diagnostics.errors() == 5);
  CAPTURE(test::all_text(r.diagnostics));
  for (const Diagnostic& item : r.diagnostics.items()) CHECK(item.at.line > 1);
  CHECK(r.diagnostics.items()[0].at == Position{11, 1});
  CHECK(r.diagnostics.items()[0].message == "size y of object 1 of 5 is \"3,68\", expected a number >= 0");
  // A value is missing: kept to lines, its own line is to blame, not where the numbers run out.
  CHECK(r.diagnostics.items()[4].at.line < 90);
}

TEST_CASE("v1: wrong values are located without blank lines as well") {
  std::string text = "2\n" + std::string(kBox) + kBox;
  text.replace(text.rfind("1.2"), 3, "wide");
  Expected(read_v1(text, "t").diagnostics).take(code::kField, Position{24, 1});
}

TEST_CASE("v1: other broken files") {
  Expected(read_v1("", "t").diagnostics).take(code::kEmpty);
  Expected(read_v1(" // nothing\n", "t").diagnostics).take(code::kEmpty);
  Expected(read_v1("x\n", "t").diagnostics).take(code::kField, Position{1, 1});
  Expected(read_v1("1\n1.0\n6\n", "t").diagnostics).take(code::kType, Position{2, 1});
  Expected(read_v1(std::string("1\n") + kBox + "rubbish\n", "t").diagnostics).take(code::kTrailing);
  Expected(read_v1("1\n9\n6\n0\n", "t").diagnostics).take(code::kType, Position{2, 1});
}

TEST_CASE("v1: what is written reads back the same, and is a fixed point") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const ObjectFile file = test::CajunbotGenerator(seed, test::Facts::both).file();
    const std::string text = write_v1(file, {.extras = true});
    CAPTURE(text);
    auto r = read_v1(text, "t");
    CHECK_FALSE(r.diagnostics.has_errors());
    REQUIRE(r.value);
    CHECK(*r.value == file);
    CHECK(write_v1(*r.value, {.extras = true}) == text);
  }
}

TEST_CASE("v1: without extras a strict reader takes what is written") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    ObjectFile file = test::CajunbotGenerator(seed, test::Facts::v1).file();
    for (Object& o : file.objects) o.mesh_type = 3;
    auto r = read_v1(write_v1(file), "t", {.strict = true});
    CHECK(test::all_text(r.diagnostics) == "");
    REQUIRE(r.value);
    CHECK(*r.value == file);
  }
}

TEST_CASE("v1: mutated files never crash, and are read in bounded time") {
  const std::string text = join({kVehicle, kBox, mover("", 3), mover("3\n", 2), "3\nv.txt\ni.txt\n0 0 0\n"});
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    auto r = read_v1(test::mutated(text, seed), "m");
    CHECK((r.value || r.diagnostics.has_errors()));
    if (r.value) check(*r.value, Version::v1, r.diagnostics);
  }
}

TEST_CASE("v1: a file made of ones, where every object has two readings, takes linear time") {
  std::string ones = "100000\n";
  for (int i = 0; i < 400'000; ++i) ones += "1 ";
  auto r = read_v1(ones, "t");
  CHECK((r.value || r.diagnostics.has_errors()));
}

TEST_CASE("v1: many objects on one line, with numbers that might be meshes, take linear time") {
  // Each 5 is tried as the type of a mesh, whose first file name would be the rest of the line.
  std::string text = "40000";
  for (int i = 0; i < 40'000; ++i) text += " 1 2 5 0 1 1 2 5 0 1 1 3 " + std::to_string(i) + " 0 1 1 1 0 0 0 2 4 1 0 0 0";
  const auto r = read_v1(text, "t");
  REQUIRE(r.value);
  CHECK(r.value->objects.size() == 40'000);
}

TEST_CASE("check: wheels that no vehicle has, and sizes below a millimeter, are told") {
  struct Row {
    double radius, length;
    const Code* code;
  };
  for (const Row& row :
       {Row{0.38, 3.7, nullptr}, Row{0, 3.7, &code::kWheel}, Row{5, 1.7, &code::kWheel}, Row{1e-31, 1e-30, &code::kSizeZero}}) {
    CAPTURE(row.radius);
    ObjectFile f;
    Object& o = f.objects.emplace_back();
    o.type = Type::autonomous;
    o.start = {1, 1, 1};
    o.size = {1.7, row.length, 1.5};
    o.wheel_radius = row.radius;
    o.throttle_rate = o.lever_rate = 1;
    Diagnostics d("t");
    check(f, Version::v1, d);
    Expected expected(d);
    if (row.code != nullptr) expected.take(*row.code);
  }
}

TEST_CASE("v1: unknown //! lines are warned about") {
  auto r = read_v1("1\n2\n//!color red\n//!initial_pause 3\n6 0 4 5 6 0 0 0 1 1 1 0 0 0\n", "t");
  Expected expected(r.diagnostics);
  expected.take(code::kExtra, Position{3, 4});
  expected.take(code::kExtra, Position{4, 4});
}

TEST_CASE("check: what is well-formed but cannot be meant") {
  ObjectFile f = read_clean(join({kBox, kBox, "1\n1\n" + mover("3\n", 1).substr(6 + 10)}));
  Diagnostics d("t");
  f.objects[2] = Object{};
  f.objects[2].type = Type::dynamic;
  f.objects[2].controller = Controller::manual;
  f.objects[1].shape = Shape::mesh;
  f.objects[1].start = {0, 1, 2};
  f.objects[0].goals.push_back({0, 0, {1, 1, 1}, false});
  check(f, Version::v1, d);
  Expected expected(d);
  expected.take(code::kIdDuplicate);
  expected.take(code::kShapeMesh);
  expected.take(code::kWaypointPartial);
  expected.take(code::kSizeZero);
  expected.take(code::kSpeed);
  expected.take(code::kControllerIdle);
  expected.take(code::kNoAutonomous);
  Diagnostics d2("t");
  ObjectFile g;
  check(g, Version::v2, d2);
  Expected(d2).take(code::kNoObjects);
  g.objects.emplace_back().type = Type::autonomous;
  g.objects[0].shape = Shape::sphere;
  g.objects[0].controller = Controller::waypoint;
  g.objects[0].size = {1, 1, 1};
  Diagnostics d3("t");
  check(g, Version::v2, d3);
  Expected e3(d3);
  e3.take(code::kShape);
  e3.take(code::kControllerVehicle);
  e3.take(code::kRate);
  e3.take(code::kWheel);
  e3.take(code::kWaypointPartial);
}

TEST_CASE("mesh files: three numbers a line, comments, and triangles that exist") {
  auto v = read_vertices("// a triangle\n0 0 0\n1 0 0 # right\n\n0 1.5 0\n", "vertices.txt");
  CHECK(v.ok());
  REQUIRE(v.value->size() == 3);
  CHECK((*v.value)[2] == Vector{0, 1.5, 0});
  auto i = read_indices("0 1 2\n0 1 3\n0 0 1\n0 1\n0 1 x\n", "indices.txt", 3);
  CHECK(i.value->size() == 2);
  Expected expected(i.diagnostics);
  expected.take(code::kMeshIndex, Position{2, 5});
  expected.take(code::kMeshDegenerate, Position{3, 1});
  expected.take(code::kMeshLine, Position{4, 1});
  expected.take(code::kMeshLine, Position{5, 5});
  CHECK(read_vertices(write_vertices(*v.value), "t").value == v.value);
  CHECK(read_indices(write_indices(*i.value), "t", 3).value == i.value);
  Expected(read_vertices("0 nan 1\n", "t").diagnostics).take(code::kMeshLine, Position{1, 3});
}

TEST_CASE("v1: objects and sensors beyond the limit are an error at the first one") {
  const auto read = [](std::size_t objects, std::string_view object) {
    return read_v1(test::repeated(std::to_string(objects) + "\n", object, objects), "o");
  };
  constexpr std::string_view kShort = "2 6 0 4 5 6 0 0 0 1 1 1 0 0 0\n";
  const auto parsed = read(200'001, kShort);
  CHECK_FALSE(parsed.value);
  Expected(parsed.diagnostics).take(code::kMany, Position{200'002, 1});
  CHECK(read(200'000, kShort).ok());
  const std::string driver = test::repeated("0 0 1 0 0 0 0 0 0 0 1 1 1 0 0 0 1 1 1 1 1 49\n", "0 a.conf\n", 49);
  Expected(read(4001, driver).diagnostics).take(code::kMany, Position{200'002, 1});
  CHECK(read(4000, driver).ok());
}
