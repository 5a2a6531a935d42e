// Real towns: no house may stand wrong, and not much room may be left (issue: at least 0.9 of a greedy 2 m stepper).
#include <doctest/doctest.h>

#include "base/core/workers.hpp"
#include "formats/osm/pass_through.hpp"
#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "lib/town/house_nodes.hpp"
#include "lib/town/make_town.hpp"
#include "lib/town/place.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/town/house_checker.hpp"

namespace {
using namespace simbatch;

constexpr const char* kTowns[] = {"velluters-2007-v05", "las-palmas-2010", "moscow-marfino-2013", "beatty",
                                  "perth-peanut-roundabout"};

autosim::HouseModel model(const char* type, const char* name, double x, double z) {
  return {type, name, {}, {std::string("models/") + name, "3ds"}, {x, 6, z}};
}

struct Result {
  std::string text;
  std::size_t houses = 0;
};
Result generate(const std::string& text, const autosim::HouseList& list, const town::PlaceOptions& place,
                const town::TownOptions& options) {
  osm::ReadOptions read;
  read.keep_keys = town::town_keys();
  auto parsed = osm::read_xml(text, read, "town.osm");
  REQUIRE(parsed.value);
  autosim::MapSetup setup;
  for (const auto& width : test::thesis_widths())
    setup.highways.kinds.push_back({width.first, {}, width.second.width, width.second.left, width.second.right});
  Diagnostics diagnostics;
  town::Town town = town::make_town(parsed.value->model, setup, list, {}, options, diagnostics);
  const town::PlacedHouses placement = town::place(town, place);
  Result result;
  result.houses = placement.houses.size();
  result.text = osm::pass_through_text(text, parsed.value->layout, parsed.value->model.version, {}, [&](osm::NodeSink& sink) {
    town::write_houses(town, placement, town::lowest_node_id(*parsed.value, true) - 1, -1, sink);
  });
  return result;
}
}  // namespace

TEST_CASE("real towns: no generated house touches a road, building, house, water or railway") {
  autosim::HouseList mixed;
  mixed.sections = {
      {"residential", {}, {model("house", "cottage", 9, 8), model("house", "villa", 13, 11), model("house", "row", 7, 14)}},
      {"retail", {}, {model("house", "shop", 12, 10)}},
      {"commercial", {}, {model("house", "office", 18, 14)}},
      {"industrial", {}, {model("house", "hall", 24, 18)}},
      {"forest", {}, {model("tree", "pine", 0.6, 0.6)}}};
  for (const char* town : kTowns) {
    CAPTURE(town);
    const auto file = test::shared_file(std::string("corpus/osm/") + town + ".osm");
    if (!file) continue;
    for (const double clearance : {0.5, 0.0}) {
      town::PlaceOptions place;
      town::TownOptions options;
      options.clearance = clearance;
      if (clearance == 0) {
        place.front_distance = 1.0;
        place.house_distance = 0;
        place.forest_inside = 7.0;
      }
      const Result alone = generate(test::read_text(*file), mixed, place, options);
      Workers workers(3);
      place.workers = options.workers = &workers;
      const Result result = generate(test::read_text(*file), mixed, place, options);
      CHECK(result.text == alone.text);
      const test::Verdict verdict = test::judge(test::scan_map(result.text), test::thesis_widths());
      for (const std::string& complaint : verdict.complaints) MESSAGE(complaint);
      CHECK(verdict.houses == result.houses);
      CHECK(verdict.on_road == 0);
      CHECK(verdict.on_building == 0);
      CHECK(verdict.on_house == 0);
      CHECK(verdict.on_water == 0);
      CHECK(verdict.on_rail == 0);
      CHECK(verdict.wrong_landuse == 0);
      CHECK(verdict.not_facing == 0);
      CHECK(verdict.inside_roundabout == 0);
    }
  }
}

TEST_CASE("real towns: at least 0.9 of the houses that a greedy 2 m stepper finds") {
  // The same box, distances and rules for both: 10 m x 10 m, front 5 m beyond the pavement, 5 m between neighbors.
  for (const char* town : kTowns) {
    CAPTURE(town);
    const auto file = test::shared_file(std::string("corpus/osm/") + town + ".osm");
    if (!file) continue;
    const std::string text = test::read_text(*file);
    const test::Obstacles obstacles = test::obstacles_of(test::scan_map(text), test::thesis_widths());
    town::PlaceOptions place;
    place.front_distance = 5.0;
    place.house_distance = 5.0;
    town::TownOptions options;
    options.ignore_paths = true;
    // As a user runs it: one section, everything else stays empty.
    autosim::HouseList list;
    list.sections = {{"residential", {}, {model("house", "square", 10, 10)}}};
    const std::size_t ours = generate(text, list, place, options).houses;
    test::GreedyOptions same_rules;
    same_rules.residential_default_only = true;
    same_rules.mind_water_and_rails = true;
    same_rules.fast_links_too = false;
    const std::size_t greedy = test::greedy(obstacles, same_rules), careless = test::greedy(obstacles, {});
    MESSAGE(std::string(town), ": ", ours, " houses; greedy stepper by the same rules ", greedy,
            ", without land use, water, rails, links ", careless);
    CHECK(static_cast<double>(ours) >= 0.9 * static_cast<double>(greedy));
  }
}
