#pragma once
/// A serialized model, as returned by the process that reads a model file. Internal to this room.
///
/// Layout, in the machine's own byte order: magic number, number of points, of triangles, of colors (8 bytes each); points and
/// colors as three doubles each, with the indices (three of 4 bytes per triangle) and paints (1 byte per triangle) between
/// them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/geo/triangle_mesh.hpp"

namespace simbatch::models {

struct Model {
  geo::TriangleMesh mesh;           ///< y up, z forward, x right (m)
  std::vector<std::uint8_t> paint;  ///< one per triangle: index into colors
  std::vector<geo::Vec3> colors;    ///< linear red, green, blue, 0..1; 1 to 256 of them
};

/// Maximum number of triangles of a model, and its largest absolute coordinate (m).
inline constexpr std::size_t kMaxModelTriangles = 2'000'000;
inline constexpr double kMaxModelCoordinate = 1e9;
/// Maximum size of a packed model (bytes).
inline constexpr std::size_t kMaxPackedBytes = 32 + kMaxModelTriangles * (9 * sizeof(double) + 13) + 256 * 24;

std::string pack(const Model& model);
/// Validates everything: the result has finite coordinates within kMaxModelCoordinate, valid indices, and colors in 0..1. Empty
/// otherwise.
std::optional<Model> unpack(std::string_view bytes);

}  // namespace simbatch::models
