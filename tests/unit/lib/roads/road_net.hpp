#pragma once
/// Small road nets, and wheels that look for holes in what is made of them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/roads.hpp"
#include "tests/unit/lib/roads/mesh_probe.hpp"

namespace simbatch::roads::test {

constexpr geo::LatLon kOrigin{48, 11};

/// A map of nodes in meters about the origin, for small road nets.
struct Net {
  osm::Model map;
  autosim::HighwayDimensions kinds;
  geo::LocalFrame frame{kOrigin};

  Net() { kinds.kinds = {{"residential", {}, 6, 1.5, 1.5}, {"primary", {}, 12, 2, 2}, {"track", {}, 3, 0, 0}}; }
  std::uint32_t node(double east, double north) {
    const geo::LatLon at = frame.to_geographic({east, north});
    return map.add_node(static_cast<osm::Id>(map.node_count()) + 1, {static_cast<std::int32_t>(std::lrint(at.lat * 1e7)),
                                                                     static_cast<std::int32_t>(std::lrint(at.lon * 1e7))});
  }
  void way(const std::vector<std::uint32_t>& nodes, const char* kind = "residential") {
    map.add_way(static_cast<osm::Id>(map.ways.size()) + 1);
    for (const std::uint32_t n : nodes) map.add_ref(osm::Ref(n));
    map.add_tag("highway", kind);
  }
};

inline HeightGrid hills(double half) {
  HeightGrid grid = flat_terrain({.spacing = 8, .width = 2 * half, .height = 2 * half});
  for (int j = 0; j < grid.nz; ++j)
    for (int i = 0; i < grid.nx; ++i)
      grid.heights[static_cast<std::size_t>(j * grid.nx + i)] = std::round(30 * std::sin(i * 0.37) * std::cos(j * 0.23)) / 10;
  return grid;
}

inline const autosim::RoadDimensions kNetDimensions{"", {}, 0.03, 0.15, 1};

struct Findings {
  std::size_t places = 0, holes = 0, steps = 0, walls = 0;
  double worst_height = 0;
};

/// Drives along all roads with wheels across the whole width: there must be lanes below, at the terrain's height + lift, and
/// no pavement above them.
inline Findings drive(const std::vector<Road>& roads, const RoadMeshes& meshes, const HeightGrid& terrain, double step) {
  geo::TriangleMesh ground = meshes.lanes;
  ground.append(meshes.junctions);
  const MeshProbe lanes(ground), pavements(meshes.pavements);
  Findings found;
  for (const Road& road : roads)
    for (std::size_t i = 1; i < road.line.size(); ++i) {
      const geo::EastNorth a = road.line[i - 1], b = road.line[i];
      const double l = std::hypot(b.east - a.east, b.north - a.north);
      const double ux = (b.east - a.east) / l, uz = (b.north - a.north) / l;
      for (double s = 0; s <= l; s += step)
        for (const double share : {-0.97, -0.5, 0.0, 0.5, 0.97}) {
          const double side = share * road.width / 2;
          const double x = a.east + s * ux + side * uz, z = a.north + s * uz - side * ux;
          if (!terrain.contains(x, z)) continue;
          ++found.places;
          const std::vector<double> heights = lanes.heights(x, z, 1e-4);
          if (heights.empty() && ++found.holes <= 5)
            MESSAGE("hole at " << x << ", " << z << " on way " << road.id << ", " << road.width << " m wide");
          for (const double h : heights)
            found.worst_height =
                std::max(found.worst_height, std::fabs(h - height_at(terrain, x, z) - kNetDimensions.height_above_terrain));
          for (const double h : pavements.heights(x, z, -0.02))
            if (h > height_at(terrain, x, z) + 0.1) ++found.walls;
        }
    }
  return found;
}

/// Places without lanes below on circles about the nodes where a road goes on as one of the same width, bent by less than 40
/// degrees: between their ends, where no road's own cross-section reaches. Roads that bend within the circle do not count.
inline std::size_t holes_at_joints(const std::vector<Road>& roads, const RoadMeshes& meshes, const HeightGrid& terrain) {
  struct Arm {
    double half = 0;
    geo::EastNorth away;  // unit vector
  };
  struct Joint {
    geo::EastNorth at;
    std::vector<Arm> arms;
  };
  std::map<std::uint32_t, Joint> joints;
  for (const Road& road : roads)
    for (std::size_t i = 0; i < road.nodes.size(); ++i) {
      const geo::EastNorth at = road.line[road.at[i]];
      joints[road.nodes[i]].at = at;
      for (const int to : {-1, 1}) {
        if ((to < 0 && i == 0) || (to > 0 && i + 1 == road.nodes.size())) continue;
        const geo::EastNorth next = road.line[to < 0 ? road.at[i] - 1 : road.at[i] + 1];
        const double l = std::hypot(next.east - at.east, next.north - at.north);
        if (l < road.width / 2) continue;
        joints[road.nodes[i]].arms.push_back({road.width / 2, {(next.east - at.east) / l, (next.north - at.north) / l}});
      }
    }
  geo::TriangleMesh ground = meshes.lanes;
  ground.append(meshes.junctions);
  const MeshProbe lanes(ground);
  std::size_t holes = 0;
  for (const auto& [node, joint] : joints) {
    double half = 0;
    for (const Arm& a : joint.arms)
      for (const Arm& b : joint.arms)
        if (a.half == b.half && a.away.east * b.away.east + a.away.north * b.away.north < -std::cos(0.7))
          half = std::max(half, a.half);
    for (int i = 0; half > 0 && i < 64; ++i) {
      const double angle = i * std::numbers::pi / 32;
      const double x = joint.at.east + 0.93 * half * std::cos(angle), z = joint.at.north + 0.93 * half * std::sin(angle);
      if (!terrain.contains(x, z) || !lanes.heights(x, z, 1e-4).empty()) continue;
      if (++holes <= 5) MESSAGE("hole at " << x << ", " << z << " beside node " << node);
    }
  }
  return holes;
}

inline void check_net(const Net& net, const HeightGrid& terrain, RoadMeshes::Counts expected) {
  const RoadSelection selection = road_lines(net.map, net.kinds, net.frame);
  const RoadMeshes meshes = road_meshes(selection.roads, kNetDimensions, terrain);
  CHECK(meshes.counts.junctions == expected.junctions);
  CHECK(meshes.counts.fans == expected.fans);
  CHECK(inverted(meshes.lanes) == 0);
  CHECK(inverted(meshes.junctions) == 0);
  CHECK(inverted(meshes.pavements) == 0);
  const Findings found = drive(selection.roads, meshes, terrain, 0.25);
  CHECK(found.places > 0);
  CHECK(found.holes == 0);
  CHECK(holes_at_joints(selection.roads, meshes, terrain) == 0);
  CHECK(found.walls == 0);
  CHECK(found.worst_height < 1e-4);  // measured 7e-6: the probe counts 0.1 mm around each triangle to it
}

}  // namespace simbatch::roads::test
