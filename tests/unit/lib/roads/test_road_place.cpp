// Places given by a road, a distance and a lane.

#include <doctest/doctest.h>

#include <numbers>

#include "lib/roads/road_place.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {

Road way(osm::Id id, const char* name, std::vector<geo::EastNorth> line, std::uint32_t first, std::uint32_t last,
         double width = 6) {
  Road road;
  road.id = id;
  road.name = name;
  road.width = width;
  road.line = std::move(line);
  road.at = {0, static_cast<std::uint32_t>(road.line.size() - 1)};
  road.nodes = {first, last};
  return road;
}

// "High Street" goes 100 m to the north, then 50 m to the east; its second way is drawn towards the first.
std::vector<Road> town() {
  return {way(7, "High Street", {{0, 0}, {0, 60}, {0, 100}}, 1, 2), way(8, "Mill Lane", {{0, 0}, {-30, 0}}, 1, 5, 14),
          way(9, "High Street", {{50, 100}, {0, 100}}, 3, 2), way(10, "High Street", {{500, 500}, {600, 500}}, 11, 12),
          way(11, "", {{0, 0}, {0, -10}}, 1, 6)};
}

struct Found {
  std::optional<RoadPlace> place;
  std::string problem;
};
Found find(const RoadAddress& address) {
  Found found;
  found.place = place_on(town(), address, found.problem);
  CHECK(found.place.has_value() == found.problem.empty());
  return found;
}

void check(const RoadAddress& address, double east, double north, double heading) {
  const Found found = find(address);
  INFO(found.problem);
  REQUIRE(found.place);
  CHECK(found.place->at.east == doctest::Approx(east));
  CHECK(found.place->at.north == doctest::Approx(north));
  CHECK(found.place->heading == doctest::Approx(heading));
}

}  // namespace

TEST_CASE("road place: along the ways of a name, joined and turned around where they meet") {
  constexpr double kEast = std::numbers::pi / 2;
  check({"High Street", 20, 1}, 1.5, 20, 0);
  check({"High Street", 60, -1}, -1.5, 60, 0);
  check({"High Street", 120, 1}, 20, 98.5, kEast);
  check({"High Street", 0, 0}, 0, 0, 0);
  check({"High Street", 150, 0}, 50, 100, kEast);
  check({"High Street", -10, 0}, 40, 100, kEast);
  check({"High Street", {}, 0}, 0, 75, 0);
  check({"9", 10, 0}, 40, 100, -kEast);
  check({"11", 1, 1}, -1.5, -1, std::numbers::pi);
}

TEST_CASE("road place: lanes from the center line outward") {
  check({"Mill Lane", 10, 1}, -10, 1.75, -std::numbers::pi / 2);
  check({"Mill Lane", 10, 2}, -10, 5.25, -std::numbers::pi / 2);
  check({"Mill Lane", 10, -2}, -10, -5.25, -std::numbers::pi / 2);
  CHECK(find({"Mill Lane", 10, 3}).problem == "\"Mill Lane\" has 2 lanes in each direction, being 14 m wide there");
  CHECK(find({"High Street", 10, -2}).problem == "\"High Street\" has 1 lane in each direction, being 6 m wide there");
}

TEST_CASE("road place: what the map does not have") {
  CHECK(find({"High Stret", 10, 1}).problem == "the map has no road \"High Stret\", did you mean \"High Street\"?");
  CHECK(find({"Elsewhere", 10, 1}).problem == "the map has no road \"Elsewhere\"; it has \"High Street\", \"Mill Lane\"");
  CHECK(find({"99", 10, 1}).problem.starts_with("the map has no road \"99\""));
  CHECK(find({"High Street", 151, 1}).problem == "\"High Street\" is 150 m long");
  CHECK(find({"High Street", -151, 1}).problem == "\"High Street\" is 150 m long");
  std::string problem;
  CHECK(!place_on({}, {"a", {}, 1}, problem));
  CHECK(problem == "the map has no road \"a\"");
  problem.clear();
  CHECK(!place_on({way(1, "dot", {{1, 1}, {1, 1}}, 1, 2)}, {"dot", {}, 1}, problem));
  CHECK(problem == "\"dot\" has no length");
}
