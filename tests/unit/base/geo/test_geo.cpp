#include <doctest/doctest.h>

#include <cmath>

#include "base/geo/geo.hpp"

using namespace simbatch::geo;

TEST_CASE("geo: the map plane goes there and back, and its axes point east and north") {
  const LocalFrame frame({48.137, 11.575});
  const EastNorth origin = frame.to_plane({48.137, 11.575});
  CHECK(std::abs(origin.east) < 1e-9);
  CHECK(std::abs(origin.north) < 1e-9);
  CHECK(frame.to_plane({48.138, 11.575}).north == doctest::Approx(111.2).epsilon(0.001));
  CHECK(frame.to_plane({48.137, 11.576}).east == doctest::Approx(74.4).epsilon(0.001));
  const LatLon back = frame.to_geographic(frame.to_plane({48.2, 11.4}));
  CHECK(std::abs(back.lat - 48.2) < 1e-12);
  CHECK(std::abs(back.lon - 11.4) < 1e-12);
}

TEST_CASE("geo: distances on the map plane agree with the geodesic to 2e-6 within 10 km") {
  const LatLon origin{-31.95, 115.86};
  const LocalFrame frame(origin);
  for (const LatLon place : {LatLon{-31.9, 115.8}, LatLon{-32.0, 115.95}, LatLon{-31.95, 115.96}}) {
    const EastNorth p = frame.to_plane(place);
    CHECK(std::hypot(p.east, p.north) == doctest::Approx(geodesic(origin, place).distance).epsilon(2e-6));
  }
}

TEST_CASE("geo: UTM of a place, and its convergence east of the central meridian in the north is positive") {
  const auto utm = to_utm({38.7, -9.14});
  REQUIRE(utm);
  CHECK(utm->zone == 29);
  CHECK(utm->north);
  const auto back = from_utm(*utm);
  REQUIRE(back);
  CHECK(back->lat == doctest::Approx(38.7).epsilon(1e-12));
  CHECK_FALSE(to_utm({85, 0}));
  CHECK_FALSE(from_utm({.zone = 61}));
  const auto east = to_utm({45, 10.5});  // zone 32, central meridian 9
  REQUIRE(east);
  const auto convergence = utm_convergence(*east);
  REQUIRE(convergence);
  // Grid north lies east of true north... of a place east of the central meridian: sin(lat) * difference of longitude.
  CHECK(*convergence == doctest::Approx(radians(1.5) * std::sin(radians(45))).epsilon(0.001));
  CHECK(LocalFrame({45, 9}).convergence({45, 10.5}) == doctest::Approx(-*convergence).epsilon(0.001));
}
