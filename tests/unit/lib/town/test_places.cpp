// Places, not rows: what neighborhoods are like, and what each rule makes of them, on maps made for it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/core/workers.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "lib/town/building_ways.hpp"
#include "lib/town/neighborhoods.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/town/town_maker.hpp"

namespace {
using namespace simbatch;
using test::Made;
using test::make_houses;
using test::MapText;
using test::only;
using town::Density;
using town::Roof;
using town::Vec2;

/// Streets every `apart` m both ways, `side` m long, in an area where people live; a lonely building says nothing of itself.
MapText grid(double side, double apart, const std::string& street = "highway=residential") {
  MapText map;
  int number = 0;
  for (double at = 0; at <= side; at += apart) {
    map.way({{at, 0}, {at, side}}, street + " name=N" + std::to_string(++number));
    map.way({{0, at}, {side, at}}, street + " name=E" + std::to_string(number));
  }
  map.way({{-50, -50}, {side + 50, -50}, {side + 50, side + 50}, {-50, side + 50}}, "landuse=residential", true);
  return map;
}
std::string type_of(const Made& made, const town::House& house) { return made.town.models[house.model]->type; }
std::vector<town::House> of_type(const Made& made, const std::string& type) {
  std::vector<town::House> found;
  for (const town::House& house : made.placed.houses)
    if (type_of(made, house) == type) found.push_back(house);
  return found;
}
town::Box box_of(const Made& made, const town::House& house) {
  const auto& size = made.town.models[house.model]->box_size;
  return town::box_of(house, {size.x / 2, size.z / 2});
}
/// Pairs of things that touch.
std::size_t overlaps(const Made& made) {
  std::size_t count = 0;
  std::vector<town::Box> boxes;
  for (const town::House& house : made.placed.houses) boxes.push_back(box_of(made, house));
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = a + 1; b < boxes.size(); ++b)
      if (town::length(boxes[a].center - boxes[b].center) < 60 && town::distance_to_clear_box(boxes[a], boxes[b]) > 0) ++count;
  return count;
}
double half_width(const Made& made, const town::House& house) { return made.town.models[house.model]->box_size.x / 2; }
const autosim::HouseList& places_list() {
  static const autosim::HouseList list = town::default_houses();
  return list;
}
}  // namespace

TEST_CASE("street lengths: by square, in parts, without roads across the country") {
  town::StreetLengths streets;
  streets.add({-44, 8}, {36, 8});  // five parts of 16 m
  streets.add({0, 8}, {2000, 8});
  for (int k = 0; k < 700; ++k) streets.add({1, 40}, {31, 40});
  const town::StreetLengths::Around around(streets, {0, 0});
  CHECK(around.at(-2, 0) == 16'000);
  CHECK(around.at(-1, 0) == 32'000);
  CHECK(around.at(0, 0) == 32'000);
  CHECK(around.at(1, 0) == 0);
  CHECK(around.at(0, 1) == 10'000'000);
  CHECK(around.at(0, 32) == 0);  // no such page
}

TEST_CASE("neighborhoods: density by streets, heights and roofs by what is mapped beside") {
  const auto around = [](double apart) {
    town::StreetLengths streets;
    for (double at = -600; at <= 600; at += apart) {
      streets.add({at, -600}, {at, 600});
      streets.add({-600, at}, {600, at});
    }
    town::Neighborhoods made;
    made.add_streets(streets);
    return made;
  };
  const auto density = [](const town::Neighborhoods& here) {
    town::Neighborhoods::Near near;
    return here.at({0, 0}, near).density;
  };
  CHECK(density(town::Neighborhoods()) == Density::scattered);
  CHECK(density(around(400)) == Density::scattered);
  CHECK(density(around(150)) == Density::loose);
  CHECK(density(around(85)) == Density::dense);
  CHECK(density(around(50)) == Density::core);

  town::Neighborhoods here = around(150);
  town::Neighborhoods::Near near;
  const town::Neighborhoods::Character assumed = here.at({0, 0}, near);
  CHECK(!assumed.is_known);
  CHECK(assumed.height >= 7 * 0.85);
  CHECK(assumed.height <= 7 * 1.15);
  here.add_building({town::millimeters({20, 20}), 150, Roof::flat});
  here.add_building({town::millimeters({-20, 20}), 210, Roof::flat});
  here.add_building({town::millimeters({-20, 40}), 0, Roof::hipped});
  town::Neighborhoods::Near again;
  const town::Neighborhoods::Character known = here.at({0, 0}, again);
  CHECK(known.is_known);
  CHECK(known.height == doctest::Approx(18));
  CHECK(known.roof == Roof::flat);
  CHECK(known.density == assumed.density);
  CHECK(!here.at({500, 500}, again).is_known);

  // build() saves looking around; it changes no answer, beyond the outermost streets neither.
  town::Neighborhoods built = here;
  built.build();
  town::Neighborhoods::Near of_built;
  for (double x = -1300; x <= 1300; x += 64)
    for (double z = -1300; z <= 1300; z += 64) {
      const town::Neighborhoods::Character a = here.at({x, z}, again), b = built.at({x, z}, of_built);
      CHECK(std::tuple(a.density, a.height, a.roof, a.is_known, a.variation) ==
            std::tuple(b.density, b.height, b.roof, b.is_known, b.variation));
    }
}

TEST_CASE("eras: setbacks and gaps follow the density of streets") {
  const auto usual = [](Density density) { return town::spacing_of("residential", density); };
  CHECK(usual(Density::loose).front == town::spacing_of("residential").front);
  CHECK(usual(Density::scattered).front > usual(Density::loose).front);
  CHECK(usual(Density::loose).front > usual(Density::dense).front);
  CHECK(usual(Density::dense).front > usual(Density::core).front);
  CHECK(usual(Density::core).gap == 0);
  CHECK(town::spacing_of("service", Density::core).gap == town::spacing_of("service").gap);

  // Closed fronts near the street in a core, rows with gaps in the open. House by house in an open place.
  const Made core = make_houses(grid(600, 50).text(), only(&town::Rules::eras), true);
  const Made open = make_houses(grid(450, 150).text(), only(&town::Rules::eras), true);
  const auto nearest_street = [](const Made& made, double apart) {
    std::vector<long> distances;  // of fronts from the middle line, dm
    for (const town::House& house : made.placed.houses) {
      const Vec2 front = town::meters(house.center) + town::direction_of(house.heading) * 5.0;
      const double across = house.heading % 18000 == 0 ? front.z : front.x;
      const double off = std::fabs(std::remainder(across, apart));
      distances.push_back(std::lround(off * 10));
    }
    std::sort(distances.begin(), distances.end());
    return distances;
  };
  const auto near = nearest_street(core, 50), wide = nearest_street(open, 150);
  REQUIRE(!near.empty());
  REQUIRE(!wide.empty());
  CHECK(near[near.size() / 4] <= 57);  // 3 m of lanes, 1.5 m of pavement, 1 m; farther at the edge of town
  CHECK(wide.front() >= 84);           // 4 m
  CHECK(std::set<long>(wide.begin(), wide.end()).size() > 3);  // up to 1.2 m farther
}

TEST_CASE("row houses: runs of one narrow model wall to wall, and passages between them") {
  town::Rules rules = only(&town::Rules::row_houses);
  rules.eras = rules.heights = true;
  const Made made = make_houses(grid(510, 85).text(), rules, true, &places_list());
  CHECK(overlaps(made) == 0);
  // In a run the next house is less than 0.2 m away and of the same model.
  std::size_t joined = 0, apart = 0;
  for (std::size_t k = 1; k < made.placed.houses.size(); ++k) {
    const town::House &a = made.placed.houses[k - 1], &b = made.placed.houses[k];
    if (a.heading != b.heading) continue;
    const double between = town::length(town::meters(b.center) - town::meters(a.center)) -
                           (made.town.models[a.model]->box_size.x + made.town.models[b.model]->box_size.x) / 2;
    if (between < 0.2) {
      ++joined;
      CHECK(a.model == b.model);
      CHECK(made.town.models[a.model]->box_size.x <= 8.5);
    } else {
      ++apart;
    }
  }
  CHECK(joined > 50);
  CHECK(apart > 50);
  rules.row_houses = false;
  const Made detached = make_houses(grid(510, 85).text(), rules, true, &places_list());
  CHECK(detached.placed.placed > 100);
  CHECK(detached.placed.placed < made.placed.placed);
}

TEST_CASE("heights: models about as high as mapped buildings beside") {
  const auto mean_height = [](const char* building, bool rule) {
    MapText map = grid(300, 150);
    for (int k = 0; k < 4; ++k)
      map.way({{60.0 + 40 * k, 60}, {70.0 + 40 * k, 60}, {70.0 + 40 * k, 70}, {60.0 + 40 * k, 70}}, building, true);
    town::Rules rules;
    rules.heights = rule;
    const Made made = make_houses(map.text(), rules, true, &places_list());
    double sum = 0, count = 0;
    for (const town::House& house : made.placed.houses) {
      const Vec2 p = town::meters(house.center);
      if (p.x < 40 || p.x > 190 || p.z > 100) continue;  // near them
      sum += made.town.models[house.model]->box_size.y;
      ++count;
    }
    REQUIRE(count > 5);
    return sum / count;
  };
  CHECK(mean_height("building=yes building:levels=8", true) > 20);
  CHECK(mean_height("building=yes height=4.5", true) < 6);
  // Levels do not include the roof.
  CHECK(mean_height("building=yes building:levels=2", true) == mean_height("building=yes height=9", true));
  CHECK(mean_height("building=yes building:levels=2 roof:shape=flat", true) == mean_height("building=yes height=6", true));
  CHECK(mean_height("building=yes building:levels=3", true) == mean_height("building=yes height=11", true));
  CHECK(mean_height("building=yes height=4.5", false) == mean_height("building=yes building:levels=8", false));
}

TEST_CASE("roofs: of outlines, as mapped beside; without the rule gabled") {
  MapText map = grid(300, 150);
  for (int k = 0; k < 4; ++k)
    map.way({{60.0 + 40 * k, 60}, {70.0 + 40 * k, 60}, {70.0 + 40 * k, 70}, {60.0 + 40 * k, 70}},
            "building=yes height=6 roof:shape=flat", true);
  const std::string text = map.text();
  for (const bool rule : {true, false}) {
    town::Rules rules;
    rules.heights = rule;
    const Made made = make_houses(text, rules, true);
    osm::ReadOptions read;
    read.locate_key = std::string(town::kGeneratedKey);
    const auto parsed = osm::read_xml(text, read, "map.osm");
    REQUIRE(parsed.value);
    town::BuildingWriter writer(made.town, -1, -1, -1);
    osm::PassThroughOptions pass;
    pass.new_ways = [&](osm::NodeSink& sink) { writer.write_ways(sink); };
    const std::string out = osm::pass_through_text(text, parsed.value->layout, parsed.value->model.version, pass,
                                                   [&](osm::NodeSink& sink) { writer.write(made.placed.houses, sink); });
    std::size_t flat = 0, gabled = 0;
    for (std::size_t at = 0; (at = out.find("roof:shape", at)) != std::string::npos; ++at) {
      flat += out.compare(at, 21, "roof:shape\" v=\"flat\"/") == 0 || out.compare(at, 21, "roof:shape' v='flat'/") == 0 ? 1 : 0;
      gabled +=
          out.compare(at, 21, "roof:shape\" v=\"gabled") == 0 || out.compare(at, 21, "roof:shape' v='gabled") == 0 ? 1 : 0;
    }
    CAPTURE(rule);
    CAPTURE(flat);
    CHECK((rule ? flat > 24 : flat <= 4));  // the mapped ones themselves
    CHECK((rule || gabled > 30));
  }
}

TEST_CASE("second rows: houses behind others, each with a free drive to its street") {
  town::Rules rules = only(&town::Rules::second_rows);
  const Made made = make_houses(grid(360, 120).text(), rules, true);
  const std::size_t first = make_houses(grid(360, 120).text(), {}, true).placed.placed;
  CHECK(made.placed.placed > first + first / 10);
  CHECK(made.placed.along_streets == made.placed.placed);
  CHECK(overlaps(made) == 0);
  std::size_t behind = 0;
  for (const town::House& house : made.placed.houses) {
    const town::Box box = box_of(made, house);
    const Vec2 front = town::direction_of(house.heading);
    const double across = house.heading % 18000 == 0 ? box.center.z : box.center.x;
    const double way = std::fabs(std::remainder(across, 120)) - 5 - 3;  // from the front to the lanes
    if (way < 14) continue;
    ++behind;
    CHECK(way < 52);
    const town::Box drive{box.center + front * (5.05 + way / 2), box.u, box.v, 1.2, way / 2 - 0.1};
    for (const town::House& other : made.placed.houses)
      if (!(other == house)) CHECK(town::distance_to_clear_box(drive, box_of(made, other)) == 0);
  }
  CHECK(behind > 10);
}

TEST_CASE("second rows: the ground between a tree and its street stays free for others, since a tree has no door") {
  MapText map;
  for (const int k : {0, 1, 2}) {
    map.way({{0, 120.0 * k}, {240, 120.0 * k}}, "highway=residential name=E" + std::to_string(k));
    map.way({{120.0 * k, 0}, {120.0 * k, 240}}, "highway=residential name=N" + std::to_string(k));
  }
  map.way({{-60, -60}, {300, -60}, {300, 300}, {-60, 300}}, "landuse=forest", true);
  const Made plain = make_houses(map.text(), {}, false, &places_list());
  REQUIRE(plain.placed.placed > 100);
  CHECK(make_houses(map.text(), only(&town::Rules::second_rows), false, &places_list()).placed.houses == plain.placed.houses);
}

TEST_CASE("gardens, street trees, parked cars: clear of lanes, of houses and of each other; each by its own rule") {
  const std::string map = grid(450, 150).text();
  const Made all = make_houses(map, town::all_rules(), true, &places_list());
  CHECK(overlaps(all) == 0);
  CHECK(all.placed.small > 100);
  for (const char* type : {"hedge", "fence", "tree", "car"}) {
    CAPTURE(type);
    CHECK(of_type(all, type).size() > 10);
  }
  // Streets are straight and 6 m wide: at least 3 m from every middle line, and cars no farther than the curb.
  for (const town::House& car : of_type(all, "car")) {
    const Vec2 p = town::meters(car.center);
    const double inner =
        std::min(std::fabs(std::remainder(p.x, 150)), std::fabs(std::remainder(p.z, 150))) - half_width(all, car);
    CHECK(inner >= 2.99);
    CHECK(inner < 3.2);
    CHECK(std::fabs(std::remainder(car.heading, 9000.0)) <= 2);  // positions in the text are of 0.1 m
  }
  struct Case {
    const char* rule;
    const char* type;
  };
  for (const Case& c : {Case{"parked-cars", "car"}, Case{"gardens", "hedge"}}) {
    town::Rules rules = town::all_rules();
    REQUIRE(town::switch_off(rules, c.rule));
    const Made without = make_houses(map, rules, true, &places_list());
    CAPTURE(c.rule);
    CHECK(of_type(without, c.type).empty());
    CHECK(of_type(without, "house") == of_type(all, "house"));
  }
  town::Rules rules = town::all_rules();
  rules.street_trees = rules.gardens = false;
  CHECK(of_type(make_houses(map, rules, true, &places_list()), "tree").empty());
  // A list without these kinds has none.
  CHECK(make_houses(map, town::all_rules(), true).placed.small == 0);
}

TEST_CASE("parked cars: not where tags make the lanes wider, nor at crossings and in curves") {
  town::Rules rules = only(&town::Rules::parked_cars);
  const auto inner = [&](const char* tags) {
    MapText map;
    map.way({{0, 0}, {600, 0}}, tags);
    const Made made = make_houses(map.text(), rules, true, &places_list());
    double least = 1e9;
    for (const town::House& car : of_type(made, "car"))
      least = std::min(least, std::fabs(town::meters(car.center).z) - half_width(made, car));
    return least;
  };
  CHECK(inner("highway=residential") == doctest::Approx(3.04).epsilon(0.02));
  CHECK(inner("highway=residential width=9") == doctest::Approx(4.54).epsilon(0.02));
  CHECK(inner("highway=residential oneway=yes") == doctest::Approx(2.44).epsilon(0.03));
  CHECK(inner("highway=primary") == 1e9);
  MapText crossing;
  crossing.way({{0, 0}, {100, 0}, {200, 0}}, "highway=residential").way({{100, -80}, {100, 0}, {100, 80}}, "highway=tertiary");
  const Made made = make_houses(crossing.text(), rules, true, &places_list());
  for (const town::House& car : of_type(made, "car")) {
    const Vec2 p = town::meters(car.center);
    CHECK(std::max(std::fabs(p.x - 100), std::fabs(p.z)) > 9);
  }
}

TEST_CASE("places: the same for any number of threads") {
  const std::string map = grid(700, 70).text();
  const Made alone = make_houses(map, town::all_rules(), true, &places_list());
  for (const unsigned jobs : {2U, 5U}) {
    Workers workers(jobs);
    const Made made = make_houses(map, town::all_rules(), true, &places_list(), &workers);
    CHECK(made.placed.houses == alone.placed.houses);
    CHECK(made.placed.small == alone.placed.small);
    CHECK(made.placed.rejected == alone.placed.rejected);
  }
  CHECK(alone.placed.houses.size() > 500);
}
