#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "lib/lanes/codes.hpp"
#include "lib/lanes/elevation.hpp"
#include "lib/lanes/network.hpp"
#include "lib/lanes/to_lanelet2.hpp"
#include "lib/lanes/to_opendrive.hpp"
#include "lib/lanes/to_sumo.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::lanes;

namespace {

const geo::LocalFrame kFrame(geo::LatLon{48, 11});

void add(osm::Model& map, osm::Id id, double east, double north) {
  const geo::LatLon at = kFrame.to_geographic({east, north});
  map.add_node(id, {static_cast<std::int32_t>(std::lrint(at.lat * 1e7)), static_cast<std::int32_t>(std::lrint(at.lon * 1e7))});
}
void add(osm::Model& map, osm::Id id, std::initializer_list<std::uint32_t> nodes, bool is_bridge = false) {
  map.add_way(id);
  for (const std::uint32_t node : nodes) map.add_ref(osm::Ref(node));
  map.add_tag("highway", "residential");
  if (is_bridge) map.add_tag("bridge", "yes");
}

/// Ways 10 and 11 to the east, joined to one road; 12 to the north across 10 without a node; 13 to the south from their end.
osm::Model crossing() {
  osm::Model map;
  add(map, 1, -200, 0);
  add(map, 2, 50, 0);
  add(map, 3, 200, 0);
  add(map, 4, 0, -200);
  add(map, 5, 0, 200);
  add(map, 6, 200, -150);
  add(map, 7, 350, 0);
  add(map, 10, {0, 1});
  add(map, 11, {1, 2});
  add(map, 12, {3, 4}, true);
  add(map, 13, {2, 5});
  add(map, 14, {2, 6});
  return map;
}

/// 1 % up to the east; way 12 is 6 m higher.
Heights heights() {
  return {[](osm::Id from, osm::Id, const geo::LocalFrame& frame, geo::EastNorth at) {
            return 100 + 0.01 * kFrame.to_plane(frame.to_geographic(at)).east + (from == 12 ? 6 : 0);
          },
          [](osm::Id way) { return way != 14; }, true};
}

/// East on kFrame of a place on a network's plane.
double east_of(geo::LatLon origin, double east, double north) {
  return kFrame.to_plane(geo::LocalFrame(origin).to_geographic({east, north})).east;
}

Network network(std::optional<Heights> of, Diagnostics& diagnostics) {
  return from_osm(crossing(), "t", diagnostics, std::move(of)).value();
}

}  // namespace

TEST_CASE("lanes: each part of a road has the height of its way") {
  Diagnostics diagnostics;
  Heights seen = heights();
  std::set<osm::Id> asked;
  seen.at = [&](osm::Id from, osm::Id to, const geo::LocalFrame& frame, geo::EastNorth at) {
    const double east = kFrame.to_plane(frame.to_geographic(at)).east;
    // The joint of ways 10 and 11 is at 50 m. Places beside the line are looked at, too.
    if (from == to && from <= 11 && std::fabs(east - 50) > 0.1) CHECK((from == 10) == (east < 50));
    asked.insert(from);
    return 0.0;
  };
  to_opendrive(network(seen, diagnostics));
  CHECK(asked == std::set<osm::Id>{10, 11, 12, 13, 14});
  CHECK(diagnostics.items().size() == 1);  // guesses
}

TEST_CASE("lanes: OpenDRIVE has elevations without steps and kinks, and names the geoid") {
  Diagnostics diagnostics;
  const opendrive::Network made = to_opendrive(network(heights(), diagnostics));
  CHECK(made.datum == opendrive::Network::Datum::geoid);
  CHECK(opendrive::write(made).find("+geoidgrids=egm96_15.gtx +vunits=m") != std::string::npos);
  for (const opendrive::Road& road : made.roads) {
    REQUIRE_FALSE(road.elevations.empty());
    const auto grade = [](const opendrive::Road& of, double s) { return detail::grade_at(of.elevations, s); };
    if (!road.junction) {
      // A constant grade is one cubic.
      CHECK(road.elevations.size() == 1);
      const bool is_bridge = road.user_data[0].second == "12";
      const double east = east_of(made.origin, road.plan[0].x, road.plan[0].y);
      CHECK(grade(road, 0).height == doctest::Approx(100 + 0.01 * east + (is_bridge ? 6 : 0)).epsilon(1e-6));
      continue;
    }
    const opendrive::Road &from = made.roads[road.predecessor->id], &to = made.roads[road.successor->id];
    const bool leaves_end = road.predecessor->contact == opendrive::Contact::end,
               meets_end = road.successor->contact == opendrive::Contact::end;
    const auto begin = grade(from, leaves_end ? from.length() : 0), end = grade(to, meets_end ? to.length() : 0);
    CHECK(grade(road, 0).height == doctest::Approx(begin.height).epsilon(1e-9));
    CHECK(grade(road, 0).slope == doctest::Approx(leaves_end ? begin.slope : -begin.slope));
    CHECK(grade(road, road.length()).height == doctest::Approx(end.height).epsilon(1e-9));
    CHECK(std::fabs(grade(road, road.length()).slope - (meets_end ? -end.slope : end.slope)) < 1e-6);
  }
}

TEST_CASE("lanes: nodes of Lanelet2 have their height") {
  Diagnostics diagnostics;
  const osm::Model map = to_lanelet2(network(heights(), diagnostics), diagnostics);
  std::size_t high = 0;
  for (std::uint32_t node = 0; node < map.node_count(); ++node) {
    const auto ele = map.value_of(map.tags_of_node(node), "ele");
    REQUIRE(ele);
    const osm::LatLon at = map.node_positions[node];
    const double above = std::stod(std::string(*ele)) - 100 - 0.01 * kFrame.to_plane({at.lat_deg(), at.lon_deg()}).east;
    CHECK(std::min(std::fabs(above), std::fabs(above - 6)) < 0.002);
    high += above > 3;
  }
  CHECK(high == 6);  // two ends of three bounds of the bridge
}

TEST_CASE("lanes: SUMO's lanes have heights, and the length of their slope") {
  Diagnostics diagnostics;
  Heights steep = heights();
  steep.at = [](osm::Id, osm::Id, const geo::LocalFrame& frame, geo::EastNorth at) {
    return 0.75 * kFrame.to_plane(frame.to_geographic(at)).east;
  };
  const sumo::Net net = to_sumo(network(steep, diagnostics), diagnostics);
  CHECK(net.has_heights);
  for (const sumo::Edge& edge : net.edges) {
    if (edge.is_internal) continue;
    const sumo::Lane& lane = edge.lanes[0];
    const sumo::Point a = lane.shape.front(), b = lane.shape.back();
    for (const sumo::Point& p : lane.shape) CHECK(std::fabs(p.height - 0.75 * east_of(net.origin, p.east, p.north)) < 1e-3);
    CHECK(lane.length == doctest::Approx(std::hypot(b.east - a.east, b.north - a.north, b.height - a.height)).epsilon(1e-3));
  }
  for (const sumo::Junction& junction : net.junctions)
    CHECK(std::fabs(junction.at.height - 0.75 * east_of(net.origin, junction.at.east, junction.at.north)) < 1e-3);
}

TEST_CASE("lanes: without heights nothing is written of them, and bridges are lost") {
  Diagnostics diagnostics;
  const Network flat = network(std::nullopt, diagnostics);
  test::Expected lost(diagnostics);
  CHECK(lost.take(code::kHeight) == "bridges and tunnels that become roads on the plane: 1");
  lost.drop_notes();
  CHECK(opendrive::write(to_opendrive(flat)).find("elevation") == std::string::npos);
  CHECK(sumo::write(to_sumo(flat, diagnostics)).find("z=") == std::string::npos);
  const osm::Model map = to_lanelet2(flat, diagnostics);
  CHECK_FALSE(map.value_of(map.tags_of_node(0), "ele"));
  // Heights that are all on the ground are known, and not written.
  Heights on_ground = heights();
  on_ground.at = nullptr;
  Diagnostics none;
  CHECK(opendrive::write(to_opendrive(network(on_ground, none))) == opendrive::write(to_opendrive(flat)));
  test::Expected of_none(none);
  of_none.drop_notes();
  on_ground.knows = [](osm::Id way) { return way != 12; };
  Diagnostics some;
  network(on_ground, some);
  test::Expected of_some(some);
  CHECK(of_some.take(code::kHeight) == "bridges and tunnels that become roads on the ground: 1");
  of_some.drop_notes();
}

TEST_CASE("lanes: cubics follow heights") {
  std::vector<double> z;
  for (int i = 0; i <= 100; ++i) z.push_back(5 * std::sin(i / 15.0));
  const auto cubics = detail::elevations_of(z, 0.9, 0.1, std::nullopt, 0.005);
  CHECK(cubics.size() < 30);
  CHECK(detail::grade_at(cubics, 0).slope == 0.1);
  for (int i = 0; i <= 100; ++i)
    CHECK(std::fabs(detail::grade_at(cubics, 0.9 * i).height - z[static_cast<std::size_t>(i)]) < 0.0051);
  const std::vector<double> two = {1, 3};
  CHECK(detail::elevations_of(two, 4, std::nullopt, std::nullopt, 0.01).size() == 1);
  CHECK(detail::grade_at(detail::elevations_of(two, 4, std::nullopt, std::nullopt, 0.01), 2).height == 2);
}
