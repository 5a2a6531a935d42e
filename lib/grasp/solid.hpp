#pragma once
/// Volume, centroid and inertia of the solid enclosed by a triangle mesh.

#include <array>
#include <cstdint>
#include <span>

namespace simbatch::grasp {

struct SolidProperties {
  double volume = 0;  ///< negative if the triangles turn inward
  double area = 0;
  std::array<double, 3> centroid{};  ///< of the solid; of the surface if the volume is 0
  std::array<double, 9> inertia{};   ///< of unit mass and uniform density about the centroid, row by row, lengths squared
  bool closed = false;               ///< every edge is used equally often in both directions
};

/// Integrals over the volume by the divergence theorem, as sums over the triangles (B. Mirtich, "Fast and accurate computation
/// of polyhedral mass properties", J. of Graphics Tools 1(2), 1996; for triangles the face integrals have the closed form used
/// here: each triangle and a common point make a tetrahedron). The common point is the middle of the bounding box, so that a
/// body far from its origin loses no precision.
///
/// The results describe a solid only if the mesh is closed; open meshes are accepted. Points with equal coordinates are merged
/// when edges are compared.
/// @param points     any unit
/// @param triangles  indexes into points, counter-clockwise seen from outside
SolidProperties measure_solid(std::span<const std::array<double, 3>> points,
                              std::span<const std::array<std::uint32_t, 3>> triangles);

/// True if a body can have this tensor (symmetric, row by row): its moments about every axis are positive, and none is larger
/// than the sum of the two about axes perpendicular to it, within `tolerance` times their sum.
bool is_possible_inertia(const std::array<double, 9>& inertia, double tolerance = 1e-9);

}  // namespace simbatch::grasp
