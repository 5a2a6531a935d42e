#include <doctest/doctest.h>

#include "lib/traffic/codes.hpp"
#include "lib/traffic/traffic.hpp"
#include "lib/traffic/versions.hpp"
#include "tests/support/cajunbot_models.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::traffic;
using cajunbot::Controller;
using cajunbot::Object;
using cajunbot::ObjectFile;
using cajunbot::Type;
using test::Expected;

namespace {

const char* const kNetwork =
    "RNDF_name n\nnum_segments 1\nnum_zones 0\nsegment 1\nnum_lanes 2\nlane 1.1\nnum_waypoints 4\n1.1.1 1 1\n1.1.2 1.0001 1\n"
    "1.1.3 1.0002 1\n1.1.4 1.0003 1\nend_lane\nlane 1.2\nnum_waypoints 2\n1.2.1 1.0003 1.0001\n1.2.2 1 1.0001\nend_lane\nend_segment\nend_file\n";

/// Through the text of version 2 and back, as the program does it.
ObjectFile v1_v2_v1(const ObjectFile& file, bool keep, Diagnostics& losses) {
  const VersionOptions there{.lossy = true, .keep_extras = keep, .file_name = keep ? "made" : "", .network = nullptr};
  const std::string v2 = write_v2(to_v2(file, there, losses), {.extras = keep});
  auto read2 = cajunbot::read_v2(v2, "2");
  CHECK_FALSE(read2.diagnostics.has_errors());
  const std::string v1 =
      write_v1(to_v1(*read2.value, {.lossy = true, .keep_extras = false, .file_name = "", .network = nullptr}, losses));
  auto read1 = cajunbot::read_v1(v1, "1");
  CHECK_FALSE(read1.diagnostics.has_errors());
  return *read1.value;
}

ObjectFile v2_v1_v2(const ObjectFile& file, bool keep, Diagnostics& losses) {
  const VersionOptions there{.lossy = true, .keep_extras = keep, .file_name = "", .network = nullptr};
  const std::string v1 = write_v1(to_v1(file, there, losses), {.extras = keep});
  auto read1 = cajunbot::read_v1(v1, "1");
  CAPTURE(v1);
  CHECK_FALSE(read1.diagnostics.has_errors());
  const std::string v2 =
      write_v2(to_v2(*read1.value, {.lossy = true, .keep_extras = false, .file_name = "", .network = nullptr}, losses));
  auto read2 = cajunbot::read_v2(v2, "2");
  CHECK_FALSE(read2.diagnostics.has_errors());
  return *read2.value;
}

/// Version 1 facts that version 2 cannot hold, removed: the exceptions of the promise.
ObjectFile without_v1_facts(ObjectFile file) {
  std::int32_t number = 0;
  for (Object& o : file.objects) {
    ++number;
    if (o.type == Type::mesh) {
      o.mesh_type = 3;
      o.start = {};
      continue;
    }
    o.id = number;
    if (o.shape == cajunbot::Shape::mesh) o.shape = cajunbot::Shape::box;
    o.controller = cajunbot::implied_controller(o.type);
    o.script.clear();
    if (o.type == Type::autonomous) o.goals.clear();
    for (auto& sensor : o.sensors) sensor.type = 0;
  }
  return file;
}

ObjectFile without_v2_facts(ObjectFile file) {
  file.name.reset();
  std::size_t number = 0;
  for (Object& o : file.objects) {
    o.name = default_name(o, ++number);
    for (auto& sensor : o.sensors) sensor.description.clear();
    std::erase_if(o.goals, [](const cajunbot::Goal& g) { return g.open; });
    // --lossy keeps an initial pause as a first leg.
    if (o.initial_pause > 0 && !o.goals.empty() && !o.start.is_disabled())
      o.goals.insert(o.goals.begin(), {o.goals.front().speed, o.initial_pause, o.start, false});
    o.initial_pause = 0;
    o.vertices->full = cajunbot::is_absolute_path(o.vertices->name);
    o.indices->full = cajunbot::is_absolute_path(o.indices->name);
  }
  return file;
}

}  // namespace

TEST_CASE("versions: 1 to 2 to 1 gives the same but for the listed exceptions, and with extras exactly the same") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const ObjectFile file = test::CajunbotGenerator(seed, test::Facts::v1).file();
    Diagnostics losses("t"), none("t");
    CHECK(v1_v2_v1(file, false, losses) == without_v1_facts(file));
    CHECK(v1_v2_v1(file, true, none) == file);
    // A file that uses none of the exceptions is reported to lose nothing.
    if (without_v1_facts(file) == file)
      for (const Diagnostic& d : losses.items()) CHECK(d.code == code::kLossOrigin.name);
    else
      CHECK_FALSE(losses.empty());
  }
}

TEST_CASE("versions: 2 to 1 to 2 gives the same but for the listed exceptions, and with extras exactly the same") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const ObjectFile file = test::CajunbotGenerator(seed, test::Facts::v2).file();
    Diagnostics losses("t"), none("t");
    CHECK(v2_v1_v2(file, false, losses) == without_v2_facts(file));
    CHECK(v2_v1_v2(file, true, none) == file);
  }
}

TEST_CASE("versions: each thing that version 2 cannot hold is one diagnostic at its object") {
  ObjectFile f;
  Object o;
  o.place.at = {7, 1};
  o.start = {1, 1, 1};
  const auto convert = [&](bool lossy) {
    f.objects = {o};
    Diagnostics d("t");
    static_cast<void>(to_v2(f, {.lossy = lossy, .keep_extras = false, .file_name = "x", .network = nullptr}, d));
    return d;
  };
  o.id = 1;
  CHECK(convert(false).empty());
  o.id = 6;
  Expected(convert(false)).take(code::kLossId, Position{7, 1});
  o.id = 1;
  o.start = {};
  Expected(convert(false)).take(code::kLossOrigin);
  o.start = {1, 1, 1};
  o.shape = cajunbot::Shape::mesh;
  CHECK(convert(false).errors() == 1);
  CHECK(convert(true).errors() == 0);
  Expected(convert(true)).take(code::kLossShape);
  o.shape = cajunbot::Shape::box;
  o.type = Type::dynamic;
  o.controller = Controller::manual;
  Expected(convert(false)).take(code::kLossController);
  o.controller = Controller::script;
  o.script = {{1, 0, 5, 90}};
  CHECK(convert(false).errors() == 1);
  Expected(convert(true)).take(code::kLossLegs);
  o.script.clear();
  o.type = Type::autonomous;
  o.controller = Controller::waypoint;
  o.goals = {{1, 0, {1, 1, 2}, false}};
  Expected(convert(true)).take(code::kLossLegs);
  o.goals.clear();
  o.controller = Controller::sensor;
  o.sensors = {{"a.conf", "", 2}, {"b\x01.conf", "", 0}};
  Expected two(convert(false));
  two.take(code::kLossSensorType);
  two.take(code::kLossText);
  o = Object{};
  o.type = Type::mesh;
  o.mesh_type = 5;
  o.start = {1, 2, 3};
  o.vertices->name = o.indices->name = "x";
  Expected mesh(convert(false));
  mesh.take(code::kLossMeshPlace);
  mesh.take(code::kLossMeshType);
}

TEST_CASE("versions: each thing that version 1 cannot hold is one diagnostic") {
  ObjectFile f;
  f.name = "town";
  Object o;
  o.type = Type::dynamic;
  o.controller = Controller::waypoint;
  o.name = "Van";
  o.start = {1, 1, 1};
  o.initial_pause = 2;
  o.goals = {{3, 0, {1, 1, 0}, true}};
  Object car;
  car.type = Type::autonomous;
  car.sensors = {{"a.conf", "front", 0}, {" b // c", "", 0}};
  Object mesh;
  mesh.type = Type::mesh;
  *mesh.vertices = {"v.txt", true};
  *mesh.indices = {"i.txt", false};
  f.objects = {o, car, mesh};
  Diagnostics d("t");
  const ObjectFile out = to_v1(f, {.lossy = true, .keep_extras = false, .file_name = "", .network = nullptr}, d);
  Expected e(d);
  e.take(code::kLossFileName);
  e.take(code::kLossName);
  e.take(code::kLossInitialPause);
  e.take(code::kLossOpenGoal);
  e.take(code::kLossDescription);
  e.take(code::kLossText);
  e.take(code::kLossMeshPath);
  CHECK(cajunbot::read_v1(write_v1(out), "t").ok());
  Diagnostics strict("t");
  static_cast<void>(to_v1(f, {}, strict));
  CHECK(strict.errors() == 2);  // the open goal and the file name
}

TEST_CASE("versions: ids are the places in the file, or free numbers") {
  ObjectFile f;
  f.objects.resize(3);
  f.objects[0].id = 2;
  Diagnostics d("t");
  const ObjectFile out = to_v1(f, {}, d);
  CHECK(out.objects[0].id == 2);
  CHECK(out.objects[1].id == 4);
  CHECK(out.objects[2].id == 3);
}

TEST_CASE("goals without a waypoint follow the rest of their lane, or all of another") {
  const auto network = rndf::read_rndf(kNetwork, "n");
  REQUIRE(network.ok());
  const rndf::Index index(*network.value);
  Object o;
  o.type = Type::dynamic;
  o.start = {1, 1, 1};
  o.goals = {{4, 0, {1, 1, 2}, false},
             {3, 1, {1, 1, 0}, true},
             {2, 0, {1, 2, 0}, true},
             {1, 0, {1, 2, 0}, true},
             {1, 0, {9, 9, 0}, true}};
  Diagnostics d("t");
  expand_goals(o, 1, index, d);
  REQUIRE(o.goals.size() == 5);
  CHECK(o.goals[1] == cajunbot::Goal{3, 1, {1, 1, 3}, false});
  CHECK(o.goals[2] == cajunbot::Goal{3, 1, {1, 1, 4}, false});
  CHECK(o.goals[3] == cajunbot::Goal{2, 0, {1, 2, 1}, false});
  CHECK(o.goals[4] == cajunbot::Goal{2, 0, {1, 2, 2}, false});
  Expected e(d);
  e.take(code::kGoalEmpty);
  e.take(code::kGoalLane);
  ObjectFile f;
  f.objects = {o};
  f.objects[0].start = {1, 1, 9};
  f.objects[0].goals.push_back({1, 0, {3, 1, 0}, true});
  Diagnostics missing("t");
  check_waypoints(f, index, missing);
  Expected m(missing);
  m.take(code::kWaypointMissing);
  m.take(code::kGoalLane);
}

TEST_CASE("goals along lanes are refused where they would become millions of waypoints") {
  std::string text =
      "RNDF_name a\nnum_segments 1\nnum_zones 0\nformat_version 1.0\nsegment 1\nnum_lanes 1\nlane 1.1\nnum_waypoints 1000\n";
  for (int i = 1; i <= 1000; ++i) text += "1.1." + std::to_string(i) + "\t48.0\t11." + std::to_string(100000 + i) + "\n";
  const auto network = rndf::read_rndf(text + "end_lane\nend_segment\nend_file\n", "n");
  REQUIRE(network.ok());
  const rndf::Index index(*network.value);
  Object o;
  o.type = Type::dynamic;
  o.start = {1, 1, 1};
  o.goals.assign(20, {4, 0, {1, 1, 0}, true});
  ObjectFile file;
  file.objects.assign(100, o);
  file.objects[99].place.at = {7, 1};
  Diagnostics fits("t");
  CHECK(check_expansion(file, index, fits));
  CHECK(fits.empty());
  file.objects[0].goals.push_back({4, 0, {1, 1, 0}, true});
  for (const bool converts : {false, true}) {
    ObjectFile copy = file;
    Diagnostics d("t");
    VersionOptions options;
    options.network = &index;
    if (converts)
      (void)to_v1(copy, options, d);
    else
      CHECK_FALSE(resolve_objects(copy, index, {48, 11}, d));
    Expected e(d);
    CHECK(e.take(code::kGoalsMany, Position{7, 1}).find("2001000") != std::string::npos);
  }
}

TEST_CASE("places: what reaches further than a world is refused, each kind at its object") {
  // A waypoint a quarter round the equator has no place on the plane at all.
  auto network = rndf::read_rndf(kNetwork, "n");
  network.value->segments[0].lanes[0].waypoints[2].lat = 0;
  network.value->segments[0].lanes[0].waypoints[2].lon = 90;
  const rndf::Index index(*network.value);
  ObjectFile f;
  for (int i = 0; i < 8; ++i) {
    Object o;
    o.place.at = {static_cast<std::uint32_t>(i + 1), 1};
    o.size = {1, 1, 1};
    f.objects.push_back(o);
  }
  f.objects[0].position.y = -1e300;
  f.objects[1].size.z = 2e4;
  f.objects[2].wheel_radius = 1e300;
  f.objects[3].script = {{1, 0, 7e5, 0}, {1, 0, -7e5, 180}};
  f.objects[4].position = {1e6, -1e6, 0};
  f.objects[5].wheel_width = 1e4;
  f.objects[6].start = {1, 1, 3};
  f.objects[7].goals = {{1, 0, {1, 1, 2}, false}, {1, 0, {1, 1, 3}, false}};
  Diagnostics d("t");
  check_reach(f, place_objects(f, index, {0, 0}), d);
  Expected e(d);
  for (const std::uint32_t line : {1, 2, 3, 4, 7, 8}) e.take(code::kFar, Position{line, 1});
}

TEST_CASE("versions: the reference's sample converts, and back, and says what is lost") {
  const std::string sample = test::reference_v1_sample();
  if (sample.empty()) return;
  auto r = cajunbot::read_v1(sample, "Sample.obj");
  REQUIRE(r.value);
  Diagnostics d("Sample.obj");
  const ObjectFile v2 = to_v2(*r.value, {.lossy = false, .keep_extras = false, .file_name = "Sample", .network = nullptr}, d);
  Expected e(d);
  e.take(code::kLossId);  // 6, the second object
  e.take(code::kLossId);  // 7, the third
  const std::string text = write_v2(v2);
  // Checked by hand against the reference's own version 2 examples: same elements, same order, same spelling.
  CHECK(
      text.find(
          "  <object type=\"autonomous\" shape=\"box\">\n    <name>Object 1</name>\n"
          "    <start_position segment=\"1\" lane=\"2\" waypoint=\"3\"/>\n    <position_offset x=\"0\" y=\"0\" z=\"0\"/>\n"
          "    <orientation_offset x=\"0\" y=\"0\" z=\"0\"/>\n    <size x=\"1.7\" y=\"3.68\" z=\"2.16\"/>\n"
          "    <wheels type=\"1\" radius=\"0.38\" width=\"0.2\"/>\n    <steering throttle_rate=\"2\" lever_rate=\"0.5\"/>\n"
          "    <sensor conf=\"onboard/scan_gp_driver_0.conf\"/>\n    <sensor conf=\"onboard/scan_gp_driver_2.conf\"/>\n  </object>\n") !=
      std::string::npos);
  CHECK(
      text.find("    <goal speed=\"5\" pause=\"0\" segment=\"1\" lane=\"1\" waypoint=\"8\"/>\n  </object>\n</object_file>\n") !=
      std::string::npos);
  Diagnostics back("x");
  ObjectFile v1 = to_v1(v2, {}, back);
  REQUIRE(v1.objects.size() == 3);
  r.value->objects[1].id = 2;
  r.value->objects[2].id = 3;
  for (Object& o : v1.objects) o.name.reset();
  v1.name.reset();
  CHECK(v1 == *r.value);
}
