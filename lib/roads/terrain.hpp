#pragma once
/// Terrain from a height map (thesis C.5): a grid of heights about the world's origin.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/height_grid.hpp"

namespace simbatch::roads {

using geo::HeightGrid;

/// Height of the grid's triangles at a point; outside the grid, at the nearest point of its edge.
double height_at(const HeightGrid& grid, double x, double z);

/// The values of a height map: row 0 is the north edge, column 0 the west edge, as on a map. Values of images are 0..255, those
/// of text files meters.
struct HeightMap {
  int width = 0, height = 0;
  std::vector<double> values;  ///< width * height, row by row
  bool is_meters = false;      ///< text; else gray values
  friend bool operator==(const HeightMap&, const HeightMap&) = default;
};

/// At most this many values: 4096 x 4096, 32 km at the usual 8 m. An image can pack a thousand values into a byte, so this also
/// bounds the memory that a small file can claim (some 0.4 GB while decoding).
inline constexpr std::int64_t kMaxHeightValues = std::int64_t{1} << 24;

/// Reads a height map: a PNG, JPEG or BMP picture (recognized by content; colors become gray), or a text of
/// numbers in meters, one row per line, separated by blanks; `#` begins a comment. At least 2 x 2 values, at most
/// kMaxHeightValues.
Parsed<HeightMap> read_height_map(std::string_view bytes, const std::string& file_name);

struct TerrainOptions {
  double spacing = 8;            ///< HeightDataPerArea: meters between two values
  double height_division = 10;   ///< HeightDivisionCoefficient: gray value / this = meters; unused for texts
  double width = 0, height = 0;  ///< Size: extent along x and z (m); 0: the extent of the map
};

/// The grid of a height map, centered at the world's origin. A Size crops it, or extends it with its edge values; the extent is
/// rounded up to whole cells and limited to kMaxHeightValues points.
HeightGrid terrain_of(HeightMap map, const TerrainOptions& options);

/// A flat grid of one or more cells about the origin, for maps without a height map.
HeightGrid flat_terrain(const TerrainOptions& options, double y = 0);

}  // namespace simbatch::roads
