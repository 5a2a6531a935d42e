#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "formats/geojson/geojson.hpp"

using namespace simbatch;
using nlohmann::json;

TEST_CASE("geojson: an empty collection") {
  CHECK(geojson::Writer().take() == "{\n  \"type\": \"FeatureCollection\",\n  \"features\": []\n}\n");
}

TEST_CASE("geojson: one feature per line, typed properties, lists of objects") {
  geojson::Writer writer;
  writer.point({48.1234567891, -11.5});
  writer.property("text", "a \"b\" \\ \n\x01 \xc3\xbc");
  writer.property("shortest", 0.1);
  writer.property("rounded", 2.0 / 3, 4);
  writer.property("never", std::numeric_limits<double>::infinity());
  writer.property("count", std::size_t{7});
  writer.property("minus", -1);
  writer.property("yes", true);
  writer.line(std::vector<geo::LatLon>{{1, 2}, {-0.0, 4}});
  writer.start_list("sections");
  writer.start_object();
  writer.property("first", 0);
  writer.property("last", 1);
  writer.end_object();
  writer.start_object();
  writer.end_object();
  writer.end_list();
  writer.property("after", "x");
  const std::string text = writer.take();
  CHECK(text ==
        "{\n  \"type\": \"FeatureCollection\",\n  \"features\": [\n"
        "    {\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[-11.5,48.123456789]},\"properties\":"
        "{\"text\":\"a \\\"b\\\" \\\\ \\u000a\\u0001 \xc3\xbc\",\"shortest\":0.1,\"rounded\":0.6667,\"never\":null,"
        "\"count\":7,\"minus\":-1,\"yes\":true}},\n"
        "    {\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[2,1],[4,0]]},\"properties\":"
        "{\"sections\":[{\"first\":0,\"last\":1},{}],\"after\":\"x\"}}\n"
        "  ]\n}\n");
  CHECK(json::parse(text)["features"][0]["properties"]["text"] == "a \"b\" \\ \n\x01 \xc3\xbc");
  CHECK(writer.take() == geojson::Writer().take());  // it is empty again
}

TEST_CASE("geojson: polygons are closed and counter-clockwise") {
  const std::vector<geo::LatLon> counter_clockwise = {{0, 0}, {0, 2}, {1, 2}, {1, 0}};
  const std::vector<geo::LatLon> clockwise(counter_clockwise.rbegin(), counter_clockwise.rend());
  for (const auto& ring : {counter_clockwise, clockwise}) {
    geojson::Writer writer;
    writer.polygon(ring);
    const json feature = json::parse(writer.take())["features"][0];
    CHECK(feature["geometry"]["coordinates"] == json::parse("[[[0,0],[2,0],[2,1],[0,1],[0,0]]]"));
    CHECK(feature["properties"] == json::object());
  }
}

TEST_CASE("geojson: holes run clockwise, whatever way they are given") {
  const std::vector<geo::LatLon> outer = {{0, 0}, {0, 9}, {9, 9}, {9, 0}};
  const std::vector<geo::LatLon> hole = {{1, 1}, {1, 2}, {2, 2}};
  const std::vector<geo::LatLon> turned(hole.rbegin(), hole.rend());
  for (const auto& given : {hole, turned}) {
    geojson::Writer writer;
    writer.polygon(outer, std::vector<std::vector<geo::LatLon>>{given, turned});
    const json rings = json::parse(writer.take())["features"][0]["geometry"]["coordinates"];
    REQUIRE(rings.size() == 3);
    CHECK(rings[0] == json::parse("[[0,0],[9,0],[9,9],[0,9],[0,0]]"));
    CHECK(rings[1] == json::parse("[[2,2],[2,1],[1,1],[2,2]]"));
    CHECK(rings[2] == rings[1]);
  }
}

TEST_CASE("geojson: several polygons in one feature, lists of numbers") {
  geojson::Writer writer;
  writer.multi_polygon(std::vector<std::vector<geo::LatLon>>{{{0, 0}, {1, 0}, {0, 1}}, {{5, 5}, {5, 6}, {6, 6}}});
  writer.property("heights", std::vector<double>{1.0 / 3, 0, -2.5, std::nan("")}, 2);
  writer.property("none", std::vector<double>{}, 2);
  const json feature = json::parse(writer.take())["features"][0];
  CHECK(feature["geometry"]["type"] == "MultiPolygon");
  CHECK(feature["geometry"]["coordinates"] == json::parse("[[[[1,0],[0,1],[0,0],[1,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]"));
  CHECK(feature["properties"] == json::parse(R"({"heights":[0.33,0,-2.5,null],"none":[]})"));
}

TEST_CASE("geojson: any bytes in a string give valid UTF-8") {
  for (const auto& [bytes, read_back] :
       {std::pair{"bad \xff", "bad \xef\xbf\xbd"}, std::pair{"cut \xe2\x82", "cut \xef\xbf\xbd\xef\xbf\xbd"},
        std::pair{"latin \xe4\x62", "latin \xef\xbf\xbd\x62"}, std::pair{"control \x1b\x7f", "control \x1b\x7f"}}) {
    geojson::Writer writer;
    writer.point({0, 0});
    writer.property(bytes, bytes);
    const json properties = json::parse(writer.take())["features"][0]["properties"];
    CHECK(properties.begin().key() == read_back);
    CHECK(properties.begin().value() == read_back);
  }
}

TEST_CASE("geojson: calls out of order are refused") {
  geojson::Writer writer;
  CHECK_THROWS_AS(writer.property("early", 1), std::logic_error);
  CHECK_THROWS_AS(writer.line(std::vector<geo::LatLon>{{1, 2}}), std::logic_error);
  CHECK_THROWS_AS(writer.polygon(std::vector<geo::LatLon>{{1, 2}, {3, 4}}), std::logic_error);
  CHECK_THROWS_AS(writer.multi_polygon({}), std::logic_error);
  CHECK_THROWS_AS(writer.point({std::nan(""), 0}), std::invalid_argument);
  geojson::Writer open;
  open.point({0, 0});
  CHECK_THROWS_AS(open.start_object(), std::logic_error);
  CHECK_THROWS_AS(open.end_list(), std::logic_error);
  open.start_list("list");
  CHECK_THROWS_AS(open.property("in_list", 1), std::logic_error);
  CHECK_THROWS_AS((void)open.take(), std::logic_error);
}
