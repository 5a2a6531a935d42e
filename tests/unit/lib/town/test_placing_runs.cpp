// Runs as a whole: the same with any threads and after edits elsewhere, warnings, hostile input.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>

#include "base/core/workers.hpp"
#include "lib/town/codes.hpp"
#include "tests/unit/lib/town/placing.hpp"

using namespace simbatch;
using namespace test::placing;

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

TEST_CASE("models of implausible size take no time") {
  Map map;
  map.road(7, {{0, 0}, {200, 0}}, "highway=residential");
  autosim::HouseList list;
  list.sections = {{"residential", {}, {model("house", "crumb", 1e-9, 1e-9)}}};
  const Run r = run(map.text(), list, {.house_distance = 0}, {.clearance = 0});
  CHECK(r.warnings.empty());
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
