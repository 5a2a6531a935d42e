// Carriageways of road networks: what is covered, and which lines lie where.
#include "lib/roads/network_lanes.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace simbatch;
using roads::BorderLine, roads::network_surfaces;

namespace {

const geo::LocalFrame kFrame({48, 11});

/// Lanes of one segment, 100 m to the north, at these places to the east (m).
struct Street {
  rndf::Lane& lane(double east, bool is_north, double width_ft = 12) {
    rndf::Segment& segment = network.segments.emplace_back();
    segment.id = static_cast<int>(network.segments.size());
    rndf::Lane& lane = segment.lanes.emplace_back();
    lane.segment = segment.id;
    lane.number = 1;
    lane.width_ft = width_ft;
    for (int i = 0; i < 3; ++i) add(lane, east, is_north ? 50.0 * i : 100 - 50.0 * i);
    return lane;
  }
  static void add(rndf::Lane& lane, double east, double north) {
    const geo::LatLon place = kFrame.to_geographic({east, north});
    rndf::Waypoint waypoint;
    waypoint.id = {lane.segment, lane.number, static_cast<int>(lane.waypoints.size()) + 1};
    waypoint.lat = place.lat;
    waypoint.lon = place.lon;
    lane.waypoints.push_back(waypoint);
  }
  rndf::Rndf network;
};

double area(const std::vector<geo::EastNorth>& triangles) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const geo::EastNorth a = triangles[i], b = triangles[i + 1], c = triangles[i + 2];
    const double twice = (b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east);
    CHECK(twice > 0);
    sum += twice / 2;
  }
  return sum;
}

}  // namespace

TEST_CASE("network lanes: a lane is as wide as the file says, with a shoulder on both sides") {
  Street street;
  street.lane(0, true, 10);
  const roads::NetworkSurfaces made = network_surfaces(street.network, kFrame);
  REQUIRE(made.lanes.size() == 1);
  CHECK(made.lanes[0].width == doctest::Approx(3.048));
  CHECK(area(made.marked) == doctest::Approx(304.8).epsilon(1e-4));
  CHECK(area(made.plain) == doctest::Approx(100).epsilon(1e-4));
}

TEST_CASE("network lanes: what two lanes cover is covered once") {
  Street street;
  street.lane(0, true);
  street.lane(3, false);
  const roads::NetworkSurfaces made = network_surfaces(street.network, kFrame);
  CHECK(area(made.marked) == doctest::Approx(100 * (3 + 3.6576)).epsilon(1e-4));
  CHECK(area(made.plain) == doctest::Approx(100).epsilon(1e-4));
}

TEST_CASE("network lanes: usual lines where a file names none") {
  Street street;
  street.lane(0, true);
  street.lane(4, true);
  street.lane(-4, false);
  const auto lanes = network_surfaces(street.network, kFrame).lanes;
  REQUIRE(lanes.size() == 3);
  CHECK(lanes[0].right == BorderLine::broken_white);
  CHECK(lanes[0].left == BorderLine::double_yellow);
  CHECK(lanes[1].left == BorderLine::none);  // painted by the first lane
  CHECK(lanes[1].right == BorderLine::solid_white);
  CHECK(lanes[2].left == BorderLine::none);
  CHECK(lanes[2].right == BorderLine::solid_white);
}

TEST_CASE("network lanes: of a file that names lines only those, between two lanes the more restrictive one") {
  Street street;
  street.lane(0, true).right = rndf::Boundary::broken_white;
  street.lane(4, true).left = rndf::Boundary::solid_white;
  street.lane(-4, false).left = rndf::Boundary::solid_yellow;
  const auto lanes = network_surfaces(street.network, kFrame).lanes;
  CHECK(lanes[0].right == BorderLine::solid_white);
  CHECK(lanes[0].left == BorderLine::solid_yellow);
  CHECK(lanes[1].right == BorderLine::none);
  CHECK(lanes[1].left == BorderLine::none);
}

TEST_CASE("network lanes: stop lines lie at their waypoints, exits join lanes, zones and places are covered") {
  Street street;
  street.network.segments.reserve(2);
  rndf::Lane& lane = street.lane(0, true);
  lane.stops.push_back({{1, 1, 3}, {}});
  lane.exits.push_back({{1, 1, 3}, {2, 1, 1}, {}});
  rndf::Lane& across = street.lane(20, true);
  for (rndf::Waypoint& waypoint : across.waypoints) {
    const geo::EastNorth at = kFrame.to_plane({waypoint.lat, waypoint.lon});
    const geo::LatLon moved = kFrame.to_geographic({at.east, at.north + 120});
    waypoint.lat = moved.lat;
    waypoint.lon = moved.lon;
  }
  const double before = area(network_surfaces(street.network, kFrame).plain);
  CHECK(before > 200 + 20 * 4);  // two shoulders, and over 28 m of a curve
  rndf::Zone& zone = street.network.zones.emplace_back();
  zone.id = 3;
  for (const auto& [east, north] : {std::pair{100, 0}, {140, 0}, {140, 30}, {100, 30}}) {
    const geo::LatLon place = kFrame.to_geographic({static_cast<double>(east), static_cast<double>(north)});
    rndf::Waypoint waypoint;
    waypoint.id = {3, 0, static_cast<int>(zone.perimeter.size()) + 1};
    waypoint.lat = place.lat;
    waypoint.lon = place.lon;
    zone.perimeter.push_back(waypoint);
  }
  rndf::Spot& spot = zone.spots.emplace_back();
  spot.width_ft = 10;
  for (const double north : {10.0, 15.0}) {
    const geo::LatLon place = kFrame.to_geographic({120, north});
    spot.waypoints.push_back({{3, 1, static_cast<int>(spot.waypoints.size()) + 1}, true, place.lat, place.lon, {}});
  }
  const roads::NetworkSurfaces made = network_surfaces(street.network, kFrame);
  REQUIRE(made.lanes.size() == 3);
  REQUIRE(made.lanes[0].stops.size() == 1);
  CHECK(made.lanes[0].stops[0] == doctest::Approx(100).epsilon(1e-6));
  CHECK(made.lanes[2].left == BorderLine::solid_white);
  CHECK(area(made.marked) == doctest::Approx(2 * 365.76 + 5 * 3.048).epsilon(1e-3));
  CHECK(area(made.plain) - before == doctest::Approx(1200 - 5 * 3.048).epsilon(1e-3));
}

TEST_CASE("network lanes: places without an end, broken widths and huge zones are left out") {
  Street street;
  rndf::Lane& lane = street.lane(0, true, 5000);
  Street::add(lane, 0, 40'000);
  lane.waypoints.push_back({{1, 1, 5}, false, 0, 0, {}});
  lane.waypoints.push_back({{1, 1, 6}, true, -89, 170, {}});
  street.network.zones.emplace_back();
  for (const double lat : {48.0, 48.5, 48.5})
    street.network.zones[0].perimeter.push_back({{2, 0, 1}, true, lat, 11 + lat / 100, {}});
  const roads::NetworkSurfaces made = network_surfaces(street.network, kFrame);
  REQUIRE(made.lanes.size() == 1);
  CHECK(made.lanes[0].line.size() == 3);
  CHECK(made.lanes[0].width == doctest::Approx(roads::kUsualLane));
  CHECK(area(made.plain) == doctest::Approx(100).epsilon(1e-4));
}

TEST_CASE("network lanes: thousands of exits over each other, and lanes around the world, end soon") {
  Street street;
  street.lane(0, true);
  street.lane(20, false);
  for (int i = 0; i < 5000; ++i) street.network.segments[0].lanes[0].exits.push_back({{1, 1, 3}, {2, 1, 1}, {}});
  for (int i = 0; i < 20'000; ++i) Street::add(street.network.segments[1].lanes[0], i % 2 == 0 ? 4000 : -900, i % 7);
  const roads::NetworkSurfaces made = network_surfaces(street.network, kFrame);
  CHECK(made.lanes.size() == 1);  // the other one is longer than all that is drawn
  CHECK(area(made.plain) > 100);
}
