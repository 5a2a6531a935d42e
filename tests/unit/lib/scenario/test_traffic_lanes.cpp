// Lanes of road networks: where they are seen, and that nothing touches them.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/core/number.hpp"
#include "base/geo/geo.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/sim/vision/renderer.hpp"
#include "tests/support/lanes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/scenario/map_folder.hpp"

using namespace simbatch;
using simbatch::test::kBoxOnLane;
using simbatch::test::TemporaryFolder;
using simbatch::test::waypoint;
using simbatch::test::write_text;

namespace {

/// One lane of 12 feet from 20 m south to 20 m north, with a stop 10 m from its end.
std::string network() {
  std::string text =
      "RNDF_name\tone\nnum_segments\t1\nnum_zones\t0\nsegment\t1\nnum_lanes\t1\nlane\t1.1\nnum_waypoints\t3\nlane_width\t12\n"
      "left_boundary\tdouble_yellow\nstop\t1.1.2\n";
  int point = 0;
  for (const double north : {-20.0, 10.0, 20.0}) text += waypoint("1.1." + std::to_string(++point), 0, north);
  return text + "end_lane\nend_segment\nend_file\n";
}

std::string world(const std::string& terrain) {
  return "<World name=\"w\"><Physics><Engine name=\"e\"><Origin latitude=\"48\" longitude=\"11\"/></Engine></Physics><Terrain>" +
         terrain + "</Terrain><Objects><Traffic objects=\"traffic.xml\" rndf=\"site.rndf\"/></Objects></World>";
}

scenario::BuildResult built(const TemporaryFolder& folder, const std::string& terrain) {
  write_text(folder.file("world.xml"), world(terrain));
  write_text(folder.file("traffic.xml"), kBoxOnLane);
  write_text(folder.file("site.rndf"), network());
  return scenario::build_scenario(folder.file("world.xml"));
}

}  // namespace

TEST_CASE("traffic lanes: asphalt and lines on a plane, which no ray meets") {
  const TemporaryFolder folder;
  auto result = built(folder, "<Plane name=\"ground\"><Height value=\"3\"/></Plane>");
  CAPTURE(test::all_text(result.diagnostics));
  REQUIRE(result.value);
  const scene::Appearance& looks = result.value->cameras->renderer().appearance();
  REQUIRE(looks.roads.size() == 1);
  const scene::RoadAppearance& lane = looks.roads[0];
  CHECK(lane.width == doctest::Approx(3.6576));
  REQUIRE(lane.lines);
  CHECK(lane.lines->left == scene::LaneLine::double_yellow);
  CHECK(lane.lines->right == scene::LaneLine::none);
  REQUIRE(lane.marks.size() == 1);
  CHECK(lane.marks[0].along == doctest::Approx(30).epsilon(1e-4));
  REQUIRE(looks.drawn.size() == 1);
  CHECK(looks.drawn[0].name == "traffic.lanes");
  REQUIRE(looks.drawn[0].stretches.size() == 2);
  for (const geo::Vec3& p : looks.drawn[0].mesh.points) CHECK(p.y == doctest::Approx(3.02));
  physics::World& physics = result.value->simulation->world();
  CHECK(physics.body_count() == 2);  // the ground and the box
  const auto hit = physics.ray_cast({0.5, 5, 0.5}, {0.5, 0, 0.5});
  REQUIRE(hit.has_value());
  CHECK(hit->point.y == doctest::Approx(3));
}

TEST_CASE("traffic lanes: over a height map they follow the ground, and end with it") {
  const TemporaryFolder folder;
  std::string rows;
  for (int z = 15; z >= -15; z -= 5) {
    for (int x = -15; x <= 15; x += 5) rows += number_text(0.2 * z + 0.1 * (z == 0 ? 5 : 0)) + " ";
    rows += "\n";
  }
  write_text(folder.file("hills.txt"), rows);
  auto result =
      built(folder, "<HeightMap name=\"hills\"><File path=\"hills.txt\"/><HeightDataPerArea value=\"5\"/></HeightMap>");
  CAPTURE(test::all_text(result.diagnostics));
  REQUIRE(result.value);
  const scene::Appearance& looks = result.value->cameras->renderer().appearance();
  REQUIRE(looks.drawn.size() == 1);
  physics::World& physics = result.value->simulation->world();
  double north = -100, south = 100;
  for (const geo::Vec3& p : looks.drawn[0].mesh.points) {
    const auto ground = physics.terrain_height(p.x, p.z);
    REQUIRE(ground.has_value());
    CHECK(p.y == doctest::Approx(*ground + 0.08).epsilon(1e-6));
    north = std::max(north, p.z);
    south = std::min(south, p.z);
  }
  CHECK(north <= 15.001);
  CHECK(north > 12);
  CHECK(south < -12);
}

TEST_CASE("traffic lanes: none over a map, which has streets of its own") {
  test::maps::Folder folder(world("<Map name=\"m\"><Folder path=\"map\"/></Map>"), {48, 11});
  folder.add("../traffic.xml", kBoxOnLane);
  folder.add("../site.rndf", network());
  folder.add("map.osm", "<osm version=\"0.6\"></osm>");
  auto result = folder.build();
  CAPTURE(test::all_text(result.diagnostics));
  REQUIRE(result.value);
  CHECK(result.value->cameras->renderer().appearance().drawn.empty());
}
