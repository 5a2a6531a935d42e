#include "lib/lanes/to_sumo.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "lib/lanes/codes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::lanes;

namespace {

/// A star of two-way roads of one lane in each direction: each from 10 m to 110 m from the middle.
struct Star {
  Network network;
  std::vector<double> headings;
  explicit Star(const std::vector<double>& degrees, const char* kind = "residential") {
    network.origin = {48, 11};
    network.junctions = {{"5", {}}};
    for (const double angle : degrees) add(angle, kind);
    for (std::size_t a = 0; a < headings.size(); ++a)
      for (std::size_t b = 0; b < headings.size(); ++b)
        if (a != b) network.junctions[0].turns.push_back({a, 1, b, -1});
  }
  void add(double degrees, const char* kind) {
    const double h = degrees * std::numbers::pi / 180;
    headings.push_back(h);
    const std::vector<geo::EastNorth> line = {{10 * std::cos(h), 10 * std::sin(h)}, {110 * std::cos(h), 110 * std::sin(h)}};
    Road road;
    road.source = std::to_string(100 + network.roads.size());
    road.kind = kind;
    road.speed = 50 / 3.6;
    road.line = rounded_line(line, {});
    road.right = road.left = {{3, false, Mark::solid}};
    road.start_junction = 0;
    network.roads.push_back(road);
  }
};

sumo::Net converted(const Network& network) {
  Diagnostics diagnostics;
  sumo::Net net = to_sumo(network, diagnostics);
  CHECK(diagnostics.items().empty());
  return net;
}

const sumo::Junction& junction(const sumo::Net& net, const std::string& id) {
  const auto at = std::find_if(net.junctions.begin(), net.junctions.end(), [&](const auto& j) { return j.id == id; });
  REQUIRE(at != net.junctions.end());
  return *at;
}

const sumo::Edge& edge(const sumo::Net& net, const std::string& id) {
  const auto at = std::find_if(net.edges.begin(), net.edges.end(), [&](const auto& e) { return e.id == id; });
  REQUIRE(at != net.edges.end());
  return *at;
}

/// The links of junction "5", as numbers of its requests: those that lead from one edge to another.
std::size_t link(const sumo::Net& net, const std::string& from, const std::string& to) {
  std::size_t n = 0;
  for (const auto& c : net.connections) {
    if (c.via.rfind(":5_", 0) != 0 || c.from[0] == ':') continue;
    if (c.from == from && c.to == to) return n;
    ++n;
  }
  FAIL("no such link");
  return n;
}

char state(const sumo::Net& net, const std::string& from, const std::string& to) {
  for (const auto& c : net.connections)
    if (c.from == from && c.to == to) return c.state;
  return '-';
}

bool yields(const sumo::Net& net, std::size_t a, std::size_t b) { return junction(net, "5").requests[a].response[b]; }

/// What SUMO expects of every net: distinct ids, references that exist, one request and one internal lane for each link, foes that
/// are symmetric, and links that yield only to those that they meet.
void check_sound(const sumo::Net& net) {
  std::map<std::string, std::size_t> lanes;
  std::set<std::string> ids;
  for (const auto& e : net.edges) {
    CHECK(ids.insert(e.id).second);
    lanes[e.id] = e.lanes.size();
    for (const auto& lane : e.lanes) {
      CHECK(lane.length >= 0.1);
      CHECK(lane.speed > 0);
      CHECK(lane.shape.size() >= 2);
    }
  }
  std::map<std::string, std::size_t> links;  // of each incoming lane
  for (const auto& c : net.connections) {
    REQUIRE(lanes.contains(c.from));
    REQUIRE(lanes.contains(c.to));
    CHECK(c.from_lane < lanes[c.from]);
    CHECK(c.to_lane < lanes[c.to]);
    ++links[sumo::lane_id(c.from, c.from_lane)];
  }
  std::set<std::string> nodes;
  for (const auto& j : net.junctions) {
    CHECK(nodes.insert(j.id).second);
    if (j.type == "internal" || j.type == "dead_end") continue;
    std::size_t n = 0;
    for (const auto& lane : j.incoming) n += links[lane];
    CHECK(n == j.requests.size());
    CHECK(n == j.internal.size());
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        CHECK(j.requests[a].foes[b] == j.requests[b].foes[a]);
        if (j.requests[a].response[b]) CHECK(j.requests[a].foes[b]);
      }
  }
  for (const auto& e : net.edges) {
    if (e.is_internal) continue;
    CHECK(nodes.contains(e.from));
    CHECK(nodes.contains(e.to));
  }
}

}  // namespace

TEST_CASE("lanes: a road is an edge in each direction, with lanes from the right") {
  Network network = Star({0, 180}).network;
  network.roads[0].right = {{3, false, Mark::broken}, {3.5, false, Mark::solid}, {2, true, Mark::none}};
  network.roads[0].name = "Main Street";
  const sumo::Net net = converted(network);
  check_sound(net);
  const sumo::Edge& out = edge(net, "100");
  CHECK(out.from == "5");
  CHECK(out.to == "100_end");
  CHECK(out.name == "Main Street");
  CHECK(out.type == "highway.residential");
  REQUIRE(out.lanes.size() == 3);
  CHECK(out.lanes[0].allow == "pedestrian");
  CHECK(out.lanes[0].shape[0].north == doctest::Approx(-7.5));
  CHECK(out.lanes[1].width == 3.5);
  CHECK(out.lanes[1].disallow == "pedestrian");
  CHECK(out.lanes[1].length == doctest::Approx(100));
  CHECK(out.lanes[2].speed == doctest::Approx(50 / 3.6));
  const sumo::Edge& in = edge(net, "-100");
  CHECK(in.to == "5");
  CHECK(in.lanes[0].shape.front().east == doctest::Approx(110));
  CHECK(in.lanes[0].shape.back().north == doctest::Approx(1.5));
  CHECK(junction(net, "100_end").type == "dead_end");
  CHECK(state(net, "-101", "100") == 'M');
}

TEST_CASE("lanes: roads of one way are numbered, and a dash marks only the direction") {
  Network network = Star({0, 120, 240}).network;
  network.roads[0].source = network.roads[1].source = "7";
  network.roads[2].source = "-7";
  const sumo::Net net = converted(network);
  check_sound(net);
  std::set<std::string> names;
  for (const auto& e : net.edges)
    if (!e.is_internal) names.insert(e.id);
  CHECK(names == std::set<std::string>{"-7#0", "-7#1", "-n7", "7#0", "7#1", "n7"});
}

TEST_CASE("lanes: right before left where all roads are equal, and left turns yield to oncoming traffic") {
  const sumo::Net net = converted(Star({0, 90, 180, 270}).network);  // east, north, west, south
  check_sound(net);
  CHECK(junction(net, "5").type == "right_before_left");
  const auto go = [&](const char* from, const char* to) { return link(net, from, to); };
  // From the south straight on: the road from the east is on the right, that from the west on the left.
  CHECK(yields(net, go("-103", "101"), go("-100", "102")));
  CHECK_FALSE(yields(net, go("-100", "102"), go("-103", "101")));
  CHECK(yields(net, go("-102", "100"), go("-103", "101")));
  // From the south to the left, across those from the north; not those who turn left themselves.
  CHECK(yields(net, go("-103", "102"), go("-101", "103")));
  CHECK_FALSE(yields(net, go("-101", "103"), go("-103", "102")));
  CHECK(yields(net, go("-103", "102"), go("-101", "102")));  // into the same lane
  // Turning right never crosses those who come straight from the opposite side.
  CHECK_FALSE(junction(net, "5").requests[go("-103", "100")].foes[go("-101", "103")]);
  CHECK(state(net, "-103", "101") == '=');
  // Links from one lane do not meet.
  CHECK_FALSE(junction(net, "5").requests[go("-103", "100")].foes[go("-103", "102")]);
}

TEST_CASE("lanes: the larger road goes first, and its left turns wait inside the junction") {
  Star star({0, 90, 180, 270});
  for (const std::size_t r : {0, 2}) star.network.roads[r].kind = "primary";
  const sumo::Net net = converted(star.network);
  check_sound(net);
  CHECK(junction(net, "5").type == "priority");
  const std::size_t main = link(net, "-100", "102"), side = link(net, "-103", "101"), left = link(net, "-100", "103");
  CHECK_FALSE(yields(net, main, side));
  CHECK(yields(net, side, main));
  CHECK(state(net, "-100", "102") == 'M');
  CHECK(state(net, "-103", "101") == 'm');
  CHECK(junction(net, "5").requests[left].waits_inside);
  CHECK_FALSE(junction(net, "5").requests[main].waits_inside);
  CHECK_FALSE(junction(net, "5").requests[link(net, "-103", "102")].waits_inside);
  // Its path is divided before that of the oncoming cars.
  const std::string second = junction(net, "5").internal[left];
  const sumo::Junction& inner = junction(net, second);
  CHECK(inner.type == "internal");
  CHECK(inner.incoming.size() >= 2);
  CHECK(inner.at.north > -1.5 + 2);  // cars from the west pass at -1.5 m
  CHECK(inner.at.east < 10);
  const sumo::Edge& rest = edge(net, second.substr(0, second.size() - 2));
  CHECK(rest.lanes[0].shape.front() == inner.at);
}

TEST_CASE("lanes: the straight road of a T of main roads goes first, of residential ones none") {
  const sumo::Net main = converted(Star({0, 90, 180}, "secondary").network);
  check_sound(main);
  CHECK(junction(main, "5").type == "priority");
  CHECK(state(main, "-101", "100") == 'm');
  CHECK(state(main, "-100", "102") == 'M');
  CHECK(junction(converted(Star({0, 90, 180}).network), "5").type == "right_before_left");
  // One large road that ends has priority with the road that goes on.
  Star star({0, 90, 180});
  star.network.roads[0].kind = "tertiary";
  const sumo::Net ends = converted(star.network);
  CHECK(state(ends, "-102", "100") == 'M');
  CHECK(state(ends, "-101", "102") == 'm');
}

TEST_CASE("lanes: cars in a roundabout go first, and its edges are named") {
  Star star({0, 90, 180});
  star.network.roads[0].is_roundabout = star.network.roads[2].is_roundabout = true;
  star.network.roads[1].kind = "primary";
  const sumo::Net net = converted(star.network);
  CHECK(state(net, "-100", "102") == 'M');
  CHECK(state(net, "-101", "102") == 'm');
  REQUIRE(net.roundabouts.size() == 1);
  CHECK(net.roundabouts[0].edges == std::vector<std::string>{"100", "102"});
}

TEST_CASE("lanes: stop signs at some or all approaches") {
  Star star({0, 90, 180, 270});
  star.network.roads[1].signs = {{10, false, false}};
  const sumo::Net some = converted(star.network);
  check_sound(some);
  CHECK(junction(some, "5").type == "priority_stop");
  CHECK(state(some, "-101", "103") == 's');
  CHECK(yields(some, link(some, "-101", "103"), link(some, "-102", "100")));
  CHECK_FALSE(yields(some, link(some, "-102", "100"), link(some, "-101", "103")));
  for (Road& road : star.network.roads) road.signs = {{10, false, false}};
  const sumo::Net all = converted(star.network);
  check_sound(all);
  CHECK(junction(all, "5").type == "allway_stop");
  CHECK(state(all, "-101", "103") == 'w');
  CHECK(yields(all, link(all, "-102", "100"), link(all, "-101", "103")));
  CHECK(yields(all, link(all, "-101", "103"), link(all, "-102", "100")));
}

TEST_CASE("lanes: lights give green to opposite roads together") {
  Star star({0, 90, 180, 270});
  for (Road& road : star.network.roads) road.signs = {{5, true, false}};
  const sumo::Net net = converted(star.network);
  check_sound(net);
  CHECK(junction(net, "5").type == "traffic_light");
  REQUIRE(net.programs.size() == 1);
  const auto& phases = net.programs[0].phases;
  REQUIRE(phases.size() == 6);
  const auto light = [&](std::size_t phase, const char* from, const char* to) {
    return phases[phase].state[link(net, from, to)];
  };
  const std::size_t east = light(0, "-100", "102") == 'r' ? 3 : 0, north = 3 - east;
  CHECK(light(east, "-100", "102") == 'G');
  CHECK(light(east, "-102", "100") == 'G');
  CHECK(light(east, "-100", "103") == 'g');  // to the left
  CHECK(light(east, "-101", "103") == 'r');
  CHECK(light(north, "-101", "103") == 'G');
  CHECK(light(north, "-100", "102") == 'r');
  CHECK(light(east + 1, "-100", "102") == 'y');
  CHECK(light(east + 2, "-100", "102") == 'r');
  int cycle = 0;
  for (const auto& phase : phases) cycle += phase.duration;
  CHECK(cycle == 90);
  CHECK(phases[1].duration == 3);
  CHECK(junction(net, "5").requests[link(net, "-100", "103")].waits_inside);
  // No two links that meet have green without one of them yielding.
  for (const auto& phase : phases)
    for (std::size_t a = 0; a < phase.state.size(); ++a)
      for (std::size_t b = 0; b < phase.state.size(); ++b)
        if (phase.state[a] == 'G' && phase.state[b] == 'G') CHECK_FALSE(junction(net, "5").requests[a].foes[b]);
}

TEST_CASE("lanes: junctions whose lights are close to each other are one") {
  // Two crossings 12 m apart, with lights, and one road with two lanes through both.
  for (const bool lit : {true, false}) {
    Network network;
    network.origin = {48, 11};
    network.junctions = {{"5", {}}, {"6", {}}};
    const auto add = [&](std::vector<geo::EastNorth> points, std::optional<std::size_t> start, std::optional<std::size_t> end) {
      Road road;
      road.source = std::to_string(100 + network.roads.size());
      road.kind = "primary";
      road.speed = 50 / 3.6;
      road.line = rounded_line(points, {});
      road.right = {{3, false, Mark::solid}};
      road.start_junction = start;
      road.end_junction = end;
      if (lit && end) road.signs = {{road.line.length, true, true}};
      network.roads.push_back(road);
    };
    add({{-100, 0}, {-10, 0}}, {}, 0);
    add({{0, 0}, {12, 0}}, 0, 1);
    add({{22, 0}, {100, 0}}, 1, {});
    add({{-5, 100}, {-5, 8}}, {}, 0);
    add({{-5, -8}, {-5, -100}}, 0, {});
    network.junctions[0].turns = {{0, -1, 1, -1}, {3, -1, 4, -1}, {3, -1, 1, -1}};
    network.junctions[1].turns = {{1, -1, 2, -1}};
    const sumo::Net net = converted(network);
    check_sound(net);
    CHECK(state(net, "100", "101") == (lit ? '-' : '='));
    CHECK(state(net, "100", "102") == (lit ? 'O' : '-'));
    if (!lit) continue;
    const std::size_t through = link(net, "100", "102"), across = link(net, "103", "104");
    CHECK(junction(net, "5").requests[through].foes[across]);
    CHECK(junction(net, "5").requests.size() == 3);
    const std::string lane = junction(net, "5").internal[through];
    const sumo::Lane& path = edge(net, lane.substr(0, lane.size() - 2)).lanes[0];
    CHECK(path.shape.front().east == doctest::Approx(-10));
    CHECK(path.shape.back().east == doctest::Approx(22));
    CHECK(path.length == doctest::Approx(32).epsilon(0.01));
  }
}

TEST_CASE("lanes: a road from a junction to itself becomes two edges") {
  Network network = Star({0, 90}).network;
  Road& loop = network.roads[0];
  const std::vector<geo::EastNorth> points = {{10, 0}, {60, 0}, {60, -60}, {0, -60}, {0, -10}};
  loop.line = rounded_line(points, {});
  loop.end_junction = 0;
  loop.signs = {{5, false, false}};
  network.junctions[0].turns = {{0, -1, 1, -1}, {1, 1, 0, 1}, {1, 1, 0, -1}, {0, 1, 1, -1}};
  const sumo::Net net = converted(network);
  check_sound(net);
  const sumo::Edge &first = edge(net, "100#0"), &second = edge(net, "100#1");
  CHECK(first.from == "5");
  CHECK(first.to == second.from);
  CHECK(second.to == "5");
  CHECK(first.lanes[0].length + second.lanes[0].length == doctest::Approx(loop.line.length).epsilon(0.001));
  CHECK(state(net, "100#0", "100#1") == 'M');
  CHECK(state(net, "-100#1", "-100#0") == 'M');
  CHECK(state(net, "-101", "-100#1") == 'M');
  CHECK(state(net, "-100#0", "101") == 's');
}

TEST_CASE("lanes: junctions stay apart where joining them would leave no road that leads in") {
  // Two lights 12 m apart, and two roads between them: nothing else.
  Network network;
  network.origin = {48, 11};
  network.junctions = {{"5", {}}, {"6", {}}};
  for (const double aside : {0.0, 4.0}) {
    const std::vector<geo::EastNorth> line = {{0, aside}, {12, aside}};
    Road road;
    road.source = std::to_string(100 + network.roads.size());
    road.kind = "residential";
    road.speed = 10;
    road.line = rounded_line(line, {});
    road.right = road.left = {{3, false, Mark::solid}};
    road.start_junction = 0;
    road.end_junction = 1;
    road.signs = {{0, true, false}, {12, true, true}};
    network.roads.push_back(road);
  }
  network.junctions[0].turns = {{0, 1, 1, -1}, {1, 1, 0, -1}};
  network.junctions[1].turns = {{0, -1, 1, 1}, {1, -1, 0, 1}};
  const sumo::Net net = converted(network);
  check_sound(net);
  CHECK(junction(net, "5").incoming.size() == 2);
  CHECK(junction(net, "6").incoming.size() == 2);
  CHECK(edge(net, "100").to == "6");
  CHECK(edge(net, "-101").to == "5");
}

TEST_CASE("lanes: usual speeds, and junctions of too many turns, are said") {
  Network network;
  network.origin = {48, 11};
  network.junctions = {{"5", {}}};
  for (const double north : {0.0, 300.0}) {
    const std::vector<geo::EastNorth> line = {{0, north}, {100, north}};
    Road road;
    road.source = std::to_string(static_cast<int>(north));
    road.kind = "living_street";
    road.line = rounded_line(line, {});
    road.right.assign(17, {3, false, Mark::solid});
    (north > 0 ? road.start_junction : road.end_junction) = 0;
    network.roads.push_back(road);
  }
  for (int a = 1; a <= 17; ++a)
    for (int b = 1; b <= 17; ++b) network.junctions[0].turns.push_back({0, -a, 1, -b});
  Diagnostics diagnostics;
  const sumo::Net net = to_sumo(network, diagnostics);
  CHECK(edge(net, "0").lanes[0].speed == doctest::Approx(10 / 3.6));
  CHECK(junction(net, "5").type == "unregulated");
  CHECK(junction(net, "5").requests.empty());
  test::Expected expected(diagnostics);
  CHECK(expected.take(lanes::code::kGuess) == "roads without a limit, for which usual speeds are used: 2");
  expected.take(lanes::code::kRightOfWay);
}
