#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "lib/lanes/codes.hpp"
#include "lib/lanes/network.hpp"
#include "lib/lanes/street.hpp"
#include "lib/lanes/to_opendrive.hpp"

using namespace simbatch;
using namespace simbatch::lanes;

namespace {

using Tags = std::vector<std::pair<std::string, std::string>>;

/// A map about 48 N 11 E, in steps of 0.001 degrees (111 m to the north, 74.5 m to the east).
struct Map {
  osm::Model model;
  std::uint32_t node(double east, double north, const Tags& tags = {}) {
    const auto n = model.add_node(static_cast<osm::Id>(model.node_count() + 1),
                                  osm::LatLon{static_cast<std::int32_t>(std::lround(480000000 + north * 10000)),
                                              static_cast<std::int32_t>(std::lround(110000000 + east * 10000))});
    for (const auto& [key, value] : tags) model.add_tag(key, value);
    return n;
  }
  std::uint32_t way(const std::vector<std::uint32_t>& nodes, const Tags& tags) {
    const auto n = model.add_way(static_cast<osm::Id>(100 + model.ways.size()));
    for (const auto node : nodes) model.add_ref(osm::Ref(node));
    for (const auto& [key, value] : tags) model.add_tag(key, value);
    return n;
  }
  void restriction(std::uint32_t from, std::uint32_t via, std::uint32_t to, const char* what) {
    model.add_relation(static_cast<osm::Id>(500 + model.relations.size()));
    model.add_member(osm::Kind::way, osm::Ref(from), "from");
    model.add_member(osm::Kind::node, osm::Ref(via), "via");
    model.add_member(osm::Kind::way, osm::Ref(to), "to");
    model.add_tag("type", "restriction");
    model.add_tag("restriction", what);
  }
  Network read(Diagnostics& diagnostics) const {
    auto network = from_osm(model, "map", diagnostics);
    REQUIRE(network.has_value());
    return std::move(*network);
  }
  Network read() const {
    Diagnostics diagnostics;
    return read(diagnostics);
  }
};

bool has(const Diagnostics& diagnostics, const Code& code) {
  return std::any_of(diagnostics.items().begin(), diagnostics.items().end(),
                     [&](const Diagnostic& d) { return d.code == code.name; });
}

/// "from lane > to lane" of all turns, by ways: "100:-1>101:-1".
std::vector<std::string> turns_of(const Network& network) {
  std::vector<std::string> all;
  for (const Junction& junction : network.junctions)
    for (const Turn& turn : junction.turns)
      all.push_back(network.roads[turn.from_road].source + ":" + std::to_string(turn.from_lane) + ">" +
                    network.roads[turn.to_road].source + ":" + std::to_string(turn.to_lane));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("lanes: lanes, widths, limits and sidewalks of tags") {
  Map map;
  const auto a = map.node(0, 0), b = map.node(2, 0);
  map.way({a, b}, {{"highway", "primary"}, {"lanes", "3"}, {"width", "9.6 m"}, {"maxspeed", "30 mph"}, {"sidewalk", "right"}});
  const Network network = map.read();
  REQUIRE(network.roads.size() == 1);
  const Road& road = network.roads[0];
  REQUIRE(road.right.size() == 3);
  REQUIRE(road.left.size() == 1);
  CHECK(road.right[0].width == doctest::Approx(3.2));
  CHECK(road.right[0].outer == Mark::broken);
  CHECK(road.right[1].outer == Mark::solid);
  CHECK(road.right[2].is_sidewalk);
  CHECK(road.shift == doctest::Approx(1.6));  // the middle of the carriageway is the way
  CHECK(*road.speed == doctest::Approx(13.4112));
  CHECK(road.line.length == doctest::Approx(149.12).epsilon(0.001));
  CHECK_FALSE(road.start_junction.has_value());
}

TEST_CASE("lanes: one-way streets, also against the way, and motorways without a tag") {
  Map map;
  const auto a = map.node(0, 0), b = map.node(2, 0), c = map.node(0, 1), d = map.node(2, 1), e = map.node(0, 2),
             f = map.node(2, 2);
  map.way({a, b}, {{"highway", "residential"}, {"oneway", "yes"}});
  map.way({c, d}, {{"highway", "residential"}, {"oneway", "-1"}});
  map.way({e, f}, {{"highway", "motorway"}});
  const Network network = map.read();
  REQUIRE(network.roads.size() == 3);
  for (const Road& road : network.roads) CHECK(road.left.empty());
  CHECK(std::fabs(place_at(network.roads[0].line, 0).heading) < 0.01);
  CHECK(std::fabs(place_at(network.roads[1].line, 0).heading) > 3.1);
  CHECK(network.roads[2].right.size() == 2);
}

TEST_CASE("lanes: streets that only change their tags go on lane by lane, equal ones are one road") {
  Map map;
  const auto a = map.node(0, 0), b = map.node(1, 0), c = map.node(2, 0), d = map.node(3, 0);
  const Tags two = {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "2"}};
  map.way({a, b}, two);
  map.way({b, c}, two);
  map.way({c, d}, {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "1"}});
  const Network network = map.read();
  REQUIRE(network.roads.size() == 2);
  CHECK(turns_of(network) == std::vector<std::string>{"100:-1>102:-1", "100:-2>102:-1"});
}

TEST_CASE("lanes: at a crossing the leftmost lane turns left, the rightmost right, all go straight on") {
  Map map;
  const auto west = map.node(-1, 0), middle = map.node(0, 0), east = map.node(1, 0), north = map.node(0, 1),
             south = map.node(0, -1);
  const Tags one = {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "1"}};
  map.way({west, middle}, {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "3"}});
  map.way({middle, east}, {{"highway", "secondary"}, {"oneway", "yes"}, {"lanes", "3"}});
  map.way({middle, north}, one);
  map.way({middle, south}, one);
  const Network network = map.read();
  // Lane -1 is the leftmost.
  CHECK(turns_of(network) ==
        std::vector<std::string>{"100:-1>101:-1", "100:-1>102:-1", "100:-2>101:-2", "100:-3>101:-3", "100:-3>103:-1"});
  // The mouths keep their distance: 4.9 m of half a carriageway to the side, and 1 m.
  const double side = network.roads[2].line.length;
  CHECK(side == doctest::Approx(111.19 - 4.875 - 1).epsilon(0.002));
}

TEST_CASE("lanes: arrows and restrictions decide over turns") {
  Map map;
  const auto west = map.node(-1, 0), middle = map.node(0, 0), north = map.node(0, 1), south = map.node(0, -1),
             east = map.node(1, 0);
  const Tags one = {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "1"}};
  const auto from = map.way({west, middle},
                            {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "2"}, {"turn:lanes", "left|left;through"}});
  const auto to_north = map.way({middle, north}, {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "2"}});
  map.way({middle, south}, one);
  map.way({middle, east}, one);
  SUBCASE("arrows: both lanes left, the right one straight on; nothing is marked for the right") {
    CHECK(turns_of(map.read()) == std::vector<std::string>{"100:-1>101:-1", "100:-2>101:-2", "100:-2>102:-1", "100:-2>103:-1"});
  }
  SUBCASE("no left turn") {
    map.restriction(from, middle, to_north, "no_left_turn");
    CHECK(turns_of(map.read()) == std::vector<std::string>{"100:-1>103:-1", "100:-2>102:-1", "100:-2>103:-1"});
  }
  SUBCASE("only the left turn") {
    map.restriction(from, middle, to_north, "only_left_turn");
    CHECK(turns_of(map.read()) == std::vector<std::string>{"100:-1>101:-1", "100:-2>101:-2"});
  }
  SUBCASE("a restriction that is not known is lost, and said") {
    map.restriction(from, middle, to_north, "parking");
    Diagnostics diagnostics;
    map.read(diagnostics);
    CHECK(has(diagnostics, lanes::code::kRestriction));
  }
}

TEST_CASE("lanes: the arrows of turn:lanes are whole values of the list") {
  using namespace lanes::detail;
  const auto arrows = [](const std::string& text, const char* lanes) {
    Map map;
    const auto a = map.node(0, 0), b = map.node(1, 0);
    map.way({a, b}, {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", lanes}, {"turn:lanes", text}});
    std::string left_out;
    const auto street = street_of(map.model, map.model.tags_of_way(0), left_out);
    REQUIRE(street.has_value());
    return std::vector<int>(street->forward.arrows.begin(), street->forward.arrows.end());
  };
  constexpr int kAny = kLeft | kThrough | kRight;
  const std::pair<const char*, int> values[] = {
      {"left", kLeft},
      {"slight_left", kLeft},
      {"sharp_left", kLeft},
      {"through", kThrough},
      {"right", kRight},
      {"slight_right", kRight},
      {"sharp_right", kRight},
      {"reverse", kLeft},
      {"merge_to_left", kThrough},
      {"merge_to_right", kThrough},
      {"none", kAny},
      {"", kAny},
      {"leftish", kAny},
      {"through;slight_right", kThrough | kRight},
      {" left ; through ", kLeft | kThrough},
      {"left;merge_to_right", kLeft | kThrough},
      {"right;leftish", kRight},
  };
  for (const auto& [text, expected] : values) {
    CAPTURE(text);
    CHECK(arrows(std::string("through|") + text, "2") == std::vector<int>{kThrough, expected});
  }
  CHECK(arrows("left|through", "3").empty());
}

TEST_CASE("lanes: a lane that merges goes straight on as one without an arrow beside it") {
  const auto turns = [](const char* arrows) {
    Map map;
    const auto west = map.node(-1, 0), middle = map.node(0, 0), east = map.node(1, 0), north = map.node(0, 1);
    map.way({west, middle}, {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "2"}, {"turn:lanes", arrows}});
    map.way({middle, east}, {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "2"}});
    map.way({middle, north}, {{"highway", "tertiary"}, {"oneway", "yes"}, {"lanes", "1"}});
    return turns_of(map.read());
  };
  CHECK(turns("through|merge_to_left") == turns("through|through"));
  // No lane is marked for the left: the leftmost one may go there.
  CHECK(turns("through|merge_to_left") == std::vector<std::string>{"100:-1>101:-1", "100:-1>102:-1", "100:-2>101:-2"});
}

TEST_CASE("lanes: turn curves begin and end at the lanes, without a kink, nearly as circles") {
  Map map;
  const auto west = map.node(-1, 0), middle = map.node(0, 0), north = map.node(0, 1), east = map.node(1, 0);
  for (const auto& nodes : {std::vector{west, middle}, std::vector{middle, north}, std::vector{middle, east}})
    map.way(nodes, {{"highway", "residential"}});
  const Network network = map.read();
  REQUIRE(network.junctions.size() == 1);
  CHECK(network.junctions[0].turns.size() == 6);
  for (const Turn& turn : network.junctions[0].turns) {
    const auto curve = curve_of(network, turn);
    REQUIRE(curve.has_value());
    const Place end = lane_place(network.roads[turn.to_road], turn.to_lane, turn.to_lane > 0);
    const double u = curve->u[0] + curve->u[1] + curve->u[2] + curve->u[3],
                 v = curve->v[0] + curve->v[1] + curve->v[2] + curve->v[3];
    const double c = std::cos(curve->start.heading), s = std::sin(curve->start.heading);
    CHECK(curve->start.at.east + c * u - s * v == doctest::Approx(end.at.east));
    CHECK(curve->start.at.north + s * u + c * v == doctest::Approx(end.at.north));
    const double du = curve->u[1] + 2 * curve->u[2] + 3 * curve->u[3], dv = curve->v[1] + 2 * curve->v[2] + 3 * curve->v[3];
    CHECK(std::fabs(wrapped(curve->start.heading + std::atan2(dv, du) - end.heading)) < 1e-9);
    const double bend = std::fabs(wrapped(end.heading - curve->start.heading)), chord = std::hypot(u, v);
    if (bend > 1 && std::fabs(std::atan2(v, u)) > 0.7 && std::fabs(std::atan2(v, u)) < 0.87)
      CHECK(curve->length == doctest::Approx(chord * bend / (2 * std::sin(bend / 2))).epsilon(0.01));
  }
}

TEST_CASE("lanes: loops, turns back, doubled nodes and short pieces make usable roads") {
  Map map;
  const auto a = map.node(0, 0), b = map.node(1, 0), c = map.node(1, 1), d = map.node(0, 1), twin = map.node(0, 0),
             near = map.node(0.005, 0), far = map.node(-1, 0);
  map.way({a, b, c, d, a}, {{"highway", "residential"}});
  map.way({twin, a, near, far, far}, {{"highway", "service"}});
  map.way({far, b, far}, {{"highway", "service"}});
  const Network network = map.read();
  for (const Road& road : network.roads) {
    CHECK(road.line.length > 0.05);
    for (const Piece& piece : road.line.pieces) CHECK(std::isfinite(piece.start.heading + piece.curvature + piece.length));
  }
  for (const opendrive::Road& road : to_opendrive(network).roads) CHECK(road.length() > 0.01);
}

TEST_CASE("lanes: lights before a crossing become signs of the lanes that lead there") {
  Map map;
  const auto west = map.node(-1, 0), light = map.node(-0.2, 0, {{"highway", "traffic_signals"}}), middle = map.node(0, 0),
             north = map.node(0, 1), east = map.node(1, 0);
  map.way({west, light, middle}, {{"highway", "residential"}});
  map.way({middle, north}, {{"highway", "residential"}});
  map.way({middle, east}, {{"highway", "residential"}});
  const Network network = map.read();
  REQUIRE(network.roads[0].signs.size() == 1);
  CHECK(network.roads[0].signs[0].is_light);
  CHECK(network.roads[0].signs[0].is_forward);
  CHECK(network.roads[0].signs[0].s == doctest::Approx(59.6).epsilon(0.01));
  CHECK(network.roads[1].signs.empty());
}

TEST_CASE("lanes: only what was guessed is said") {
  const auto guess = [](const Tags& first, const Tags& second) {
    Map map;
    const auto a = map.node(0, 0), b = map.node(1, 0), c = map.node(2, 0);
    map.way({a, b}, first);
    map.way({b, c}, second);
    Diagnostics diagnostics;
    map.read(diagnostics);
    std::string text;
    for (const Diagnostic& d : diagnostics.items()) text += d.message;
    return text;
  };
  const Tags none = {{"highway", "residential"}}, lanes = {{"highway", "residential"}, {"lanes", "2"}},
             width = {{"highway", "residential"}, {"width", "6"}},
             both = {{"highway", "residential"}, {"lanes", "2"}, {"width", "6"}};
  CHECK(guess(both, both).empty());
  CHECK(guess(lanes, lanes) == "ways without width, for which usual ones are used: 2");
  CHECK(guess(width, both) == "ways without lanes, for which usual numbers are used: 1");
  CHECK(guess(none, lanes) == "ways for which usual values are used: 1 without lanes, 2 without width");
}

TEST_CASE("lanes: what is lost is said, and a map without roads or around the world is refused") {
  Map map;
  const auto a = map.node(0, 0), b = map.node(1, 0), far = map.node(70'000, 0);
  Diagnostics diagnostics;
  map.way({a, b}, {{"highway", "footway"}});
  CHECK_FALSE(from_osm(map.model, "map", diagnostics).has_value());
  CHECK(has(diagnostics, lanes::code::kEmpty));
  map.way({a, b}, {{"highway", "residential"}, {"bridge", "yes"}});
  Diagnostics losses;
  map.read(losses);
  CHECK(has(losses, lanes::code::kWays));
  CHECK(has(losses, lanes::code::kHeight));
  CHECK(has(losses, lanes::code::kGuess));
  map.way({b, far}, {{"highway", "residential"}});
  Diagnostics wide;
  CHECK_FALSE(from_osm(map.model, "map", wide).has_value());
  CHECK(has(wide, lanes::code::kExtent));
}
