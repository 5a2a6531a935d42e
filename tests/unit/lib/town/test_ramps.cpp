// Streets that leave the ground: nothing is placed along their ramps and cuttings, nor beside their walls.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/unit/lib/town/town_maker.hpp"

namespace {
using namespace simbatch;
using test::Made;
using test::make_houses;
using test::MapText;
using test::only;
using town::Vec2;

/// A street of 800 m from west to east, whose middle is tagged `tags`, across one from south to north, where people live.
MapText crossing(const std::string& tags, const std::string& across = "highway=residential name=B") {
  MapText map;
  map.way({{-400, 0}, {-30, 0}}, "highway=residential name=A");
  map.way({{-30, 0}, {30, 0}}, "highway=residential name=A " + tags);
  map.way({{30, 0}, {400, 0}}, "highway=residential name=A");
  map.way({{0, -400}, {0, 400}}, across);
  map.way({{-500, -500}, {500, -500}, {500, 500}, {-500, 500}}, "landuse=residential", true);
  return map;
}
/// Ways that meet get common nodes: the last of one is the first of the next.
std::string joined(const MapText& map) {
  std::string text = map.text();
  for (const auto& [one, other] : {std::pair("3", "2"), std::pair("5", "4")})
    for (std::size_t at = 0; (at = text.find("ref='" + std::string(one) + "'", at)) != std::string::npos;)
      text[at + 5] = other[0];
  return text;
}

/// Whether a thing is of the street from west to east: a house before it, or something at its edge.
bool is_along(const Made& made, const town::House& house) {
  const bool is_house = made.town.models[house.model]->box_size.z > 5;
  return std::abs(house.center.x) > 12'000 && std::abs(house.center.z) < (is_house ? 25'000 : 7'500) &&
         (!is_house || house.heading % 18000 == 0);
}
/// How near to the crossing's middle things along it come (m).
double nearest(const Made& made, const std::string& type = "") {
  double best = 1e9;
  for (const town::House& house : made.placed.houses)
    if (is_along(made, house) && (type.empty() || made.town.models[house.model]->type == type))
      best = std::min(best, std::abs(house.center.x) / 1000.0);
  return best;
}
const autosim::HouseList& places_list() {
  static const autosim::HouseList list = town::default_houses();
  return list;
}
}  // namespace

TEST_CASE("ramps: no house along a street that is not on the ground, and houses again where it is") {
  for (const std::string tags : {"bridge=yes layer=1", "tunnel=yes layer=-1"}) {
    CAPTURE(tags);
    const std::string map = joined(crossing(tags));
    const Made plain = make_houses(map, {}), made = make_houses(map, only(&town::Rules::ramps));
    CHECK(nearest(plain) < 50);
    // The ramp begins at 3 m and half the width of the street below, or at the ends of the tunnel, and is 88 or 91 m long. Its
    // last 12 m are within a step of the ground.
    const double end = tags[0] == 'b' ? 6 + 16 * 5.5 : 30 + 16 * 5.7;
    CHECK(nearest(made) > end - 20);
    CHECK(nearest(made) < end);
    CHECK(made.rejected(town::Reason::ramp) > 0);
    CHECK(plain.rejected(town::Reason::ramp) == 0);
    // Along the street that stays on the ground there are as many as before.
    const auto others = [](const Made& of) {
      return std::count_if(of.placed.houses.begin(), of.placed.houses.end(),
                           [](const town::House& house) { return std::abs(house.center.z) > 40'000; });
    };
    CHECK(others(made) == others(plain));
  }
}

TEST_CASE("ramps: trees, gardens, second rows and parked cars keep off them too") {
  const std::string map = joined(crossing("bridge=yes layer=1"));
  town::Rules rules = town::all_rules();
  const Made made = make_houses(map, rules, true, &places_list());
  CHECK(nearest(made) > 75);
  CHECK(nearest(made, "car") < 200);
  rules.ramps = false;
  const Made plain = make_houses(map, rules, true, &places_list());
  CHECK(nearest(plain) < 50);
  Workers workers(3);
  CHECK(make_houses(map, town::all_rules(), true, &places_list(), &workers).placed.houses == made.placed.houses);
}

TEST_CASE("ramps: houses of another street keep 1.5 m from the walls of a ramp without pavement") {
  MapText map;
  map.way({{-400, 0}, {-30, 0}}, "highway=service");
  map.way({{-30, 0}, {30, 0}}, "highway=service bridge=yes layer=1");
  map.way({{30, 0}, {400, 0}}, "highway=service");
  map.way({{0, -400}, {0, 400}}, "highway=track");
  map.way({{40, -400}, {40, 400}}, "highway=residential");
  const std::string text = joined(map);
  /// From the middle of the ramp to the wall of the nearest house of the street that crosses it.
  const auto gap = [&] {
    double best = 1e9;
    for (const town::House& house : make_houses(text, only(&town::Rules::ramps)).placed.houses)
      if (house.heading % 18000 == 9000 && std::abs(house.center.x - 40'000) < 20'000)
        best = std::min(best, std::abs(house.center.z) / 1000.0 - 5);
    return best;
  };
  // Half of the lanes, the strip beside them, and the usual clearance.
  CHECK(gap() >= 2 + 1.5 + 0.5);
  CHECK(gap() < 6);
}

TEST_CASE("ramps: none where no road leaves the ground") {
  for (const std::string tags : {"bridge=no", "layer=0", "tunnel=no"}) {
    const std::string map = joined(crossing(tags));
    const Made made = make_houses(map, only(&town::Rules::ramps));
    CHECK_FALSE(made.town.has_ramps);
    CHECK(made.placed.houses == make_houses(map, {}).placed.houses);
  }
}
