#pragma once
/// Elevation tiles of one degree, as those of the Shuttle Radar Topography Mission (.hgt).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

/// Heights of one degree by one degree; rows and columns at the borders are those of the tiles beside it too.
struct HgtTile {
  int lat = 0, lon = 0;              ///< degrees, of the south-west corner
  int side = 0;                      ///< samples along each side: 1201 (3 arc seconds) or 3601 (1 arc second)
  std::vector<std::int16_t> values;  ///< m over the geoid; side * side, row 0 is the northern border, column 0 the western
  std::size_t voids = 0;             ///< samples without data, which have the value of a neighbor
};

/// Reads a tile: big-endian 16-bit values without a head, so that the file's name says where it lies ("N48E011.hgt") and its
/// size how fine it is. Samples without data (-32768) get the value of the nearest sample in their row, or else that of the row
/// before. Source: USGS, SRTM Topography (quickstart), 2.1. Errors: name, size, no data at all.
Parsed<HgtTile> read_hgt(std::string_view bytes, const std::string& file_name);

/// The grid over tiles, its middle at the frame's origin; options as in flat_terrain(). Heights between samples are bilinear.
/// @param missing  number of points outside of all tiles, which have the height of the nearest place of the first
HeightGrid terrain_of(const std::vector<HgtTile>& tiles, const geo::LocalFrame& frame, const TerrainOptions& options,
                      std::size_t& missing);

}  // namespace simbatch::roads
