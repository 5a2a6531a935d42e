#include <doctest/doctest.h>

#include <initializer_list>

#include "formats/osm/antimeridian.hpp"

using namespace simbatch;

TEST_CASE("osm: maps across the antimeridian have nodes on both sides of it and none elsewhere") {
  const auto crosses = [](std::initializer_list<int> longitudes) {
    osm::Model map;
    osm::Id id = 1;
    for (const int degrees : longitudes) map.add_node(id++, {-170'000'000, degrees * 10'000'000});
    return osm::crosses_antimeridian(map);
  };
  CHECK(crosses({179, -179}));
  CHECK(crosses({-180, 172}));
  CHECK_FALSE(crosses({}));
  CHECK_FALSE(crosses({179, 175}));
  CHECK_FALSE(crosses({-179, -180}));
  CHECK_FALSE(crosses({-1, 1}));
  CHECK_FALSE(crosses({179, 0, -179}));  // the whole earth
}
