#pragma once
/// Heights over a rectangular grid: the terrain of a world, for building, simulating and drawing.

#include <vector>

namespace simbatch::geo {

/// Heights in the world frame: point (i, j) is at x = x0 + i * spacing, z = z0 + j * spacing. Each cell is two triangles,
/// (x,z),(x,z+1),(x+1,z) and (x+1,z),(x,z+1),(x+1,z+1), as in PAL's terrain meshes.
struct HeightGrid {
  int nx = 0, nz = 0;           ///< points along x and z, each >= 2
  double spacing = 1;           ///< between points (m), > 0
  double x0 = 0, z0 = 0;        ///< of the first, the south-west point (m)
  std::vector<double> heights;  ///< y (m); nx * nz, index j * nx + i
  double x1() const { return x0 + (nx - 1) * spacing; }
  double z1() const { return z0 + (nz - 1) * spacing; }
  bool contains(double x, double z) const { return x >= x0 && x <= x1() && z >= z0 && z <= z1(); }
  friend bool operator==(const HeightGrid&, const HeightGrid&) = default;
};

}  // namespace simbatch::geo
