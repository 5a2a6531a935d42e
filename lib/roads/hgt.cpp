// Format: USGS, SRTM Topography (Documentation/Quickstart.pdf), 2.1: "height files" of signed two-byte integers, big-endian, named
// by the latitude and longitude of the lower left corner.
#include "lib/roads/hgt.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <utility>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/roads/codes.hpp"

namespace simbatch::roads {
namespace {

constexpr std::int16_t kVoid = -32768;
constexpr std::int16_t kLowest = -12'000, kHighest = 9'000;  ///< m: more than from the deepest trench to the highest summit

/// "N48E011" or "s33w071", at the beginning of a file's name without its folder.
std::optional<std::pair<int, int>> corner_of(std::string_view file_name) {
  const std::string_view name = file_name.substr(file_name.find_last_of('/') + 1);
  if (name.size() < 7) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) { return parse_integer<int>(name.substr(at, digits)); };
  const auto lat = number(1, 2), lon = number(4, 3);
  const bool south = name[0] == 'S' || name[0] == 's', west = name[3] == 'W' || name[3] == 'w';
  const bool is_named = (south || name[0] == 'N' || name[0] == 'n') && (west || name[3] == 'E' || name[3] == 'e');
  if (!is_named || !lat || !lon || lat.value < 0 || lon.value < 0) return std::nullopt;
  // A tile reaches one degree to the north and to the east.
  if (lat.value > (south ? 90 : 89) || lon.value > (west ? 180 : 179)) return std::nullopt;
  return std::pair(south ? -lat.value : lat.value, west ? -lon.value : lon.value);
}

/// Gives samples without data the value of a neighbor; false if no sample has data.
bool fill_voids(HgtTile& tile) {
  const auto side = static_cast<std::size_t>(tile.side);
  const auto first = std::find_if(tile.values.begin(), tile.values.end(), [](std::int16_t v) { return v != kVoid; });
  if (first == tile.values.end()) return false;
  std::vector<std::int16_t> before(side, *first);  // the row before
  for (std::size_t row = 0; row < side; ++row) {
    const auto begin = tile.values.begin() + static_cast<std::ptrdiff_t>(row * side), end = begin + tile.side;
    const auto known = std::find_if(begin, end, [](std::int16_t v) { return v != kVoid; });
    tile.voids += static_cast<std::size_t>(std::count(begin, end, kVoid));
    if (known == end) {
      std::copy(before.begin(), before.end(), begin);
    } else {
      std::fill(begin, known, *known);
      for (auto sample = known + 1; sample != end; ++sample)
        if (*sample == kVoid) *sample = *(sample - 1);
    }
    std::copy(begin, end, before.begin());
  }
  return true;
}

/// Takes samples of heights that the earth does not have for voids, and reports them if there are others too.
/// @return how many there are
std::size_t drop_impossible(HgtTile& tile, Diagnostics& problems) {
  std::size_t dropped = 0, first = 0;
  std::int16_t value = 0;
  bool has_data = false;
  for (std::size_t i = 0; i < tile.values.size(); ++i) {
    std::int16_t& sample = tile.values[i];
    if (sample == kVoid) continue;
    has_data = has_data || (sample >= kLowest && sample <= kHighest);
    if (sample >= kLowest && sample <= kHighest) continue;
    if (dropped++ == 0) {
      first = i;
      value = sample;
    }
    sample = kVoid;
  }
  if (dropped == 0) return 0;
  const auto side = static_cast<std::size_t>(tile.side);
  problems.report_as(has_data ? code::kHgtRange.severity : Severity::error, code::kHgtRange, {},
                     std::to_string(dropped) + (dropped == 1 ? " sample lies" : " samples lie") + " outside " +
                         std::to_string(kLowest) + " to " + std::to_string(kHighest) + " m, the first " +
                         std::to_string(value) + " m in row " + std::to_string(first / side + 1) + ", column " +
                         std::to_string(first % side + 1) +
                         (has_data ? "; a neighbor's height is used there" : ", and there are no others"));
  return dropped;
}

/// Height (m) at a place inside the tile, or at the nearest place in it.
double height_in(const HgtTile& tile, geo::LatLon at) {
  const auto cells = static_cast<double>(tile.side - 1);
  const double x = std::clamp((at.lon - tile.lon) * cells, 0.0, cells),
               y = std::clamp((tile.lat + 1 - at.lat) * cells, 0.0, cells);
  const auto column = std::min(static_cast<std::size_t>(x), static_cast<std::size_t>(tile.side) - 2),
             row = std::min(static_cast<std::size_t>(y), static_cast<std::size_t>(tile.side) - 2);
  const double u = x - static_cast<double>(column), v = y - static_cast<double>(row);
  const auto value = [&](std::size_t r, std::size_t c) {
    return static_cast<double>(tile.values[r * static_cast<std::size_t>(tile.side) + c]);
  };
  const double north = value(row, column) + u * (value(row, column + 1) - value(row, column));
  const double south = value(row + 1, column) + u * (value(row + 1, column + 1) - value(row + 1, column));
  return north + v * (south - north);
}

}  // namespace

std::string hgt_name(geo::LatLon at) {
  const auto corner = [](double degrees, char positive, char negative, std::size_t digits) {
    const int whole = static_cast<int>(std::floor(degrees));
    const std::string text = std::to_string(std::abs(whole));
    return (whole < 0 ? negative : positive) + std::string(digits - std::min(digits, text.size()), '0') + text;
  };
  return corner(at.lat, 'N', 'S', 2) + corner(at.lon, 'E', 'W', 3) + ".hgt";
}

Parsed<HgtTile> read_hgt(std::string_view bytes, const std::string& file_name) {
  Parsed<HgtTile> result{std::nullopt, Diagnostics(file_name)};
  HgtTile tile;
  if (const auto corner = corner_of(file_name))
    std::tie(tile.lat, tile.lon) = *corner;
  else
    result.diagnostics.report(
        code::kHgtName, {},
        "the name does not say where the tile lies, expected one like \"N48E011.hgt\", of its south-west corner");
  for (const int side : {1201, 3601})
    if (bytes.size() == 2 * static_cast<std::size_t>(side) * static_cast<std::size_t>(side)) tile.side = side;
  if (tile.side == 0)
    result.diagnostics.report(code::kHgtSize, {},
                              "the file has " + std::to_string(bytes.size()) +
                                  " bytes, expected 2884802 (1201 x 1201 heights) or 25934402 (3601 x 3601)");
  if (result.diagnostics.has_errors()) return result;
  tile.values.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2)
    tile.values.push_back(static_cast<std::int16_t>(
        static_cast<std::uint16_t>((static_cast<unsigned char>(bytes[i]) << 8) | static_cast<unsigned char>(bytes[i + 1]))));
  const std::size_t dropped = drop_impossible(tile, result.diagnostics);
  if (result.diagnostics.has_errors()) return result;
  if (!fill_voids(tile)) {
    result.diagnostics.report(code::kHgtSize, {}, "the tile has no data, only voids (-32768)");
    return result;
  }
  tile.voids -= dropped;
  result.value = std::move(tile);
  return result;
}

HeightGrid terrain_of(const std::vector<HgtTile>& tiles, const geo::LocalFrame& frame, const TerrainOptions& options,
                      std::size_t& missing) {
  HeightGrid grid = flat_terrain(options);
  missing = 0;
  if (tiles.empty()) {
    missing = grid.heights.size();
    return grid;
  }
  for (int j = 0; j < grid.nz; ++j)
    for (int i = 0; i < grid.nx; ++i) {
      const geo::LatLon at = frame.to_geographic({grid.x0 + i * grid.spacing, grid.z0 + j * grid.spacing});
      const auto tile = std::find_if(tiles.begin(), tiles.end(), [&](const HgtTile& t) {
        return at.lat >= t.lat && at.lat <= t.lat + 1 && at.lon >= t.lon && at.lon <= t.lon + 1;
      });
      if (tile == tiles.end()) ++missing;
      grid.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.nx) + static_cast<std::size_t>(i)] =
          height_in(tile == tiles.end() ? tiles.front() : *tile, at);
    }
  return grid;
}

}  // namespace simbatch::roads
