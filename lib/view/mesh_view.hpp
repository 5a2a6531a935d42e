#pragma once
/// Meshes that belong to no scenario, as a world to be drawn.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lib/view/rebuild.hpp"

namespace simbatch::view {

/// The parts of a body in one color. Right-handed, z up.
struct ColoredMesh {
  std::vector<std::array<double, 3>> points;            ///< m, in the mesh's frame
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices of points
  std::vector<std::array<float, 3>> colors;             ///< one per triangle: red, green, blue as on a screen, 0..1
  geo::Pose pose;                                       ///< of the mesh
};

/// A started world of these meshes, which do not move, over level ground at their lowest point.
/// @pre the triangles' indices are in the range of the points
/// @return nothing if there is nothing to draw
std::optional<BuiltView> view_of_meshes(std::span<const ColoredMesh> meshes, Diagnostics& problems);

}  // namespace simbatch::view
