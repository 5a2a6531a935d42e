#pragma once
/// Terrain from a height map (thesis C.5): a grid of heights about the world's origin.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"

namespace simbatch::roads {

/// Heights over a rectangular grid in the world frame: point (i, j) is at x = x0 + i * spacing, z = z0 + j * spacing. Each cell
/// is two triangles, (x,z),(x,z+1),(x+1,z) and (x+1,z),(x,z+1),(x+1,z+1), as PAL's terrain meshes are split.
struct HeightGrid {
  int nx = 0, nz = 0;           ///< points along x and z, each >= 2
  double spacing = 1;           ///< m, > 0
  double x0 = 0, z0 = 0;        ///< of the south-west point (m)
  std::vector<double> heights;  ///< y (m); nx * nz, index j * nx + i
  double x1() const { return x0 + (nx - 1) * spacing; }
  double z1() const { return z0 + (nz - 1) * spacing; }
  bool contains(double x, double z) const { return x >= x0 && x <= x1() && z >= z0 && z <= z1(); }
  friend bool operator==(const HeightGrid&, const HeightGrid&) = default;
};

/// Height of the grid's triangles at a place; outside the grid, of the nearest place on its edge.
double height_at(const HeightGrid& grid, double x, double z);

/// Values as a height map holds them: row 0 is the north edge, column 0 the west edge, as on a map. A picture's values are
/// 0..255, a text's are metres.
struct HeightMap {
  int width = 0, height = 0;
  std::vector<double> values;  ///< width * height, row by row
  bool is_metres = false;      ///< text; else grey values
  friend bool operator==(const HeightMap&, const HeightMap&) = default;
};

/// At most this many values: 4096 x 4096, 32 km at the usual 8 m. A picture can pack a thousand
/// values into a byte, so this also bounds the memory that a small file can ask for (some 0.4 GB while decoding).
inline constexpr std::int64_t kMaxHeightValues = std::int64_t{1} << 24;

/// Reads a height map: a PNG, JPEG or BMP picture (known by its first bytes; colours become grey values), or a text of numbers
/// in metres, one row a line, blanks between, `#` begins a comment. At least 2 x 2 values, at most kMaxHeightValues.
Parsed<HeightMap> read_height_map(std::string_view bytes, const std::string& file_name);

struct TerrainOptions {
  double spacing = 8;            ///< HeightDataPerArea: metres between two values
  double height_division = 10;   ///< HeightDivisionCoefficient: grey value / this = metres; unused for metres
  double width = 0, height = 0;  ///< Size: extent along x and z (m); 0: as far as the map goes
};

/// The grid of a height map, its middle at the world's origin. With a Size the grid is cut to it, or continued with its edge
/// values; the extent is rounded up to whole cells, and at most kMaxHeightValues points.
HeightGrid terrain_of(const HeightMap& map, const TerrainOptions& options);

/// A flat grid of one cell or more about the origin, for maps without a height map.
HeightGrid flat_terrain(const TerrainOptions& options, double y = 0);

}  // namespace simbatch::roads
