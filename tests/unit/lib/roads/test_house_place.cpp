// Places given by a house.

#include <doctest/doctest.h>

#include <numbers>

#include "lib/roads/house_place.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {

Road road(double width, std::vector<geo::EastNorth> line) {
  Road made;
  made.width = width;
  made.line = std::move(line);
  return made;
}

Prism prism(osm::Id id, const char* name, const char* address, geo::EastNorth middle) {
  Prism made;
  made.id = id;
  made.name = name;
  made.address = address;
  for (const auto& [e, n] : {std::pair{-5.0, -5.0}, {5.0, -5.0}, {5.0, 5.0}, {-5.0, 5.0}})
    made.outer.push_back({middle.east + e, middle.north + n});
  return made;
}

HouseBox box(osm::Id id, const char* name, geo::EastNorth middle) {
  HouseBox made;
  made.id = id;
  made.name = name;
  made.base = {middle.east, 0, middle.north};
  return made;
}

/// A road of two lanes each way to the north, with a path beside it, a tunnel under the hall and a one-way road in the east.
struct Village {
  std::vector<Road> roads{road(12, {{0, 0}, {0, 100}}), road(2, {{-8, 0}, {-8, 100}}), road(6, {{20, 0}, {20, 100}}),
                          road(6, {{200, 100}, {200, 0}})};
  std::vector<Prism> prisms{prism(7, "Town Hall", "High Street 1", {20, 40}), prism(8, "", "High Street 2", {-20, 60}),
                            prism(9, "", "", {190, 50})};
  std::vector<HouseBox> boxes{box(-1, "villa", {15, 10}), box(-2, "villa", {15, 20})};
  Village() {
    roads[2].is_tunnel = true;
    roads[3].one_way = -1;
  }
  std::optional<RoadPlace> find(const char* house, std::string& problem) const {
    return place_by_house({&prisms, &boxes}, roads, house, problem);
  }
};

}  // namespace

TEST_CASE("house place: in front of it, in the outermost lane on its side") {
  const Village village;
  struct Row {
    const char* house;
    double east, north, heading;
  };
  constexpr double kAgainst = std::numbers::pi;
  for (const Row& row : {Row{"Town Hall", 4.5, 40, 0},
                         {"High Street 1", 4.5, 40, 0},
                         {"7", 4.5, 40, 0},
                         {"High Street 2", -4.5, 60, kAgainst},
                         {"-2", 4.5, 20, 0},
                         // drawn to the south, traffic only against that
                         {"9", 198.5, 50, 2 * kAgainst}}) {
    CAPTURE(row.house);
    std::string problem;
    const auto place = village.find(row.house, problem);
    INFO(problem);
    REQUIRE(place);
    CHECK(place->at.east == doctest::Approx(row.east));
    CHECK(place->at.north == doctest::Approx(row.north));
    CHECK(place->heading == doctest::Approx(row.heading));
  }
}

TEST_CASE("house place: what there is not") {
  const Village village;
  const auto problem_of = [&](const char* house) {
    std::string problem;
    CHECK_FALSE(village.find(house, problem));
    return problem;
  };
  CHECK(problem_of("Town Hal") == "the map has no house \"Town Hal\", did you mean \"Town Hall\"?");
  CHECK(problem_of("xyz") == "the map has no house \"xyz\"; it has \"Town Hall\", ...");
  CHECK(problem_of("12") == "the map has no house \"12\"; it has \"Town Hall\", ...");
  CHECK(problem_of("villa") == "2 houses are called \"villa\", expected the id of one: -1, -2");
  std::string problem;
  CHECK_FALSE(place_by_house({}, village.roads, "x", problem));
  CHECK(problem == "the map has no house \"x\", and no other");
  CHECK_FALSE(place_by_house({&village.prisms, nullptr}, {}, "9", problem));
  CHECK(problem == "the map has no road that the house \"9\" is beside");
  // A path is used only where there is no road.
  const std::vector<Road> paths{village.roads[1]};
  const auto place = place_by_house({&village.prisms, nullptr}, paths, "9", problem);
  REQUIRE(place);
  CHECK(place->at.east == doctest::Approx(-7.5));
}
