#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "base/core/number.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/roads.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/scenario/map_folder.hpp"

using namespace simbatch;
using namespace simbatch::test::maps;
namespace fs = std::filesystem;

namespace {

/// A street to the north past a generated house, towards a mapped building 60 m away.
std::string small_town() {
  std::string text = "<osm version=\"0.6\">";
  const geo::LocalFrame frame({48, 11});
  const auto node = [&](int id, double east, double north, const std::string& tags = "") {
    const geo::LatLon at = frame.to_geographic({east, north});
    text += "<node id=\"" + std::to_string(id) + "\" version=\"1\" lat=\"" + std::to_string(at.lat) + "\" lon=\"" +
            std::to_string(at.lon) + "\">" + tags + "</node>";
  };
  const auto tag = [](const std::string& key, const std::string& value) {
    return "<tag k=\"" + key + "\" v=\"" + value + "\"/>";
  };
  node(1, 0, -100);
  node(2, 0, 55);
  node(3, -10, 60), node(4, 10, 60), node(5, 10, 70), node(6, -10, 70);
  node(7, 20, 0,
       tag("filePath", "models/a") + tag("fileType", "3ds") + tag("rotY", "90") + tag("sizeX", "10") + tag("sizeY", "6") +
           tag("sizeZ", "8"));
  text += "<way id=\"1\" version=\"1\"><nd ref=\"1\"/><nd ref=\"2\"/>" + tag("highway", "residential") + "</way>";
  text += "<way id=\"2\" version=\"1\"><nd ref=\"3\"/><nd ref=\"4\"/><nd ref=\"5\"/><nd ref=\"6\"/><nd ref=\"3\"/>" +
          tag("building", "yes") + "</way>";
  return text + "</osm>";
}

double height_of(sim::Simulation& simulation, double x, double z) {
  return simulation.world().terrain_height(x, z).value_or(-1000);
}

}  // namespace

TEST_CASE("map: terrain, street, curb, building and house are where the map has them") {
  Folder folder(scenario_text("<Position x=\"0\" z=\"-50\"/>"), {48, 11});
  folder.add("map.osm", small_town());
  std::string heights;  // 312 m each way
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 40; ++column) heights += "3 ";
    heights += "\n";
  }
  folder.add("heightmap.txt", heights);
  auto result = folder.build();
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  CHECK(result.diagnostics.errors() + result.diagnostics.warnings() == 0);
  CHECK(result.value->inputs.size() == 5);
  sim::Simulation& simulation = *result.value->simulation;
  CHECK(simulation.settings().origin == geo::LatLon{48, 11});
  CHECK(height_of(simulation, 0, 0) == doctest::Approx(3.05));
  simulation.start();
  const auto hit = simulation.world().ray_cast({0, 4, 0}, {0, 4, 100});
  REQUIRE(hit.has_value());
  CHECK(hit->point.z == doctest::Approx(60).epsilon(0.01));
}

TEST_CASE("map: a car drives on the street and runs into the house at its end") {
  Folder folder(scenario_text("<Position x=\"0\" z=\"-50\"/>"), {48, 11});
  folder.add("map.osm", small_town());
  auto result = folder.build();
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  sim::Simulation& simulation = *result.value->simulation;
  CHECK(height_of(simulation, 0, 0) == doctest::Approx(0.05));
  CHECK(height_of(simulation, 4.7, 0) == doctest::Approx(0.2));
  CHECK(height_of(simulation, 6, 0) == doctest::Approx(0));
  simulation.start();
  CHECK(simulation.world().ray_cast({10, 1, 0}, {30, 1, 0})->point.x ==
        doctest::Approx(16).epsilon(0.01));  // 8 m deep after turning
  for (int i = 0; i < 4000; ++i) REQUIRE(simulation.step());
  const auto psd = simulation.tree().find("cart.body.psd");
  REQUIRE(psd != nullptr);
  const auto hit = simulation.world().ray_cast({0, 0.5, 50}, {0, 0.5, 100});
  REQUIRE(hit.has_value());
  CHECK(hit->point.z < 60.1);
}

TEST_CASE("map: a robot starts on a lane of a road") {
  std::string town = small_town();
  town.replace(town.find("<tag k=\"highway\""), 0, "<tag k=\"name\" v=\"High Street\"/>");
  const auto pose_of = [&](const std::string& position) {
    Folder folder(scenario_text(position), {48, 11});
    folder.add("map.osm", town);
    auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.value.has_value());
    result.value->simulation->start();
    const auto values = result.value->simulation->tree().find("cart.body")->values();
    return std::vector<double>(values.begin(), values.end());
  };
  const auto east = pose_of("<Position road=\"High Street\" at=\"20\" lane=\"1\"/>");
  CHECK(east[0] == doctest::Approx(2).epsilon(0.02));
  CHECK(east[2] == doctest::Approx(-80).epsilon(0.001));
  CHECK(std::fabs(east[3]) == doctest::Approx(1));
  const auto west = pose_of("<Position road=\"High Street\" at=\"20\" lane=\"-1\"/><Heading value=\"180\"/>");
  CHECK(west[0] == doctest::Approx(-2).epsilon(0.02));
  CHECK(std::fabs(west[5]) == doctest::Approx(1));
}

TEST_CASE("map: what is missing or does not fit is told") {
  SUBCASE("no such road, or no map at all") {
    Folder folder(scenario_text("<Position road=\"High Street\"/>"), {48, 11});
    folder.add("map.osm", small_town());
    auto result = folder.build();
    simbatch::test::Expected expected(result.diagnostics);
    CHECK(expected.take(scenario::code::kRoad).find("its roads have no names, but ids: 1") != std::string::npos);
    simbatch::test::write_text(
        folder.folder.path() / "scenario.xml",
        "<World name=\"w\"><Terrain><Plane name=\"p\"/></Terrain><Objects><Box name=\"b\"><Position road=\"a\"/>"
        "<Size x=\"1\" y=\"1\" z=\"1\"/></Box></Objects></World>");
    auto plane = folder.build();
    simbatch::test::Expected none(plane.diagnostics);
    CHECK(none.take(scenario::code::kRoad).find("needs the roads of a <Map>") != std::string::npos);
  }

  SUBCASE("no setup") {
    Folder folder(scenario_text("<Position x=\"0\" z=\"0\"/>"), {48, 11});
    fs::remove(folder.folder.path() / "map" / "setup.xml");
    auto result = folder.build();
    CHECK_FALSE(result.value.has_value());
    CHECK(result.unreadable);
  }
  SUBCASE("another origin") {
    Folder folder(scenario_text("<Position x=\"0\" z=\"0\"/>", "<Origin latitude=\"47\" longitude=\"11\"/>"), {48, 11});
    auto result = folder.build();
    simbatch::test::Expected expected(result.diagnostics);
    expected.take(scenario::code::kOriginDiffers);
  }
  SUBCASE("a broken map") {
    Folder folder(scenario_text("<Position x=\"0\" z=\"0\"/>"), {48, 11});
    folder.add("map.osm", "<osm version=\"0.6\"><node id=\"1\"");
    CHECK_FALSE(folder.build().value.has_value());
  }
  SUBCASE("a broken height map") {
    Folder folder(scenario_text("<Position x=\"0\" z=\"0\"/>"), {48, 11});
    folder.add("heightmap.txt", "1 x\n");
    CHECK_FALSE(folder.build().value.has_value());
  }
}

TEST_CASE("map: in every corpus town a car drives 600 m and stays on the ground") {
  for (const char* name :
       {"velluters-2007-v05", "las-palmas-2010", "moscow-marfino-2013", "beatty", "perth-peanut-roundabout"}) {
    const auto file = simbatch::test::shared_file("corpus/osm/" + std::string(name) + ".osm");
    if (!file) continue;
    CAPTURE(std::string(name));
    const auto read = osm::read_file(file->string());
    REQUIRE(read.value.has_value());
    const osm::LatLon middle = read.value->model.node_positions[read.value->model.node_count() / 2];
    const geo::LatLon origin{middle.lat_deg(), middle.lon_deg()};
    // Along the longest piece of road in both directions, 8 m wide, that bends by less than half a degree.
    autosim::HighwayDimensions kinds;
    for (const char* kind : {"primary", "secondary", "tertiary", "unclassified", "residential"})
      kinds.kinds.push_back({kind, {}, 8, 0, 0});
    geo::EastNorth from{}, to{};
    for (const roads::Road& road : roads::road_lines(read.value->model, kinds, geo::LocalFrame(origin)).roads)
      for (std::size_t i = 0; road.layer >= 0 && road.one_way == 0 && i + 1 < road.line.size(); ++i) {
        const auto heading = [&](std::size_t a, std::size_t b) {
          return std::atan2(road.line[b].east - road.line[a].east, road.line[b].north - road.line[a].north);
        };
        std::size_t k = i + 1;
        while (k + 1 < road.line.size() &&
               std::fabs(std::remainder(heading(k, k + 1) - heading(i, i + 1), 6.283185307)) < 0.008)
          ++k;
        if (std::hypot(road.line[k].east - road.line[i].east, road.line[k].north - road.line[i].north) >
            std::hypot(to.east - from.east, to.north - from.north))
          from = road.line[i], to = road.line[k];
      }
    const double heading = geo::degrees(std::atan2(to.east - from.east, to.north - from.north));
    Folder folder(scenario_text("<Position x=\"" + number_text(from.east) + "\" z=\"" + number_text(from.north) +
                                "\"/><Heading value=\"" + number_text(heading) + "\"/>"),
                  origin);
    fs::copy_file(*file, folder.folder.path() / "map" / "map.osm");
    auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.value.has_value());
    sim::Simulation& simulation = *result.value->simulation;
    const auto chassis = simulation.world().find_body("cart.body");
    REQUIRE(chassis != physics::kNoBody);
    double lowest = 1e9, driven = 0;
    geo::Vec3 last = simulation.world().pose(chassis).p;
    for (int i = 0; i < 8000 && driven < 600; ++i) {
      REQUIRE(simulation.step());
      const geo::Vec3 p = simulation.world().pose(chassis).p;
      driven += std::hypot(p.x - last.x, p.z - last.z);
      if (!simulation.world().terrain_height(p.x, p.z)) break;  // over the map's edge
      lowest = std::min(lowest, p.y);
      last = p;
    }
    MESSAGE(std::string(name) << ": straight for " << std::hypot(to.east - from.east, to.north - from.north) << " m, driven "
                              << driven << " m, lowest " << lowest << " m");
    CHECK(lowest > 0.1);
    if (std::hypot(to.east - from.east, to.north - from.north) > 650) CHECK(driven >= 600);
  }
}

TEST_CASE("map: in circle_town the car drives a lap of the ring road in its lane, and stops") {
  auto result = scenario::build_scenario("scenarios/circle_town/scenario.xml");
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  CHECK(result.diagnostics.empty());
  sim::Simulation& simulation = *result.value->simulation;
  const physics::BodyId chassis = simulation.world().find_body("impreza.chassis");
  REQUIRE(chassis != physics::kNoBody);
  double angle = 0, before = std::atan2(21.418, 79.935), worst = 0, highest = 0;
  for (int i = 0; i < 9000; ++i) {
    REQUIRE(simulation.step());
    const geo::Vec3 p = simulation.world().pose(chassis).p;
    angle += std::remainder(std::atan2(p.z, p.x) - before, 6.283185307179586);
    before = std::atan2(p.z, p.x);
    worst = std::max(worst, std::fabs(std::hypot(p.x, p.z) - 82));  // the lane's middle; the lane is 4 m wide
    highest = std::max(highest, std::fabs(p.y - 1.93));
  }
  CHECK(angle > 6.2832);
  CHECK(worst < 0.9);  // measured 0.76 m: one steering angle for all speeds, and tires slip
  CHECK(highest < 0.05);
  CHECK(geo::length(simulation.world().linear_velocity(chassis)) < 0.05);
}

TEST_CASE(
    "map: roads of absurd width are an error, a street that leads far away is none, houses at fault are told of the file") {
  const std::string town = small_town();
  const std::string pose = "<Position x=\"0\" z=\"-50\"/>";
  {
    Folder folder(scenario_text(pose), {48, 11});
    folder.add("map.osm", town);
    std::string text = setup({48, 11});
    text.replace(text.find("leftPavementWidth=\"1.5\""), 23, "leftPavementWidth=\"2e9\"");
    folder.add("setup.xml", text);
    simbatch::test::Expected expected(folder.build().diagnostics);
    CHECK(expected.take(scenario::code::kRoadWidth).find("2e+09 m wide, expected at most 1000 m") != std::string::npos);
  }
  {
    Folder folder(scenario_text(pose), {48, 11});
    std::string text = town;
    const std::size_t node = text.find("<node id=\"2\""), at = text.find("lon=\"", node) + 5;
    text.replace(at, text.find('"', at) - at, "35.5");  // 1800 km to the east
    const std::size_t size = text.find("v=\"6\"");
    text.replace(size, 5, "v=\"x\"");
    folder.add("map.osm", text);
    auto result = folder.build();
    REQUIRE_MESSAGE(result.value, simbatch::test::all_text(result.diagnostics));
    simbatch::test::Expected expected(std::move(result.diagnostics));
    expected.take("mapgen-house");
    for (int i = 0; i < 3; ++i) CHECK(result.value->simulation->step());
  }
}

TEST_CASE("map: an error in its files is not followed by what it leads to") {
  const std::string town = small_town();
  for (const char* file : {"setup.xml", "N48E011.hgt", "heightmap.txt", "map.osm"}) {
    CAPTURE(file);
    // The cart has a GPS, which needs the origin, and stands on the ground.
    Folder folder(scenario_text("<Position latitude=\"48\" longitude=\"11\"/>"), {48, 11});
    folder.add("map.osm", town);
    folder.add(file, "<broken");
    const auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    CHECK_FALSE(result.value);
    REQUIRE(result.diagnostics.items().size() == 1);
    CHECK(result.diagnostics.items()[0].file.ends_with(file));
  }
  {
    Folder folder(scenario_text("<Position latitude=\"48\" longitude=\"11\"/>"), {48, 11});
    fs::remove(folder.folder.path() / "map" / "setup.xml");
    const auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.diagnostics.items().size() == 1);
    CHECK(result.diagnostics.items()[0].code == scenario::code::kFile.name);
  }
}

TEST_CASE("map: kinds of road that the setup does not list are counted, with an example of each") {
  std::string town = small_town();
  const auto way = [](int id, const char* kind) {
    return "<way id=\"" + std::to_string(id) + "\" version=\"1\"><nd ref=\"1\"/><nd ref=\"4\"/><tag k=\"highway\" v=\"" + kind +
           "\"/></way>";
  };
  town.insert(town.find("</osm>"), way(11, "living_street") + way(12, "primary_link") + way(13, "living_street") +
                                       way(14, "footway") + way(15, "construction"));
  {
    Folder folder(scenario_text("<Position x=\"0\" z=\"-50\"/>"), {48, 11});
    folder.add("map.osm", town);
    auto result = folder.build();
    REQUIRE(result.value);
    simbatch::test::Expected expected(std::move(result.diagnostics));
    CHECK(expected.take(scenario::code::kMapKinds)
              .find("roads of kinds that are not listed here are left out: 2 living_street "
                    "(the first is way 11), 1 primary_link (way 12)") != std::string::npos);
  }
  {
    Folder folder(scenario_text("<Position x=\"0\" z=\"-50\"/>"), {48, 11});
    town.replace(town.find("residential"), 11, "living_street");
    folder.add("map.osm", town);
    auto result = folder.build();
    CHECK(result.diagnostics.warnings() == 1);
    simbatch::test::Expected expected(std::move(result.diagnostics));
    CHECK(expected.take(scenario::code::kMapKinds).find("and the map has no others: 3 living_street") != std::string::npos);
  }
}

TEST_CASE("map: widths that cannot be used are told") {
  std::string town = small_town();
  town.insert(town.find("</osm>"),
              "<way id=\"21\" version=\"1\"><nd ref=\"1\"/><nd ref=\"4\"/><tag k=\"highway\" v=\"residential\"/>"
              "<tag k=\"width\" v=\"5,5\"/></way>");
  Folder folder(scenario_text("<Position x=\"0\" z=\"-50\"/>"), {48, 11});
  folder.add("map.osm", town);
  auto result = folder.build();
  REQUIRE(result.value);
  simbatch::test::Expected expected(std::move(result.diagnostics));
  CHECK(
      expected.take(scenario::code::kMapWidths) ==
      "1 road has a tag that gives no usable width (2 to 50 m, or 1 to 16 lanes): way 21 with \"width=5,5\"; usual widths are "
      "used");
}

TEST_CASE("map: what falls out of the world is told, however far it is") {
  Folder folder(scenario_text("<Position x=\"0\" y=\"-1e308\" z=\"0\"/>"), {48, 11});
  folder.add("map.osm", small_town());
  auto result = folder.build();
  REQUIRE_MESSAGE(result.value, simbatch::test::all_text(result.diagnostics));
  bool fine = true;
  for (int i = 0; i < 10 && fine; ++i) fine = result.value->simulation->step();
  CHECK_FALSE(fine);
}

TEST_CASE(
    "map: far from the origin, across the antimeridian, larger than its Size, or narrower than its roads: told with counts") {
  const std::string pose = "<Position x=\"0\" z=\"-50\"/>";
  {
    Folder folder(scenario_text(pose), {48.5, 11});  // 55 km to the north
    folder.add("map.osm", small_town());
    simbatch::test::Expected expected(folder.build().diagnostics);
    CHECK(expected.take(scenario::code::kMapFar).find("the nearest of 1 road is 56 km") != std::string::npos);
  }
  {
    Folder folder(scenario_text(pose), {-17, 180});
    folder.add("map.osm",
               "<osm version='0.6'><node id='1' lat='-17' lon='179.999'/><node id='2' lat='-17' lon='-179.999'/></osm>");
    simbatch::test::Expected expected(folder.build().diagnostics);
    CHECK(expected.take(scenario::code::kMapAntimeridian).find("cut it there into two maps") != std::string::npos);
  }
  {
    Folder folder(scenario_text(pose), {48, 100});  // beyond the projection
    folder.add("map.osm", small_town());
    simbatch::test::Expected expected(folder.build().diagnostics);
    CHECK(expected.take(scenario::code::kMapFar).find("none of 1 road lies near") != std::string::npos);
  }
  {
    Folder folder(scenario_text(pose), {48, 11});
    folder.add("map.osm", small_town());
    std::string text = setup({48, 11});
    text.insert(text.find("</TerrainSetup>"),
                "<TerrainDimensions name=\"s\"><Size width=\"32\" height=\"110\"/><TileSize value=\"64\"/>"
                "<HeightDataPerArea value=\"8\"/><HeightDivisionCoefficient value=\"10\"/></TerrainDimensions>");
    folder.add("setup.xml", text);
    simbatch::test::Expected expected(folder.build().diagnostics);
    const std::string cropped = expected.take(scenario::code::kMapCropped);
    CAPTURE(cropped);
    CHECK(cropped.find("Size (32 m x 110 m) is smaller than the map: of 1 road 0 lie outside and 1 are cut off, with ") !=
          std::string::npos);
  }
  {
    // The building is 2 m to the right of the street's middle instead of ahead of it.
    Folder folder(scenario_text(pose), {48, 11});
    std::string text = small_town();
    const geo::LocalFrame frame({48, 11});
    int id = 3;
    for (const auto& [east, north] : {std::pair(2.0, 10.0), std::pair(9.0, 10.0), std::pair(9.0, 20.0), std::pair(2.0, 20.0)}) {
      const geo::LatLon at = frame.to_geographic({east, north});
      const std::size_t node = text.find("<node id=\"" + std::to_string(id++) + "\""), end = text.find('>', node);
      text.replace(node, end - node,
                   "<node id=\"" + std::to_string(id - 1) + "\" version=\"1\" lat=\"" + std::to_string(at.lat) + "\" lon=\"" +
                       std::to_string(at.lon) + "\"");
    }
    folder.add("map.osm", text);
    auto result = folder.build();
    REQUIRE_MESSAGE(result.value, simbatch::test::all_text(result.diagnostics));
    sim::Simulation& simulation = *result.value->simulation;
    CHECK(height_of(simulation, -2.5, 15) == doctest::Approx(0));  // narrower beside the building, on both sides
    CHECK(height_of(simulation, -2.5, -50) == doctest::Approx(0.05));
    CHECK(height_of(simulation, 1.5, 15) == doctest::Approx(0.05));
    simbatch::test::Expected expected(std::move(result.diagnostics));
    CHECK(expected.take(scenario::code::kMapNarrow).find("lanes are narrower on 1 piece of road") != std::string::npos);
  }
}
