#include "lib/roads/passages.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <vector>

using namespace simbatch;
using namespace simbatch::roads;

namespace {
/// Buildings of 20 m x 20 m, with their southwest corners at (0, 0), (100, 0), (200, 0).
BuildingSelection three_buildings() {
  BuildingSelection selection;
  for (const double x : {0.0, 100.0, 200.0}) {
    const osm::Id id = static_cast<osm::Id>(selection.prisms.size()) + 1;
    selection.prisms.push_back({osm::Kind::way, id, {{x, 0}, {x + 20, 0}, {x + 20, 20}, {x, 20}}, {}, 0, 6});
  }
  return selection;
}
/// Along the middle of the buildings, by its eastings, with a node at each.
Road street(std::initializer_list<std::pair<double, std::uint32_t>> places) {
  Road road;
  for (const auto& [east, node] : places) {
    road.at.push_back(static_cast<std::uint32_t>(road.line.size()));
    road.line.push_back({east, 10});
    road.nodes.push_back(node);
  }
  return road;
}
std::vector<osm::Id> left(const std::vector<Road>& roads) {
  BuildingSelection selection = three_buildings();
  open_passages(selection, roads);
  CHECK(selection.crossed == 3 - selection.prisms.size());
  std::vector<osm::Id> ids;
  for (const Prism& prism : selection.prisms) ids.push_back(prism.id);
  return ids;
}
using Ids = std::vector<osm::Id>;
}  // namespace

TEST_CASE("passages: what a road passes through is taken out, what it ends in stays") {
  Road road = street({{-50, 1}, {50, 2}});
  road.line.insert(road.line.end(), {{50, 50}, {110, 50}, {110, 10}});
  road.nodes.insert(road.nodes.end(), {3, 4, 5});
  CHECK(left({road}) == Ids{2, 3});
  CHECK(left({street({{10, 1}, {50, 2}})}) == Ids{1, 2, 3});                 // begins in one
  CHECK(left({street({{10, 1}, {110, 2}})}) == Ids{1, 2, 3});                // and ends in another
  CHECK(left({street({{5, 1}, {15, 2}})}) == Ids{1, 2, 3});                  // all of it in one
  CHECK(left({street({{-50, 1}, {0, 2}, {20, 3}, {50, 4}})}) == Ids{2, 3});  // nodes at the walls
}

TEST_CASE("passages: ways that share nodes are one way through") {
  // A passage that is a way of its own, from wall to wall.
  const Road before = street({{-50, 1}, {0, 2}}), passage = street({{0, 2}, {20, 3}}), after = street({{20, 3}, {50, 4}});
  CHECK(left({before, passage, after}) == Ids{2, 3});
  CHECK(left({after, passage, before}) == Ids{2, 3});
  CHECK(left({passage}) == Ids{1, 2, 3});
  CHECK(left({before, passage}) == Ids{1, 2, 3});  // a garage
  // Two ways that meet in the middle.
  CHECK(left({street({{-50, 1}, {10, 2}}), street({{10, 2}, {50, 3}})}) == Ids{2, 3});
  // It begins at a node in the middle of a street beside the wall.
  Road beside = street({{-1, 1}});
  beside.line = {{-1, -50}, {-1, 10}, {-1, 50}};
  beside.nodes = {1, 2, 5};
  const Road from_it = street({{-1, 2}, {20, 3}});
  CHECK(left({beside, from_it}) == Ids{1, 2, 3});
  CHECK(left({beside, from_it, after}) == Ids{2, 3});
  // A tunnel leads on, under the ground.
  Road tunnel = after;
  tunnel.is_tunnel = true;
  CHECK(left({before, passage, tunnel}) == Ids{2, 3});
}

TEST_CASE("passages: two garages of one building are no way through") {
  CHECK(left({street({{-50, 1}, {5, 2}}), street({{15, 3}, {50, 4}})}) == Ids{1, 2, 3});
  // A yard inside with ways of its own, entered once.
  CHECK(left({street({{-50, 1}, {5, 2}}), street({{5, 2}, {8, 3}}), street({{5, 2}, {12, 4}})}) == Ids{1, 2, 3});
  CHECK(left({street({{-50, 1}, {5, 2}}), street({{5, 2}, {8, 3}}), street({{8, 3}, {50, 4}})}) == Ids{2, 3});
}
