// Areas of a map: where they are, and water with room in it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lib/roads/areas.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/water.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using geo::EastNorth;

namespace {
using Tags = std::vector<std::pair<const char*, const char*>>;

/// A map about 48 north, 11 east.
struct MapText {
  geo::LocalFrame frame{{48, 11}};
  osm::Model map;
  int next_node = 1, next_way = 1;
  void add(const std::vector<EastNorth>& places, const Tags& tags, bool is_closed = true) {
    std::vector<std::uint32_t> nodes;
    for (const EastNorth place : places) {
      const geo::LatLon at = frame.to_geographic(place);
      nodes.push_back(static_cast<std::uint32_t>(next_node - 1));
      map.add_node(next_node++,
                   {static_cast<std::int32_t>(std::lrint(at.lat * 1e7)), static_cast<std::int32_t>(std::lrint(at.lon * 1e7))});
    }
    map.add_way(next_way++);
    for (const std::uint32_t node : nodes) map.add_ref(osm::Ref(node));
    if (is_closed) map.add_ref(osm::Ref(nodes.front()));
    for (const auto& [key, value] : tags) map.add_tag(key, value);
  }
};

HeightGrid level() {
  TerrainOptions options;
  options.width = options.height = 1000;
  options.spacing = 20;
  return flat_terrain(options);
}

double size(const MapAreas& areas, Cover cover) {
  double sum = 0;
  for (const MapPart& part : areas.parts[static_cast<std::size_t>(cover)])
    for (std::size_t i = 2; i < part.outline.size(); ++i) {
      const EastNorth a = part.outline[0], b = part.outline[i - 1], c = part.outline[i];
      sum += ((b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east)) / 2;
    }
  return sum;
}

const std::vector<EastNorth> kSquare = {{0, 0}, {40, 0}, {40, 30}, {0, 30}};
double size_of(const Tags& tags, Cover cover) {
  MapText text;
  text.add(kSquare, tags);
  return size(map_areas(text.map, text.frame, level()), cover);
}
}  // namespace

TEST_CASE("areas: a forest larger than the terrain covers it, and a park beside a corner does not") {
  MapText text;
  text.add({{-5000, -5000}, {5000, -5000}, {5000, 5000}, {-5000, 5000}}, {{"natural", "wood"}});
  text.add({{-100, 900}, {900, -100}, {900, 900}},
           {{"leisure", "park"}});  // its box overlaps, its corner is cut by no more than a point
  text.add({{-100, 1200}, {1200, -100}, {1200, 1200}}, {{"landuse", "grass"}});
  const MapAreas areas = map_areas(text.map, text.frame, level());
  const auto meshes = cover_meshes(areas, level(), 0.04, {});
  const auto square_meters = [&](Cover cover) {
    double sum = 0;
    const geo::TriangleMesh& mesh = meshes[static_cast<std::size_t>(cover)];
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const geo::Vec3 a = mesh.points[mesh.indices[i]], b = mesh.points[mesh.indices[i + 1]],
                      c = mesh.points[mesh.indices[i + 2]];
      sum += std::fabs((b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x)) / 2;
    }
    return sum;
  };
  CHECK(square_meters(Cover::forest) == doctest::Approx(1e6));
  CHECK(size(areas, Cover::park) == doctest::Approx(5e5).epsilon(0.01));
}

TEST_CASE("areas: what tags mean, with the size of the outline") {
  CHECK(size_of({{"leisure", "park"}}, Cover::park) == doctest::Approx(1200).epsilon(1e-3));
  CHECK(size_of({{"landuse", "forest"}}, Cover::forest) == doctest::Approx(1200).epsilon(1e-3));
  CHECK(size_of({{"natural", "beach"}}, Cover::sand) == doctest::Approx(1200).epsilon(1e-3));
  CHECK(size_of({{"highway", "pedestrian"}, {"area", "yes"}}, Cover::square) == doctest::Approx(1200).epsilon(1e-3));
  CHECK(size_of({{"amenity", "parking"}}, Cover::parking) == doctest::Approx(1200).epsilon(1e-3));
  CHECK(size_of({{"natural", "water"}}, Cover::water) == doctest::Approx(1200).epsilon(1e-3));
  // Not on the ground.
  CHECK(size_of({{"amenity", "parking"}, {"parking", "underground"}}, Cover::parking) == 0);
  CHECK(size_of({{"amenity", "parking"}, {"building", "yes"}}, Cover::parking) == 0);
  CHECK(size_of({{"natural", "water"}, {"tunnel", "culvert"}}, Cover::water) == 0);
  CHECK(size_of({{"landuse", "residential"}}, Cover::park) == 0);
}

TEST_CASE("areas: lines of rivers and railways are bands, also around bends") {
  MapText text;
  text.add({{0, 0}, {100, 0}, {100, 50}}, {{"waterway", "river"}}, false);
  text.add({{0, 100}, {100, 100}}, {{"railway", "rail"}}, false);
  text.add({{0, 200}, {100, 200}}, {{"railway", "rail"}, {"tunnel", "yes"}}, false);
  const MapAreas areas = map_areas(text.map, text.frame, level());
  CHECK(size(areas, Cover::water) == doctest::Approx(1500).epsilon(1e-3));
  CHECK(size(areas, Cover::railway) == doctest::Approx(320).epsilon(1e-3));
  CHECK(areas.areas == 2);
}

TEST_CASE("areas: lines of water are as wide as their tags say, without a notch where one continues the other") {
  const auto river = [](const Tags& more) {
    Tags tags{{"waterway", "river"}};
    tags.insert(tags.end(), more.begin(), more.end());
    MapText text;
    text.add({{0, 0}, {100, 0}}, tags, false);
    return size(map_areas(text.map, text.frame, level()), Cover::water) / 100;
  };
  CHECK(river({}) == doctest::Approx(10).epsilon(1e-3));
  CHECK(river({{"width", "30"}}) == doctest::Approx(30).epsilon(1e-3));
  CHECK(river({{"width", "30 m"}}) == doctest::Approx(30).epsilon(1e-3));
  CHECK(river({{"width", "100'"}}) == doctest::Approx(30.48).epsilon(1e-3));
  CHECK(river({{"est_width", "20"}}) == doctest::Approx(20).epsilon(1e-3));
  CHECK(river({{"est_width", "20"}, {"width", "30"}}) == doctest::Approx(30).epsilon(1e-3));
  for (const char* wrong : {"broad", "-30", "0", "nan", "inf", "1e300", "601", "", "m"}) {
    CAPTURE(wrong);
    CHECK(river({{"width", wrong}}) == doctest::Approx(10).epsilon(1e-3));
    CHECK(river({{"width", wrong}, {"est_width", "25"}}) == doctest::Approx(25).epsilon(1e-3));
  }
  MapText split, whole;
  const Tags wide{{"waterway", "river"}, {"width", "40"}};
  split.add({{0, 0}, {100, 0}}, wide, false);
  split.add({{100, 0}, {180, 60}}, wide, false);
  whole.add({{0, 0}, {100, 0}, {180, 60}}, wide, false);
  CHECK(size(map_areas(split.map, split.frame, level()), Cover::water) ==
        doctest::Approx(size(map_areas(whole.map, whole.frame, level()), Cover::water)));
  // A railway's width is that of its track.
  MapText rail;
  rail.add({{0, 0}, {100, 0}}, {{"railway", "rail"}, {"width", "30"}}, false);
  CHECK(size(map_areas(rail.map, rail.frame, level()), Cover::railway) == doctest::Approx(320).epsilon(1e-3));
}

TEST_CASE("areas: outside of the terrain and not closed") {
  MapText text;
  text.add({{2000, 0}, {2040, 0}, {2040, 30}}, {{"leisure", "park"}});
  const MapAreas areas = map_areas(text.map, text.frame, level());
  CHECK(size(areas, Cover::park) == 0);
}

TEST_CASE("areas: covers lie below the lift, on the ground, and not over holes") {
  MapText text;
  text.add(kSquare, {{"leisure", "park"}});
  text.add(kSquare, {{"natural", "water"}});
  const MapAreas areas = map_areas(text.map, text.frame, level());
  const auto meshes = cover_meshes(areas, level(), 0.04, {{{-1, -1}, {41, -1}, {41, 15}, {-1, 15}}});
  for (const Cover cover : {Cover::park, Cover::water}) {
    const geo::TriangleMesh& mesh = meshes[static_cast<std::size_t>(cover)];
    REQUIRE(mesh.triangle_count() > 0);
    for (const geo::Vec3& p : mesh.points) {
      CHECK(p.y > 0);
      CHECK(p.y <= 0.04);
      CHECK(p.z >= 15 - 1e-3);
    }
  }
  CHECK(meshes[static_cast<std::size_t>(Cover::park)].points[0].y < meshes[static_cast<std::size_t>(Cover::water)].points[0].y);
}

TEST_CASE("water: a level over its area alone, and a bed with banks below it") {
  MapText text;
  text.add(kSquare, {{"natural", "water"}});
  // Along the pond's eastern side: no bank between them.
  text.add({{45, 0}, {45, 30}}, {{"waterway", "river"}}, false);
  const std::vector<MapPart> parts = map_waters(text.map, text.frame, level());
  const Water water(parts, parts, level(), -0.5);
  CHECK_FALSE(water.empty());
  CHECK(water.level_at({20, 0, 15}).value_or(1) == -0.5);
  CHECK(water.level_at({20, -3, 15}).value_or(1) == -0.5);
  CHECK_FALSE(water.level_at({20, -4, 15}).has_value());  // under its bed
  CHECK_FALSE(water.level_at({-1, 0, 15}).has_value());
  CHECK(water.level_at({45, 0, 15}).value_or(1) == -0.5);
  const geo::TriangleMesh& bed = water.bed();
  double bottom = 0, banks = 0;
  for (std::size_t t = 0; t < bed.triangle_count(); ++t) {
    const geo::Vec3 a = bed.points[bed.indices[3 * t]], b = bed.points[bed.indices[3 * t + 1]],
                    c = bed.points[bed.indices[3 * t + 2]], n = geo::cross(b - a, c - a);
    if (std::fabs(n.y) > 1e-9) {
      CHECK(n.y > 0);
      CHECK(a.y == doctest::Approx(-0.5 - kWaterDepth));
      bottom += n.y / 2;
    } else {
      banks += geo::length(n) / 2;
    }
  }
  CHECK(bottom == doctest::Approx(1500).epsilon(1e-3));
  CHECK(banks == doctest::Approx((50 + 30 + 50 + 30) * (0.5 + kWaterDepth)).epsilon(0.02));
  const geo::TriangleMesh surface = water.surface();
  double covered = 0;
  for (std::size_t t = 0; t < surface.triangle_count(); ++t) {
    const geo::Vec3 a = surface.points[surface.indices[3 * t]], b = surface.points[surface.indices[3 * t + 1]],
                    c = surface.points[surface.indices[3 * t + 2]], n = geo::cross(b - a, c - a);
    CHECK(a.y == -0.5);
    CHECK(n.x == 0);
    CHECK(n.z == 0);
    CHECK(n.y > 0);
    covered += n.y / 2;
  }
  CHECK(covered == doctest::Approx(1500).epsilon(1e-3));
}

TEST_CASE("water: cuttings keep it out, with walls of their own") {
  MapText text;
  text.add(kSquare, {{"natural", "water"}});
  const std::vector<MapPart> parts = map_waters(text.map, text.frame, level());
  // A cutting of 4 m from south to north across the pond, in two pieces, and one that ends in it.
  const std::vector<std::vector<EastNorth>> openings = {
      {{10, -20}, {14, -20}, {14, 15}, {10, 15}}, {{10, 15}, {14, 15}, {14, 50}, {10, 50}}, {{30, 10}, {50, 10}, {50, 14}}};
  const OpenWater open = beside_openings(parts, openings);
  CHECK(open.cut > 4.6 * 30 + 10);
  CHECK(open.cut < 4.6 * 30 + 20);
  double left = 0;
  for (const MapPart& part : open.parts) {
    CHECK(part.outline.size() <= 4);
    CHECK(detail::is_convex(part.outline));
    left += detail::twice_area(part.outline) / 2;
  }
  CHECK(left + open.cut == doctest::Approx(1200).epsilon(1e-4));
  const Water water(parts, open.parts, level(), -0.5);
  for (const EastNorth p : {EastNorth{12, 2}, {12, 15}, {9.8, 20}, {14.2, 29}, {38, 11}})
    CHECK_FALSE(water.level_at({p.east, 0, p.north}).has_value());
  for (const EastNorth p : {EastNorth{9.6, 15}, {14.4, 20}, {29, 11}, {20, 20}})
    CHECK(water.level_at({p.east, 0, p.north}).has_value());
  // Banks at both sides of the cutting.
  const geo::TriangleMesh& bed = water.bed();
  for (const double east : {9.7, 14.3})
    CHECK(std::any_of(bed.points.begin(), bed.points.end(),
                      [&](const geo::Vec3& p) { return std::fabs(p.x - east) < 1e-6 && p.y == 0; }));
  CHECK(beside_openings(parts, {}).cut == 0);
  CHECK(beside_openings(parts, {}).parts.size() == parts.size());
  const Budget none(1, {.for_all = 2, .for_each = 0});
  CHECK(beside_openings(parts, openings, none).parts.size() < parts.size() + 3);
  CHECK(none.crowded().has_value());
}
