// Rotations, poses, boxes and map planes at random arguments: matrices, series and laws that they must obey.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/core/random.hpp"
#include "base/geo/bounds.hpp"
#include "base/geo/euler.hpp"
#include "base/geo/frames.hpp"
#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"

using namespace simbatch;
using namespace simbatch::geo;

namespace {

constexpr double kPi = std::numbers::pi;

double between(RandomStream& random, double low, double high) { return low + (high - low) * random.uniform(); }
Vec3 random_vector(RandomStream& random) { return {between(random, -5, 5), between(random, -5, 5), between(random, -5, 5)}; }
Quat random_rotation(RandomStream& random) { return rotation(random_vector(random), between(random, -kPi, kPi)); }

/// Rodrigues' formula: another way to turn v by an angle about an axis.
Vec3 turned(Vec3 axis, double angle, Vec3 v) {
  const Vec3 k = normalized(axis);
  return std::cos(angle) * v + std::sin(angle) * cross(k, v) + (1 - std::cos(angle)) * dot(k, v) * k;
}

void check_near(Vec3 a, Vec3 b, double slack = 1e-12) { CHECK(length(a - b) < slack * (1 + length(a))); }

}  // namespace

TEST_CASE("pose: quaternions turn as Rodrigues' formula does, and compose from right to left") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream random(seed, "turn");
    const Vec3 axis = random_vector(random), v = random_vector(random);
    const double angle = between(random, -7, 7);
    const Quat a = rotation(axis, angle), b = random_rotation(random);
    CAPTURE(seed);
    check_near(a * v, turned(axis, angle, v));
    check_near((a * b) * v, a * (b * v));
    check_near(inverse(a) * (a * v), v);
    CHECK(length(a * v) == doctest::Approx(length(v)));
    check_near(a * cross(v, axis), cross(a * v, a * axis), 1e-11);  // a rotation mirrors nothing
    const Quat n = normalized({3 * b.w, 3 * b.x, 3 * b.y, 3 * b.z});
    CHECK(n.w == doctest::Approx(b.w));
    CHECK(n.z == doctest::Approx(b.z));
  }
  CHECK(normalized(Quat{0, 0, 0, 0}) == Quat{});
  CHECK(normalized(Vec3{}) == Vec3{});
}

TEST_CASE("pose: poses form a group that moves points") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "pose");
    const Pose a{random_vector(random), random_rotation(random)}, b{random_vector(random), random_rotation(random)},
        c{random_vector(random), random_rotation(random)};
    const Vec3 v = random_vector(random);
    CAPTURE(seed);
    check_near((a * b) * v, a * (b * v));
    check_near(((a * b) * c) * v, (a * (b * c)) * v);
    check_near(inverse(a) * (a * v), v);
    check_near(inverse(a * b) * v, (inverse(b) * inverse(a)) * v);
    check_near(Pose{} * v, v);
  }
}

TEST_CASE("pose: the shortest rotation between two directions, also opposite ones") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream random(seed, "shortest");
    const Vec3 from = random_vector(random);
    Vec3 to = random_vector(random);
    if (seed % 4 == 0) to = -2 * from;
    if (seed % 4 == 1) to = 3 * from;
    if (seed % 8 == 2) to = -from + std::pow(10.0, -static_cast<double>(seed % 17)) * to;  // ever closer to opposite
    const Quat q = rotation_between(from, to);
    CAPTURE(seed);
    check_near(q * normalized(from), normalized(to), 4e-15);
    const double angle = std::atan2(length(cross(from, to)), dot(from, to));
    CHECK(2 * std::acos(std::min(1.0, std::abs(q.w))) == doctest::Approx(angle).epsilon(1e-6));
    CHECK(std::hypot(std::hypot(q.w, q.x), std::hypot(q.y, q.z)) == doctest::Approx(1));
  }
}

TEST_CASE("pose: a heading is read from the rotation that it made, whatever pitch and roll follow") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "heading");
    const double angle = between(random, -kPi, kPi), pitch = between(random, -1.5, 1.5), roll = between(random, -3, 3);
    const Quat q = rotation_of_heading(angle) * rotation({1, 0, 0}, pitch) * rotation({0, 0, 1}, roll);
    CAPTURE(seed);
    CHECK(heading(q) == doctest::Approx(angle));
    check_near(rotation_of_heading(angle) * Vec3{0, 0, 1}, direction_of_heading(angle));
    // Counter-clockwise from east: cosine east, sine north.
    const Vec3 d = direction_of_heading(heading_from_east_angle(angle));
    check_near(d, {std::cos(angle), 0, std::sin(angle)});
  }
  CHECK(heading(rotation({1, 0, 0}, kPi / 2)) == doctest::Approx(0));
}

TEST_CASE("euler: angles within their ranges come back as they were, and turn as three matrices do") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream random(seed, "angles");
    const std::array<double, 3> rpy = {between(random, -3.1, 3.1), between(random, -1.5, 1.5), between(random, -3.1, 3.1)};
    const Quat q = from_roll_pitch_yaw(rpy);
    const auto back = roll_pitch_yaw(q), negated = roll_pitch_yaw({-q.w, -q.x, -q.y, -q.z});
    CAPTURE(seed);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(back[i] == doctest::Approx(rpy[i]).epsilon(1e-9));
      CHECK(negated[i] == doctest::Approx(rpy[i]).epsilon(1e-9));  // the same rotation
    }
    // The first column of Rz Ry Rx.
    check_near(q * Vec3{1, 0, 0},
               {std::cos(rpy[2]) * std::cos(rpy[1]), std::sin(rpy[2]) * std::cos(rpy[1]), -std::sin(rpy[1])});
    const EulerPose pose = to_euler({{1, 2, 3}, q});
    CHECK(pose.xyz == std::array{1.0, 2.0, 3.0});
    CHECK(pose.rpy == back);
  }
}

TEST_CASE("frames: exchanging up and forward is its own inverse and keeps lengths, and reverses rotations") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, "swap");
    const Vec3 v = random_vector(random), w = random_vector(random);
    const Quat q = random_rotation(random);
    CHECK(swap_up(swap_up(v)) == v);
    CHECK(dot(swap_up(v), swap_up(w)) == doctest::Approx(dot(v, w)));
    check_near(swap_up(cross(v, w)), -cross(swap_up(v), swap_up(w)));
    check_near(swap_up(q * v), swap_up(q) * swap_up(v));
    CHECK(at_height({v.x, v.z}, v.y) == v);
  }
}

TEST_CASE("bounds: those of random points are their extremes, in any order") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed, "bounds");
    std::vector<Vec3> points(1 + random.below(30));
    for (Vec3& p : points) p = random_vector(random);
    Bounds3 box, turned_box;
    for (const Vec3& p : points) box.add(p);
    for (std::size_t i = points.size(); i-- > 0;) turned_box.add(points[i]);
    const auto extremes =
        std::minmax_element(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) { return a.y < b.y; });
    CHECK(box.low().y == extremes.first->y);
    CHECK(box.high().y == extremes.second->y);
    CHECK(turned_box == box);
    check_near(box.center() + 0.5 * box.size(), box.high());
  }
}

TEST_CASE("geo: rings keep their sense when their corners are rotated or repeated, and lose it when reversed") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, "ring");
    // A star-shaped ring, counter-clockwise as seen with north up and east to the right.
    const LatLon center{between(random, -80, 80), between(random, -170, 170)};
    std::vector<LatLon> ring;
    const std::size_t n = 3 + random.below(10);
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2 * kPi * static_cast<double>(i) / static_cast<double>(n), r = between(random, 0.5, 1) * 1e-3;
      ring.push_back({center.lat + r * std::sin(angle), center.lon + r * std::cos(angle)});
    }
    CAPTURE(seed);
    CHECK_FALSE(is_clockwise(ring));
    std::rotate(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(random.below(n)), ring.end());
    CHECK_FALSE(is_clockwise(ring));
    ring.push_back(ring.front());
    CHECK_FALSE(is_clockwise(ring));
    std::reverse(ring.begin(), ring.end());
    CHECK(is_clockwise(ring));
  }
  CHECK_FALSE(is_clockwise({}));
}

TEST_CASE("geo: map planes are conformal with scale 1 at the origin, by differences along both axes") {
  constexpr double a = 6378137, f = 1 / 298.257223563, e2 = f * (2 - f);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed, "plane");
    const LatLon origin{between(random, -70, 70), between(random, -179, 179)};
    const LocalFrame frame(origin);
    CAPTURE(seed);
    // Radii of curvature of WGS84 in the meridian and across it.
    const double s = std::sin(radians(origin.lat)), w = std::sqrt(1 - e2 * s * s), h = 1e-5;
    const double meridian = a * (1 - e2) / (w * w * w), across = a / w * std::cos(radians(origin.lat));
    CHECK(frame.to_plane({origin.lat + h, origin.lon}).north == doctest::Approx(radians(h) * meridian).epsilon(1e-6));
    CHECK(frame.to_plane({origin.lat, origin.lon + h}).east == doctest::Approx(radians(h) * across).epsilon(1e-6));
    CHECK(frame.convergence(origin) == doctest::Approx(0));
    // Elsewhere north and east still are perpendicular, equally scaled, and turned by the convergence.
    const LatLon place{origin.lat + between(random, -0.2, 0.2), origin.lon + between(random, -0.2, 0.2)};
    const EastNorth here = frame.to_plane(place), up = frame.to_plane({place.lat + h, place.lon}),
                    right = frame.to_plane({place.lat, place.lon + h});
    const double ux = up.east - here.east, uy = up.north - here.north, rx = right.east - here.east,
                 ry = right.north - here.north;
    CHECK(std::abs(ux * rx + uy * ry) < 1e-5 * std::hypot(ux, uy) * std::hypot(rx, ry));
    CHECK(std::atan2(ux, uy) == doctest::Approx(frame.convergence(place)).epsilon(1e-3));
    const LatLon back = frame.to_geographic(here);
    CHECK(std::abs(back.lat - place.lat) < 1e-11);
    CHECK(std::abs(back.lon - place.lon) < 1e-11);
  }
}

TEST_CASE("geo: geodesics are symmetric, and along meridians and the equator have their closed forms") {
  CHECK(geodesic({0, 10}, {0, 11}).distance == doctest::Approx(6378137 * kPi / 180));
  CHECK(geodesic({0, 10}, {0, 11}).azimuth == doctest::Approx(kPi / 2));
  CHECK(geodesic({0, 0}, {90, 0}).distance == doctest::Approx(10001965.7293127));  // the quarter meridian of WGS84
  CHECK(geodesic({0, 0}, {90, 0}).azimuth == doctest::Approx(0));
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomStream random(seed, "geodesic");
    const LatLon p{between(random, -80, 80), between(random, -180, 180)},
        q{between(random, -80, 80), between(random, -180, 180)}, r{between(random, -80, 80), between(random, -180, 180)};
    const double there = geodesic(p, q).distance;
    CHECK(geodesic(q, p).distance == doctest::Approx(there));
    CHECK(there <= geodesic(p, r).distance + geodesic(r, q).distance + 1e-6);
    CHECK(there <= 20003931.4586254);  // half the meridian: the farthest two places can be
    CHECK(geodesic(p, p).distance == 0);
  }
}

TEST_CASE("geo: UTM returns every place of its range in its own zone and in a neighboring one") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream random(seed, "utm");
    const LatLon place{between(random, -79.9, 83.9), between(random, -179.9, 179.9)};
    const auto utm = to_utm(place);
    CAPTURE(seed);
    REQUIRE(utm);
    CHECK(utm->north == (place.lat >= 0));
    if (place.lat < 56) CHECK(utm->zone == static_cast<int>(std::floor((place.lon + 180) / 6)) + 1);
    CHECK(std::abs(utm->easting - 500000) < 700000);
    const auto back = from_utm(*utm);
    REQUIRE(back);
    CHECK(std::abs(back->lat - place.lat) < 1e-10);
    CHECK(std::abs(back->lon - place.lon) < 1e-10);
    const auto other = to_utm(place, utm->zone % 60 + 1);
    if (std::abs(place.lat) > 66) REQUIRE(other);  // there a zone is so narrow that the next one is in range
    if (!other) continue;
    const auto from_other = from_utm(*other);
    REQUIRE(from_other);
    CHECK(std::abs(from_other->lat - place.lat) < 1e-9);
  }
  // The exceptions of Norway and Svalbard.
  CHECK(to_utm({60, 4})->zone == 32);
  CHECK(to_utm({78, 10})->zone == 33);
  CHECK_FALSE(to_utm({0, 0}, 31 + 25));
  CHECK_FALSE(to_utm({std::nan(""), 0}));
}
