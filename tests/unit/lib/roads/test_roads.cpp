#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "base/core/random.hpp"
#include "formats/osm/read.hpp"
#include "lib/roads/convex.hpp"
#include "lib/roads/roads.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/lib/roads/mesh_probe.hpp"
#include "tests/unit/lib/roads/road_net.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using namespace roads::test;

TEST_CASE("roads: strips and curbs share the points where they meet") {
  Net net;
  net.way({net.node(-90, 0), net.node(-30, 0), net.node(30, 0), net.node(90, 0)});
  const RoadMeshes meshes =
      road_meshes(road_lines(net.map, net.kinds, net.frame).roads, kNetDimensions, flat_terrain({.width = 256, .height = 256}));
  CHECK(meshes.lanes.triangle_count() == 6);
  CHECK(meshes.lanes.points.size() == 8);
  CHECK(meshes.pavements.triangle_count() == 12);
  CHECK(meshes.pavements.points.size() == 16);
  CHECK(meshes.curbs.triangle_count() == 32);      // along both sides of both pavements, and at their ends
  CHECK(meshes.curbs.points.size() <= 2 * 4 * 6);  // four rails of four posts, an end's posts twice at most
}

TEST_CASE("roads: a crossing of four is a fan of eight triangles, a T one of six") {
  for (const int arms : {3, 4}) {
    Net net;
    const auto middle = net.node(0, 0);
    net.way({net.node(-50, 0), middle, net.node(50, 0)});
    net.way({net.node(0, -50), middle});
    if (arms == 4) net.way({middle, net.node(0, 50)});
    const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
    const RoadMeshes meshes =
        road_meshes(selection.roads, kNetDimensions, flat_terrain({.spacing = 8, .width = 200, .height = 200}));
    CHECK(meshes.counts.fans == 1);
    CHECK(meshes.junctions.triangle_count() == static_cast<std::size_t>(2 * arms));
    CHECK(meshes.lanes.triangle_count() == static_cast<std::size_t>(2 * arms));
    for (const HeightGrid& terrain : {flat_terrain({.spacing = 8, .width = 200, .height = 200}), hills(100)})
      check_net(net, terrain, {1, 1, 0, 0});
  }
}

TEST_CASE("roads: where a road was cut in a bend there is no gap, whichever way it bends farther out") {
  // Between buildings a road is cut at points of its curve, with a width for each piece.
  for (const double side : {1.0, -1.0}) {
    std::vector<Road> roads(2);
    roads[0].line = {{-10, 0}, {-1, 0}, {0, 0}};
    roads[1].line = {{0, 0}, {1, -0.2 * side}, {2, 0.3 * side}, {10, 4 * side}};
    for (Road& road : roads) {
      road.width = 6;
      road.at = {0, static_cast<std::uint32_t>(road.line.size()) - 1};
    }
    roads[0].nodes = {1, 2};
    roads[1].nodes = {2, 3};
    const RoadMeshes meshes = road_meshes(roads, kNetDimensions, flat_terrain({.spacing = 8, .width = 200, .height = 200}));
    geo::TriangleMesh ground = meshes.lanes;
    ground.append(meshes.junctions);
    const MeshProbe probe(ground);
    for (double x = -0.5; x < 0.7; x += 0.05)
      for (double z = -2.8; z < 2.85; z += 0.1) CHECK(probe.covers(x, z, 1e-4));
  }
}

TEST_CASE("roads: bends, hairpins, joints of different widths, sharp forks and loops have no holes") {
  Net net;
  // A hairpin, then a corner of 90 degrees.
  net.way(
      {net.node(-90, -80), net.node(-40, -80), net.node(-38, -78), net.node(-40, -76), net.node(-80, -76), net.node(-80, -40)});
  // A primary that becomes a track.
  const auto joint = net.node(-30, 0);
  net.way({net.node(-80, 10), joint}, "primary");
  net.way({joint, net.node(10, -10)}, "track");
  // A fork of 8 degrees.
  const auto fork = net.node(0, 30);
  net.way({net.node(-60, 30), fork});
  net.way({fork, net.node(80, 30)});
  net.way({fork, net.node(80, 41)});
  // A roundabout with three roads, one of them between the same two nodes.
  std::vector<std::uint32_t> ring;
  for (int i = 0; i < 8; ++i) ring.push_back(net.node(60 + 12 * std::cos(i * 0.785398), -50 + 12 * std::sin(i * 0.785398)));
  const std::uint32_t east = ring[0], north = ring[2];
  ring.push_back(ring[0]);
  net.way(ring);
  net.way({east, net.node(95, -50)});
  net.way({north, net.node(60, -10)}, "primary");
  net.way({ring[4], net.node(20, -50), net.node(20, -80)});
  // Two junctions 3 m apart.
  const auto first = net.node(40, 70), second = net.node(43, 70);
  net.way({net.node(-20, 70), first, second, net.node(95, 70)});
  net.way({first, net.node(40, 95)});
  net.way({second, net.node(43, 45)});
  for (const HeightGrid& terrain : {flat_terrain({.spacing = 8, .width = 240, .height = 240}), hills(120)}) {
    const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
    const RoadMeshes meshes = road_meshes(selection.roads, kNetDimensions, terrain);
    check_net(net, terrain, {meshes.counts.junctions, meshes.counts.fans, 0, 0});
    CHECK(meshes.counts.junctions == 6);
  }
}

TEST_CASE("roads: pavements end at the lanes of every road, and curbs are where they do") {
  Net net;
  const auto middle = net.node(0, 0);
  net.way({net.node(-50, 0), middle, net.node(50, 0)});
  net.way({net.node(0, -50), middle, net.node(0, 50)});
  const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
  const RoadMeshes meshes =
      road_meshes(selection.roads, kNetDimensions, flat_terrain({.spacing = 8, .width = 200, .height = 200}));
  const MeshProbe pavements(meshes.pavements);
  CHECK(pavements.covers(20, 3.5));
  CHECK(pavements.heights(20, 3.5).front() == doctest::Approx(0.18));
  CHECK_FALSE(pavements.covers(20, 2.9));
  CHECK_FALSE(pavements.covers(0, 3.5));  // across the other road
  CHECK_FALSE(pavements.covers(20, 4.6));
  // Four arms, two curbs each and four corners, and as much outside.
  double lane_curbs = 0, skirts = 0;
  for (std::size_t t = 0; t < meshes.curbs.triangle_count(); ++t) {
    const auto p = [&](std::size_t c) { return meshes.curbs.points[meshes.curbs.indices[3 * t + c]]; };
    CHECK(std::fabs(geo::cross(p(1) - p(0), p(2) - p(0)).y) < 1e-9);
    const double low = std::min({p(0).y, p(1).y, p(2).y});
    const double l = std::max(std::hypot(p(1).x - p(0).x, p(1).z - p(0).z), std::hypot(p(2).x - p(0).x, p(2).z - p(0).z));
    (low > 0 ? lane_curbs : skirts) += l / 2;
  }
  CHECK(lane_curbs == doctest::Approx(8 * 45.2 + 4 * 2.5).epsilon(0.02));
  CHECK(skirts == doctest::Approx(8 * 45.2 + 8 * 1.5 + 4 * 0.4).epsilon(0.02));
}

TEST_CASE("roads: the line passes through the nodes, is round at bends and keeps corners") {
  Net net;
  net.way({net.node(0, 0), net.node(50, 0), net.node(90, 25), net.node(90, 80)});
  net.way({net.node(-90, 0), net.node(-50, 0), net.node(-50, 50)});
  const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
  const Road& bend = selection.roads[0];
  CHECK(bend.line.size() > 8);
  CHECK(bend.line[bend.at[1]].east == doctest::Approx(50).epsilon(1e-3));
  for (std::size_t i = 1; i + 1 < bend.line.size(); ++i) {
    const double turn = std::atan2(bend.line[i + 1].north - bend.line[i].north, bend.line[i + 1].east - bend.line[i].east) -
                        std::atan2(bend.line[i].north - bend.line[i - 1].north, bend.line[i].east - bend.line[i - 1].east);
    CHECK(std::fabs(turn) < 1.0);
  }
  CHECK(selection.roads[1].line.size() == 3);
}

TEST_CASE("roads: a way ends where the file lacks a node, and continues after it") {
  Net net;
  net.way({net.node(0, 0), net.node(50, 0)});
  net.map.missing.push_back(99);
  net.map.add_ref(osm::Ref::missing(0));
  net.map.add_ref(osm::Ref(net.node(200, 0)));
  net.map.add_ref(osm::Ref(net.node(250, 0)));
  const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
  REQUIRE(selection.roads.size() == 2);
  CHECK(selection.roads[0].id == selection.roads[1].id);
  CHECK(selection.roads[1].line.front().east == doctest::Approx(200).epsilon(1e-3));
}

TEST_CASE("roads: what cannot be driven is left out and counted") {
  Net net;
  net.way({net.node(0, 0), net.node(50, 0)}, "footway");
  net.way({net.node(0, 0), net.node(50, 0)});
  net.map.add_tag("tunnel", "yes");
  net.way({net.node(0, 0), net.node(50, 0)});
  net.map.add_tag("area", "yes");
  net.way({net.node(0, 0)});
  net.way({net.node(0, 0), net.node(50, 0)});
  net.map.add_tag("tunnel", "no");
  net.way({net.node(0, 0), net.node(50, 0)}, "steps");
  net.way({net.node(0, 0), net.node(50, 0)}, "footway");
  const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
  REQUIRE(selection.roads.size() == 2);
  CHECK(selection.roads[0].is_tunnel);
  CHECK(selection.roads[0].layer == -1);
  CHECK_FALSE(selection.roads[1].is_tunnel);
  CHECK(selection.roads[1].layer == 0);
  REQUIRE(selection.other_kinds.size() == 2);
  const auto& [kind, footways] = *selection.other_kinds.begin();
  CHECK(kind == "footway");
  CHECK(footways.ways == 2);
  CHECK(footways.example == net.map.ways[0].id);
  CHECK(selection.other_kinds.contains("steps"));
  CHECK(selection.kinds_skipped() == 3);
  CHECK(selection.areas_skipped == 1);
  CHECK(selection.broken == 1);
  const RoadMeshes none = road_meshes(selection.roads, kNetDimensions, HeightGrid{2, 2, 1, 1000, 1000, {0, 0, 0, 0}});
  CHECK(none.lanes.triangle_count() == 0);
  CHECK(none.counts.outside > 0);
}

TEST_CASE("roads: a narrow road from the outside of a bend leaves no gap on either side of it") {
  for (const double slant : {-20.0, -6.0, 0.0, 6.0, 20.0}) {
    CAPTURE(slant);
    Net net;
    const auto joint = net.node(0, 0), fork = net.node(slant / 3, -5);
    net.way({net.node(-60, 0), joint}, "primary");
    net.way({joint, net.node(60, 8)}, "primary");
    // Too short for a fan.
    net.way({joint, fork}, "track");
    net.way({fork, net.node(slant * 2, -70)}, "track");
    net.way({fork, net.node(-60, -60)}, "track");
    const HeightGrid terrain = flat_terrain({.spacing = 8, .width = 200, .height = 200});
    const RoadMeshes meshes = road_meshes(road_lines(net.map, net.kinds, net.frame).roads, kNetDimensions, terrain);
    check_net(net, terrain, {meshes.counts.junctions, meshes.counts.fans, 0, 0});
  }
}

TEST_CASE("roads: random nets, with roads of any width that cross anywhere at nodes, have no holes") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "road nets");
    Net net;
    net.kinds.kinds.clear();
    for (const char* kind : {"a", "b", "c"})
      net.kinds.kinds.push_back(
          {kind, {}, 2 + 14 * random.uniform(), random.below(2) ? 3 * random.uniform() : 0, random.below(2) ? 2.0 : 0});
    std::vector<std::uint32_t> nodes;
    for (int i = 0; i < 14; ++i) nodes.push_back(net.node(140 * random.uniform() - 70, 140 * random.uniform() - 70));
    for (int w = 0; w < 7; ++w) {
      std::vector<std::uint32_t> way;
      for (std::uint64_t k = 0; k < 2 + random.below(4); ++k) way.push_back(nodes[random.below(nodes.size())]);
      net.way(way, std::array{"a", "b", "c"}[random.below(3)]);
    }
    const HeightGrid terrain = seed % 2 == 0 ? hills(100) : flat_terrain({.spacing = 8, .width = 200, .height = 200});
    const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
    const RoadMeshes meshes = road_meshes(selection.roads, kNetDimensions, terrain);
    CHECK(inverted(meshes.lanes) + inverted(meshes.junctions) + inverted(meshes.pavements) == 0);
    const Findings found = drive(selection.roads, meshes, terrain, 0.5);
    CHECK(found.holes == 0);
    CHECK(holes_at_joints(selection.roads, meshes, terrain) == 0);
    CHECK(found.walls == 0);
    CHECK(found.worst_height < 1e-4);
  }
}

TEST_CASE("roads: in every corpus town all wheels have road below them") {
  autosim::HighwayDimensions kinds;
  for (const char* kind : {"motorway", "trunk", "primary"}) kinds.kinds.push_back({kind, {}, 16, 1.5, 1.5});
  for (const char* kind : {"motorway_link", "trunk_link", "primary_link"}) kinds.kinds.push_back({kind, {}, 4, 0, 0});
  for (const char* kind : {"secondary", "residential"}) kinds.kinds.push_back({kind, {}, 8, 1.5, 1.5});
  for (const char* kind : {"tertiary", "unclassified"}) kinds.kinds.push_back({kind, {}, 6, 1.5, 0});
  for (const char* kind : {"unsurfaced", "track", "service"}) kinds.kinds.push_back({kind, {}, 3, 1.5, 1.5});
  for (const char* name :
       {"velluters-2007-v05", "las-palmas-2010", "moscow-marfino-2013", "beatty", "perth-peanut-roundabout"}) {
    const auto file = simbatch::test::shared_file("corpus/osm/" + std::string(name) + ".osm");
    if (!file) continue;
    CAPTURE(std::string(name));
    const auto read = osm::read_file(file->string());
    REQUIRE(read.value.has_value());
    const osm::Model& map = read.value->model;
    osm::LatLon middle = map.node_positions[0];
    if (!map.bounds.empty())
      middle = {map.bounds[0].min.lat_e7 / 2 + map.bounds[0].max.lat_e7 / 2,
                map.bounds[0].min.lon_e7 / 2 + map.bounds[0].max.lon_e7 / 2};
    const RoadSelection selection = road_lines(map, kinds, geo::LocalFrame({middle.lat_deg(), middle.lon_deg()}));
    const HeightGrid terrain = hills(1500);
    const RoadMeshes meshes = road_meshes(selection.roads, kNetDimensions, terrain);
    CHECK(inverted(meshes.lanes) == 0);
    CHECK(inverted(meshes.junctions) == 0);
    CHECK(inverted(meshes.pavements) == 0);
    const Findings found = drive(selection.roads, meshes, terrain, 2);
    MESSAGE(std::string(name) << ": " << selection.roads.size() << " roads, " << meshes.counts.junctions << " junctions, "
                              << meshes.counts.fans << " fans, " << meshes.lanes.triangle_count() << " + "
                              << meshes.junctions.triangle_count() << " + " << meshes.pavements.triangle_count() << " + "
                              << meshes.curbs.triangle_count() << " triangles; " << found.places << " places, " << found.holes
                              << " holes, " << found.walls << " walls, " << found.worst_height << " m off");
    CHECK(found.places > 1000);
    CHECK(found.holes == 0);
    CHECK(holes_at_joints(selection.roads, meshes, terrain) == 0);
    CHECK(found.walls == 0);
    CHECK(found.worst_height < 1e-4);  // measured 7e-6: the probe counts 0.1 mm around each triangle to it
  }
}

TEST_CASE("roads: pieces are found by place, however long they are") {
  // A bar from the origin to 3000 km north-east, 8 m wide: the box about it has 3.5e10 cells.
  using detail::Piece;
  detail::PieceIndex index;
  const double far = 3e6;
  index.add({{{4, -4}, {far + 4, far - 4}, {far - 4, far + 4}, {-4, 4}}, 4});
  index.add({{{100, 0}, {110, 0}, {110, 10}, {100, 10}}, 4});
  index.add({{{-2000, 500}, {2000, 500}, {2000, 504}, {-2000, 504}}, 4});
  index.build();
  for (const double along : {0.0, 37.0, 5000.0, far / 2, far - 1}) CHECK(index.covers({along, along}));
  CHECK(index.covers({105, 5}));
  CHECK(index.covers({-1999, 502}));
  CHECK_FALSE(index.covers({far / 2, far / 2 + 20}));
  CHECK_FALSE(index.covers({50, 0}));
  CHECK(index.near({{-far, -far}, {far, far}}) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(index.near({{90, -1}, {300, 1}}) == std::vector<std::uint32_t>{1});
  CHECK(index.near({{-1500, 490}, {-1400, 510}}) == std::vector<std::uint32_t>{2});

  // Slanted quadrilaterals of all sizes against a look at each of them.
  detail::PieceIndex many;
  std::vector<Piece> pieces;
  std::uint64_t state = 7;
  const auto random = [&](double range) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5) * range;
  };
  for (int i = 0; i < 60; ++i) {
    const geo::EastNorth at{random(9000), random(9000)}, along{random(6000), random(6000)};
    const geo::EastNorth wide = detail::times(2 + std::fabs(random(600)), detail::left_of(detail::unit(along)));
    const geo::EastNorth end = detail::plus(at, along);
    pieces.push_back({{at, end, detail::plus(end, wide), detail::plus(at, wide)}, 4});
    many.add(pieces.back());
  }
  many.build();
  for (int i = 0; i < 4000; ++i) {
    const geo::EastNorth place{random(16000), random(16000)};
    bool inside = false;
    for (const Piece& piece : pieces) {
      bool all = true;
      for (std::size_t k = 0; k < 4; ++k)
        all = all && detail::cross(detail::minus(piece.corners[(k + 1) % 4], piece.corners[k]),
                                   detail::minus(place, piece.corners[k])) >= 0;
      inside = inside || all;
    }
    CHECK(many.covers(place) == inside);
  }
}

TEST_CASE("roads: thousands of roads at one node are given up instead of taking minutes") {
  std::vector<Road> roads;
  const auto add = [&](double angle) {
    Road road;
    road.id = static_cast<osm::Id>(roads.size() + 1);
    road.kind = "residential";
    road.width = 6;
    road.left_pavement = road.right_pavement = 1.5;
    road.line = {{0, 0}, {200 * std::cos(angle), 200 * std::sin(angle)}};
    road.at = {0, 1};
    road.nodes = {1, static_cast<std::uint32_t>(roads.size() + 2)};
    roads.push_back(road);
  };
  const HeightGrid ground = flat_terrain({.spacing = 100, .width = 500, .height = 500});
  const Effort effort{200'000, 2'000};
  for (int i = 0; i < 4; ++i) add(i * 1.5);
  CHECK_FALSE(road_meshes(roads, {}, ground, {}, {}, effort).crowded.has_value());
  for (int i = 0; i < 600; ++i) add(i * 0.01);
  const RoadMeshes meshes = road_meshes(roads, {}, ground, {}, {}, effort);
  REQUIRE(meshes.crowded.has_value());
  CHECK(std::hypot(meshes.crowded->east, meshes.crowded->north) < 210);
}
