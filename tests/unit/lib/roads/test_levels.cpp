// Roads over and under others: room to drive under, ramps that are not steep, nothing else changed.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "formats/osm/read.hpp"
#include "tests/unit/lib/roads/level_world.hpp"

using namespace simbatch;
using namespace simbatch::roads;
using geo::EastNorth;
using namespace roads::test;

TEST_CASE("levels: a bridge, something to drive on and under") {
  // West to east: a street, a bridge of 40 m, a street; below it a road to the north.
  const Built built({line(1, {{-300, 0}, {-20, 0}}, {1, 2}), line(2, {{-20, 0}, {20, 0}}, {2, 3}, 1),
                     line(3, {{20, 0}, {300, 0}}, {3, 4}), line(4, {{0, -300}, {0, 300}}, {5, 6})});
  CHECK(built.levels.bridges == 1);
  CHECK(built.levels.tunnels == 0);
  CHECK(built.levels.raised == doctest::Approx(2 * (kRampLength * kDeckHeight + 6)).epsilon(0.03));
  CHECK(built.structures.openings.empty());
  for (const double side : {-2.5, 0.0, 2.5}) {
    CAPTURE(side);
    const Drive over = drive(built, {-290, side}, {290, side}, 0.05);
    CHECK(over.holes == 0);
    CHECK(over.obstacles == 0);
    CHECK(over.highest == doctest::Approx(kDeckHeight + 0.05));
    CHECK(over.step < 0.25 * 0.1);  // 10 %
    const Drive under = drive(built, {side, -290}, {side, 290}, 0.05);
    CHECK(under.holes == 0);
    CHECK(under.obstacles == 0);
    CHECK(under.highest == doctest::Approx(0.05));
  }
  // Parapets beside the deck.
  const MeshProbe walls(built.structures.walls);
  for (const double x : {-3.0, 0.0, 3.0})
    CHECK(std::any_of(built.structures.walls.points.begin(), built.structures.walls.points.end(), [&](geo::Vec3 p) {
      return std::fabs(p.x - x) < 1 && std::fabs(p.z - 3) < 0.01 && p.y > kDeckHeight + 0.8;
    }));
  // The road below is as it was.
  CHECK(built.roads[3].height.empty());
  CHECK(built.roads[3].line == std::vector<EastNorth>{{0, -300}, {0, 300}});
  // Lanes are seen from above.
  for (std::size_t i = 0; i < built.lanes.triangle_count(); ++i) {
    const auto at = [&](std::size_t k) { return built.lanes.points[built.lanes.indices[3 * i + k]]; };
    CHECK(geo::cross(at(1) - at(0), at(2) - at(0)).y > 0);
  }
}

TEST_CASE("levels: roads that meet are no crossing, nor is a bridge over nothing") {
  for (const bool meets : {false, true}) {
    std::vector<Road> roads = {line(1, {{-100, 0}, {0, 0}, {100, 0}}, {1, 2, 3}, 1)};
    if (meets) roads.push_back(line(2, {{0, -100}, {0, 0}, {0, 100}}, {4, 2, 5}));
    const std::vector<Road> before = roads;
    const Built built(roads);
    CHECK(built.levels.empty());
    CHECK(built.structures.lanes.indices.empty());
    for (std::size_t r = 0; r < before.size(); ++r) CHECK(built.roads[r].line == before[r].line);
  }
}

TEST_CASE("levels: a tunnel under a street, with ramps in open cuttings") {
  const Built built({line(1, {{-300, 3}, {-40, 0}}, {1, 2}), tunnel(2, {{-40, 0}, {40, 0}}, {2, 3}),
                     line(3, {{40, 0}, {300, -3}}, {3, 4}), line(4, {{0, -300}, {0, 300}}, {5, 6})});
  CHECK(built.levels.tunnels == 1);
  CHECK(built.levels.bridges == 0);
  CHECK(built.levels.lowered == doctest::Approx(80 + 2 * kRampLength * kTunnelDepth).epsilon(0.03));
  for (const double side : {-2.5, 0.0, 2.5}) {
    CAPTURE(side);
    const Drive over = drive(built, {side, -290}, {side, 290}, 0.05);
    CHECK(over.holes == 0);
    CHECK(over.obstacles == 0);
    CHECK(over.lowest == doctest::Approx(0.05));
    const Drive in = drive(built, {-290, 2.88 + side}, {-40, side}, 0.05);
    CHECK(in.holes == 0);
    CHECK(in.obstacles == 0);
    CHECK(in.step < 0.25 * 0.1);
    const Drive under = drive(built, {-40, side}, {40, side}, 0.05 - kTunnelDepth);
    CHECK(under.holes == 0);
    CHECK(under.obstacles == 0);
    CHECK(under.lowest == doctest::Approx(0.05 - kTunnelDepth));
  }
  // The ground is open over the ramp, and there beside it and over the tunnel.
  const MeshProbe ground(built.ground);
  CHECK_FALSE(ground.covers(-80, 0.46));
  CHECK(ground.covers(-80, 5));
  CHECK(ground.covers(-20, 0));
  CHECK(ground.covers(-200, 1.8));
  // A ceiling, and a portal: a wall across the lanes over the room to drive.
  const MeshProbe walls(built.structures.walls);
  CHECK(walls.covers(0, 0));
}

TEST_CASE("levels: side streets meet a ramp at its height, without a step in its lanes") {
  const Built built({line(1, {{-200, 0}, {-40, 0}, {0, 0}, {200, 0}}, {1, 2, 3, 4}, 1),
                     line(2, {{-40, -200}, {-40, 0}}, {5, 2}), line(3, {{20, -200}, {20, 200}}, {7, 8})});
  CHECK(built.levels.bridges == 1);
  for (const double side : {-2.0, 0.0, 2.0}) {
    CAPTURE(side);
    const Drive along = drive(built, {-190, side}, {190, side}, 0.05);
    CHECK(along.holes == 0);
    CHECK(along.obstacles == 0);
    CHECK(along.step < 0.06);
  }
  const Drive from_side = drive(built, {-39, -190}, {-39, 0}, 0.05);
  CHECK(from_side.holes == 0);
  CHECK(from_side.obstacles == 0);
  CHECK(from_side.highest > 1.5);
  CHECK(from_side.step < 0.06);
}

TEST_CASE("levels: a bridge over a bridge is higher still, and one over a deep cutting stays on the ground") {
  const Built stacked({line(1, {{-300, 0}, {300, 0}}, {1, 2}), line(2, {{0, -300}, {0, 300}}, {3, 4}, 1),
                       line(3, {{-200, -200}, {200, 200}}, {5, 6}, 2)});
  CHECK(stacked.levels.bridges == 2);
  CHECK(*std::max_element(stacked.roads[2].height.begin(), stacked.roads[2].height.end()) == doctest::Approx(2 * kDeckHeight));
  const Built cutting({tunnel(1, {{-100, 0}, {100, 0}}, {1, 2}), line(2, {{0, -100}, {0, 100}}, {3, 4}, 1)});
  CHECK(cutting.levels.bridges == 0);
  CHECK(cutting.roads[1].height.empty());
}

TEST_CASE("levels: a road of layer -1 without the tag of a tunnel passes under the street above") {
  const Built built({line(1, {{-300, 0}, {300, 0}}, {1, 2}, -1), line(2, {{0, -300}, {0, 300}}, {3, 4})});
  CHECK(built.levels.tunnels == 1);
  CHECK(built.levels.raised == 0);
  const Drive under = drive(built, {-290, 1}, {290, 1}, 0.05);
  CHECK(under.holes == 0);
  CHECK(under.obstacles == 0);
  CHECK(under.lowest == doctest::Approx(0.05 - kTunnelDepth));
}

TEST_CASE("levels: a slip road has the main road's height until their lanes are apart") {
  std::vector<Road> roads = {line(1, {{-300, 0}, {0, 0}, {300, 0}}, {1, 2, 3}),
                             line(2, {{0, 0}, {60, 8}, {200, 60}, {400, 60}}, {2, 4, 5, 6}, 1),
                             line(3, {{80, -200}, {80, 200}}, {7, 8})};
  roads[1].width = 4;
  const Built built(roads);
  REQUIRE(built.levels.bridges == 1);
  const auto height = [&](std::size_t r, double east) {
    const Road& road = built.roads[r];
    if (road.height.empty()) return 0.0;
    for (std::size_t k = 1; k < road.line.size(); ++k)
      if (road.line[k].east >= east) {
        const double t = (east - road.line[k - 1].east) / (road.line[k].east - road.line[k - 1].east);
        return road.height[k - 1] + t * (road.height[k] - road.height[k - 1]);
      }
    return -1.0;
  };
  for (const double east : {6.0, 15.0, 30.0}) {
    CAPTURE(east);
    CHECK(std::fabs(height(1, east) - height(0, east)) < 0.05);
  }
  CHECK(height(1, 110) > 4);
  const Drive along = drive(built, {-290, -1.5}, {290, -1.5}, 0.05);
  CHECK(along.holes == 0);
  CHECK(along.obstacles == 0);
  CHECK(along.step < 0.06);
}

TEST_CASE("levels: a ramp and a street beside it share the room between them, without walls on lanes") {
  // The lanes of both would overlap by 1.5 m all along; the street ends before the crossing.
  const auto both = [](int layer) {
    return std::vector<Road>{line(1, {{-300, 0}, {300, 0}}, {1, 2}, layer), line(2, {{0, -300}, {0, 300}}, {3, 4}),
                             line(3, {{-300, 4.5}, {-20, 4.5}}, {5, 6})};
  };
  for (const int layer : {1, -1}) {
    CAPTURE(layer);
    const Built built(both(layer));
    CHECK(built.fitting.pieces > 1);
    CHECK(built.fitting.meters > 100);
    for (const Road& road : built.roads) {
      CHECK(road.width >= 2.5);
      CHECK(road.name.empty());
    }
    const Drive ramp = drive(built, {-290, -0.5}, {290, -0.5}, 0.05);
    CHECK(ramp.holes == 0);
    CHECK(ramp.obstacles == 0);
    const Drive street = drive(built, {-290, 5.2}, {-22, 5.2}, 0.05);
    CHECK(street.holes == 0);
    CHECK(street.obstacles == 0);
    CHECK(street.highest - street.lowest < 0.01);
  }
  // Further apart, nothing is narrowed.
  std::vector<Road> apart = both(1);
  for (EastNorth& p : apart[2].line) p.north = 6.5;
  CHECK(Built(apart).fitting.pieces == 0);
}

TEST_CASE("levels: where a tunnel or a bridge narrows, there are walls exactly from edge to edge") {
  // South to north, narrower from the middle on; a street crosses it at each layer.
  for (const int layer : {1, -1})
    for (const double narrow : {2.6, 2.75, 3.0, 3.25, 3.5}) {
      CAPTURE(layer);
      CAPTURE(narrow);
      std::vector<Road> roads = {line(1, {{0, -300}, {0, -10}}, {1, 2}, layer), line(2, {{0, -10}, {0, 300}}, {2, 3}, layer),
                                 line(3, {{-300, 0}, {300, 0}}, {4, 5})};
      roads[0].width = 3.8;
      roads[1].width = narrow;
      const Built built(roads);
      // 0.15 m of the lanes may be taken by walls.
      for (const double side : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        CAPTURE(side);
        const Drive through = drive(built, {side * (narrow / 2 - 0.16), -290}, {side * (narrow / 2 - 0.16), 290}, 0.05);
        CHECK(through.holes == 0);
        CHECK(through.obstacles == 0);
      }
      const double height = built.roads[0].height.back();
      REQUIRE(std::fabs(height) > 5);
      for (double x = narrow / 2 + 0.06; x < 1.85; x += 0.05)
        for (const double side : {-x, x}) {
          CAPTURE(side);
          const auto near = triangles_near(built.structures.walls, {side, -10.5}, {side, -9.5});
          CHECK(std::any_of(near.begin(), near.end(), [&](const auto& t) {
            return meets({side, height + 0.5, -10.5}, {side, height + 0.5, -9.5}, t[0], t[1], t[2]);
          }));
        }
    }
}

TEST_CASE("levels: railways stay on the ground, with bridges over them and roads under them") {
  const std::vector<Road> railways = {line(9, {{0, -300}, {0, 300}}, {20, 21})};
  for (const int layer : {1, -1}) {
    CAPTURE(layer);
    std::vector<Road> roads = {line(1, {{-300, 0}, {300, 0}}, {1, 2}, layer)};
    const Levels levels = set_levels(roads, railways, {}, {});
    CHECK(levels.bridges == (layer > 0 ? 1 : 0));
    CHECK(levels.tunnels == (layer < 0 ? 1 : 0));
    REQUIRE(roads.size() == 1);
    REQUIRE_FALSE(roads[0].height.empty());
    const auto [low, high] = std::minmax_element(roads[0].height.begin(), roads[0].height.end());
    CHECK((layer > 0 ? *high : -*low) == doctest::Approx(layer > 0 ? kDeckHeight : kTunnelDepth));
  }
  // A level crossing: they have a node in common.
  std::vector<Road> roads = {line(1, {{-300, 0}, {0, 0}, {300, 0}}, {1, 30, 2}, 1)};
  CHECK(set_levels(roads, {line(9, {{0, -300}, {0, 0}, {0, 300}}, {20, 30, 21})}, {}, {}).empty());
}
