// Where houses stand: rows along streets, what keeps them away, what they are.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "tests/unit/lib/town/placing.hpp"

namespace {
using namespace simbatch;
using namespace test::placing;
using town::Reason;

double lane_gap(const Run& r, double along_x_of_row) {
  // Widest free space between neighbors (10 m wide) of the row with y of this sign, along x.
  std::set<double> xs;
  for (const town::House& house : r.placement.houses)
    if ((house.center.z > 0) == (along_x_of_row > 0)) xs.insert(house.center.x * 1e-3);
  double widest = 0, last = NAN;
  for (const double x : xs) {
    if (!std::isnan(last)) widest = std::max(widest, x - last - 10);
    last = x;
  }
  return widest;
}
}  // namespace

TEST_CASE("a straight street gets a row of houses on both sides, fronts to the street") {
  Map map;
  map.road(7, {{0, 0}, {200, 0}}, "highway=residential");
  const Run r = run(map.text(), squares(), {.street_distance = 12, .house_distance = 6});
  CHECK(r.warnings.empty());
  // Houses of 10 m every 16 m: from 0 to 200 there is room for 12.
  CHECK(r.placement.houses.size() == 24);
  for (const town::House& house : r.placement.houses) {
    // 4 m of half the lanes, 1.5 m of pavement, 12 m to the middle.
    CHECK(std::abs(std::abs(house.center.z * 1e-3) - 17.5) < 0.05);
    CHECK(std::abs(house.heading - (house.center.z > 0 ? 18000 : 0)) <= 1);
  }
  CHECK(verdict_on(r.text).wrong() == 0);
}

TEST_CASE("fronts look at the street in all directions of the compass") {
  for (int k = 0; k < 16; ++k) {
    CAPTURE(k);
    const double a = k * 3.14159265358979 / 8;
    Map map;
    map.road(7, {{0, 0}, {100 * std::sin(a), 100 * std::cos(a)}}, "highway=residential");
    const Run r = run(map.text(), squares());
    REQUIRE(r.placement.houses.size() == 12);
    for (const town::House& house : r.placement.houses) {
      // From the middle along the front for 17.5 m: back on the street's line.
      const double h = house.heading * 0.01 * 3.14159265358979 / 180;
      const double x = house.center.x * 1e-3 + 17.5 * std::sin(h), z = house.center.z * 1e-3 + 17.5 * std::cos(h);
      CHECK(std::abs(x * std::cos(a) - z * std::sin(a)) < 0.05);
    }
    CHECK(verdict_on(r.text).wrong() == 0);
  }
}

TEST_CASE("the distance counts from each side's own pavement, and to the front if asked") {
  Map map;
  map.road(7, {{0, 0}, {100, 0}}, "highway=residential");
  test::Widths widths{{"residential", {8, 1, 4}}};
  Run r = run(map.text(), squares(), {.street_distance = 15}, {}, widths);
  for (const town::House& house : r.placement.houses)  // drawn to the east: left is north
    CHECK(std::abs(house.center.z * 1e-3 - (house.center.z > 0 ? 4 + 1 + 15 : -(4 + 4 + 15))) < 0.05);
  autosim::HouseList deep;
  deep.sections = {{"residential", {}, {model("house", "a", 8, 6), model("house", "b", 8, 20)}}};
  r = run(map.text(), deep, {.front_distance = 5.0}, {}, widths);
  std::set<std::uint16_t> seen;
  for (const town::House& house : r.placement.houses) {
    seen.insert(house.model);
    const double half = house.model == 0 ? 3 : 10;
    CHECK(std::abs(std::abs(house.center.z * 1e-3) - ((house.center.z > 0 ? 5 : 8) + 5 + half)) < 0.05);
  }
  CHECK(seen.size() == 2);
}

TEST_CASE("a model that would reach onto the pavement is set back") {
  Map map;
  map.road(7, {{0, 0}, {100, 0}}, "highway=residential");
  autosim::HouseList deep;
  deep.sections = {{"residential", {}, {model("house", "barn", 8, 40)}}};
  const Run r = run(map.text(), deep, {.street_distance = 12});
  CHECK(r.placement.houses.size() > 8);
  CHECK(verdict_on(r.text).wrong() == 0);
}

TEST_CASE("spacing carries over where a street is cut into ways, in whatever direction they are drawn") {
  Map whole, cut;
  whole.road(7, {{0, 0}, {130, 0}, {260, 0}, {400, 0}}, "highway=residential name=A");
  const int a = cut.node(0, 0), b = cut.node(130, 0), c = cut.node(260, 0), d = cut.node(400, 0);
  cut.way(7, {a, b}, "highway=residential name=A");
  cut.way(8, {c, b}, "highway=residential name=A");
  cut.way(9, {c, d}, "highway=residential name=A");
  const Run one = run(whole.text(), squares()), three = run(cut.text(), squares());
  REQUIRE(one.placement.houses.size() == three.placement.houses.size());
  CHECK(lane_gap(three, 1) < 6.05);
  CHECK(lane_gap(three, -1) < 6.05);
  // A side street from the north: the row on the south goes on.
  const int e = cut.node(130, 100);
  cut.way(10, {b, e}, "highway=residential name=B");
  const Run crossing = run(cut.text(), squares());
  CHECK(lane_gap(crossing, -1) < 6.05);
  CHECK(verdict_on(crossing.text).wrong() == 0);
}

TEST_CASE("nothing stands along motorways, trunks, links, bridges and tunnels, nor in their corridors") {
  for (const char* tags : {"highway=motorway", "highway=trunk", "highway=primary_link", "highway=residential bridge=yes",
                           "highway=residential tunnel=yes", "highway=footway", "highway=proposed"}) {
    CAPTURE(tags);
    Map map;
    map.road(7, {{0, 0}, {300, 0}}, tags);
    CHECK(run(map.text(), squares()).placement.houses.empty());
    map.road(8, {{150, -200}, {150, 200}}, "highway=residential");
    const Run r = run(map.text(), squares());
    CHECK(r.placement.houses.size() > 20);
    CHECK(verdict_on(r.text).wrong() == 0);
  }
}

TEST_CASE("roundabouts have houses outside only, drawn closed or in pieces, either way round") {
  for (const bool pieces : {false, true})
    for (const bool clockwise : {false, true}) {
      CAPTURE(pieces);
      CAPTURE(clockwise);
      Map map;
      std::vector<int> nodes;
      for (int k = 0; k < 24; ++k) {
        const double a = (clockwise ? -k : k) * 3.14159265358979 / 12;
        nodes.push_back(map.node(60 * std::cos(a), 60 * std::sin(a)));
      }
      nodes.push_back(nodes[0]);
      const std::string tags = "highway=residential junction=roundabout";
      if (pieces) {
        map.way(7, {nodes.begin(), nodes.begin() + 9}, tags);
        map.way(8, {nodes.begin() + 8, nodes.begin() + 20}, tags);
        map.way(9, {nodes.begin() + 19, nodes.end()}, tags);
      } else {
        map.way(7, nodes, tags);
      }
      const Run r = run(map.text(), squares(), {.street_distance = 8, .house_distance = 2});
      CHECK(r.placement.houses.size() >= 30);  // the line of their middles is 465 m long
      for (const town::House& house : r.placement.houses) CHECK(std::hypot(house.center.x * 1e-3, house.center.z * 1e-3) > 70);
      CHECK(verdict_on(r.text).wrong() == 0);
    }
}

TEST_CASE("a dual carriageway keeps its median free, a pair of streets with other names does not") {
  for (const bool one_road : {true, false}) {
    Map map;
    map.road(7, {{0, 0}, {400, 0}}, "highway=secondary oneway=yes name=A");
    map.road(8, {{400, 50}, {0, 50}}, std::string("highway=secondary oneway=yes name=") + (one_road ? "A" : "B"));
    const Run r = run(map.text(), squares(), {.street_distance = 10});
    std::size_t between = 0;
    for (const town::House& house : r.placement.houses)
      if (house.center.z > 0 && house.center.z < 50'000) ++between;
    if (one_road) {
      CHECK(between == 0);
      CHECK(r.placement.rejected[static_cast<std::size_t>(Reason::median)] > 0);
    } else {
      CHECK(between > 20);
    }
    CHECK(r.placement.houses.size() >= 48);
    CHECK(verdict_on(r.text).wrong() == 0);
  }
}

TEST_CASE("the smallest area around a place decides, holes and relations included") {
  Map map;
  map.road(7, {{0, 0}, {900, 0}}, "highway=residential");
  map.area(20, -50, -300, 300, 300, "landuse=industrial");
  map.area(21, 100, -100, 200, 100, "landuse=retail");
  map.area(22, 400, -100, 700, 100, "landuse=commercial");
  map.area(23, 500, -80, 600, 80, "");  // a hole: no area there
  map.relation(30, {{22, "outer"}, {23, "inner"}}, "type=multipolygon");
  map.area(24, 750, -100, 900, 100, "landuse=brownfield");
  const Run r = run(map.text(), mixed());
  CHECK(verdict_on(r.text).wrong() == 0);
  std::map<std::string, int> count;
  for (const town::House& house : r.placement.houses) {
    const double x = house.center.x * 1e-3;
    const std::string use = town::land_use_of(r.town, house);
    ++count[use];
    const std::string expected = x < 100   ? "industrial"
                                 : x < 200 ? "retail"
                                 : x < 300 ? "industrial"
                                 : x < 400 ? "residential"
                                 : x < 500 ? "commercial"
                                 : x < 600 ? "residential"
                                 : x < 700 ? "commercial"
                                           : "residential";
    CHECK(use == expected);
    CHECK(x < 750);
  }
  CHECK(count.size() == 4);
  bool told = false;
  for (const town::UseCount& use : r.placement.uses)
    told = told || (use.use == "brownfield" && !use.in_list && use.nothing > 0);
  CHECK(told);
}

TEST_CASE("buildings, water, railways and other people's houses keep houses away") {
  Map map;
  map.road(7, {{0, 0}, {600, 0}}, "highway=residential");
  map.area(20, 50, 8, 70, 30, "building=yes");
  map.area(21, 100, 10, 130, 60, "building=yes");
  map.area(22, 110, 20, 120, 50, "");
  map.relation(30, {{21, "outer"}, {22, "inner"}}, "type=multipolygon");
  map.area(23, 200, 5, 400, 200, "natural=water");
  map.road(24, {{450, -100}, {450, 100}}, "railway=rail");
  map.road(25, {{500, -100}, {510, 100}}, "waterway=stream");
  map.road(26, {{550, -100}, {550, 100}}, "railway=rail tunnel=yes");
  std::string text = map.text();
  text.insert(text.find("<node"),
              "<node id=\"-7\" lat=\"51.99985\" lon=\"8.001\"><tag k=\"filePath\" v=\"m/other\"/><tag k=\"sizeX\" "
              "v=\"30\"/><tag k=\"sizeZ\" v=\"14\"/><tag k=\"rotY\" v=\"45\"/></node>\n");
  const Run r = run(text, squares());
  CHECK(r.placement.houses.size() > 40);
  CHECK(r.town.foreign_houses == 1);
  CHECK(verdict_on(r.text).wrong() == 0);
  for (const Reason reason : {Reason::building, Reason::water, Reason::railway, Reason::house})
    CHECK(r.placement.rejected[static_cast<std::size_t>(reason)] > 0);
  CHECK(r.text.find("<node id=\"-8\"") < r.text.find("<node id=\"-7\""));
}

TEST_CASE("headings are the nearest hundredths of a degree, and come back as directions") {
  for (std::uint32_t h = 0; h < 36000; h += 7) {
    const double a = h * 0.01 * 3.14159265358979323846 / 180;
    const town::Vec2 direction = town::direction_of(static_cast<std::uint16_t>(h));
    CHECK(std::fabs(direction.x - std::sin(a)) < 1e-15 * 4);
    CHECK(std::fabs(direction.z - std::cos(a)) < 1e-15 * 4);
    CHECK(town::heading_of(direction * 37.5) == h);
    CHECK(town::heading_of({std::sin(a + 8e-5), std::cos(a + 8e-5)}) == h);  // half a hundredth is 8.7e-5
    CHECK(town::heading_of({std::sin(a + 9.5e-5), std::cos(a + 9.5e-5)}) == (h + 1) % 36000);
  }
}

TEST_CASE("only houses inside the bounds are placed if asked for") {
  Map map;
  map.road(7, {{-200, 0}, {400, 0}}, "highway=residential");
  map.bounds("<bounds minlat=\"51.999\" minlon=\"8.0\" maxlat=\"52.001\" maxlon=\"8.002\"/>\n");
  const Run r = run(map.text(), squares(), {.clip_to_bounds = true});
  CHECK(r.placement.houses.size() > 10);
  for (const town::House& house : r.placement.houses) {
    CHECK(house.center.x > 5'000 - 10);
    CHECK(house.center.x < 137'354 - 5'000 + 10);
  }
}

TEST_CASE("forests are filled with trees that stand in the forest alone") {
  Map map;
  map.road(7, {{0, 0}, {300, 0}}, "highway=track");
  map.area(20, 0, -200, 300, 200, "landuse=forest");
  map.area(21, 100, -150, 200, -50, "natural=water");
  map.area(22, 100, 50, 200, 150, "landuse=residential");
  const Run sparse = run(map.text(), mixed());
  const Run r = run(map.text(), mixed(), {.forest_inside = 6.0});
  CHECK(r.placement.houses.size() > sparse.placement.houses.size() + 1500);
  CHECK(r.placement.along_streets == sparse.placement.houses.size());
  CHECK(verdict_on(r.text).wrong() == 0);
}

TEST_CASE("place: models are chosen by their weights") {
  autosim::HouseList list;
  list.sections = {{"residential", {}, {model("house", "common", 10, 10), model("house", "rare", 10, 10)}}};
  const auto share_of_rare = [&] {
    std::string map = "<osm version=\"0.6\">";
    for (int row = 0; row < 20; ++row)
      for (int end = 0; end < 2; ++end)
        map += "<node id=\"" + std::to_string(2 * row + end + 1) + "\" lat=\"" + std::to_string(48 + 0.001 * row) +
               "\" lon=\"" + std::to_string(11 + 0.01 * end) + "\"/>";
    for (int row = 0; row < 20; ++row)
      map += "<way id=\"" + std::to_string(row + 1) + "\"><nd ref=\"" + std::to_string(2 * row + 1) + "\"/><nd ref=\"" +
             std::to_string(2 * row + 2) + "\"/><tag k=\"highway\" v=\"residential\"/></way>";
    const Run placed = run(map + "</osm>", list);
    double rare = 0;
    for (const town::House& house : placed.placement.houses) rare += house.model == 1 ? 1 : 0;
    REQUIRE(placed.placement.houses.size() > 1000);
    return rare / static_cast<double>(placed.placement.houses.size());
  };
  CHECK(share_of_rare() == doctest::Approx(0.5).epsilon(0.1));
  list.sections[0].models[1].weight = 0.25;
  CHECK(share_of_rare() == doctest::Approx(0.2).epsilon(0.15));
}
