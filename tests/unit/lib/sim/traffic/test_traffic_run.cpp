#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/geo.hpp"
#include "formats/cajunbot/cajunbot.hpp"
#include "formats/rndf/rndf.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/traffic/traffic.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/sim/traffic/scene.hpp"

using namespace simbatch;

namespace {

const std::string kNetwork = test::one_lane({"48.0 11.0", "48.0003 11.0", "48.0003 11.0004"});

std::string objects() {
  cajunbot::ObjectFile file;
  cajunbot::Object o = test::mover({{10, 1, {1, 1, 2}, false}, {6, 0, {1, 1, 3}, false}});
  file.objects.push_back(o);
  o.controller = cajunbot::Controller::script;
  o.goals.clear();
  o.script = {{5, 0.5, 10, -90}};
  o.start = {};
  o.position = {-50, -50, 0};
  file.objects.push_back(o);
  o = test::small_car();
  o.start = {1, 1, 1};
  o.position = {-20, 0, 0};
  file.objects.push_back(o);
  o = {};
  o.start = {1, 1, 2};
  o.position = {10, 10, 0};
  o.size = {1, 1, 1};
  file.objects.push_back(o);
  o = {};
  o.type = cajunbot::Type::mesh;
  o.vertices->name = "v.txt";
  o.indices->name = "i.txt";
  file.objects.push_back(o);
  return write_v1(file);
}

scenario::BuildResult build(const test::TemporaryFolder& folder, const std::string& more = {}) {
  test::write_text(folder.file("w.xml"),
                   test::flat_world("<Traffic name=\"traffic\" objects=\"t.obj\" rndf=\"n.rndf\"/>" + more, "0.01"));
  test::write_text(folder.file("n.rndf"), kNetwork);
  test::write_text(folder.file("t.obj"), objects());
  test::write_text(folder.file("v.txt"), "100 100 0\n101 100 0\n100 101 1\n");
  test::write_text(folder.file("i.txt"), "0 1 2\n");
  return scenario::build_scenario(folder.file("w.xml"), {});
}

}  // namespace

TEST_CASE("traffic in a simulation arrives when speeds and pauses say, and stops at its last goal") {
  const test::TemporaryFolder folder;
  auto result = build(folder);
  CAPTURE(test::all_text(result.diagnostics));
  REQUIRE(result.value);
  sim::Simulation& s = *result.value->simulation;
  s.start();
  const double north = geo::geodesic({48, 11}, {48.0003, 11}).distance,
               east = geo::geodesic({48.0003, 11}, {48.0003, 11.0004}).distance;
  const double first = north / 10, second = first + 1 + east / 6;
  sim::TreeNode* node = s.tree().find("traffic.object_1");
  REQUIRE(node != nullptr);
  const auto run_to = [&](double time) {
    while (s.clock().time < time - 1e-9) REQUIRE(s.step());
  };
  run_to(std::floor(first * 100) / 100);
  CHECK(node->values()[5] == 1);
  CHECK(node->values()[4] == 10);
  // Residual: the plane's scale, 1e-10 here, and the time since arrival, under a step.
  CHECK(std::fabs(node->values()[2] - 10 * s.clock().time) < 1e-6);
  run_to(first + 0.5);
  CHECK(std::fabs(node->values()[2] - north) < 1e-6);
  CHECK(node->values()[4] == 0);
  run_to(first + 2);
  CHECK(node->values()[5] == 2);
  CHECK(std::fabs(node->values()[0] - 6 * (s.clock().time - first - 1)) < 1e-4);
  run_to(second + 0.02);
  CHECK(node->values()[5] == 3);
  CHECK(std::fabs(std::hypot(node->values()[0], node->values()[2] - north) - east) < 1e-3);
  // The body is where the node says.
  const physics::Pose pose = s.world().pose(s.world().find_body("traffic.object_1"));
  CHECK(std::fabs(pose.p.x - node->values()[0]) < 1e-9);
  CHECK(std::fabs(pose.p.y - 0.75) < 1e-9);
  // Script: 10 m to the east (-90 degrees, counter-clockwise from north).
  const sim::TreeNode* script = s.tree().find("traffic.object_2");
  CHECK(std::fabs(script->values()[0] + 40) < 1e-9);
  CHECK(std::fabs(script->values()[2] + 50) < 1e-9);
  // The vehicle rests on its wheels.
  const sim::TreeNode* vehicle = s.tree().find("traffic.object_3");
  CHECK(vehicle->values()[4] < 0.01);
  CHECK(std::fabs(vehicle->values()[1]) < 0.15);
  CHECK(s.world().find_body("traffic.object_4") != physics::kNoBody);
  CHECK(s.world().find_body("traffic.object_5") != physics::kNoBody);
}

TEST_CASE("traffic runs alike twice") {
  const test::TemporaryFolder folder;
  std::uint64_t hashes[2] = {};
  for (std::uint64_t& hash : hashes) {
    auto result = build(folder);
    REQUIRE(result.value);
    for (int i = 0; i < 300; ++i) result.value->simulation->step();
    hash = result.value->simulation->state_hash();
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("traffic whose files are wrong is reported with their places") {
  const test::TemporaryFolder folder;
  auto missing = build(folder, R"(<Traffic name="b" objects="none.obj" rndf="n.rndf"/>)");
  CHECK_FALSE(missing.value);
  CHECK(missing.unreadable);
  test::write_text(folder.file("bad.obj"), "1\n2\n6\n0\n9 9 9\n0\n0\n0\n1\n1\n1\n0\n0\n0\n");
  auto wrong = build(folder, R"(<Traffic name="b" objects="bad.obj" rndf="n.rndf"/>)");
  CHECK_FALSE(wrong.value);
  CHECK(test::all_text(wrong.diagnostics).find("start 9.9.9 is not in the network") != std::string::npos);
}

TEST_CASE("an object file of either version runs on the network that is named with it, as <Traffic> would") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("n.rndf"), kNetwork);
  test::write_text(folder.file("t.obj"), objects());
  test::write_text(folder.file("v.txt"), "100 100 0\n101 100 0\n100 101 1\n");
  test::write_text(folder.file("i.txt"), "0 1 2\n");
  const std::string world =
      R"(<World name="w"><Terrain><Plane name="ground"/></Terrain><Objects><Traffic objects="t.obj" rndf="n.rndf"/></Objects></World>)";
  test::write_text(folder.file("w.xml"), world);
  std::vector<std::uint64_t> hashes;
  for (const char* scenario : {"w.xml", "t.obj"}) {
    scenario::BuildOptions options;
    if (std::string_view(scenario) == "t.obj") options.rndf = folder.file("n.rndf");
    auto result = scenario::build_scenario(folder.file(scenario), options);
    CAPTURE(test::all_text(result.diagnostics));
    REQUIRE(result.value);
    for (int i = 0; i < 480; ++i) REQUIRE(result.value->simulation->step());
    CHECK(result.value->simulation->settings().physics.dt == 1.0 / 240);
    CHECK(result.value->simulation->settings().origin->lat == 48);
    CHECK(result.value->simulation->tree().find("traffic.object_1") != nullptr);
    hashes.push_back(result.value->simulation->state_hash());
    if (!options.rndf.empty()) {
      CHECK(result.value->inputs.at(0).name == "t.obj");
      CHECK(result.value->inputs.at(1).name == "n.rndf");
    }
  }
  CHECK(hashes[0] == hashes[1]);
}

TEST_CASE("an object file whose waypoints need a network says so, and one without waypoints runs alone") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("n.rndf"), kNetwork);
  test::write_text(folder.file("t.obj"), "1\n2\n6\n0\n1 1 1\n0\n0\n0\n1\n1\n1\n0\n0\n0\n");
  const auto needs = scenario::build_scenario(folder.file("t.obj"));
  CHECK_FALSE(needs.value);
  test::Expected found(needs.diagnostics);
  CHECK(found.take(scenario::code::kNetwork, Position{2, 1}).find("--rndf FILE") != std::string::npos);
  test::write_text(folder.file("t.obj"), "// obstacle\n\n1\n2\n6\n0\n0 0 0\n5\n0\n0\n1\n1\n1\n0\n0\n0\n");
  auto alone = scenario::build_scenario(folder.file("t.obj"));
  CAPTURE(test::all_text(alone.diagnostics));
  REQUIRE(alone.value);
  CHECK(alone.value->simulation->world().find_body("traffic.object_1") != physics::kNoBody);
  // In one line it is an object file only if a network is named.
  test::write_text(folder.file("line.obj"), "1 2 6 0 1 1 1 0 0 0 1 1 1 0 0 0");
  CHECK(scenario::build_scenario(folder.file("line.obj"), {.rndf = folder.file("n.rndf")}).value);
  auto absent = scenario::build_scenario(folder.file("line.obj"), {.rndf = folder.file("none.rndf")});
  CHECK(absent.unreadable);
  CHECK_FALSE(absent.value);
  test::write_text(folder.file("w.xml"), "<World name=\"w\"><Objects/></World>");
  test::Expected unused(scenario::build_scenario(folder.file("w.xml"), {.rndf = folder.file("n.rndf")}).diagnostics);
  unused.take(scenario::code::kNetworkUnused);
}

TEST_CASE("traffic follows the ground: uphill it is where its time table says, and its wheels are on the slope") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("n.rndf"), kNetwork);
  cajunbot::ObjectFile file;
  cajunbot::Object o = test::mover({{5, 0, {1, 1, 2}, false}});
  o.position.z = 0.25;
  file.objects.push_back(o);
  test::write_text(folder.file("t.obj"), write_v1(file));
  // 80 m each way about the origin, rising by 1 in 10 to the north.
  std::string grid;
  for (int row = 8; row >= -8; --row) {
    for (int column = -8; column <= 8; ++column) grid += std::to_string(row) + " ";
    grid += "\n";
  }
  test::write_text(folder.file("slope.txt"), grid);
  test::write_text(
      folder.file("w.xml"),
      R"(<World name="w"><Terrain><HeightMap name="slope"><File path="slope.txt"/><HeightDataPerArea value="10"/></HeightMap></Terrain>
<Objects><Traffic objects="t.obj" rndf="n.rndf"/></Objects></World>)");
  auto result = scenario::build_scenario(folder.file("w.xml"));
  CAPTURE(test::all_text(result.diagnostics));
  REQUIRE(result.value);
  sim::Simulation& s = *result.value->simulation;
  s.start();
  const auto values = s.tree().find("traffic.object_1")->values();
  while (s.clock().time < 6) {
    CAPTURE(s.clock().time);
    CHECK(std::fabs(values[2] - 5 * s.clock().time) < 1e-6);
    CHECK(std::fabs(values[1] - (0.5 * s.clock().time + 0.25)) < 1e-6);
    CHECK(std::fabs(s.world().pose(s.world().find_body("traffic.object_1")).p.y - values[1] - 0.75) < 1e-9);
    REQUIRE(s.step());
  }
}

TEST_CASE("sensor files of autonomous objects are not read, which is reported once") {
  const test::TemporaryFolder folder;
  cajunbot::ObjectFile file;
  cajunbot::Object o;
  o.size = {1, 1, 1};
  file.objects.push_back(o);
  o = test::small_car();
  o.sensors = {{"onboard/front.conf", "", 0}, {"onboard/rear.conf", "", 0}};
  for (const double x : {10.0, 20.0}) {
    o.position.x = x;
    file.objects.push_back(o);
  }
  test::write_text(folder.file("t.obj"), write_v1(file));
  const scenario::BuildResult result = scenario::build_scenario(folder.file("t.obj"));
  REQUIRE_MESSAGE(result.value, test::all_text(result.diagnostics));
  CHECK(result.value->inputs.size() == 1);
  test::Expected expected(result.diagnostics);
  const std::string text = expected.take(scenario::code::kSensorFiles);
  CHECK(text.find("4 sensor files are not read, as \"onboard/front.conf\"") != std::string::npos);
}
