#pragma once
/// Worlds of roads at several levels, and drives through them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "lib/roads/level_widths.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/roads.hpp"
#include "lib/roads/structures.hpp"
#include "tests/unit/lib/roads/mesh_probe.hpp"

namespace simbatch::roads::test {
using geo::EastNorth;

inline Road line(osm::Id id, std::vector<EastNorth> points, std::vector<std::uint32_t> nodes, int layer = 0) {
  Road road;
  road.id = id;
  road.kind = "residential";
  road.width = 6;
  road.line = std::move(points);
  for (std::uint32_t k = 0; k < road.line.size(); ++k) road.at.push_back(k);
  road.nodes = std::move(nodes);
  road.layer = layer;
  return road;
}
inline Road tunnel(osm::Id id, std::vector<EastNorth> points, std::vector<std::uint32_t> nodes) {
  Road road = line(id, std::move(points), std::move(nodes), -1);
  road.is_tunnel = true;
  return road;
}
inline HeightGrid level() {
  TerrainOptions options;
  options.width = options.height = 1000;
  options.spacing = 20;
  return flat_terrain(options);
}
inline const autosim::RoadDimensions kDimensions{"", {}, 0.05, 0.15, 1};

/// A world of roads, as in a scenario.
struct Built {
  std::vector<Road> roads;
  Levels levels;
  LevelFitting fitting;
  Structures structures;
  RoadMeshes meshes;
  geo::TriangleMesh lanes, ground;
  explicit Built(std::vector<Road> all, const std::vector<MapPart>& water = {}, const std::vector<Road>& railways = {})
      : roads(std::move(all)) {
    levels = set_levels(roads, railways, water, level());
    fitting = fit_levels(roads);
    const LevelPieces pieces = split_levels(roads);
    structures = structures_of(pieces, kDimensions, level(), water);
    meshes = road_meshes(pieces.ground, kDimensions, level(), structures.openings, structures.low);
    for (const geo::TriangleMesh* mesh : {&meshes.lanes, &meshes.junctions, &structures.lanes, &structures.junctions})
      lanes.append(*mesh);
    ground = opened_ground(level(), structures.openings);
  }
};

/// Whether the segment from p to q meets a triangle (Moller and Trumbore, 1997).
inline bool meets(geo::Vec3 p, geo::Vec3 q, geo::Vec3 a, geo::Vec3 b, geo::Vec3 c) {
  const geo::Vec3 d = q - p, e1 = b - a, e2 = c - a, h = geo::cross(d, e2);
  const double det = geo::dot(e1, h);
  if (std::fabs(det) < 1e-12) return false;
  const geo::Vec3 s = p - a, k = geo::cross(s, e1);
  const double u = geo::dot(s, h) / det, v = geo::dot(d, k) / det, t = geo::dot(e2, k) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1;
}

/// Triangles of a mesh whose boxes on the map touch that of a line.
inline std::vector<std::array<geo::Vec3, 3>> triangles_near(const geo::TriangleMesh& mesh, EastNorth from, EastNorth to) {
  std::vector<std::array<geo::Vec3, 3>> found;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const std::array<geo::Vec3, 3> p{mesh.points[mesh.indices[3 * t]], mesh.points[mesh.indices[3 * t + 1]],
                                     mesh.points[mesh.indices[3 * t + 2]]};
    const auto [x0, x1] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [z0, z1] = std::minmax({p[0].z, p[1].z, p[2].z});
    if (x1 >= std::min(from.east, to.east) && x0 <= std::max(from.east, to.east) && z1 >= std::min(from.north, to.north) &&
        z0 <= std::max(from.north, to.north))
      found.push_back(p);
  }
  return found;
}

/// Goes along a line: always lanes below, at most `steepest`, nothing above them for 4 m that stops a car.
struct Drive {
  double lowest = 1e9, highest = -1e9, steepest = 0, step = 0;
  int holes = 0, obstacles = 0;
};
inline Drive drive(const Built& built, EastNorth from, EastNorth to, double first_height) {
  const MeshProbe lanes(built.lanes), walls(built.structures.walls), ground(built.ground);
  const auto in_the_way = triangles_near(built.structures.walls, from, to);
  Drive result;
  const double length = std::hypot(to.east - from.east, to.north - from.north);
  double last = first_height;
  for (double s = 0; s < length; s += 0.25) {
    const double x = from.east + s / length * (to.east - from.east), z = from.north + s / length * (to.north - from.north);
    const std::vector<double> heights = lanes.heights(x, z, 1e-4);
    // The lane that goes on from the last.
    const auto here = std::min_element(heights.begin(), heights.end(),
                                       [&](double a, double b) { return std::fabs(a - last) < std::fabs(b - last); });
    if (here == heights.end() || std::fabs(*here - last) > 0.3) {
      ++result.holes;
      continue;
    }
    result.step = std::max(result.step, std::fabs(*here - last));
    // At the heights of a bumper and of a roof.
    const geo::Vec3 step{(to.east - from.east) / length * 0.25, 0, (to.north - from.north) / length * 0.25};
    for (const double up : {0.4, 1.6})
      for (const auto& t : in_the_way) {
        const geo::Vec3 at{x, *here + up, z};
        result.obstacles += meets(at - step, at, t[0], t[1], t[2]) ? 1 : 0;
      }
    last = *here;
    result.lowest = std::min(result.lowest, last);
    result.highest = std::max(result.highest, last);
    for (const MeshProbe* probe : {&walls, &ground, &lanes})
      for (const double h : probe->heights(x, z)) result.obstacles += h > last + 0.02 && h < last + 4 ? 1 : 0;
  }
  return result;
}

}  // namespace simbatch::roads::test
