// Positions by houses of the map and by waypoints of road networks.

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "formats/cajunbot/cajunbot.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/scenario/map_folder.hpp"

using namespace simbatch;
using namespace simbatch::test::maps;

namespace {

/// A street to the north with a hall in the east and a house of osmgen in the west.
std::string village() {
  const geo::LocalFrame frame({48, 11});
  std::string text = "<osm version=\"0.6\">";
  const auto node = [&](int id, double east, double north, const std::string& tags = "") {
    const geo::LatLon at = frame.to_geographic({east, north});
    text += "<node id=\"" + std::to_string(id) + "\" version=\"1\" lat=\"" + number_text(at.lat) + "\" lon=\"" +
            number_text(at.lon) + "\">" + tags + "</node>";
  };
  const auto tag = [](const std::string& key, const std::string& value) {
    return "<tag k=\"" + key + "\" v=\"" + value + "\"/>";
  };
  node(1, 0, -100), node(2, 0, 100);
  node(3, 20, 30), node(4, 40, 30), node(5, 40, 50), node(6, 20, 50);
  node(-7, -20, -40,
       tag("filePath", "models/a") + tag("fileType", "3ds") + tag("rotY", "90") + tag("sizeX", "10") + tag("sizeY", "6") +
           tag("sizeZ", "8"));
  text += "<way id=\"1\" version=\"1\"><nd ref=\"1\"/><nd ref=\"2\"/>" + tag("highway", "residential") + "</way>";
  text += "<way id=\"2\" version=\"1\"><nd ref=\"3\"/><nd ref=\"4\"/><nd ref=\"5\"/><nd ref=\"6\"/><nd ref=\"3\"/>" +
          tag("building", "yes") + tag("name", "Hall") + tag("addr:street", "Ring Road") + tag("addr:housenumber", "12a") +
          "</way>";
  return text + "</osm>";
}

/// Lane 1.1 to the north from 48 11, lane 1.2 back; a spot of a zone.
const std::string kSite =
    "RNDF_name site\nnum_segments 1\nnum_zones 1\nformat_version 1.0\ncreation_date 1-1-2026\n"
    "segment 1\nnum_lanes 2\nlane 1.1\nnum_waypoints 2\n1.1.1 48.000000 11.000000\n1.1.2 48.000900 11.000000\nend_lane\n"
    "lane 1.2\nnum_waypoints 2\n1.2.1 48.000900 10.999900\n1.2.2 48.000000 10.999900\nend_lane\nend_segment\n"
    "zone 2\nnum_spots 1\nperimeter 2.0\nnum_perimeterpoints 3\n2.0.1 48.001000 11.000000\n2.0.2 48.002000 11.000000\n"
    "2.0.3 48.002000 11.001000\nend_perimeter\nspot 2.1\n2.1.1 48.001500 11.000500\n"
    "2.1.2 48.001500 11.000600\nend_spot\nend_zone\nend_file\n";

struct Start {
  double x, z, heading;
};
Start start_of(scenario::BuildResult& result, const std::string& node) {
  INFO(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value);
  result.value->simulation->start();
  const auto v = result.value->simulation->tree().find(node)->values();
  return {v[0], v[2], geo::degrees(2 * std::atan2(v[5], v[3]))};
}

scenario::BuildResult build_site(const std::string& objects, const std::string& network = kSite,
                                 const std::string& physics = "") {
  simbatch::test::TemporaryFolder folder;
  simbatch::test::write_text(folder.file("cart.xml"), cart());
  simbatch::test::write_text(folder.file("site.rndf"), network);
  cajunbot::ObjectFile cars;
  cars.objects.emplace_back().start = {1, 1, 1};
  cars.objects.back().size = {1, 1, 1};
  simbatch::test::write_text(folder.file("cars.obj"), cajunbot::write_v1(cars));
  simbatch::test::write_text(
      folder.file("w.xml"),
      "<World name=\"w\">" + physics + "<Terrain><Plane name=\"p\"/></Terrain><Objects>\n" + objects + "</Objects></World>");
  return scenario::build_scenario(folder.file("w.xml"));
}
std::string robot_at(const std::string& name, const std::string& position) {
  return "<Robot name=\"" + name + "\" file=\"cart.xml\"><Position " + position + "/></Robot>\n";
}

}  // namespace

TEST_CASE("positions: in front of a house, by its name, address or id") {
  struct Row {
    const char* house;
    double x, z, heading;
  };
  for (const Row& row : {Row{"Hall", 2, 40, 0}, {"Ring Road 12a", 2, 40, 0}, {"2", 2, 40, 0}, {"-7", -2, -40, 180}}) {
    CAPTURE(row.house);
    Folder folder(scenario_text("<Position house=\"" + std::string(row.house) + "\"/>"), {48, 11});
    folder.add("map.osm", village());
    auto result = folder.build();
    const Start start = start_of(result, "cart.body");
    CHECK(start.x == doctest::Approx(row.x).epsilon(0.01));
    CHECK(start.z == doctest::Approx(row.z).epsilon(0.01));
    CHECK(std::cos(geo::radians(start.heading - row.heading)) == doctest::Approx(1));
  }
}

TEST_CASE("positions: a house that the map does not have, or no map") {
  Folder folder(scenario_text("<Position house=\"Hal\"/>"), {48, 11});
  folder.add("map.osm", village());
  auto result = folder.build();
  simbatch::test::Expected expected(result.diagnostics);
  CHECK(expected.take(scenario::code::kHouse).find("did you mean \"Hall\"?") != std::string::npos);
  auto none = build_site(robot_at("a", "house=\"Hall\""));
  simbatch::test::Expected without(none.diagnostics);
  CHECK(without.take(scenario::code::kHouse, Position{2, 33}).find("needs the houses and roads of a <Map>") !=
        std::string::npos);
}

TEST_CASE("positions: at a waypoint, along its lane, whose network is the origin") {
  struct Row {
    const char* waypoint;
    double x, z, heading;
  };
  for (const Row& row :
       {Row{"1.1.1", 0, 0, 0}, {"1.1.2", 0, 100.08, 0}, {"1.2.1", -7.46, 100.08, 180}, {"2.1.2", 44.77, 166.8, 90}}) {
    CAPTURE(row.waypoint);
    auto result = build_site(robot_at("cart", "waypoint=\"" + std::string(row.waypoint) + "\" rndf=\"site.rndf\""));
    const Start start = start_of(result, "cart.body");
    CHECK(start.x == doctest::Approx(row.x).epsilon(0.01));
    CHECK(start.z == doctest::Approx(row.z).epsilon(0.01));
    CHECK(std::cos(geo::radians(start.heading - row.heading)) == doctest::Approx(1).epsilon(1e-4));
    CHECK(result.value->simulation->settings().origin == geo::LatLon{48, 11});
    CHECK(result.value->inputs.size() == 3);
  }
}

TEST_CASE("positions: a network in meters is about the world's origin, wherever that is") {
  const std::string meters =
      "RNDF_name campus\nnum_segments 1\nnum_zones 0\nformat_version 1.0\ncreation_date 1-1-2026\nsegment 1\nnum_lanes 1\n"
      "lane 1.1\nnum_waypoints 3\n1.1.1 600.5 -430.25\n1.1.2 610.5 -430.25\n1.1.3 620.5 -430.25\nend_lane\nend_segment\nend_file\n";
  const std::string objects = robot_at("cart", "waypoint=\"1.1.2\" rndf=\"site.rndf\" planar=\"true\""),
                    traffic = "<Traffic name=\"t\" objects=\"cars.obj\" rndf=\"site.rndf\" planar=\"true\"/>\n";
  for (const char* origin : {"latitude=\"48\" longitude=\"11\"", "latitude=\"-33.9\" longitude=\"151.2\""})
    for (const std::string& more : {std::string(), traffic}) {
      CAPTURE(origin);
      auto result = build_site(objects + more, meters,
                               "<Physics><Engine name=\"e\"><Origin " + std::string(origin) + "/></Engine></Physics>");
      const Start start = start_of(result, "cart.body");
      CHECK(start.x == doctest::Approx(610.5).epsilon(1e-6));
      CHECK(start.z == doctest::Approx(-430.25).epsilon(1e-6));
      CHECK(std::cos(geo::radians(start.heading - 90)) == doctest::Approx(1).epsilon(1e-6));
      if (more.empty()) continue;
      // The object of 1 m at the first waypoint.
      const auto top = result.value->simulation->world().ray_cast({600.5, 5, -430.25}, {600.5, -1, -430.25});
      REQUIRE(top.has_value());
      CHECK(top->point.y == doctest::Approx(1).epsilon(0.01));
    }
  // Without an origin the first waypoint is there.
  auto result = build_site(objects, meters);
  CHECK(start_of(result, "cart.body").x == doctest::Approx(10).epsilon(1e-4));
}

TEST_CASE("positions: the order of objects with waypoints is of no consequence") {
  const std::string by_waypoint = robot_at("a", "waypoint=\"1.1.2\" rndf=\"site.rndf\""),
                    by_degrees = robot_at("b", "latitude=\"48.0002\" longitude=\"11.0003\"");
  auto one = build_site(by_waypoint + by_degrees), other = build_site(by_degrees + by_waypoint);
  CHECK(start_of(one, "b.body").x == start_of(other, "b.body").x);
  CHECK(start_of(one, "b.body").z == start_of(other, "b.body").z);
}

TEST_CASE("positions: without rndf the network is the traffic's, whose problems are reported once") {
  auto none = build_site(robot_at("cart", "waypoint=\"1.1.2\""));
  simbatch::test::Expected expected(none.diagnostics);
  CHECK(expected.take(scenario::code::kWaypoint, Position{2, 36}).find("needs a road network") != std::string::npos);
  const std::string traffic = "<Traffic name=\"t\" objects=\"cars.obj\" rndf=\"site.rndf\"/>\n";
  auto result = build_site(robot_at("cart", "waypoint=\"1.1.2\"") + traffic);
  CHECK(start_of(result, "cart.body").z == doctest::Approx(100.08).epsilon(0.01));
  auto broken = build_site(robot_at("cart", "waypoint=\"1.1.2\"") + traffic, "RNDF_name x\nbanana\n");
  std::set<std::string> said;
  for (const Diagnostic& each : broken.diagnostics.items()) CHECK(said.insert(each.message).second);
}

TEST_CASE("positions: waypoints that there are not, and networks that cannot be read") {
  const auto problem_of = [](const std::string& waypoint) {
    auto result = build_site(robot_at("cart", "waypoint=\"" + waypoint + "\" rndf=\"site.rndf\""));
    CHECK_FALSE(result.value);
    simbatch::test::Expected expected(result.diagnostics);
    return expected.take(scenario::code::kWaypoint, Position{2, 36});
  };
  CHECK(problem_of("1.2.9") == "the network has no waypoint 1.2.9, expected one of 1.2.1 to 1.2.2");
  CHECK(problem_of("1.3.1") == "the network has no waypoint 1.3.1, did you mean \"1.1.1\"?");
  CHECK(problem_of("77.88.99") == "the network has no waypoint 77.88.99; it begins with 1.1.1");
  auto absent = build_site(robot_at("a", "waypoint=\"1.1.1\" rndf=\"none.rndf\"") +
                           robot_at("b", "waypoint=\"1.1.1\" rndf=\"none.rndf\""));
  simbatch::test::Expected expected(absent.diagnostics);
  expected.take(scenario::code::kFile, Position{2, 33});
  auto broken = build_site(robot_at("a", "waypoint=\"1.1.1\" rndf=\"site.rndf\""), "RNDF_name x\nbanana\n");
  CHECK_FALSE(broken.value);
  CHECK(broken.diagnostics.errors() > 0);
}
