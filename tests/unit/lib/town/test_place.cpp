#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "base/core/number.hpp"
#include "base/core/workers.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "lib/town/codes.hpp"
#include "lib/town/house_nodes.hpp"
#include "lib/town/make_town.hpp"
#include "lib/town/place.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/town/house_checker.hpp"

namespace {
using namespace simbatch;
using town::PlacedHouses;
using town::Reason;

autosim::MapSetup setup_of(const test::Widths& widths) {
  autosim::MapSetup setup;
  setup.osm.lat = 52.0;
  setup.osm.lon = 8.0;
  for (const auto& width : widths)
    setup.highways.kinds.push_back({width.first, {}, width.second.width, width.second.left, width.second.right});
  return setup;
}

autosim::HouseModel model(const char* type, const char* name, double x, double z) {
  return {type, name, {}, {std::string("models/") + name, "3ds"}, {x, 6, z}};
}
/// Ten meters by ten everywhere: what the greedy stepper sets.
autosim::HouseList squares() {
  autosim::HouseList list;
  list.sections = {{"residential", {}, {model("house", "square", 10, 10)}}};
  return list;
}
autosim::HouseList mixed() {
  autosim::HouseList list;
  list.sections = {
      {"residential", {}, {model("house", "cottage", 9, 8), model("house", "villa", 13, 11), model("house", "row", 7, 14)}},
      {"retail", {}, {model("house", "shop", 12, 10)}},
      {"commercial", {}, {model("house", "office", 18, 14)}},
      {"industrial", {}, {model("house", "hall", 24, 18)}},
      {"forest", {}, {model("tree", "pine", 0.6, 0.6)}},
      {"brownfield", {}, {}}};
  return list;
}

struct Run {
  PlacedHouses placement;
  std::string text;  // of the new map
  std::vector<std::string> warnings, messages;
  town::Town town;
};
Run run(std::string_view map, const autosim::HouseList& houses, const town::PlaceOptions& place = {},
        town::TownOptions options = {}, const test::Widths& widths = test::thesis_widths()) {
  Run result;
  osm::ReadOptions read;
  read.keep_keys = town::town_keys();
  read.locate_key = std::string(town::kGeneratedKey);
  auto parsed = osm::read_xml(map, read, "map.osm");
  REQUIRE(parsed.value);
  Diagnostics diagnostics("map.osm");
  const autosim::MapSetup setup = setup_of(widths);
  result.town = town::make_town(parsed.value->model, setup, houses, parsed.value->layout.located_nodes, options, diagnostics);
  for (const Diagnostic& d : diagnostics.items()) {
    result.warnings.emplace_back(d.code);
    result.messages.push_back(d.message);
  }
  result.placement = town::place(result.town, place);
  osm::PassThroughOptions pass;
  pass.drop_located = !options.keep_generated;
  const osm::Id first = town::lowest_node_id(*parsed.value, !options.keep_generated) - 1;
  result.text = osm::pass_through_text(map, parsed.value->layout, parsed.value->model.version, pass, [&](osm::NodeSink& sink) {
    town::write_houses(result.town, result.placement, first, -1, sink);
  });
  return result;
}

test::Verdict verdict_on(const std::string& text) {
  const test::Verdict verdict = test::judge(test::scan_map(text), test::thesis_widths());
  for (const std::string& complaint : verdict.complaints) MESSAGE(complaint);
  return verdict;
}

/// Small maps of ours, in meters about 52 N 8 E.
class Map {
 public:
  int node(double x, double y) {
    ++nodes_;
    out_ += "<node id=\"" + std::to_string(nodes_) + "\" lat=\"" + number_text(52.0 + y / 111267.0) + "\" lon=\"" +
            number_text(8.0 + x / 68677.0) + "\"/>\n";
    return nodes_;
  }
  void way(int id, const std::vector<int>& nodes, const std::string& tags) {
    ways_ += "<way id=\"" + std::to_string(id) + "\">";
    for (const int n : nodes) ways_ += "<nd ref=\"" + std::to_string(n) + "\"/>";
    ways_ += tagged(tags) + "</way>\n";
  }
  void road(int id, const std::vector<std::pair<double, double>>& points, const std::string& tags) {
    std::vector<int> nodes;
    for (const auto& p : points) nodes.push_back(node(p.first, p.second));
    way(id, nodes, tags);
  }
  void area(int id, double x0, double y0, double x1, double y1, const std::string& tags) {
    const int a = node(x0, y0), b = node(x1, y0), c = node(x1, y1), d = node(x0, y1);
    way(id, {a, b, c, d, a}, tags);
  }
  void relation(int id, const std::vector<std::pair<int, std::string>>& members, const std::string& tags) {
    ways_ += "<relation id=\"" + std::to_string(id) + "\">";
    for (const auto& m : members)
      ways_ += "<member type=\"way\" ref=\"" + std::to_string(m.first) + "\" role=\"" + m.second + "\"/>";
    ways_ += tagged(tags) + "</relation>\n";
  }
  std::string text() const { return "<osm version=\"0.6\">\n" + bounds_ + out_ + ways_ + "</osm>\n"; }
  void bounds(const std::string& text) { bounds_ = text; }

 private:
  // "highway=residential name=A" -> tags
  static std::string tagged(const std::string& tags) {
    std::string result;
    std::size_t i = 0;
    while (i < tags.size()) {
      const std::size_t end = std::min(tags.find(' ', i), tags.size()), equals = tags.find('=', i);
      result += "<tag k=\"" + tags.substr(i, equals - i) + "\" v=\"" + tags.substr(equals + 1, end - equals - 1) + "\"/>";
      i = end + 1;
    }
    return result;
  }
  std::string out_, ways_, bounds_;
  int nodes_ = 0;
};

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

TEST_CASE("an edit elsewhere moves nothing") {
  Map map;
  for (int k = 0; k < 8; ++k) {
    map.road(100 + k, {{0, k * 90.0}, {700, k * 90.0 + 15}}, "highway=residential");
    map.road(200 + k, {{k * 95.0, -20}, {k * 95.0 + 10, 700}}, "highway=tertiary");
  }
  const Run before = run(map.text(), mixed());
  map.area(40, 300, 100, 320, 118, "building=yes");
  map.road(5, {{600, 600}, {640, 680}}, "highway=residential");  // the lowest id: it takes the first turn
  const Run after = run(map.text(), mixed());
  std::set<std::tuple<int, int, int, int>> places;
  for (const town::House& h : before.placement.houses) places.insert({h.center.x, h.center.z, h.heading, h.model});
  std::size_t kept = 0;
  for (const town::House& h : after.placement.houses) kept += places.count({h.center.x, h.center.z, h.heading, h.model});
  MESSAGE(before.placement.houses.size(), " houses, after two edits ", kept, " of them stand where they stood");
  CHECK(static_cast<double>(kept) > 0.9 * static_cast<double>(before.placement.houses.size()));
  CHECK(verdict_on(after.text).wrong() == 0);
}

TEST_CASE("any number of threads sets the same houses") {
  // Streets of all lengths and directions, whose ids say nothing about where they lie, so that their turns go to and fro.
  std::uint32_t state = 12345;
  const auto random = [&state](int below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<int>((state >> 8) % static_cast<unsigned>(below));
  };
  Map map;
  for (int k = 0; k < 400; ++k) {
    const double x = random(1500), y = random(1500), angle = random(628) * 0.01, reach = 20 + random(k % 10 == 0 ? 800 : 120);
    const double bend = random(60) - 30;
    map.road(1000 + (k * 7919) % 4001,
             {{x, y},
              {x + reach / 2 * std::cos(angle) + bend, y + reach / 2 * std::sin(angle)},
              {x + reach * std::cos(angle), y + reach * std::sin(angle)}},
             k % 3 == 0 ? "highway=tertiary" : "highway=residential");
  }
  map.area(1, 200, 200, 700, 900, "landuse=forest");
  map.area(2, 800, 100, 1300, 600, "landuse=industrial");
  for (const bool far : {false, true}) {
    town::PlaceOptions place;
    if (far) place.front_distance = 60;  // streets keep many others waiting
    const Run one = run(map.text(), mixed(), place);
    CHECK(one.placement.houses.size() > 500);
    CHECK(one.placement.placed == one.placement.houses.size());
    if (!far) CHECK(verdict_on(one.text).wrong() == 0);
    for (const unsigned helpers : {0U, 1U, 2U, 7U}) {
      CAPTURE(helpers);
      Workers workers(helpers);
      place.workers = &workers;
      const Run several = run(map.text(), mixed(), place);
      CHECK(several.placement.houses == one.placement.houses);
      CHECK(several.placement.rejected == one.placement.rejected);
      CHECK(several.placement.meters_used == one.placement.meters_used);
    }
  }
}

TEST_CASE("houses that are passed on are those that are kept otherwise, and what stops the taker stops the placing") {
  Map map;
  for (int k = 0; k < 60; ++k) map.road(100 + k, {{0, k * 90.0}, {1500, k * 90.0}}, "highway=residential");
  Workers workers(2);
  for (Workers* const helpers : {static_cast<Workers*>(nullptr), &workers}) {
    CAPTURE(helpers);
    town::PlaceOptions place;
    place.workers = helpers;
    Run kept = run(map.text(), squares(), place);
    osm::ReadOptions read;
    read.keep_keys = town::town_keys();
    const auto parsed = osm::read_xml(map.text(), read, "map.osm");
    const autosim::HouseList list = squares();
    Diagnostics diagnostics;
    const auto town = [&] {
      return town::make_town(parsed.value->model, setup_of(test::thesis_widths()), list, {}, {}, diagnostics);
    };
    std::vector<town::House> passed;
    std::size_t calls = 0;
    town::Town first = town();
    const PlacedHouses placement = town::place(first, place, [&](std::span<const town::House> houses) {
      ++calls;
      passed.insert(passed.end(), houses.begin(), houses.end());
    });
    CHECK(passed == kept.placement.houses);
    CHECK(calls > 1);
    CHECK(placement.placed == passed.size());
    CHECK(placement.houses.empty());
    town::Town second = town();
    CHECK_THROWS_AS(town::place(second, place, [](std::span<const town::House>) { throw std::runtime_error("full"); }),
                    std::runtime_error);
  }
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

TEST_CASE("running again on the own output gives the same file, keep adds nothing where all is full") {
  Map map;
  map.road(7, {{0, 0}, {200, 0}, {300, 150}}, "highway=residential");
  const Run first = run(map.text(), mixed());
  const Run second = run(first.text, mixed());
  CHECK(second.text == first.text);
  CHECK(second.town.earlier_houses == first.placement.houses.size());
  const Run kept = run(first.text, mixed(), {}, {.keep_generated = true});
  CHECK(kept.placement.houses.size() <= 2);
  CHECK(verdict_on(kept.text).wrong() == 0);
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

TEST_CASE("every warning about a map is given where it belongs") {
  Map map;
  map.road(7, {{0, 0}, {200, 0}}, "highway=residential");
  map.area(8, 0, 50, 100, 80, "");
  map.relation(9, {{8, "outer"}, {4711, "outer"}}, "type=multipolygon landuse=retail");
  CHECK(run(map.text(), squares()).warnings == std::vector<std::string>{std::string(town::code::kAreaOpen.name)});
  autosim::HouseList none;
  CHECK(run("<osm version=\"0.6\"/>", none).warnings == std::vector<std::string>{std::string(town::code::kNoResidential.name)});
  std::string far = map.text();
  far.insert(far.find("<node"), "<node id=\"9001\" lat=\"-30\" lon=\"100\"/><node id=\"9002\" lat=\"-31\" lon=\"100\"/>");
  far.insert(far.find("<way"),
             "<way id=\"3\"><nd ref=\"9001\"/><nd ref=\"9002\"/><tag k=\"highway\" v=\"residential\"/></way>");
  CHECK(run(far, squares()).warnings[0] == town::code::kNodeFar.name);
  std::string away = map.text();
  for (std::size_t i = 0; (i = away.find("lon=\"8.", i)) != std::string::npos;) away.replace(i, 7, "lon=\"9");
  for (std::size_t i = 0; (i = away.find("lat=\"52", i)) != std::string::npos;) away.replace(i, 7, "lat=\"12");
  const Run moved = run(away, squares());
  CHECK(moved.warnings[0] == town::code::kOriginFar.name);
}

TEST_CASE("kinds of road that change nothing are reported") {
  Map map;
  map.road(7, {{0, 0}, {200, 0}}, "highway=residential");
  map.road(8, {{0, 90}, {200, 90}}, "highway=track");
  map.road(9, {{0, 180}, {200, 180}}, "highway=busway");
  const auto messages = [&](std::vector<std::string> not_along, std::vector<std::string> along) {
    town::TownOptions options;
    options.not_along = std::move(not_along);
    options.along = std::move(along);
    options.rules = town::all_rules();
    const Run r = run(map.text(), squares(), {}, options, {{"residential", {7, 1, 1}}, {"track", {3, 0, 0}}});
    for (const std::string& warning : r.warnings) CHECK(warning == town::code::kKindNone.name);
    return r.messages;
  };
  CHECK(messages({"residential"}, {"track"}).empty());
  CHECK(messages({"residentail"}, {}) ==
        std::vector<std::string>{"no road is of the kind \"residentail\", which is to have no houses; did you mean "
                                 "\"residential\"? The map has: busway, residential, track"});
  CHECK(messages({}, {"nosuchkind", "residential", "busway"}) ==
        std::vector<std::string>{
            "no road is of the kind \"nosuchkind\", which is to have houses; the map has: busway, residential, track",
            "the kind \"residential\", which is to have houses, is not a back way: it may have them anyway",
            "the kind \"busway\", which is to have houses, is not in the setup, and so has none"});
}

TEST_CASE("models of implausible size take neither time nor room") {
  Map map;
  map.road(7, {{0, 0}, {200, 0}}, "highway=residential");
  autosim::HouseList list;
  list.sections = {{"residential", {}, {model("house", "moon", 1e300, 3), model("house", "crumb", 1e-9, 1e-9)}}};
  const Run r = run(map.text(), list, {.house_distance = 0}, {.clearance = 0});
  CHECK(r.warnings == std::vector<std::string>{std::string(town::code::kModelDeep.name)});
  CHECK(r.placement.houses.size() > 100);
  CHECK(r.placement.houses.size() <= 1700);
}

TEST_CASE("hostile maps end in houses or none, within bounds") {
  Map map;
  map.road(7, {{0, 0}, {0, 0}, {200, 0}, {200, 0}, {0, 0}}, "highway=residential");         // back on itself
  map.road(8, {{5, 5}, {5, 5}}, "highway=residential");                                     // no length
  map.road(9, {{0, 0}, {1'500'000, 1'500'000}, {-1'500'000, 1'400'000}}, "highway=track");  // across a continent
  map.road(10, {{0, 50}, {10, 50}, {0, 50}, {10, 50}, {0, 50}}, "building=yes");
  map.area(11, -1'000'000, -1'000'000, 1'000'000, 1'000'000, "landuse=forest");
  std::vector<int> star;
  for (int k = 0; k < 50; ++k) star.push_back(map.node(300 + 200 * std::cos(k * 2.4), 300 + 200 * std::sin(k * 2.4)));
  star.push_back(star[0]);
  map.way(12, star, "highway=residential");
  map.way(13, star, "landuse=retail");
  const Run r = run(map.text(), mixed(), {.house_distance = 3000, .forest_inside = 4.0});
  CHECK(r.placement.skipped_forests == 1);
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
