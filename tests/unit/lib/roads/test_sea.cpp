// The sea in a rectangle, by the side of coastlines.
#include "lib/roads/sea.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace simbatch;
using geo::EastNorth;
using roads::CoastPiece;

namespace {

using Parts = std::vector<std::vector<EastNorth>>;

double twice_area(const std::vector<EastNorth>& polygon) {
  double sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const EastNorth a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    sum += a.east * b.north - a.north * b.east;
  }
  return sum;
}
double area(const Parts& parts) {
  double sum = 0;
  for (const auto& part : parts) {
    CHECK(part.size() >= 3);
    CHECK(part.size() <= 4);
    CHECK(twice_area(part) > 0);
    sum += twice_area(part) / 2;
  }
  return sum;
}
/// How many parts cover a place.
int cover(const Parts& parts, EastNorth p) {
  int count = 0;
  for (const auto& part : parts) {
    bool is_in = true;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const EastNorth a = part[i], b = part[(i + 1) % part.size()];
      is_in = is_in && (b.east - a.east) * (p.north - a.north) - (b.north - a.north) * (p.east - a.east) > 0;
    }
    count += is_in ? 1 : 0;
  }
  return count;
}
std::vector<CoastPiece> coast(const std::vector<EastNorth>& line) {
  std::vector<CoastPiece> pieces;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) pieces.push_back({line[i], line[i + 1]});
  return pieces;
}

}  // namespace

TEST_CASE("sea: without a coastline there is none, and a rectangle far from it is all land or all sea") {
  CHECK(roads::sea_parts({}, {0, 0}, {100, 100}).empty());
  CHECK(area(roads::sea_parts(coast({{500, -1000}, {500, 1000}}), {0, 0}, {100, 100})) == 0);  // sea in the east
  CHECK(area(roads::sea_parts(coast({{500, 1000}, {500, -1000}}), {0, 0}, {100, 100})) == doctest::Approx(10'000));
}

TEST_CASE("sea: water is on the right, up to the line") {
  const Parts parts = roads::sea_parts(coast({{-10, 30}, {40, 30}, {40, 70}, {110, 70}}), {0, 0}, {100, 100});
  CHECK(area(parts) == doctest::Approx(40 * 30 + 60 * 70));
  CHECK(cover(parts, {39.9, 29.9}) == 1);
  CHECK(cover(parts, {39.9, 30.1}) == 0);
  CHECK(cover(parts, {40.1, 69.9}) == 1);
  CHECK(cover(parts, {40.1, 70.1}) == 0);
}

TEST_CASE("sea: an island is land, a basin is sea") {
  std::vector<EastNorth> ring;
  for (int i = 0; i <= 72; ++i)
    ring.push_back({50 + 20 * std::cos(i * std::numbers::pi / 36), 50 + 20 * std::sin(i * std::numbers::pi / 36)});
  ring.back() = ring.front();
  const double inside = 72 * 0.5 * 20 * 20 * std::sin(std::numbers::pi / 36);
  CHECK(area(roads::sea_parts(coast(ring), {0, 0}, {100, 100})) == doctest::Approx(10'000 - inside).epsilon(2e-4));
  std::vector<EastNorth> other(ring.rbegin(), ring.rend());
  CHECK(area(roads::sea_parts(coast(other), {0, 0}, {100, 100})) == doctest::Approx(inside).epsilon(2e-4));
}

TEST_CASE("sea: a coastline that ends within the map goes on as its last piece points") {
  const Parts parts = roads::sea_parts(coast({{0, 50}, {30, 50}}), {0, 0}, {100, 100});
  CHECK(cover(parts, {80, 20}) == 1);
  CHECK(cover(parts, {80, 80}) == 0);
}

TEST_CASE("sea: thin spits are as fine as two meters, and tangled lines end") {
  const Parts parts = roads::sea_parts(coast({{-10, 50}, {60, 50}, {60, 53}, {-10, 53}}), {0, 0}, {100, 100});
  CHECK(cover(parts, {30, 40}) == 1);  // the spit between 50 and 53 is land
  CHECK(cover(parts, {30, 51.5}) == 0);
  CHECK(cover(parts, {30, 60}) == 1);
  std::vector<EastNorth> tangle;
  for (int i = 0; i < 200; ++i) tangle.push_back({1000.0 * ((i * 7919) % 1000) / 1000, 1000.0 * ((i * 104'729) % 997) / 997});
  CHECK(area(roads::sea_parts(coast(tangle), {0, 0}, {1000, 1000})) < 1e6);
}
