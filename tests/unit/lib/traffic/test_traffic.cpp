#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lib/traffic/network.hpp"
#include "lib/traffic/traffic.hpp"

using namespace simbatch;
using namespace simbatch::traffic;
using doctest::Approx;

TEST_CASE("traffic: arrivals are the pauses and the distances over the speeds") {
  const Motion m({0, 0, 0}, 0.5, 2, {{{0, 0, 10}, 5, 1}, {{30, 0, 10}, 10, 0}, {{30, 0, 10}, 1, 4}, {{30, 0, 0}, 2, 0}});
  CHECK(m.arrival(0) == Approx(4));
  CHECK(m.arrival(1) == Approx(8));
  CHECK(m.arrival(2) == Approx(8));
  CHECK(m.arrival(3) == Approx(17));
  CHECK(m.end() == Approx(17));
  CHECK(m.at(-1).heading == 0.5);
  CHECK(m.at(1.9).position == geo::Vec3{0, 0, 0});
  CHECK(m.at(3).position.z == Approx(5));
  CHECK(m.at(3).heading == 0);
  CHECK(m.at(3).speed == 5);
  CHECK(m.at(4.5).position == geo::Vec3{0, 0, 10});
  CHECK(m.at(4.5).goal == 0);
  CHECK(m.at(4.5).speed == 0);
  CHECK(m.at(6).position.x == Approx(10));
  CHECK(m.at(6).heading == Approx(std::numbers::pi / 2));
  CHECK(m.at(9).goal == 2);
  CHECK(m.at(14.5).position.z == Approx(5));
  CHECK(m.at(1e9).position == geo::Vec3{30, 0, 0});
  CHECK(m.at(1e9).goal == 4);
}

TEST_CASE("traffic: without speed an object never arrives, without goals it stands") {
  const Motion never({1, 2, 3}, 0, 0, {{{5, 2, 3}, 0, 0}, {{9, 2, 3}, 1, 0}});
  CHECK(std::isinf(never.arrival(0)));
  CHECK(never.at(1e12).position == geo::Vec3{1, 2, 3});
  CHECK(never.at(1e12).goal == 0);
  const Motion stands({1, 2, 3}, 1, 7, {});
  CHECK(stands.at(8).position == geo::Vec3{1, 2, 3});
  CHECK(stands.end() == 7);
}

TEST_CASE("traffic: objects stand at their waypoints, headed along the lane, and distances are GeographicLib's") {
  const auto network = rndf::read_rndf(
      "RNDF_name n\nnum_segments 1\nnum_zones 0\nsegment 1\nnum_lanes 1\nlane 1.1\nnum_waypoints 3\n1.1.1 48.0 11.0\n1.1.2 48.001 11.0\n"
      "1.1.3 48.001 11.002\nend_lane\nend_segment\nend_file\n",
      "n");
  REQUIRE(network.ok());
  const rndf::Index index(*network.value);
  cajunbot::ObjectFile file;
  cajunbot::Object o;
  o.type = cajunbot::Type::dynamic;
  o.start = {1, 1, 1};
  o.goals = {{10, 1, {1, 1, 2}, false}, {5, 0, {1, 1, 3}, false}};
  file.objects.push_back(o);
  o = {};
  o.start = {1, 1, 3};
  o.position = {1, 2, 3};
  o.orientation_deg = {0, 0, 90};
  file.objects.push_back(o);
  o.start = {};
  file.objects.push_back(o);
  o.start = {9, 9, 9};
  file.objects.push_back(o);
  o = {};
  o.type = cajunbot::Type::dynamic;
  o.script = {{2, 0, 10, 0}, {2, 0, 10, 90}};
  file.objects.push_back(o);
  const PlacedObjects r = place_objects(file, index, *first_place(*network.value));
  REQUIRE(r.objects.size() == 4);
  const Motion m = r.objects[0].motion();
  const double first = geo::geodesic({48, 11}, {48.001, 11}).distance,
               second = geo::geodesic({48.001, 11}, {48.001, 11.002}).distance;
  // The plane's scale differs from 1 by under 1e-8 within 150 m of its meridian.
  CHECK(m.arrival(0) == Approx(first / 10).epsilon(1e-7));
  CHECK(m.arrival(1) == Approx(first / 10 + 1 + second / 5).epsilon(1e-7));
  CHECK(r.objects[0].heading == Approx(0).epsilon(1e-9));
  CHECK(r.objects[1].position.y == 3);
  // From 1.1.2 to 1.1.3 the lane runs east; 90 degrees counter-clockwise of that is north.
  CHECK(std::fabs(r.objects[1].heading) < 1e-4);
  CHECK(r.objects[2].position == geo::Vec3{1, 3, 2});
  CHECK(r.objects[3].targets[0].to.z == Approx(10));
  CHECK(r.objects[3].targets[1].to.x == Approx(-10));
  CHECK(r.objects[1].place.lon > 11.002);
}

TEST_CASE("traffic: what is wrong with a goal is reported at the goal, not at its object") {
  Diagnostics none;
  const auto network = read_network(
      "RNDF_name\tn\nnum_segments\t1\nnum_zones\t0\nsegment\t1\nnum_lanes\t1\nlane\t1.1\nnum_waypoints\t2\n"
      "1.1.1\t34.5\t-117.25\n1.1.2\t34.501\t-117.25\nend_lane\nend_segment\nend_file\n",
      "n.rndf", {}, none);
  REQUIRE(network);
  const auto problem_of = [&](const std::string& goal) {
    auto file = cajunbot::read_v2(
        "<object_file><name>f</name>\n<object type=\"dynamic\" shape=\"box\"><name>A</name>\n"
        "<start_position segment=\"1\" lane=\"1\" waypoint=\"2\"/>\n<position_offset x=\"0\" y=\"0\" z=\"0\"/>"
        "<orientation_offset x=\"0\" y=\"0\" z=\"0\"/>\n<size x=\"1\" y=\"1\" z=\"1\"/>"
        "<initial_pause>0</initial_pause>\n <goal speed=\"1\" pause=\"0\" " +
            goal + "/></object></object_file>",
        "f.xml");
    REQUIRE(file.ok());
    Diagnostics problems;
    (void)resolve_objects(*file.value, network->index, network->origin, problems);
    REQUIRE(problems.items().size() == 1);
    CHECK(problems.items()[0].at == Position{6, 2});
    return std::string(problems.items()[0].code);
  };
  CHECK(problem_of("segment=\"1\" lane=\"1\" waypoint=\"99\"") == "object-waypoint-missing");
  CHECK(problem_of("segment=\"1\" lane=\"7\"") == "object-goal-lane");
  CHECK(problem_of("segment=\"1\" lane=\"1\"") == "object-goal-empty");
}

TEST_CASE("traffic: a network is read and checked once, with all its problems") {
  Diagnostics good("n.rndf"), bad("n.rndf");
  const auto network = read_network(
      "RNDF_name\tn\nnum_segments\t1\nnum_zones\t0\nsegment\t1\nnum_lanes\t1\nlane\t1.1\nnum_waypoints\t2\n"
      "1.1.1\t34.5\t-117.25\n1.1.2\t34.501\t-117.25\nend_lane\nend_segment\nend_file\n",
      "n.rndf", {}, good);
  REQUIRE(network);
  CHECK(good.empty());
  CHECK(network->origin == geo::LatLon{34.5, -117.25});
  CHECK(network->index.find({1, 1, 2}) != nullptr);
  CHECK(read_network("RNDF_name\tn\nsegment\tx\n", "n.rndf", {}, bad) == nullptr);
  CHECK(bad.errors() == 1);
  CHECK(bad.warnings() > 2);
}
