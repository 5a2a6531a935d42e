#pragma once
/// Triangle meshes: plain data, for physics and for pictures.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/geo/pose.hpp"

namespace simbatch::geo {

/// Triangles in a left-handed frame (x right, y up, z forward; meters). Where sides matter, corners run so that
/// cross(b - a, c - a), by components, points to the visible side.
struct TriangleMesh {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> indices;  ///< three per triangle

  std::size_t triangle_count() const { return indices.size() / 3; }
  void add(Vec3 a, Vec3 b, Vec3 c) {
    const auto first = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), {a, b, c});
    indices.insert(indices.end(), {first, first + 1, first + 2});
  }
  /// Appends another mesh's triangles.
  void append(const TriangleMesh& other) {
    const auto first = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), other.points.begin(), other.points.end());
    indices.reserve(indices.size() + other.indices.size());
    for (const std::uint32_t i : other.indices) indices.push_back(first + i);
  }
};

}  // namespace simbatch::geo
