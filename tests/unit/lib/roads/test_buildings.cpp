#include <doctest/doctest.h>

#include <cmath>

#include "base/core/random.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/codes.hpp"
#include "lib/roads/triangulate.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/roads/mesh_probe.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using detail::EastNorth;
using detail::Polygon;

namespace {

constexpr geo::LatLon kOrigin{48, 11};

std::uint32_t node(osm::Model& map, const geo::LocalFrame& frame, double east, double north) {
  const geo::LatLon at = frame.to_geographic({east, north});
  return map.add_node(static_cast<osm::Id>(map.node_count()) + 1, {static_cast<std::int32_t>(std::lrint(at.lat * 1e7)),
                                                                   static_cast<std::int32_t>(std::lrint(at.lon * 1e7))});
}

double area_of(const std::vector<EastNorth>& triangles) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const double area = detail::twice_area(triangles[i], triangles[i + 1], triangles[i + 2]) / 2;
    CHECK(area > 0);
    sum += area;
  }
  return sum;
}

/// Volume that a closed mesh encloses; negative if it is inside out. Triangles are seen from outside: a box 2 x 3 x 4 gives 24.
double volume_of(const geo::TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    sum += geo::dot(mesh.points[mesh.indices[3 * t]],
                    geo::cross(mesh.points[mesh.indices[3 * t + 1]], mesh.points[mesh.indices[3 * t + 2]])) /
           6;
  return sum;
}

}  // namespace

TEST_CASE("triangulate: concave outlines and holes are filled exactly") {
  CHECK(area_of(detail::triangulate({{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}}, {})) == doctest::Approx(10));
  CHECK(area_of(detail::triangulate({{0, 0}, {10, 0}, {10, 10}, {0, 10}},
                                    {{{2, 2}, {2, 4}, {4, 4}, {4, 2}}, {{6, 6}, {6, 8}, {8, 8}, {8, 6}}})) ==
        doctest::Approx(92));
  CHECK(detail::triangulate({{0, 0}, {1, 0}}, {}).empty());
  // Stars of many corners, in any direction from the middle: simple polygons.
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, "stars");
    Polygon star;
    const int n = 3 + static_cast<int>(random.below(60));
    for (int i = 0; i < n; ++i) {
      const double r = 2 + 20 * random.uniform(), a = 6.283185307 * i / n;
      star.push_back({r * std::cos(a), r * std::sin(a)});
    }
    CHECK(area_of(detail::triangulate(star, {{{0.1, 0}, {0, -0.1}, {-0.1, 0}}})) ==
          doctest::Approx(detail::twice_area(star) / 2 - 0.01).epsilon(1e-6));
  }
  // Crossing outlines end, without an inverted triangle.
  area_of(detail::triangulate({{0, 0}, {4, 4}, {4, 0}, {0, 4}, {2, 9}}, {}));
}

TEST_CASE("buildings: heights in feet; min_height and building:min_level lift the underside") {
  const geo::LocalFrame frame(kOrigin);
  osm::Model map;
  const auto add = [&](double east, const std::vector<std::pair<const char*, const char*>>& tags) {
    const std::vector<std::uint32_t> corners = {node(map, frame, east, 0), node(map, frame, east + 10, 0),
                                                node(map, frame, east + 10, 8), node(map, frame, east, 8)};
    map.add_way(static_cast<osm::Id>(map.ways.size()) + 1);
    for (const auto c : corners) map.add_ref(osm::Ref(c));
    map.add_ref(osm::Ref(corners[0]));
    map.add_tag("building", "yes");
    for (const auto& [key, value] : tags) map.add_tag(key, value);
  };
  add(0, {{"height", "30 ft"}, {"min_height", "10'6\""}});
  add(20, {{"height", "12"}, {"building:min_level", "2"}});
  add(40, {{"height", "12"}, {"min_height", "12"}});  // of no height: the floor is on the ground
  add(60, {{"height", "12"}, {"min_height", "0.1"}});
  add(80, {{"height", "1001"}, {"min_height", "0.09"}});  // neither is a length of a building
  const BuildingSelection selection =
      mapped_buildings(map, frame, flat_terrain({.spacing = 100, .width = 400, .height = 400}, 50));
  REQUIRE(selection.prisms.size() == 5);
  CHECK(selection.prisms[0].top == doctest::Approx(50 + 30 * 0.3048));
  CHECK(selection.prisms[0].base == doctest::Approx(50 + 10.5 * 0.3048));
  CHECK(selection.prisms[1].base == doctest::Approx(56));
  CHECK(selection.prisms[2].base == doctest::Approx(49.5));
  CHECK(selection.prisms[3].base == doctest::Approx(50.1));
  CHECK(selection.prisms[4].base == doctest::Approx(49.5));
  CHECK(selection.prisms[4].top == doctest::Approx(50 + kDefaultHeight));
  for (const Prism& prism : selection.prisms) CHECK(prism.ground() == doctest::Approx(50));
  geo::TriangleMesh lifted, standing;
  add_prism(selection.prisms[0], lifted);
  add_prism(selection.prisms[2], standing);
  CHECK(lifted.triangle_count() == 12);  // closed below
  CHECK(standing.triangle_count() == 10);
}

TEST_CASE("buildings: footprints become prisms over the terrain, by height or levels") {
  const geo::LocalFrame frame(kOrigin);
  osm::Model map;
  const auto add = [&](double east, const std::vector<std::pair<const char*, const char*>>& tags, bool clockwise = false) {
    std::vector<std::uint32_t> corners = {node(map, frame, east, 0), node(map, frame, east + 10, 0),
                                          node(map, frame, east + 10, 8), node(map, frame, east, 8)};
    if (clockwise) std::reverse(corners.begin(), corners.end());
    map.add_way(static_cast<osm::Id>(map.ways.size()) + 1);
    for (const auto c : corners) map.add_ref(osm::Ref(c));
    map.add_ref(osm::Ref(corners[0]));
    for (const auto& [key, value] : tags) map.add_tag(key, value);
  };
  add(0, {{"building", "yes"}, {"height", "12.5 m"}});
  add(20, {{"building", "house"}, {"building:levels", "3"}, {"height", "high"}}, true);
  add(40, {{"building", "yes"}, {"height", "40'"}});
  add(60, {{"building", "yes"}});
  add(80, {{"building", "roof"}});
  add(100, {{"building", "no"}});
  add(5000, {{"building", "yes"}});
  add(70, {{"building", "garage"}, {"layer", "-1"}});
  HeightGrid terrain = flat_terrain({.spacing = 100, .width = 400, .height = 400}, 50);
  const BuildingSelection selection = mapped_buildings(map, frame, terrain);
  REQUIRE(selection.prisms.size() == 4);
  CHECK(selection.not_solid == 2);
  CHECK(selection.outside == 1);
  CHECK(selection.default_height == 1);
  CHECK(selection.prisms[0].top == doctest::Approx(62.5));
  CHECK(selection.prisms[1].top == doctest::Approx(59));
  CHECK(selection.prisms[2].top == doctest::Approx(50 + 40 * 0.3048));
  CHECK(selection.prisms[3].top == doctest::Approx(56));
  for (const Prism& prism : selection.prisms) {
    CHECK(detail::twice_area(prism.outer) == doctest::Approx(160).epsilon(1e-2));
    geo::TriangleMesh mesh;
    add_prism(prism, mesh);
    CHECK(mesh.triangle_count() == 10);
    // Put a floor in: the whole is closed and faces outwards.
    for (const EastNorth p : prism.outer) (void)p;
    const auto at = [&](std::size_t i) { return geo::Vec3{prism.outer[i].east, prism.base, prism.outer[i].north}; };
    mesh.add(at(0), at(1), at(2));
    mesh.add(at(0), at(2), at(3));
    CHECK(volume_of(mesh) == doctest::Approx(80 * (prism.top - prism.base)).epsilon(1e-2));
  }
}

TEST_CASE("buildings: a multipolygon's courtyard stays open") {
  const geo::LocalFrame frame(kOrigin);
  osm::Model map;
  const auto ring = [&](double a, double b) {
    const std::uint32_t corners[] = {node(map, frame, a, a), node(map, frame, b, a), node(map, frame, b, b),
                                     node(map, frame, a, b)};
    map.add_way(static_cast<osm::Id>(map.ways.size()) + 1);
    for (const auto c : corners) map.add_ref(osm::Ref(c));
    map.add_ref(osm::Ref(corners[0]));
  };
  ring(0, 30);
  ring(10, 20);
  map.add_relation(7);
  map.add_member(osm::Kind::way, osm::Ref(0), "outer");
  map.add_member(osm::Kind::way, osm::Ref(1), "inner");
  map.add_tag("type", "multipolygon");
  map.add_tag("building", "yes");
  const BuildingSelection selection = mapped_buildings(map, frame, flat_terrain({.spacing = 100, .width = 400, .height = 400}));
  REQUIRE(selection.prisms.size() == 1);
  REQUIRE(selection.prisms[0].holes.size() == 1);
  geo::TriangleMesh mesh;
  add_prism(selection.prisms[0], mesh);
  const roads::test::MeshProbe probe(mesh);
  CHECK(probe.covers(5, 15));
  CHECK(probe.covers(15, 25));
  CHECK_FALSE(probe.covers(15, 15));
}

TEST_CASE("houses: generated nodes become boxes that stand on the ground") {
  const geo::LocalFrame frame(kOrigin);
  osm::Model map;
  const auto add = [&](double east, std::vector<std::pair<const char*, const char*>> tags) {
    node(map, frame, east, 0);
    for (const auto& [key, value] : tags) map.add_tag(key, value);
  };
  add(0, {{"filePath", "models/a"},
          {"fileType", "3ds"},
          {"landuse", "residential"},
          {"name", "a"},
          {"rotY", "90"},
          {"sizeX", "10"},
          {"sizeY", "6"},
          {"sizeZ", "8"}});
  add(10, {{"filePath", "models/a"}, {"fileType", "3ds"}, {"rotY", "north"}, {"sizeX", "0"}, {"sizeY", "6"}, {"sizeZ", "8"}});
  add(20, {{"filePath", "models/a"}});
  add(30, {{"name", "a tree"}});
  add(9000, {{"filePath", "models/a"}, {"fileType", "3ds"}, {"rotY", "0"}, {"sizeX", "1"}, {"sizeY", "6"}, {"sizeZ", "8"}});
  const HeightGrid slope{2, 2, 200, -100, -100, {0, 20, 0, 20}};  // 10 % up to the east
  const auto houses = generated_houses(map, frame, slope, "town.osm");
  simbatch::test::Expected expected(houses.diagnostics);
  for (int i = 0; i < 2 + 5; ++i) expected.take(code::kHouse);
  REQUIRE(houses.value->size() == 1);
  const HouseBox& house = houses.value->front();
  CHECK(house.name == "a");
  CHECK(house.heading == 90);
  CHECK(house.size == geo::Vec3{10, 6, 8});
  CHECK(house.base.y == doctest::Approx(10 - 0.4).epsilon(1e-3));  // turned by 90 degrees its depth lies along the slope
}

TEST_CASE("houses: in circle_town no generated box reaches over lanes or pavements") {
  const auto read = osm::read_file("scenarios/circle_town/map/map.osm");
  REQUIRE(read.value.has_value());
  const auto setup = autosim::read_setup(simbatch::test::read_text("scenarios/circle_town/map/setup.xml"), "setup.xml");
  REQUIRE(setup.ok());
  const geo::LocalFrame frame({setup.value->osm.lat, setup.value->osm.lon});
  const HeightGrid terrain = flat_terrain({.spacing = 64, .width = 512, .height = 512});
  const RoadMeshes meshes =
      road_meshes(road_lines(read.value->model, setup.value->highways, frame).roads, setup.value->roads, terrain);
  geo::TriangleMesh ground = meshes.lanes;
  ground.append(meshes.junctions);
  ground.append(meshes.pavements);
  const roads::test::MeshProbe probe(ground);
  const auto houses = generated_houses(read.value->model, frame, terrain, "map.osm");
  CHECK(houses.diagnostics.empty());
  CHECK(houses.value->size() > 300);
  std::size_t over_road = 0, turned_over_road = 0;
  for (const HouseBox& house : *houses.value)
    for (const bool is_turned : {false, true}) {
      const geo::Quat q = geo::rotation({0, 1, 0}, geo::radians(house.heading + (is_turned ? 90 : 0)));
      bool hit = false;
      for (double u = -1; u <= 1; u += 0.125)
        for (double v = -1; v <= 1; v += 0.125) {
          const geo::Vec3 p = house.base + q * geo::Vec3{u * house.size.x / 2, 0, v * house.size.z / 2};
          hit = hit || probe.covers(p.x, p.z, -0.01);
        }
      (is_turned ? turned_over_road : over_road) += hit ? 1 : 0;
    }
  CHECK(over_road == 0);
  MESSAGE(houses.value->size() << " houses, " << over_road << " over a road; turned by 90 degrees: " << turned_over_road);
}

TEST_CASE("buildings: corpus towns give closed prisms") {
  for (const char* name :
       {"velluters-2007-v05", "las-palmas-2010", "moscow-marfino-2013", "beatty", "perth-peanut-roundabout"}) {
    const auto file = simbatch::test::shared_file("corpus/osm/" + std::string(name) + ".osm");
    if (!file) continue;
    CAPTURE(std::string(name));
    const auto read = osm::read_file(file->string());
    REQUIRE(read.value.has_value());
    const osm::Model& map = read.value->model;
    const osm::LatLon middle = map.node_positions[map.node_count() / 2];
    const BuildingSelection selection = mapped_buildings(map, geo::LocalFrame({middle.lat_deg(), middle.lon_deg()}),
                                                         flat_terrain({.spacing = 100, .width = 50000, .height = 50000}));
    std::size_t open_roofs = 0;
    for (const Prism& prism : selection.prisms) {
      geo::TriangleMesh mesh;
      add_prism(prism, mesh);
      double roof = 0, walls = 0, expected = detail::twice_area(prism.outer) / 2;
      for (const Polygon& hole : prism.holes) expected += detail::twice_area(hole) / 2;
      for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        const auto p = [&](std::size_t c) { return mesh.points[mesh.indices[3 * t + c]]; };
        const double up = geo::cross(p(1) - p(0), p(2) - p(0)).y / 2;
        CHECK(up > -1e-9);
        (std::fabs(up) < 1e-9 ? walls : roof) += up;
      }
      if (std::fabs(roof - expected) > 1e-6 * expected) ++open_roofs;
    }
    MESSAGE(std::string(name) << ": " << selection.prisms.size() << " buildings, " << selection.default_height
                              << " without height, " << selection.open << " open, " << open_roofs
                              << " roofs that are not exact");
    CHECK(open_roofs * 100 <= selection.prisms.size());
  }
}
