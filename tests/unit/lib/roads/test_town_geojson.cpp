// A town as GeoJSON: every kind of feature, with heights.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "formats/osm/read.hpp"
#include "lib/roads/codes.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/town_geojson.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using nlohmann::json;

namespace {
using TextTags = std::vector<std::pair<std::string, std::string>>;

/// A map about 48 north, 11 east, in meters.
struct MapText {
  geo::LocalFrame frame{geo::LatLon{48, 11}};
  std::string nodes, others;
  int next = 1;

  static std::string text_of(const TextTags& tags) {
    std::string text;
    for (const auto& [key, value] : tags) text += "<tag k=\"" + key + "\" v=\"" + value + "\"/>";
    return text;
  }
  int node(double east, double north, const TextTags& tags = {}) {
    const geo::LatLon at = frame.to_geographic({east, north});
    char place[80];
    std::snprintf(place, sizeof place, "lat=\"%.7f\" lon=\"%.7f\"", at.lat, at.lon);
    nodes += "<node id=\"" + std::to_string(next) + "\" " + place + ">" + text_of(tags) + "</node>";
    return next++;
  }
  int way(const std::vector<int>& refs, const TextTags& tags) {
    others += "<way id=\"" + std::to_string(next) + "\">";
    for (const int ref : refs) others += "<nd ref=\"" + std::to_string(ref) + "\"/>";
    others += text_of(tags) + "</way>";
    return next++;
  }
  int square(double east, double north, double side, const TextTags& tags) {
    const int a = node(east, north), b = node(east + side, north), c = node(east + side, north + side),
              d = node(east, north + side);
    return way({a, b, c, d, a}, tags);
  }
};

TownMap town_of(const MapText& map, double slope = 0) {
  auto parsed = osm::read("<osm version=\"0.6\">" + map.nodes + map.others + "</osm>", {}, "map.osm");
  REQUIRE(parsed.ok());
  TownMap town;
  town.streets = std::move(parsed.value->model);
  town.streets.build_index();
  town.origin = map.frame.origin();
  TerrainOptions options;
  options.width = options.height = 2000;
  options.spacing = 20;
  town.grid = flat_terrain(options);
  town.is_level = slope == 0;
  for (int j = 0; j < town.grid.nz; ++j)
    for (int i = 0; i < town.grid.nx; ++i)
      town.grid.heights[static_cast<std::size_t>(j * town.grid.nx + i)] = 300 + slope * (town.grid.x0 + i * town.grid.spacing);
  autosim::HighwayDimensions kinds;
  kinds.kinds = {{"residential", {}, 7, 1.5, 2}, {"primary", {}, 10, 0, 0}};
  RoadSelection roads = road_lines(town.streets, kinds, map.frame);
  town.roads = std::move(roads.roads);
  town.other_ways = roads.kinds_skipped();
  town.buildings = mapped_buildings(town.streets, map.frame, town.grid);
  auto houses = generated_houses(town.streets, map.frame, town.grid, "map.osm");
  REQUIRE(houses.ok());
  town.houses = std::move(*houses.value);
  set_levels(town.roads, {}, {}, town.grid);
  town.marks = road_marks(town.streets, town.roads);
  town.furniture = street_furniture(town.streets, map.frame, town.roads, town.marks, town.grid);
  town.open_areas = map_areas(town.streets, map.frame, town.grid, &town.areas).open;
  return town;
}

json features_of(const TownMap& town, Diagnostics& problems) {
  return json::parse(town_geojson(town, "map.osm", problems))["features"];
}
json features_of(const TownMap& town) {
  Diagnostics problems;
  const json features = features_of(town, problems);
  for (const Diagnostic& each : problems.items()) CHECK(each.code == code::kLossGround.name);
  return features;
}

/// The only feature of a kind.
json the(const json& features, const std::string& kind) {
  json found;
  int count = 0;
  for (const json& feature : features)
    if (feature["properties"]["kind"] == kind) {
      found = feature;
      ++count;
    }
  CAPTURE(kind);
  REQUIRE(count == 1);
  return found;
}

const TextTags kHouse = {{"filePath", "models/a"}, {"fileType", "obj"}, {"rotY", "90"},
                         {"sizeX", "10"},          {"sizeY", "6.5"},    {"sizeZ", "8"}};
TextTags house(const std::string& key, const std::string& value) {
  TextTags tags = kHouse;
  tags.emplace_back(key, value);
  return tags;
}

}  // namespace

TEST_CASE("town: a building has height, base, levels, roof and courtyard") {
  MapText map;
  const int outer = map.square(0, 0, 40, {}), inner = map.square(10, 10, 20, {});
  map.others += "<relation id=\"99\"><member type=\"way\" ref=\"" + std::to_string(outer) +
                "\" role=\"outer\"/><member type=\"way\" ref=\"" + std::to_string(inner) + "\" role=\"inner\"/>" +
                MapText::text_of({{"type", "multipolygon"},
                                  {"building", "hotel"},
                                  {"name", "Inn"},
                                  {"height", "21.5 m"},
                                  {"min_height", "4"},
                                  {"building:levels", "7"},
                                  {"roof:shape", "gabled"},
                                  {"roof:levels", "2"},
                                  {"roof:height", "3 m"},
                                  {"addr:street", "High Street"},
                                  {"addr:housenumber", "12"}}) +
                "</relation>";
  const json building = the(features_of(town_of(map)), "building");
  CHECK(building["properties"] == json::parse(R"({"kind":"building","osm_type":"relation","osm_id":99,"class":"hotel",
    "name":"Inn","address":"High Street 12","min_height":4,"height":21.5,"base_height":4,"height_from":"height","levels":7,
    "roof:shape":"gabled","roof:height":3,"roof:levels":2})"));
  const json rings = building["geometry"]["coordinates"];
  REQUIRE(rings.size() == 2);
  CHECK(rings[0].size() == 5);
  // Seven decimals of the map come back as they were.
  CHECK(rings[0][0] == json::array({11, 48}));
}

TEST_CASE("town: heights of buildings come from levels, or are assumed; a base above the top is none") {
  MapText map;
  map.square(0, 0, 10, {{"building", "yes"}, {"building:levels", "4"}, {"building:min_level", "2"}});
  map.square(50, 0, 10, {{"building", "yes"}, {"min_height", "20"}});
  const json features = features_of(town_of(map));
  REQUIRE(features.size() == 2);
  const json levels = features[0]["properties"], assumed = features[1]["properties"];
  CHECK(levels["height"] == 12);
  CHECK(levels["base_height"] == 6);
  CHECK(levels["height_from"] == "levels");
  CHECK(assumed["height"] == 6);
  CHECK(assumed["base_height"] == 0);
  CHECK(assumed["min_height"] == 20);
  CHECK(assumed["height_from"] == "default");
  CHECK_FALSE(assumed.contains("elevation"));
}

TEST_CASE("town: a street is one line with its tags, however it is cut") {
  MapText map;
  const int a = map.node(-100, 0), b = map.node(0, 0), c = map.node(100, 0);
  const int way = map.way({a, b, c}, {{"highway", "residential"},
                                      {"name", "Long &quot;Lane&quot;"},
                                      {"ref", "B 2"},
                                      {"oneway", "-1"},
                                      {"surface", "paving_stones"},
                                      {"lanes", "2"}});
  TownMap town = town_of(map);
  REQUIRE(town.roads.size() == 1);
  // Cut at 1/4, where it becomes narrower.
  Road rest = town.roads[0];
  const geo::EastNorth cut{-50, 0};
  town.roads[0].line = {rest.line.front(), cut};
  town.roads[0].at = {0, 1};
  town.roads[0].nodes = {0, 0xC0000000};
  rest.line = {cut, rest.line[1], rest.line[2]};
  rest.at = {0, 1, 2};
  rest.nodes = {0xC0000000, 1, 2};
  rest.width = 4.5;
  town.roads.push_back(rest);
  const json street = the(features_of(town), "street");
  CHECK(street["geometry"]["type"] == "LineString");
  CHECK(street["geometry"]["coordinates"].size() == 3);
  CHECK(street["geometry"]["coordinates"][1] == json::array({11, 48}));
  json want = json::parse(R"({"kind":"street","osm_type":"way","class":"residential","name":"Long \"Lane\"","ref":"B 2",
    "width":7,"narrowest":4.5,"left_pavement":1.5,"right_pavement":2,"lanes":2,"oneway":-1,"layer":0,"surface":"paving_stones"})");
  want["osm_id"] = way;
  CHECK(street["properties"] == want);
}

TEST_CASE("town: pieces of a street that do not meet are features of their own, and a roundabout stays closed") {
  MapText map;
  const int a = map.node(-100, 0), b = map.node(-50, 0), c = map.node(50, 0), d = map.node(100, 0);
  map.way({a, b, 77777, c, d}, {{"highway", "residential"}});
  map.square(200, 0, 30, {{"highway", "residential"}, {"junction", "roundabout"}});
  const json features = features_of(town_of(map));
  REQUIRE(features.size() == 3);
  CHECK(features[0]["properties"]["osm_id"] == features[1]["properties"]["osm_id"]);
  const json ring = features[2]["geometry"]["coordinates"];
  CHECK(ring.front() == ring.back());
  CHECK(features[2]["properties"]["oneway"] == 1);
}

TEST_CASE("town: a bridge has the height of its deck at each point") {
  MapText map;
  const int a = map.node(-300, 0), b = map.node(300, 0), c = map.node(0, -300), d = map.node(0, 300);
  map.way({a, b}, {{"highway", "primary"}, {"bridge", "yes"}});
  map.way({c, d}, {{"highway", "primary"}});
  const json features = features_of(town_of(map));
  REQUIRE(features.size() == 2);
  const json over = features[0]["properties"];
  CHECK(over["height"] == doctest::Approx(kDeckHeight));
  CHECK(over["bridge"] == true);
  CHECK(over["layer"] == 1);
  const json heights = over["heights"];
  REQUIRE(heights.size() == features[0]["geometry"]["coordinates"].size());
  CHECK(heights.front() == 0);
  CHECK(heights.back() == 0);
  CHECK(*std::max_element(heights.begin(), heights.end()) == doctest::Approx(kDeckHeight));
  CHECK_FALSE(features[1]["properties"].contains("heights"));
  CHECK_FALSE(features[1]["properties"].contains("bridge"));
}

TEST_CASE("town: a tunnel has its depth") {
  MapText map;
  map.way({map.node(-300, 0), map.node(300, 0)}, {{"highway", "primary"}, {"tunnel", "yes"}});
  const json tunnel = the(features_of(town_of(map)), "street")["properties"];
  CHECK(tunnel["depth"] == doctest::Approx(kTunnelDepth));
  CHECK_FALSE(tunnel.contains("height"));
  CHECK(tunnel["tunnel"] == true);
}

TEST_CASE("town: generated houses, cars and hedges are footprints, trees are points") {
  MapText map;
  map.node(0, 0, house("landuse", "residential"));
  map.node(30, 0, house("simbatch:kind", "car"));
  map.node(60, 0, house("simbatch:kind", "hedge"));
  map.node(90, 0, house("simbatch:kind", "tree"));
  const json features = features_of(town_of(map));
  REQUIRE(features.size() == 4);
  const json dwelling = the(features, "house");
  CHECK(dwelling["properties"] ==
        json::parse(R"({"kind":"house","osm_type":"node","osm_id":1,"landuse":"residential","filePath":"models/a",
    "fileType":"obj","heading":90,"height":6.5,"base_height":0})"));
  // Its front is to the east: 8 m along that, 10 m across.
  double east = 0, north = 0;
  for (const json& corner : dwelling["geometry"]["coordinates"][0]) {
    const geo::EastNorth p = map.frame.to_plane({corner[1], corner[0]});
    east = std::max(east, std::fabs(p.east));
    north = std::max(north, std::fabs(p.north));
  }
  CHECK(east == doctest::Approx(4).epsilon(1e-4));
  CHECK(north == doctest::Approx(5).epsilon(1e-4));
  CHECK(the(features, "car")["geometry"]["type"] == "Polygon");
  CHECK(the(features, "hedge")["geometry"]["type"] == "Polygon");
  const json tree = the(features, "tree");
  CHECK(tree["geometry"]["type"] == "Point");
  CHECK(tree["properties"]["diameter"] == 10);
  CHECK(tree["properties"]["height"] == 6.5);
}

TEST_CASE("town: an object on wooded land is a tree") {
  MapText map;
  map.node(0, 0, house("landuse", "forest"));
  CHECK(the(features_of(town_of(map)), "tree")["properties"]["osm_id"] == 1);
}

TEST_CASE("town: areas keep their holes, rails and rivers are lines with a width") {
  MapText map;
  const int outer = map.square(0, 0, 90, {}), inner = map.square(30, 30, 20, {});
  map.others += "<relation id=\"98\"><member type=\"way\" ref=\"" + std::to_string(outer) +
                "\" role=\"outer\"/><member type=\"way\" ref=\"" + std::to_string(inner) + "\" role=\"inner\"/>" +
                MapText::text_of({{"type", "multipolygon"}, {"natural", "water"}, {"name", "Lake"}}) + "</relation>";
  map.way({map.node(0, 200), map.node(100, 200), map.node(200, 300)}, {{"railway", "tram"}});
  map.square(300, 300, 20, {{"leisure", "garden"}});
  map.square(5000, 300, 20, {{"leisure", "park"}});  // beyond the ground
  const json features = features_of(town_of(map));
  REQUIRE(features.size() == 3);
  const json water = the(features, "water");
  CHECK(water["geometry"]["coordinates"].size() == 2);
  CHECK(water["properties"] ==
        json::parse(R"({"kind":"water","osm_type":"relation","osm_id":98,"class":"water","name":"Lake"})"));
  const json rail = the(features, "railway");
  CHECK(rail["geometry"]["type"] == "LineString");
  CHECK(rail["geometry"]["coordinates"].size() == 3);
  CHECK(rail["properties"]["width"] == 3.2);
  CHECK(rail["properties"]["class"] == "tram");
  CHECK(the(features, "park")["properties"]["class"] == "garden");
}

TEST_CASE("town: the sea is one feature of many parts") {
  MapText map;
  map.way({map.node(-2000, 0), map.node(2000, 0)}, {{"natural", "coastline"}});
  const json sea = the(features_of(town_of(map)), "water");
  CHECK(sea["geometry"]["type"] == "MultiPolygon");
  CHECK(sea["properties"] == json::parse(R"({"kind":"water","class":"sea"})"));
  for (const json& part : sea["geometry"]["coordinates"])
    for (const json& corner : part[0]) CHECK(corner[1] <= 48.0001);
}

TEST_CASE("town: crossings, signals, signs and lamps") {
  MapText map;
  const int a = map.node(-100, 0), b = map.node(-40, 0, {{"highway", "crossing"}, {"crossing", "zebra"}}),
            c = map.node(0, 0, {{"highway", "stop"}}), d = map.node(60, 0, {{"highway", "traffic_signals"}}),
            e = map.node(100, 0);
  map.way({a, b, c, d, e}, {{"highway", "residential"}});
  map.node(20, 9, {{"highway", "street_lamp"}});
  map.node(30, 9, {{"traffic_sign", "DE:274"}});
  const json features = features_of(town_of(map, 0.01));
  const json crossing = the(features, "crossing");
  CHECK(crossing["geometry"]["type"] == "Point");
  CHECK(crossing["properties"]["class"] == "zebra");
  CHECK(crossing["properties"]["width"] == 7);
  CHECK(crossing["properties"]["elevation"] == doctest::Approx(299.6).epsilon(1e-5));
  std::vector<std::string> seen;
  for (const json& feature : features) {
    const json& of = feature["properties"];
    if (of["kind"] == "sign" || of["kind"] == "lamp" || of["kind"] == "signal") {
      seen.push_back(of["kind"].get<std::string>() + " " + of.value("class", "") + " " +
                     std::to_string(of["number"].get<int>()));
      CHECK(of["height"].get<double>() > 2);
      CHECK(of["elevation"].get<double>() > 299);
    }
    if (of["kind"] == "lamp") CHECK(of["heading"] == 180);  // to the street south of it
    if (of["kind"] == "lamp") CHECK(of["height"] == 6.12);
  }
  std::sort(seen.begin(), seen.end());
  CAPTURE(json(seen).dump());
  CHECK(seen == std::vector<std::string>{"lamp  1", "sign DE:274 1", "sign stop 1", "sign stop 2", "signal  1", "signal  2"});
}

TEST_CASE("town: on a slope everything has its elevation") {
  MapText map;
  map.way({map.node(-100, 50), map.node(100, 50)}, {{"highway", "residential"}});
  map.square(-50, 0, 20, {{"building", "yes"}, {"height", "9"}});
  const json features = features_of(town_of(map, 0.1));
  const json street = the(features, "street")["properties"], building = the(features, "building")["properties"];
  REQUIRE(street["elevations"].size() == 2);
  CHECK(street["elevations"][0] == doctest::Approx(290).epsilon(1e-5));
  CHECK(street["elevations"][1] == doctest::Approx(310).epsilon(1e-5));
  CHECK(building["elevation"] == doctest::Approx(295).epsilon(1e-5));
  CHECK(building["height"] == 9);
}

TEST_CASE("town: what is left out is reported, with counts") {
  MapText map;
  map.way({map.node(-100, 0), map.node(100, 0)}, {{"highway", "footway"}});
  map.square(0, 0, 10, {{"building", "roof"}});
  map.way({map.node(0, 50), map.node(20, 50), map.node(20, 70)}, {{"building", "yes"}});
  map.others += "<relation id=\"97\"><member type=\"way\" ref=\"4711\" role=\"outer\"/>" +
                MapText::text_of({{"type", "multipolygon"}, {"leisure", "park"}}) + "</relation>";
  Diagnostics problems;
  CHECK(features_of(town_of(map, 0.1), problems).empty());
  simbatch::test::Expected expected(problems);
  expected.take(code::kLossWay);
  CHECK(expected.take(code::kLossBuilding).find("left out: 2, of which 1 have no walls") != std::string::npos);
  expected.take(code::kLossArea);
  expected.take(code::kLossGround);
}
