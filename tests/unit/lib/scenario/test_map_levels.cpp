// Worlds of maps whose roads lie over each other, and on relief.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lib/roads/codes.hpp"
#include "lib/roads/levels.hpp"
#include "lib/scenario/build.hpp"
#include "lib/scenario/codes.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/scenario/map_folder.hpp"

using namespace simbatch;
using namespace simbatch::test::maps;

namespace {

/// High Street to the east, over or under Low Street to the north at the origin, each 400 m long.
std::string crossing(const std::string& high_tags, const std::string& low_tags) {
  std::string text = "<osm version=\"0.6\">";
  const geo::LocalFrame frame({48, 11});
  int id = 0;
  for (const auto& [east, north] : {std::pair(-200, 0), std::pair(200, 0), std::pair(0, -200), std::pair(0, 200)}) {
    const geo::LatLon at = frame.to_geographic({static_cast<double>(east), static_cast<double>(north)});
    text += "<node id=\"" + std::to_string(++id) + "\" version=\"1\" lat=\"" + number_text(at.lat) + "\" lon=\"" +
            number_text(at.lon) + "\"/>";
  }
  const auto way = [&](int way_id, int first, const char* name, const std::string& tags) {
    text += "<way id=\"" + std::to_string(way_id) + "\" version=\"1\"><nd ref=\"" + std::to_string(first) + "\"/><nd ref=\"" +
            std::to_string(first + 1) + "\"/><tag k=\"highway\" v=\"residential\"/><tag k=\"name\" v=\"" + name + "\"/>" +
            tags + "</way>";
  };
  way(1, 1, "High Street", high_tags);
  way(2, 3, "Low Street", low_tags);
  return text + "</osm>";
}
const std::string kBridge = "<tag k=\"bridge\" v=\"yes\"/><tag k=\"layer\" v=\"1\"/>", kBelow = "<tag k=\"layer\" v=\"-1\"/>";

/// Drives the cart straight on to 150 m behind the crossing, for at most 60 s.
struct Path {
  double lowest = 1e9, highest = -1e9, end = 0;
  bool is_on_road = true;
};
Path drive(const std::string& map, const std::string& road) {
  std::string world = scenario_text("<Position road=\"" + road + "\" at=\"40\" lane=\"1\"/>");
  world.replace(world.find("acceleration=\"0.25\""), 19, "acceleration=\"0.8\" ");
  Folder folder(world, {48, 11});
  folder.add("map.osm", map);
  auto result = folder.build();
  CAPTURE(simbatch::test::all_text(result.diagnostics));
  REQUIRE(result.value.has_value());
  CHECK(result.diagnostics.errors() + result.diagnostics.warnings() == 0);
  simbatch::test::Expected expected(result.diagnostics);
  expected.take(scenario::code::kMapLevels);
  sim::Simulation& simulation = *result.value->simulation;
  simulation.start();
  const auto values = [&] { return simulation.tree().find("cart.body")->values(); };
  Path path;
  const auto roads = simulation.world().find_body("roads");
  for (int i = 0; i < 60 * 200 && path.end < 150; ++i) {
    REQUIRE(simulation.step());
    const auto v = values();
    path.lowest = std::min(path.lowest, v[1]);
    path.highest = std::max(path.highest, v[1]);
    if (i % 40 == 0) {
      const auto below = simulation.world().ray_cast({v[0], v[1] - 0.4, v[2]}, {v[0], v[1] - 5, v[2]});
      path.is_on_road = path.is_on_road && below && below->body == roads;
    }
    path.end = std::max(v[0], v[2]);
  }
  return path;
}

}  // namespace

TEST_CASE("map levels: a cart drives over a bridge, and another under it") {
  const std::string map = crossing(kBridge, "");
  const Path over = drive(map, "High Street");
  CHECK(over.is_on_road);
  CHECK(over.end > 149);
  CHECK(over.highest == doctest::Approx(over.lowest + roads::kDeckHeight).epsilon(0.03));
  const Path under = drive(map, "Low Street");
  CHECK(under.is_on_road);
  CHECK(under.end > 149);
  CHECK(under.highest - under.lowest < 0.3);
}

TEST_CASE("map levels: a cart drives down into a tunnel and up again, another over it") {
  const std::string map = crossing("", kBelow);
  const Path under = drive(map, "Low Street");
  CHECK(under.is_on_road);
  CHECK(under.end > 149);
  CHECK(under.lowest == doctest::Approx(under.highest - roads::kTunnelDepth).epsilon(0.05));
  const Path over = drive(map, "High Street");
  CHECK(over.is_on_road);
  CHECK(over.end > 149);
  CHECK(over.highest - over.lowest < 0.3);
}

TEST_CASE("map levels: a place by a road is on its own level") {
  const auto height = [&](const std::string& map, const std::string& road) {
    Folder folder(scenario_text("<Position road=\"" + road + "\" at=\"200\" lane=\"1\"/>"), {48, 11});
    folder.add("map.osm", map);
    auto result = folder.build();
    CAPTURE(simbatch::test::all_text(result.diagnostics));
    REQUIRE(result.value.has_value());
    result.value->simulation->start();
    return result.value->simulation->tree().find("cart.body")->values()[1];
  };
  const std::string bridge = crossing(kBridge, ""), tunnel = crossing("", kBelow);
  CHECK(height(bridge, "High Street") - height(bridge, "Low Street") == doctest::Approx(roads::kDeckHeight));
  CHECK(height(tunnel, "High Street") - height(tunnel, "Low Street") == doctest::Approx(roads::kTunnelDepth));
}

namespace {

/// A tile with a slope to the east of 1 m a sample.
std::string sloping_tile() {
  std::string bytes;
  for (int row = 0; row < 1201; ++row)
    for (int column = 0; column < 1201; ++column) {
      bytes += static_cast<char>(column >> 8);
      bytes += static_cast<char>(column & 0xff);
    }
  return bytes;
}

std::string high_street(geo::LatLon origin) {
  const geo::LocalFrame to(origin);
  std::string map = "<osm version=\"0.6\">";
  int id = 0;
  for (const double east : {-200.0, 200.0}) {
    const geo::LatLon at = to.to_geographic({east, 0});
    map += "<node id=\"" + std::to_string(++id) + "\" version=\"1\" lat=\"" + number_text(at.lat) + "\" lon=\"" +
           number_text(at.lon) + "\"/>";
  }
  map +=
      "<way id=\"1\" version=\"1\"><nd ref=\"1\"/><nd ref=\"2\"/><tag k=\"highway\" v=\"residential\"/><tag k=\"name\" "
      "v=\"High Street\"/></way></osm>";
  return map;
}

}  // namespace

TEST_CASE("map levels: elevation tiles are the ground, and what they lack is reported") {
  // The map's origin is 12 m from the tile's western border.
  Folder folder(scenario_text("<Position road=\"High Street\" at=\"300\" lane=\"1\"/>"), {48.5, 11.00017});
  folder.add("map.osm", high_street({48.5, 11.00017}));
  folder.add("N48E011.hgt", sloping_tile());
  auto result = folder.build();
  simbatch::test::Expected expected(result.diagnostics);
  const std::string outside = expected.take(roads::code::kHgtVoid);
  CHECK(outside.find("points of ground lie outside all elevation tiles; add N48E010.hgt") != std::string::npos);
  REQUIRE(result.value.has_value());
  CHECK(result.value->inputs.size() == 5);
  // A sample is 61.5 m to the east there.
  const double x = 150, sample = 1.0 / 1200 * 111412.84 * std::cos(48.5 * 3.14159265358979 / 180);
  CHECK(result.value->simulation->world().terrain_height(x, 30).value_or(-1) ==
        doctest::Approx((x + 12.5) / sample).epsilon(0.02));
  CHECK(result.value->simulation->world().terrain_height(x, 0).value_or(-1) ==
        doctest::Approx((x + 12.5) / sample + 0.05).epsilon(0.02));
}

TEST_CASE("map levels: tiles of another place and a GeoTIFF are told, with what to do") {
  Folder folder(scenario_text("<Position road=\"High Street\" at=\"300\" lane=\"1\"/>"), {48.5, 11.5});
  folder.add("map.osm", high_street({48.5, 11.5}));
  folder.add("N47E011.hgt", sloping_tile());
  folder.add("heights.TIF", "II*");
  auto result = folder.build();
  REQUIRE(result.value.has_value());
  simbatch::test::Expected expected(result.diagnostics);
  const std::string elsewhere = expected.take(scenario::code::kMapElevation);
  CHECK(elsewhere.ends_with("this map needs N48E011.hgt"));
  CHECK(expected.take(scenario::code::kMapGeoTiff).find("gdal_translate -of SRTMHGT heights.TIF") != std::string::npos);
}
