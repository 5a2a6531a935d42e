#pragma once
/// Triangle meshes of the world: plain data, for physics and for pictures.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/geo/pose.hpp"

namespace simbatch::roads {

/// Triangles in the world frame (x east, y up, z north; metres). Corners run so that cross(b - a, c - a), by components,
/// points to the side that can be seen: up for ground, outwards for walls.
struct Mesh {
  std::vector<geo::Vec3> points;
  std::vector<std::uint32_t> indices;  ///< three a triangle

  std::size_t triangle_count() const { return indices.size() / 3; }
  void add(geo::Vec3 a, geo::Vec3 b, geo::Vec3 c) {
    const auto first = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), {a, b, c});
    indices.insert(indices.end(), {first, first + 1, first + 2});
  }
  /// Takes over another mesh's triangles.
  void append(const Mesh& other) {
    const auto first = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), other.points.begin(), other.points.end());
    indices.reserve(indices.size() + other.indices.size());
    for (const std::uint32_t i : other.indices) indices.push_back(first + i);
  }
};

}  // namespace simbatch::roads
