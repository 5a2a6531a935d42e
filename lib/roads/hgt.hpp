#pragma once
/// Elevation tiles of one degree, as from the Shuttle Radar Topography Mission (.hgt).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// Heights of one degree by one degree. Adjacent tiles share the rows and columns along their common border.
struct HgtTile {
  int lat = 0, lon = 0;              ///< degrees, of the south-west corner
  int side = 0;                      ///< samples along each side: 1201 (3 arc seconds) or 3601 (1 arc second)
  std::vector<std::int16_t> values;  ///< m above the geoid; side * side, row 0 is the northern border, column 0 the western
  std::size_t voids = 0;             ///< samples without data, filled with the value of a neighbor
};

/// "N48E011.hgt", the name of the tile that contains this place.
std::string hgt_name(geo::LatLon at);

/// Reads a tile: big-endian 16-bit values without a header; the position follows from the file's name ("N48E011.hgt"), the
/// resolution from its size. Samples without data (-32768) get the value of the nearest sample in their row, or else that of
/// the previous row; so do samples outside -12000 to 9000 m, with a warning. Source: USGS, SRTM Topography (quickstart),
/// 2.1. Errors: bad name, bad size, no data at all.
Parsed<HgtTile> read_hgt(std::string_view bytes, const std::string& file_name);

/// A grid over tiles, centered at the frame's origin; options as in flat_terrain(). Between samples, heights are bilinear.
/// @param missing  receives the number of points outside all tiles; they get the height of the nearest place of the first tile
HeightGrid terrain_of(const std::vector<HgtTile>& tiles, const geo::LocalFrame& frame, const TerrainOptions& options,
                      std::size_t& missing);

}  // namespace simbatch::roads
