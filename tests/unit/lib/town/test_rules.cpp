// Where houses make sense: each rule alone, on a map made for it.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/usual_widths.hpp"
#include "lib/town/building_ways.hpp"
#include "lib/town/coast.hpp"
#include "lib/town/defaults.hpp"
#include "lib/town/make_town.hpp"
#include "lib/town/place.hpp"
#include "lib/town/route.hpp"
#include "lib/town/rules.hpp"
#include "lib/town/settlement.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/town/town_maker.hpp"

namespace {
using namespace simbatch;
using test::Made;
using test::MapText;
using test::only;
using town::Reason;
using town::Vec2;

constexpr double kLat = test::kTownLat, kLon = test::kTownLon;
Made make(const std::string& map, const town::Rules& rules, bool by_street = false) {
  return test::make_houses(map, rules, by_street);
}
const char* const kStreet = "highway=residential name=A";
}  // namespace

TEST_CASE("rules: each can be switched off by its name, and a set of none is the thesis") {
  CHECK(!town::Rules{}.any());
  const town::Rules all = town::all_rules();
  for (const bool rule :
       {all.sea, all.rails, all.highway_areas, all.power_lines, all.access, all.settlement, all.tracks, all.centers, all.lanes,
        all.waterways, all.eras, all.row_houses, all.second_rows, all.heights, all.gardens, all.street_trees, all.parked_cars})
    CHECK(rule);
  town::Rules rules = all;
  for (const std::string& name : town::rule_names()) CHECK(town::switch_off(rules, name));
  CHECK(!rules.any());
  CHECK(!town::switch_off(rules, "water"));
}

TEST_CASE("coast: the sea is on the right, at corners and beyond open ends too") {
  // A cape: land south of it and inside the angle.
  const auto at = [](double x, double z) { return town::millimeters({x, z}); };
  town::Coast coast(
      {{at(200, 0), at(100, 0)}, {at(100, 0), at(0, 150)}, {at(0, 150), at(-100, 0)}, {at(-100, 0), at(-200, 0)}});
  const auto sea = [&](double x, double z) {
    town::Coast::Near near;
    return coast.is_sea({x, z}, near);
  };
  CHECK(!sea(0, 0));
  CHECK(!sea(0, 149));
  CHECK(sea(0, 151));  // the cape's tip is nearest: both of its sides decide
  CHECK(sea(30, 200));
  CHECK(sea(-30, 200));
  CHECK(!sea(150, -1));
  CHECK(sea(150, 1));
  CHECK(!sea(1000, -50));
  CHECK(sea(1000, 50));
  // Whatever was asked before, the answer is the same.
  town::Coast::Near near;
  for (int i = -300; i <= 300; i += 7)
    for (int j = -100; j <= 300; j += 7) CHECK(coast.is_sea({i + 0.5, j + 0.5}, near) == sea(i + 0.5, j + 0.5));
  town::Coast none({});
  CHECK(!none.is_sea({0, 0}, near));
}

TEST_CASE("settlement: discs, and streets that are dense") {
  town::Settlement signs;
  signs.add_disc({0, 0}, 100);
  signs.add_disc({1020, -1030}, 100);  // across the corner of four pages
  // A grid of streets 100 m apart, and a lonely road.
  town::StreetLengths streets;
  for (int k = 0; k <= 5; ++k) {
    streets.add({5000, 5000.0 + 100 * k}, {5500, 5000.0 + 100 * k});
    streets.add({5000.0 + 100 * k, 5000}, {5000.0 + 100 * k, 5500});
  }
  for (int k = 0; k < 40; ++k) streets.add({-9000.0 + 100 * k, 3000}, {-8900.0 + 100 * k, 3000});
  signs.set_streets(std::move(streets));
  signs.build();
  town::Settlement::Near near;
  // To within a square of 16 m.
  for (double a = 0; a < 6.28; a += 0.1) {
    CHECK(signs.at({80 * std::cos(a), 80 * std::sin(a)}, near));
    CHECK(!signs.at({125 * std::cos(a), 125 * std::sin(a)}, near));
    CHECK(signs.at({1020 + 80 * std::cos(a), -1030 + 80 * std::sin(a)}, near));
    CHECK(!signs.at({1020 + 125 * std::cos(a), -1030 + 125 * std::sin(a)}, near));
  }
  CHECK(signs.at({5250, 5250}, near));
  CHECK(signs.at({5050, 5050}, near));
  CHECK(!signs.at({5250, 5900}, near));
  CHECK(!signs.at({-7000, 3010}, near));
}

TEST_CASE("rules: no house in the sea") {
  MapText map;
  map.way({{0, 300}, {300, 300}}, kStreet)
      .way({{0, -100}, {300, -100}}, kStreet)
      .way({{900, 50}, {-600, 50}}, "natural=coastline");
  const Made before = make(map.text(), {}), after = make(map.text(), only(&town::Rules::sea));
  CHECK(before.placed.placed > 60);
  CHECK(after.placed.placed == before.placed.placed / 2);
  for (const town::House& house : after.placed.houses) CHECK(house.center.z < 50'000);
  CHECK(after.rejected(Reason::water) > before.rejected(Reason::water));
}

TEST_CASE("rules: spurs, yards and railways under construction, power lines, areas of roads") {
  const auto with = [](const char* tags, bool closed) {
    MapText map;
    map.way({{0, 0}, {300, 0}}, kStreet);
    if (closed)
      map.way({{0, 10}, {300, 10}, {300, 25}, {0, 25}}, tags, true);
    else
      map.way({{-10, 14}, {310, 14}}, tags);
    return map.text();
  };
  struct Case {
    const char* tags;
    bool closed;
    bool town::Rules::*rule;
    Reason reason;
  };
  for (const Case& c : {Case{"railway=spur", false, &town::Rules::rails, Reason::railway},
                        Case{"railway=siding", false, &town::Rules::rails, Reason::railway},
                        Case{"railway=yard", false, &town::Rules::rails, Reason::railway},
                        Case{"railway=construction", false, &town::Rules::rails, Reason::railway},
                        Case{"power=line", false, &town::Rules::power_lines, Reason::barrier},
                        Case{"power=minor_line", false, &town::Rules::power_lines, Reason::barrier},
                        Case{"area:highway=residential", true, &town::Rules::highway_areas, Reason::road}}) {
    CAPTURE(c.tags);
    const std::string map = with(c.tags, c.closed);
    const Made before = make(map, {}), after = make(map, only(c.rule));
    CHECK(before.placed.placed > 30);
    CHECK(after.placed.placed == before.placed.placed / 2);  // one side of the street
    for (const town::House& house : after.placed.houses) CHECK(house.center.z < 0);
    CHECK(after.rejected(c.reason) > 0);
  }
}

TEST_CASE("rules: no house in a river that is as wide as its tag says") {
  const auto with = [](const char* tags) {
    MapText map;
    map.way({{0, 0}, {300, 0}}, kStreet).way({{-20, 30}, {320, 30}}, tags);
    return map.text();
  };
  const std::size_t all = make(with("waterway=river"), {}).placed.placed;
  CHECK(all > 30);
  for (const char* tags : {"waterway=river width=50", "waterway=river est_width=50"}) {
    CAPTURE(tags);
    CHECK(make(with(tags), {}).placed.placed == all);  // the thesis
    const Made made = make(with(tags), only(&town::Rules::waterways));
    CHECK(made.placed.placed == all / 2);
    CHECK(made.rejected(Reason::water) > 0);
    for (const town::House& house : made.placed.houses) CHECK(house.center.z < 0);
  }
  for (const char* tags : {"waterway=river width=wide", "waterway=river width=-50", "waterway=river width=1e9"})
    CHECK(make(with(tags), only(&town::Rules::waterways)).placed.placed == all);
}

TEST_CASE("rules: no house beyond a stream, a railway or a shed from its street") {
  // The house's middle is 12 m from the pavement, its front 7 m.
  for (const char* tags : {"waterway=stream", "railway=narrow_gauge", "barrier=city_wall"}) {
    CAPTURE(tags);
    MapText map;
    map.way({{0, 0}, {300, 0}}, kStreet).way({{-20, 8}, {320, 8}}, tags);
    const Made before = make(map.text(), {}), after = make(map.text(), only(&town::Rules::access));
    CHECK(after.placed.placed < before.placed.placed);
    CHECK(after.rejected(Reason::cut_off) > 0);
    for (const town::House& house : after.placed.houses) CHECK(house.center.z < 0);
  }
  // A tram in the street cuts nothing off.
  MapText tram;
  tram.way({{0, 0}, {300, 0}}, kStreet).way({{-20, 1}, {320, 1}}, "railway=tram");
  CHECK(make(tram.text(), only(&town::Rules::access)).placed.placed == make(tram.text(), {}).placed.placed);
}

TEST_CASE("rules: houses only where people live") {
  MapText map;
  map.way({{0, 0}, {3000, 0}}, kStreet).way({{0, 30}, {10, 30}, {10, 40}, {0, 40}}, "building=yes", true);
  map.way({{2000, -60}, {2200, -60}, {2200, 60}, {2000, 60}}, "landuse=residential", true);
  map.node({1000, 0}, "place=hamlet");
  const Made made = make(map.text(), only(&town::Rules::settlement));
  CHECK(made.placed.placed > 30);
  CHECK(made.rejected(Reason::unsettled) > 0);
  bool near_building = false, near_place = false, in_area = false;
  for (const town::House& house : made.placed.houses) {
    const double x = house.center.x * 1e-3;
    const bool building = x<135, place = std::fabs(x - 1000) < 140, area = x> 1990 && x < 2210;
    CHECK((building || place || area));
    near_building = near_building || building;
    near_place = near_place || place;
    in_area = in_area || area;
  }
  CHECK(near_building);
  CHECK(near_place);
  CHECK(in_area);
}

TEST_CASE("rules: farm tracks and parking aisles get no houses, pedestrian streets closed fronts") {
  MapText map;
  map.way({{0, 0}, {300, 0}}, "highway=track").way({{0, 200}, {300, 200}}, "highway=service service=parking_aisle");
  CHECK(make(map.text(), {}).placed.placed > 60);
  CHECK(make(map.text(), only(&town::Rules::tracks)).placed.placed == 0);
  MapText center;
  center.way({{0, 0}, {300, 0}}, "highway=pedestrian");
  const Made made = make(center.text(), only(&town::Rules::centers), true);
  CHECK(made.placed.placed == 2 * 29);  // 300 m / 10 m, a rounding's room between each
  for (const town::House& house : made.placed.houses) {
    const double out = std::fabs(house.center.z * 1e-3);  // half of 5 m, the clearance, half a house
    CHECK(out > 8);
    CHECK(out < 8.6);
  }
}

TEST_CASE("buildings: houses as outlines with heights, before the first way, and again as they were") {
  MapText text;
  text.way({{0, 0}, {100, 0}}, kStreet);
  const std::string map = text.text();
  const Made made = make(map, {});
  osm::ReadOptions read;
  read.locate_key = std::string(town::kGeneratedKey);
  const auto parsed = osm::read_xml(map, read, "map.osm");
  REQUIRE(parsed.value);
  town::BuildingWriter writer(made.town, -1, -1, -1);
  osm::PassThroughOptions pass;
  pass.new_ways = [&](osm::NodeSink& sink) { writer.write_ways(sink); };
  const std::string out = osm::pass_through_text(map, parsed.value->layout, parsed.value->model.version, pass,
                                                 [&](osm::NodeSink& sink) { writer.write(made.placed.houses, sink); });
  auto again = osm::read_xml(out, read, "out.osm");
  REQUIRE(again.value);
  CHECK(!again.diagnostics.has_errors());
  const osm::Model& model = again.value->model;
  CHECK(again.value->facts.sorted);
  CHECK(model.ways.size() == 1 + made.placed.placed);
  for (std::size_t way = 0; way < made.placed.placed; ++way) {
    CHECK(model.is_closed(way));
    const auto tags = model.tags_of_way(way);
    CHECK(model.value_of(tags, "building") == "house");
    CHECK(model.value_of(tags, "height") == "6");
    CHECK(model.value_of(tags, "building:levels") == "1");
    CHECK(model.value_of(tags, "roof:shape") == "gabled");
    CHECK(model.value_of(tags, "roof:height") == "2");
  }
  CHECK(again.value->layout.located_ways.size() == made.placed.placed);
  CHECK(again.value->layout.located_ids.size() == 4 * made.placed.placed);
  // Taken out again, the map is what it was.
  osm::PassThroughOptions clear;
  clear.drop_located = true;
  clear.set_upload_false = false;
  std::string plain = osm::pass_through_text(out, again.value->layout, model.version, clear, [](osm::NodeSink&) {});
  const std::string upload = " upload='false'";
  plain.erase(plain.find(upload), upload.size());
  CHECK(plain == map);
  // In the simulator's eyes a generated outline does not keep off the next run's houses.
  CHECK(make(out, {}).placed.houses == made.placed.houses);
}

TEST_CASE("buildings: whole stories below the roof") {
  MapText text;
  text.way({{0, 0}, {100, 0}}, kStreet);
  const std::string map = text.text();
  const auto stories = [&map](double height, const town::Rules& rules = {}) {
    autosim::HouseList houses = test::one_house();
    houses.sections[0].models[0].box_size.y = height;
    const test::Made made = test::make_houses(map, rules, false, &houses);
    osm::ReadOptions read;
    read.keep_keys = {"building:levels"};
    const auto parsed = osm::read_xml(map, read, "map.osm");
    town::BuildingWriter writer(made.town, -1, -1, -1);
    osm::PassThroughOptions pass;
    pass.new_ways = [&](osm::NodeSink& sink) { writer.write_ways(sink); };
    const auto out = osm::read_xml(osm::pass_through_text(map, parsed.value->layout, parsed.value->model.version, pass,
                                                          [&](osm::NodeSink& sink) { writer.write(made.placed.houses, sink); }),
                                   read, "out.osm");
    REQUIRE(made.placed.placed > 0);
    return std::string(out.value->model.value_of(out.value->model.tags_of_way(0), "building:levels").value_or(""));
  };
  // A third of the height is the roof.
  CHECK(stories(3) == "1");
  CHECK(stories(7.5) == "1");
  CHECK(stories(9) == "2");
  CHECK(stories(13) == "2");
  CHECK(stories(13.5) == "3");
  // Where models are chosen by the levels of the neighborhood, a villa of 8 m has two of 2.7 m.
  town::Rules heights;
  heights.heights = true;
  CHECK(stories(6, heights) == "1");
  CHECK(stories(8, heights) == "2");
}

TEST_CASE("default setup: in the middle of the map, and large enough") {
  MapText text;
  text.way({{2000, 1000}, {2600, 1000}}, kStreet).way({{2300, 800}, {2300, 1200}}, kStreet);
  const auto parsed = osm::read_xml(text.text(), {}, "map.osm");
  REQUIRE(parsed.value);
  const autosim::MapSetup setup = town::default_setup(parsed.value->model, "t");
  const geo::EastNorth origin = geo::LocalFrame({kLat, kLon}).to_plane({setup.osm.lat, setup.osm.lon});
  CHECK(std::fabs(origin.east - 2300) < 10);
  CHECK(std::fabs(origin.north - 1000) < 10);
  REQUIRE(setup.terrain);
  CHECK(setup.terrain->width >= 700);
  CHECK(setup.terrain->width < 900);
  CHECK(setup.terrain->height >= 500);
  CHECK(setup.highways.kinds == roads::usual_widths().kinds);
  // Both are files that their readers take.
  CHECK(autosim::read_setup(autosim::write_setup(setup), "s.xml").ok());
  CHECK(autosim::read_houses(autosim::write_houses(town::default_houses()), "h.xml").ok());
}

TEST_CASE("route: along streets, in the right lane, around corners by tangent arcs") {
  MapText text;
  text.way({{0, 0}, {100, 0}}, "highway=residential").way({{90, -50}, {90, -20}}, "highway=footway");
  const auto straight = osm::read_xml(text.text(), {}, "map.osm");
  autosim::MapSetup setup = town::default_setup(straight.value->model, "t");
  setup.osm.lat = kLat;
  setup.osm.lon = kLon;
  const auto route = town::find_route(straight.value->model, setup, 60);
  REQUIRE(route);
  CHECK(route->length == doctest::Approx(60).epsilon(0.01));
  // 6 m wide: 1.1 m to the right of the middle, whichever way it is driven, there is 1.9 m to the edge.
  const bool east = route->pieces[0].to.east > route->pieces[0].from.east;
  CHECK(route->pieces[0].from.north == doctest::Approx(east ? -1.1 : 1.1).epsilon(0.01));

  const std::string corner =
      "<osm version='0.6'><node id='1' lat='52' lon='8'/><node id='2' lat='52.001' lon='8'/><node id='3' lat='52.001' lon='7.999'/>"
      "<way id='1'><nd ref='1'/><nd ref='2'/><nd ref='3'/><tag k='highway' v='residential'/></way></osm>";
  const auto bent = osm::read_xml(corner, {}, "map.osm");
  setup.terrain.reset();
  const auto around = town::find_route(bent.value->model, setup, 500);
  REQUIRE(around);
  REQUIRE(around->pieces.size() == 3);
  CHECK(around->heading == doctest::Approx(0).epsilon(0.01));
  const town::RoutePiece& arc = around->pieces[1];
  CHECK_FALSE(arc.right);
  CHECK(arc.radius > 5);
  for (const geo::EastNorth end : {arc.from, arc.to})
    CHECK(std::hypot(end.east - arc.center.east, end.north - arc.center.north) == doctest::Approx(arc.radius));
  CHECK(arc.from.east == doctest::Approx(1.1).epsilon(0.01));
  CHECK(around->pieces[0].to == arc.from);
  CHECK(around->pieces[2].from == arc.to);

  // To the right the curb leaves no room to turn: the drive ends before the corner.
  std::string right = corner;
  right.replace(right.find("7.999"), 5, "8.001");
  right.insert(right.find("</way>"), "<tag k='oneway' v='yes'/>");
  const auto before = osm::read_xml(right, {}, "map.osm");
  const auto until = town::find_route(before.value->model, setup, 500);
  REQUIRE(until);
  CHECK(until->pieces.size() == 1);
  CHECK(until->length == doctest::Approx(105).epsilon(0.01));

  const auto none = osm::read_xml("<osm version='0.6'/>", {}, "map.osm");
  CHECK(!town::find_route(none.value->model, setup, 500));
}

TEST_CASE("route: keeps to the street at its ends, and to the setup's ground") {
  MapText text;
  text.way({{-100, 0}, {100, 0}}, "highway=residential");
  const auto lone = osm::read_xml(text.text(), {}, "map.osm");
  autosim::MapSetup setup = town::default_setup(lone.value->model, "t");
  const auto whole = town::find_route(lone.value->model, setup, 500);
  REQUIRE(whole);
  CHECK(whole->length == doctest::Approx(200 - 3 - 6).epsilon(0.001));
  setup.osm.lat = kLat;
  setup.osm.lon = kLon;
  setup.terrain->width = 64;
  const auto cut = town::find_route(lone.value->model, setup, 500);
  CHECK_FALSE(cut);  // it would begin off the ground
  setup.terrain->width = 2 * 100 + 12.5;
  const auto again = town::find_route(lone.value->model, setup, 500);
  REQUIRE(again);
  CHECK(std::fabs(again->pieces.back().to.east) <= 100.25);
}

TEST_CASE("route: along streets as they are built, as wide as tagged, between buildings, around curves") {
  const auto route_of = [](const MapText& text) {
    const auto map = osm::read_xml(text.text(), {}, "map.osm");
    autosim::MapSetup setup = town::default_setup(map.value->model, "t");
    setup.osm.lat = kLat;
    setup.osm.lon = kLon;
    return town::find_route(map.value->model, setup, 60);
  };
  const auto aside = [&](const std::string& tags) {
    const auto route = route_of(MapText().way({{0, 0}, {100, 0}}, "highway=residential " + tags));
    return route ? std::fabs(route->pieces[0].from.north) : -1;
  };
  CHECK(aside("width=10") == doctest::Approx(1.75).epsilon(0.01));
  CHECK(aside("width=5.4") == doctest::Approx(0.8).epsilon(0.02));
  CHECK(aside("width=4") == doctest::Approx(0).epsilon(0.01));
  CHECK(aside("lanes=1") == doctest::Approx(0).epsilon(0.01));
  CHECK(aside("width=2.5") == -1);  // too narrow
  // Walls 2.5 m from the middle leave lanes of less than 5 m.
  const auto narrow = route_of(MapText()
                                   .way({{0, 0}, {100, 0}}, "highway=residential")
                                   .way({{-20, 2.5}, {120, 2.5}, {120, 9}, {-20, 9}}, "building=yes", true)
                                   .way({{-20, -2.5}, {120, -2.5}, {120, -9}, {-20, -9}}, "building=yes", true));
  REQUIRE(narrow);
  for (const town::RoutePiece& piece : narrow->pieces) CHECK(std::fabs(piece.to.north) < 0.01);
  // A quarter of a circle of 40 m, in nodes every 3 degrees: arcs that follow it.
  MapText curve;
  std::vector<geo::EastNorth> points;
  for (int degrees = 0; degrees <= 90; degrees += 3)
    points.push_back({40 * std::cos(geo::radians(degrees)), 40 * std::sin(geo::radians(degrees))});
  curve.way(points, "highway=residential");
  const auto around = route_of(curve);
  REQUIRE(around);
  CHECK(around->pieces.size() < 20);
  double arcs = 0;
  for (const town::RoutePiece& piece : around->pieces) {
    CHECK(std::fabs(std::hypot(piece.to.east, piece.to.north) - 40) < 1.7);
    if (piece.radius > 0) arcs += piece.length();
    if (piece.radius > 0) CHECK(piece.radius > 20);
  }
  CHECK(arcs > 0.6 * around->length);
  // Under the ground there is no street to begin on.
  const auto below =
      route_of(MapText().way({{0, 0}, {100, 0}}, "highway=residential layer=-1").way({{50, -9}, {50, 9}}, "highway=primary"));
  CHECK_FALSE(below);
}

TEST_CASE("route: neither begins nor ends in a building in which a street ends") {
  const auto route_of = [](double from, double to) {
    // In each hall the street ends: 20 m of it at the beginning, 30 m at the end.
    const MapText text = MapText()
                             .way({{from, 0}, {to, 0}}, "highway=residential")
                             .way({{from - 9, -8}, {from + 20, -8}, {from + 20, 8}, {from - 9, 8}}, "building=yes", true)
                             .way({{to - 30, -8}, {to + 9, -8}, {to + 9, 8}, {to - 30, 8}}, "building=garage", true);
    const auto map = osm::read_xml(text.text(), {}, "map.osm");
    autosim::MapSetup setup = town::default_setup(map.value->model, "t");
    setup.osm.lat = kLat;
    setup.osm.lon = kLon;
    return town::find_route(map.value->model, setup, 300);
  };
  const auto route = route_of(-70, 80);
  REQUIRE(route);
  for (const town::RoutePiece& piece : route->pieces)
    for (const double east : {piece.from.east, piece.to.east}) {
      CHECK(east > -50 + 2.5);  // half a car
      CHECK(east < 50 - 2.5);
    }
  CHECK(route->length > 80);
  CHECK_FALSE(route_of(-30, 45));  // 25 m between the halls
}

TEST_CASE("route: on a street that goes down into a tunnel, before the ramp") {
  // Two streets of 380 m, and 40 m of tunnel under a railway between them.
  const char* text =
      "<osm version='0.6'><node id='1' lat='52' lon='7.9942'/><node id='2' lat='52' lon='7.9997'/>"
      "<node id='3' lat='52' lon='8.0003'/><node id='4' lat='52' lon='8.0058'/><node id='5' lat='51.997' lon='8'/>"
      "<node id='6' lat='52.003' lon='8'/>"
      "<way id='1'><nd ref='1'/><nd ref='2'/><tag k='highway' v='residential'/></way>"
      "<way id='2'><nd ref='2'/><nd ref='3'/><tag k='highway' v='residential'/><tag k='tunnel' v='yes'/>"
      "<tag k='layer' v='-1'/></way><way id='3'><nd ref='3'/><nd ref='4'/><tag k='highway' v='residential'/></way>"
      "<way id='4'><nd ref='5'/><nd ref='6'/><tag k='railway' v='rail'/></way></osm>";
  const auto map = osm::read_xml(text, {}, "map.osm");
  const auto route = town::find_route(map.value->model, town::default_setup(map.value->model, "t"), 200);
  REQUIRE(route);
  CHECK(route->length == doctest::Approx(200).epsilon(0.01));
  for (const town::RoutePiece& piece : route->pieces) {
    CHECK(std::fabs(piece.from.east) > 50);
    CHECK(std::fabs(piece.to.east) > 50);
  }
}

TEST_CASE("route: on other roads where there is no street") {
  MapText text;
  text.way({{0, 0}, {100, 0}}, "highway=trunk").way({{0, 50}, {200, 50}}, "highway=footway");
  const auto map = osm::read_xml(text.text(), {}, "map.osm");
  const auto route = town::find_route(map.value->model, town::default_setup(map.value->model, "t"), 60);
  REQUIRE(route);
  CHECK(route->length == doctest::Approx(60).epsilon(0.01));
}

TEST_CASE("default_setup: bounds far larger than the streets leave the origin near the streets") {
  const auto map = osm::read_xml(
      "<osm version='0.6'><bounds minlat='1' minlon='1' maxlat='2' maxlon='2'/><node id='1' lat='1.9' lon='1.1'/>"
      "<node id='2' lat='1.901' lon='1.1'/><way id='1'><nd ref='1'/><nd ref='2'/><tag k='highway' v='road'/></way></osm>",
      {}, "map.osm");
  const autosim::MapSetup setup = town::default_setup(map.value->model, "t");
  CHECK(setup.osm.lat == doctest::Approx(1.9));
  CHECK(setup.osm.lon == doctest::Approx(1.1));
  CHECK(town::find_route(map.value->model, setup, 60));
}
