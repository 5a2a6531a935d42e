// The town of a map folder, a scenario, a street map alone.
#include <doctest/doctest.h>

#include <string>

#include "lib/roads/usual_widths.hpp"
#include "lib/scenario/codes.hpp"
#include "lib/scenario/starter_map.hpp"
#include "lib/scenario/town.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/scenario/map_folder.hpp"

using namespace simbatch;
using namespace simbatch::test::maps;

namespace {

/// A street past a house, and a pond 900 m away.
constexpr const char* kTown = R"(<osm version="0.6">
<node id="1" version="1" lat="48" lon="11"/><node id="2" version="1" lat="48.001" lon="11"/>
<node id="3" version="1" lat="48.0003" lon="11.0003"/><node id="4" version="1" lat="48.0003" lon="11.0004"/>
<node id="5" version="1" lat="48.0004" lon="11.0004"/>
<node id="6" version="1" lat="48.0083" lon="11.0003"/><node id="7" version="1" lat="48.0083" lon="11.0004"/>
<node id="8" version="1" lat="48.0084" lon="11.0004"/>
<way id="1" version="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way>
<way id="2" version="1"><nd ref="3"/><nd ref="4"/><nd ref="5"/><nd ref="3"/><tag k="building" v="yes"/><tag k="roof:shape" v="flat"/></way>
<way id="3" version="1"><nd ref="6"/><nd ref="7"/><nd ref="8"/><nd ref="6"/><tag k="natural" v="water"/></way>
</osm>)";

std::string heights(int value) {
  std::string text;
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 40; ++column) text += std::to_string(value) + " ";
    text += "\n";
  }
  return text;
}

/// The town of a file town.osm whose street is of another kind.
std::optional<roads::TownMap> town_of(const test::TemporaryFolder& folder, const char* highway, Diagnostics& problems) {
  std::string text = kTown;
  text.replace(text.find("residential"), 11, highway);
  test::write_text(folder.path() / "town.osm", text);
  return scenario::read_town(folder.file("town.osm"), {}, problems);
}

}  // namespace

TEST_CASE("town: a map folder gives its streets, buildings and tags, on its ground") {
  Folder folder(scenario_text(""), {48, 11});
  folder.add("map.osm", kTown);
  folder.add("heightmap.txt", heights(7));
  Diagnostics problems;
  const auto town = scenario::read_town(folder.folder.file("map"), {}, problems);
  CAPTURE(simbatch::test::all_text(problems));
  REQUIRE(town);
  CHECK(problems.empty());
  CHECK(town->origin == geo::LatLon{48, 11});
  CHECK_FALSE(town->is_level);
  CHECK(roads::height_at(town->grid, 0, 0) == 7);
  REQUIRE(town->roads.size() == 1);
  CHECK(town->roads[0].width == 8);  // of the setup
  REQUIRE(town->buildings.prisms.size() == 1);
  CHECK(town->areas.empty());  // the ground ends before the pond
  const std::uint32_t node = town->streets.find_node(8);
  CHECK(node == 7);
  CHECK(town->streets.value_of(town->streets.tags_of_way(1), "roof:shape") == "flat");
}

TEST_CASE("town: of a scenario, only its map is read, and the rest is reported") {
  Folder folder(scenario_text("<Position x=\"0\" z=\"50\"/>"), {48, 11});
  folder.add("map.osm", kTown);
  Diagnostics problems;
  const auto town = scenario::read_town(folder.folder.file("scenario.xml"), {}, problems);
  REQUIRE(town);
  CHECK(town->is_level);
  CHECK(town->roads.size() == 1);
  simbatch::test::Expected expected(problems);
  CHECK(expected.take(scenario::code::kLossScenario) == "robots (1) and other things beside the map (0) are left out");
}

TEST_CASE("town: a scenario without a map has none") {
  test::TemporaryFolder folder;
  test::write_text(folder.path() / "w.xml", "<World name=\"w\"><Terrain><Plane name=\"p\"/></Terrain><Objects/></World>");
  Diagnostics problems;
  CHECK_FALSE(scenario::read_town(folder.file("w.xml"), {}, problems));
  test::Expected(problems).take(scenario::code::kNoMap);
}

TEST_CASE("town: a street map alone has usual widths, and ground under everything in it") {
  test::TemporaryFolder folder;
  test::write_text(folder.path() / "town.osm", kTown);
  Diagnostics problems;
  const auto town = scenario::read_town(folder.file("town.osm"), {}, problems);
  REQUIRE(town);
  CHECK(problems.empty());
  CHECK(town->origin == geo::LatLon{48.0005, 11});  // the middle of the streets
  CHECK(town->is_level);
  REQUIRE(town->roads.size() == 1);
  CHECK(town->roads[0].width == 6);
  CHECK(town->roads[0].left_pavement == 1.5);
  CHECK(town->areas.size() == 1);
}

TEST_CASE("town: without a setup, pedestrian streets are built, and roads are as wide as osmgen takes them to be") {
  test::TemporaryFolder folder;
  Diagnostics problems;
  const auto town = town_of(folder, "pedestrian", problems);
  REQUIRE(town);
  CHECK(problems.empty());
  REQUIRE(town->roads.size() == 1);
  CHECK(town->roads[0].width == 5);
  CHECK(scenario::usual_setup(osm::Model{}).highways.kinds == roads::usual_widths().kinds);
  // But a robot does not start on one.
  const auto starter = scenario::starter_map(Input::open(folder.file("town.osm")));
  CHECK_FALSE(starter.value);
  test::Expected(starter.diagnostics).take(scenario::code::kRoad);
}

TEST_CASE("town: a street map without streets has its buildings") {
  test::TemporaryFolder folder;
  Diagnostics problems;
  const auto town = town_of(folder, "footway", problems);
  REQUIRE(town);
  CHECK(problems.empty());
  CHECK(town->roads.empty());
  CHECK(town->other_ways == 1);
  CHECK(town->buildings.prisms.size() == 1);
  CHECK(town->areas.size() == 1);
  CHECK(town->origin.lat == doctest::Approx(48.0042));
}

TEST_CASE("town: an empty or broken street map, a folder without a setup") {
  test::TemporaryFolder folder;
  test::write_text(folder.path() / "empty.osm", "<osm version=\"0.6\"/>");
  test::write_text(folder.path() / "broken.osm", "<osm version=\"0.6\"><node");
  Diagnostics none, broken, absent;
  const auto town = scenario::read_town(folder.file("empty.osm"), {}, none);
  REQUIRE(town);
  CHECK(none.empty());
  CHECK(town->roads.empty());
  CHECK_FALSE(scenario::read_town(folder.file("broken.osm"), {}, broken));
  CHECK(broken.has_errors());
  CHECK_FALSE(scenario::read_town(folder.path().string(), {}, absent));
  CHECK(absent.has_errors());
}

TEST_CASE("town: a GeoTIFF in the folder is said not to be read") {
  Folder folder(scenario_text(""), {48, 11});
  folder.add("map.osm", kTown);
  folder.add("heights.TIF", "II*");
  Diagnostics problems;
  REQUIRE(scenario::read_town(folder.folder.file("map"), {}, problems));
  test::Expected(problems).take(scenario::code::kMapGeoTiff);
}
