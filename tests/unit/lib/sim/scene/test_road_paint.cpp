// The paint on roads: of each level its own, one-way streets without a middle line, stripes and bars across.
#include <doctest/doctest.h>

#include "lib/sim/scene/paint.hpp"

using namespace simbatch;
using namespace simbatch::scene;

namespace {
constexpr double kPixel = 0.02;  // m

/// Whether there is white paint at a place of a road.
bool is_white(const RoadMap& map, double x, double z, double y = 0, Material material = Material::road) {
  Paint paint;
  paint.material = material;
  const Rgb color = surface_color(paint, map, {x, y, z}, {0, 1, 0}, kPixel);
  return color.r > 0.4f && color.g > 0.4f;
}
/// A road to the north, 100 m long, 6 m wide.
RoadAppearance road() { return {{{0, 0}, {0, 100}}, 6}; }
bool any_white(const RoadMap& map, double x, double from, double to) {
  for (double z = from; z < to; z += 0.1)
    if (is_white(map, x, z)) return true;
  return false;
}
}  // namespace

TEST_CASE("road paint: a dashed line between two lanes, none on a one-way street of one lane") {
  RoadAppearance two = road(), one = road();
  one.is_one_way = true;
  one.lanes = 1;
  CHECK(any_white(RoadMap({two}), 0, 10, 20));
  CHECK_FALSE(any_white(RoadMap({one}), 0, 10, 20));
  CHECK(is_white(RoadMap({one}), 2.7, 15));  // its edge
}

TEST_CASE("road paint: lines between all lanes, a solid one between the directions") {
  RoadAppearance wide = road();
  wide.width = 12;
  wide.lanes = 4;
  const RoadMap map({wide});
  for (double z = 10; z < 20; z += 0.25) CHECK(is_white(map, 0, z));
  CHECK(any_white(map, 3, 10, 20));
  CHECK(any_white(map, -3, 10, 20));
  CHECK_FALSE(any_white(map, 1.5, 10, 20));
  wide.is_one_way = true;
  wide.lanes = 3;
  const RoadMap three({wide});
  CHECK(any_white(three, 2, 10, 20));
  CHECK(any_white(three, -2, 10, 20));
  CHECK_FALSE(any_white(three, 0, 10, 20));
}

TEST_CASE("road paint: of roads over each other, that of the level") {
  RoadAppearance low = road(), high = {{{-50, 50}, {50, 50}}, 6};
  low.y = {0, 0};
  high.y = {5, 5};
  const RoadMap map({low, high});
  CHECK(map.at({0.5, 0, 50.2}).along == doctest::Approx(50.2));
  CHECK(map.at({0.5, 5, 50.2}).along == doctest::Approx(50.5));
  CHECK(map.at({0.5, 2.5, 50.2}).width == 0);
}

TEST_CASE("road paint: a track that lies on a street or crosses it is under its asphalt") {
  RoadAppearance along{{{2, 0}, {2, 100}}, 3}, across{{{-50, 50}, {50, 50}}, 3};
  along.is_marked = across.is_marked = false;
  for (const auto& roads : {std::vector{road(), along, across}, std::vector{across, along, road()}}) {
    const RoadMap map(roads);
    for (const double z : {20.0, 50.0}) {
      CHECK(map.at({2, 0, z}).is_marked);
      CHECK(map.at({2, 0, z}).width == 6);
      CHECK(map.frame_at({2, 0, z}).is_marked);
      CHECK(is_white(map, 2.7, z));
    }
    CHECK(map.at({3.4, 0, 20}).width == 3);  // beside the street
    CHECK_FALSE(map.at({3.4, 0, 20}).is_marked);
    CHECK_FALSE(map.at({-10, 0, 50}).is_marked);
  }
  RoadAppearance beyond{{{0, 100}, {0, 200}}, 3};
  beyond.is_marked = false;
  const RoadMap map({road(), beyond});
  CHECK(map.at({0, 0, 99.5}).is_marked);
  CHECK_FALSE(map.at({0, 0, 100.5}).is_marked);
}

TEST_CASE("road paint: stripes of a crossing, and a stop line on the right") {
  RoadAppearance marked = road();
  marked.marks = {{30, false, 0}, {60, true, 1}};
  const RoadMap map({marked});
  CHECK(is_white(map, 0.5, 29));
  CHECK(is_white(map, -0.5, 31));
  CHECK_FALSE(is_white(map, 1.0, 30));
  CHECK_FALSE(is_white(map, 0.5, 33));
  CHECK(is_white(map, 0.5, 29, 0, Material::junction));
  CHECK(is_white(map, 1.5, 60));  // to the right of a road to the north is east
  CHECK_FALSE(is_white(map, -1.5, 60));
  CHECK_FALSE(is_white(map, 1.5, 60, 0, Material::junction));
}

TEST_CASE("road paint: a lane of a road network has the lines of its boundaries") {
  RoadAppearance lane = road();
  lane.width = 4;
  lane.lanes = 1;
  lane.is_one_way = true;
  lane.lines = {LaneLine::double_yellow, LaneLine::broken_white};
  lane.marks = {{60, true, 0}};
  const RoadMap map({lane});
  Paint paint;
  paint.material = Material::road;
  const auto is_yellow = [&](double x, double z) {
    const Rgb color = surface_color(paint, map, {x, 0, z}, {0, 1, 0}, kPixel);
    return color.r > 0.4f && color.b < 0.15f;
  };
  for (double z = 10; z < 22; z += 0.5) {
    CHECK(is_yellow(-1.91, z));
    CHECK(is_yellow(-1.73, z));
    CHECK_FALSE(is_yellow(-1.82, z));  // between the two
    CHECK_FALSE(is_white(map, -1.85, z));
  }
  int dashes = 0;
  for (double z = 12; z < 24; z += 0.1) dashes += is_white(map, 1.85, z) ? 1 : 0;
  CHECK(dashes == doctest::Approx(60).epsilon(0.1));  // 3 m of 6 m
  CHECK(is_white(map, 0, 60));                        // the stop line
  CHECK_FALSE(is_white(map, 0, 59));
}

TEST_CASE("road paint: maps of any size have it") {
  RoadAppearance far_away = road();
  for (geo::EastNorth& p : far_away.line) p.east += 200'000;
  const RoadMap map({road(), far_away});
  CHECK(any_white(map, 0, 10, 20));
  CHECK(any_white(map, 200'000, 10, 20));
  CHECK_FALSE(any_white(map, 100'000, 10, 20));
}
