// Worlds of maps with areas, water, signals and lamps.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/renderer.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/scenario/map_folder.hpp"

using namespace simbatch;
using namespace simbatch::test::maps;

namespace {
using Places = std::vector<std::pair<double, double>>;

/// A map about 48 north, 11 east, with a street to the east along its middle.
class MapText {
 public:
  MapText() { add({{-200, 0}, {-50, 0}, {50, 0}, {200, 0}}, "<tag k=\"highway\" v=\"residential\"/>", false); }
  void add(const Places& places, const std::string& tags, bool is_closed = true) {
    std::string refs;
    const int first = node_ + 1;
    for (const auto& [east, north] : places) add_node(east, north, "");
    for (int n = first; n <= node_; ++n) refs += ref(n);
    if (is_closed) refs += ref(first);
    ways_ += "<way id=\"" + std::to_string(++way_) + "\" version=\"1\">" + refs + tags + "</way>";
  }
  void add_node(double east, double north, const std::string& tags) {
    const geo::LatLon at = geo::LocalFrame({48, 11}).to_geographic({east, north});
    nodes_ += "<node id=\"" + std::to_string(++node_) + "\" version=\"1\" lat=\"" + number_text(at.lat) + "\" lon=\"" +
              number_text(at.lon) + "\">" + tags + "</node>";
  }
  std::string text() const { return "<osm version=\"0.6\">" + nodes_ + ways_ + "</osm>"; }
  void tag_way(const std::string& tags) { ways_.insert(ways_.find("</way>"), tags); }  // the street
  void tag_node(int node, const std::string& tags) {
    const auto at = nodes_.find("></node>", nodes_.find("<node id=\"" + std::to_string(node) + "\""));
    nodes_.insert(at + 1, tags);
  }

 private:
  static std::string ref(int n) { return "<nd ref=\"" + std::to_string(n) + "\"/>"; }
  std::string nodes_, ways_;
  int node_ = 0, way_ = 0;
};

std::string world_with(const std::string& physics, const std::string& objects) {
  return "<World name=\"w\"><Physics><Engine name=\"e\"><StepSize value=\"0.005\"/></Engine>" + physics +
         "</Physics><Terrain><Map name=\"m\"><Folder path=\"map\"/></Map></Terrain><Objects>" + objects + "</Objects></World>";
}
std::string crate(const std::string& name, double x, double z, double mass, const std::string& height = "above=\"0.1\"") {
  return "<Box name=\"" + name + "\"><Position x=\"" + number_text(x) + "\" z=\"" + number_text(z) + "\" " + height +
         "/><Size x=\"1\" y=\"1\" z=\"1\"/><Mass value=\"" + number_text(mass) + "\"/></Box>";
}
const Places kPond = {{-20, 20}, {20, 20}, {20, 60}, {-20, 60}};
const std::string kWater = "<tag k=\"natural\" v=\"water\"/>";
}  // namespace

TEST_CASE("map areas: a crate floats on the pond and not beside it") {
  MapText map;
  map.add(kPond, kWater);
  Folder folder(
      world_with("<Water name=\"w\"><Level value=\"-0.5\"/><Density value=\"1000\"/></Water>",
                 crate("light", 0, 40, 500, "y=\"-0.98\"") + crate("heavy", 10, 40, 1500) + crate("ashore", 40, 40, 500)),
      {48, 11});
  folder.add("map.osm", map.text());
  auto result = folder.build();
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  sim::Simulation& simulation = *result.value->simulation;
  simulation.start();
  for (int i = 0; i < 4000; ++i) REQUIRE(simulation.step());
  const auto y = [&](const char* name) { return simulation.world().pose(simulation.world().find_body(name)).p.y; };
  CHECK(std::fabs(y("light") + 0.5) < 0.05);  // half under water
  CHECK(y("heavy") == doctest::Approx(-3.5 + 0.5).epsilon(0.05));
  CHECK(y("ashore") == doctest::Approx(0.5).epsilon(0.05));
  // Its surface is drawn, all of it, and no ray meets it.
  const scene::Appearance& looks = result.value->cameras->renderer().appearance();
  REQUIRE(looks.drawn.size() == 1);
  CHECK(looks.drawn[0].name == "areas.water.surface");
  CHECK_FALSE(looks.drawn[0].mesh.indices.empty());
  for (const geo::Vec3& p : looks.drawn[0].mesh.points) CHECK(p.y == -0.5);
  REQUIRE(looks.drawn[0].stretches.size() == 1);
  REQUIRE(looks.drawn[0].stretches[0].color);
  CHECK(looks.drawn[0].stretches[0].color->z > looks.drawn[0].stretches[0].color->y);
  CHECK(looks.water_is_drawn);
  const auto hit = simulation.world().ray_cast({5, 1, 45}, {5, -5, 45});
  REQUIRE(hit.has_value());
  CHECK(hit->point.y == doctest::Approx(-3.5));
}

TEST_CASE("map areas: without water in the scenario the pond is a surface on the ground") {
  MapText map;
  map.add(kPond, kWater);
  map.add({{60, 20}, {100, 20}, {100, 60}, {60, 60}}, "<tag k=\"leisure\" v=\"park\"/>");
  Folder folder(world_with("", crate("light", 0, 40, 500)), {48, 11});
  folder.add("map.osm", map.text());
  auto result = folder.build();
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  physics::World& world = result.value->simulation->world();
  const auto below = [&](double x, double z) {
    const auto hit = world.ray_cast({x, 0.06, z}, {x, -5, z});
    REQUIRE(hit.has_value());
    return world.name(hit->body);
  };
  CHECK(below(10, 40) == "areas.water");
  CHECK(below(80, 40) == "areas.park");
  CHECK(below(120, 40) == "terrain");
  CHECK(below(0, 0) == "roads");
}

TEST_CASE("map areas: signals are lights that a control sets") {
  MapText map;
  map.tag_node(2, "<tag k=\"highway\" v=\"traffic_signals\"/>");
  map.add_node(0, 7, "<tag k=\"highway\" v=\"street_lamp\"/>");
  Folder folder(world_with("",
                           "<Robot name=\"signals\" file=\"map:signals\"><Position x=\"0\" z=\"0\"/>"
                           "<Control time=\"0.1\" device=\"s2_1.green\" value=\"1\"/></Robot>"),
                {48, 11});
  folder.add("map.osm", map.text());
  auto result = folder.build();
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  sim::Simulation& simulation = *result.value->simulation;
  simulation.start();
  const auto green = [&] { return simulation.tree().find("signals.s2_1.green")->values()[0]; };
  CHECK(green() == 0);
  for (int i = 0; i < 40; ++i) REQUIRE(simulation.step());
  CHECK(green() == 1);
  // For both directions, on the right of the street, over the ground.
  for (const auto& [part, north] : {std::pair("signals.s2_1", -4.4), std::pair("signals.s2_2", 4.4)}) {
    const sim::TreeNode* node = simulation.tree().find(part);
    REQUIRE(node != nullptr);
    CHECK(node->values()[0] == doctest::Approx(-50).epsilon(1e-3));
    CHECK(node->values()[1] == doctest::Approx(2.75).epsilon(1e-3));
    CHECK(node->values()[2] == doctest::Approx(north).epsilon(1e-3));
  }
  // The lamp's pole is an obstacle.
  const auto hit = simulation.world().ray_cast({-1, 3, 7}, {1, 3, 7});
  REQUIRE(hit.has_value());
  CHECK(simulation.world().name(hit->body).starts_with("furniture."));
}

TEST_CASE("map areas: signals need no position, and one has no effect") {
  for (const char* position : {"", "<Position x=\"7\" z=\"9\" y=\"3\"/><Heading value=\"30\"/>"}) {
    CAPTURE(position);
    MapText map;
    map.tag_node(2, "<tag k=\"highway\" v=\"traffic_signals\"/>");
    Folder folder(world_with("", std::string("<Robot name=\"signals\" file=\"map:signals\">") + position + "</Robot>"),
                  {48, 11});
    folder.add("map.osm", map.text());
    auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.value.has_value());
    result.value->simulation->start();
    const sim::TreeNode* node = result.value->simulation->tree().find("signals.s2_1");
    REQUIRE(node != nullptr);
    CHECK(node->values()[0] == doctest::Approx(-50).epsilon(1e-3));
    CHECK(node->values()[1] == doctest::Approx(2.75).epsilon(1e-3));
    CHECK(node->values()[2] == doctest::Approx(-4.4).epsilon(1e-3));
  }
}

TEST_CASE("map areas: signals of a map that has none are an error") {
  Folder folder(world_with("", "<Robot name=\"signals\" file=\"map:signals\"><Position x=\"0\" z=\"0\"/></Robot>"), {48, 11});
  folder.add("map.osm", MapText().text());
  auto result = folder.build();
  CHECK_FALSE(result.value.has_value());
  simbatch::test::Expected expected(result.diagnostics);
  CHECK(expected.take(scenario::code::kSignals).find("none on its streets") != std::string::npos);
}

TEST_CASE("map areas: the sea is right of the coastline, and boats float there") {
  MapText map;
  map.add({{-200, -60}, {0, -60}, {0, -100}, {300, -100}}, "<tag k=\"natural\" v=\"coastline\"/>", false);
  Folder folder(world_with("<Water name=\"w\"><Level value=\"-0.5\"/><Density value=\"1000\"/></Water>",
                           crate("at_sea", -50, -80, 500, "y=\"-0.98\"") + crate("on_land", 50, -80, 500)),
                {48, 11});
  folder.add("map.osm", map.text());
  auto result = folder.build();
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  sim::Simulation& simulation = *result.value->simulation;
  simulation.start();
  for (int i = 0; i < 2000; ++i) REQUIRE(simulation.step());
  const auto y = [&](const char* name) { return simulation.world().pose(simulation.world().find_body(name)).p.y; };
  CHECK(std::fabs(y("at_sea") + 0.5) < 0.05);
  CHECK(y("on_land") == doctest::Approx(0.5).epsilon(0.05));
}

TEST_CASE("map areas: a car drives over the water on a street, whether that is tagged as a bridge or not") {
  const std::string drive =
      "<Robot name=\"cart\" file=\"cart.xml\"><Position x=\"-40\" z=\"0\"/><Heading value=\"90\"/>"
      "<Control time=\"0.5\" device=\"body.drive\" acceleration=\"0.5\" steering=\"0\" brake=\"0\"/></Robot>";
  for (const char* tags : {"", "<tag k=\"bridge\" v=\"yes\"/>", "<tag k=\"bridge\" v=\"yes\"/><tag k=\"layer\" v=\"1\"/>"}) {
    CAPTURE(tags);
    MapText map;
    map.tag_way(tags);
    map.add({{-20, -60}, {20, -60}, {20, 60}, {-20, 60}}, kWater);
    Folder folder(world_with("<Water name=\"w\"><Level value=\"-0.5\"/><Density value=\"1000\"/></Water>", drive), {48, 11});
    folder.add("map.osm", map.text());

    auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.value.has_value());
    sim::Simulation& simulation = *result.value->simulation;
    const physics::BodyId body = simulation.world().find_body("cart.body");
    simulation.start();
    const double start = simulation.world().pose(body).p.y;
    for (int i = 0; i < 3000 && simulation.world().pose(body).p.x < 40; ++i) REQUIRE(simulation.step());
    CHECK(simulation.world().pose(body).p.x >= 40);
    CHECK(std::fabs(simulation.world().pose(body).p.y - start) < 0.3);
  }
}

TEST_CASE("map areas: a cutting takes its ground from a river that crosses it, and tells it") {
  for (const bool has_room : {true, false}) {
    CAPTURE(has_room);
    MapText map;
    map.tag_way("<tag k=\"layer\" v=\"-1\"/>");
    map.add({{0, -150}, {0, 150}}, "<tag k=\"highway\" v=\"residential\"/>", false);
    map.add({{40, -60}, {40, 60}}, "<tag k=\"waterway\" v=\"river\"/><tag k=\"width\" v=\"20\"/>", false);
    Folder folder(world_with(has_room ? "<Water name=\"w\"><Level value=\"-0.5\"/><Density value=\"1000\"/></Water>" : "",
                             crate("wet", 40, 30, 500, "y=\"0.1\"") + crate("dry", 40, 0, 100, "above=\"0.5\"")),
                  {48, 11});
    folder.add("map.osm", map.text());
    auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.value.has_value());
    simbatch::test::Expected expected(result.diagnostics);
    const std::string told = expected.take(scenario::code::kMapLevels);
    // The street is 8 m wide; with room in the river, its walls take 0.3 m on either side.
    CHECK(told.find(" m2 of water give way to cuttings, whose walls keep it out") != std::string::npos);
    physics::World& world = result.value->simulation->world();
    for (double x = 28; x < 52; x += 1) {
      // 91.2 m of ramp from 8.5 m beyond the middle.
      const double s = 1 - (x - 8.5) / 91.2, depth = 5.7 * s * s * (3 - 2 * s);
      const auto road = world.ray_cast({x, 0.5, 1}, {x, -9, 1});
      REQUIRE(road.has_value());
      CHECK(road->point.y == doctest::Approx(0.05 - depth).epsilon(0.02));
      // Walls from the road up to the parapet.
      for (double y = 0.3 - depth; y < 0.2; y += 0.3) {
        const auto wall = world.ray_cast({x, y, 2}, {x, y, 8});
        REQUIRE(wall.has_value());
        CHECK(wall->point.z == doctest::Approx(4).epsilon(0.01));
      }
    }
    sim::Simulation& simulation = *result.value->simulation;
    for (int i = 0; i < 1000; ++i) REQUIRE(simulation.step());
    const auto height = [&](const char* name) { return simulation.tree().find(name)->values()[1]; };
    CHECK(height("dry") < -3);
    if (has_room) CHECK(height("wet") > -2);  // it floats in the river
  }
}

TEST_CASE("map areas: a bridge over a river is above its water, and told if its ramps do not fit") {
  for (const double end : {200.0, 60.0}) {
    CAPTURE(end);
    MapText map;
    map.add({{100 - end, 100}, {100 + end, 100}}, "<tag k=\"highway\" v=\"residential\"/><tag k=\"bridge\" v=\"yes\"/>", false);
    map.add({{100, 40}, {100, 160}}, "<tag k=\"waterway\" v=\"river\"/><tag k=\"width\" v=\"30 m\"/>", false);
    Folder folder(world_with("<Water name=\"w\"><Level value=\"-0.5\"/><Density value=\"1000\"/></Water>", ""), {48, 11});
    folder.add("map.osm", map.text());
    auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.value.has_value());
    simbatch::test::Expected expected(result.diagnostics);
    const std::string told = expected.take(scenario::code::kMapLevels);
    CHECK(told.find("1 bridge raises") != std::string::npos);
    CHECK((told.find("of 1 bridge over water, 1 is lower") != std::string::npos) == (end < 100));
    const double height = end < 100 ? (end - 7.5) / 16 : 4.2;
    physics::World& world = result.value->simulation->world();
    CHECK(world.terrain_height(100, 100).value_or(0) == doctest::Approx(height + 0.05).epsilon(0.01));
    // Below the deck there is nothing but water, down to its bottom.
    const auto bottom = world.ray_cast({100, height - 0.8, 100}, {100, -5, 100});
    REQUIRE(bottom.has_value());
    CHECK(bottom->point.y == doctest::Approx(-3.5));
  }
}

TEST_CASE("map areas: expectations may name houses and buildings that a map does not have") {
  const auto diagnostics_of = [](const std::string& name, const std::string& terrain) {
    Folder folder("<World name=\"w\"><Terrain>" + terrain + "</Terrain><Objects>" + crate("box", 40, 40, 500) +
                      "</Objects><Expectations duration=\"0.1\"><Expect name=\"a\" that=\"never contact(box, " + name +
                      ")\"/></Expectations></World>",
                  {48, 11});
    folder.add("map.osm", MapText().text());
    return folder.build().diagnostics;
  };
  const std::string map = "<Map name=\"m\"><Folder path=\"map\"/></Map>";
  for (const char* name : {"houses", "buildings", "furniture"}) {
    const Diagnostics diagnostics = diagnostics_of(name, map);
    CAPTURE(simbatch::test::all_text(diagnostics));
    CHECK_FALSE(diagnostics.has_errors());
  }
  CHECK(diagnostics_of("hauses", map).has_errors());
  CHECK(diagnostics_of("houses", "<Plane name=\"p\"/>").has_errors());
}
