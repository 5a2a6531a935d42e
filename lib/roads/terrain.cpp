#include "lib/roads/terrain.hpp"

#include <algorithm>
#include <cmath>

#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/image/picture.hpp"
#include "lib/roads/codes.hpp"

namespace simbatch::roads {
namespace {

/// Reads one line of a text height map; false if it is broken (and reported).
bool read_row(const Line& line, HeightMap& map, Diagnostics& diagnostics) {
  const std::string_view text = line.text.substr(0, line.text.find('#'));
  int count = 0;
  bool is_good = true;
  WordReader words(text, line.number);
  for (Token token; words.next(token);) {
    const Number<double> value = parse_double(token.text);
    if (!value) {
      diagnostics.report(code::kHeightText, token.at, quoted(token.text) + " is not a height in meters");
      is_good = false;
    }
    map.values.push_back(value.value);
    ++count;
  }
  if (count == 0) return true;
  if (map.width == 0) map.width = count;
  if (count != map.width) {
    diagnostics.report(
        code::kHeightText, {line.number, 1},
        "this row has " + std::to_string(count) + " values, expected " + std::to_string(map.width) + " as in the first one");
    is_good = false;
  }
  ++map.height;
  return is_good;
}

std::optional<HeightMap> read_text(std::string_view text, Diagnostics& diagnostics) {
  HeightMap map;
  map.is_meters = true;
  map.values.reserve(std::min(text.size() / 2 + 1, static_cast<std::size_t>(kMaxHeightValues)));
  bool is_good = true;
  LineReader lines(text);
  for (Line line; lines.next(line);) {
    is_good = read_row(line, map, diagnostics) && is_good;
    if (static_cast<std::int64_t>(map.values.size()) > kMaxHeightValues) {
      diagnostics.report(code::kPictureSize, {line.number, 1}, "more than " + std::to_string(kMaxHeightValues) + " values");
      return std::nullopt;
    }
  }
  return is_good ? std::optional(std::move(map)) : std::nullopt;
}

std::optional<HeightMap> read_picture(std::string_view bytes, Diagnostics& diagnostics) {
  std::string why;
  const auto picture = image::read_picture(bytes, kMaxHeightValues, why);
  if (!picture) {
    diagnostics.report(code::kPicture, {}, "the picture cannot be read: " + why);
    return std::nullopt;
  }
  HeightMap map{picture->width, picture->height, {}, false};
  map.values.assign(picture->values.begin(), picture->values.end());
  return map;
}

/// Points along an axis of `extent` meters, at least 2.
int points_along(double extent, double spacing) {
  const double cells = std::ceil(std::min(extent / spacing, 1e6) - 1e-9);
  return std::max(2, static_cast<int>(cells) + 1);
}

HeightGrid empty_grid(int nx, int nz, double spacing) {
  if (std::int64_t{nx} * nz > kMaxHeightValues) {  // for an implausible Size: keep the center
    nx = std::min(nx, 4096);
    nz = std::min(nz, 4096);
  }
  HeightGrid grid{nx, nz, spacing, -(nx - 1) * spacing / 2, -(nz - 1) * spacing / 2, {}};
  grid.heights.resize(static_cast<std::size_t>(nx) * static_cast<std::size_t>(nz));
  return grid;
}

}  // namespace

double height_at(const HeightGrid& grid, double x, double z) {
  // Distant points, infinities and NaN are all clamped to an edge.
  const auto place = [](double from, double spacing, int n, double value, int& cell) {
    const double scaled = std::max(0.0, std::min((value - from) / spacing, static_cast<double>(n - 1)));
    cell = std::min(static_cast<int>(scaled), n - 2);
    return scaled - cell;
  };
  int i = 0, j = 0;
  const double u = place(grid.x0, grid.spacing, grid.nx, x, i), v = place(grid.z0, grid.spacing, grid.nz, z, j);
  const auto at = [&](int a, int b) {
    return grid.heights[static_cast<std::size_t>(b) * static_cast<std::size_t>(grid.nx) + static_cast<std::size_t>(a)];
  };
  if (u + v <= 1) return at(i, j) + u * (at(i + 1, j) - at(i, j)) + v * (at(i, j + 1) - at(i, j));
  return at(i + 1, j + 1) + (1 - u) * (at(i, j + 1) - at(i + 1, j + 1)) + (1 - v) * (at(i + 1, j) - at(i + 1, j + 1));
}

Parsed<HeightMap> read_height_map(std::string_view bytes, const std::string& file_name) {
  Parsed<HeightMap> result{std::nullopt, Diagnostics(file_name)};
  auto map = image::looks_like_picture(bytes) ? read_picture(bytes, result.diagnostics) : read_text(bytes, result.diagnostics);
  if (!map) return result;
  if (map->width < 2 || map->height < 2) {
    result.diagnostics.report(
        code::kPictureSize, {},
        std::to_string(map->width) + " x " + std::to_string(map->height) + " values, expected 2 x 2 or more");
    return result;
  }
  result.value = std::move(map);
  return result;
}

namespace {

/// Of a map without a Size: its values, in reversed order of rows, without a second copy of a large map.
HeightGrid whole(HeightMap map, double spacing, double factor) {
  HeightGrid grid{
      map.width, map.height, spacing, -(map.width - 1) * spacing / 2, -(map.height - 1) * spacing / 2, std::move(map.values)};
  const auto row = [&](int j) { return grid.heights.begin() + std::ptrdiff_t{j} * grid.nx; };
  for (int j = 0; j < grid.nz / 2; ++j) std::swap_ranges(row(j), row(j + 1), row(grid.nz - 1 - j));
  for (double& height : grid.heights) height *= factor;
  return grid;
}

}  // namespace

HeightGrid terrain_of(HeightMap map, const TerrainOptions& options) {
  const int nx = options.width > 0 ? points_along(options.width, options.spacing) : map.width;
  const int nz = options.height > 0 ? points_along(options.height, options.spacing) : map.height;
  const double factor = map.is_meters ? 1 : 1 / options.height_division;
  if (nx == map.width && nz == map.height) return whole(std::move(map), options.spacing, factor);
  HeightGrid grid = empty_grid(nx, nz, options.spacing);
  // Both are centered: point i of the grid is (map.width - nx) / 2 columns further in the map.
  const auto clamp_to = [](double value, int n) {
    return static_cast<std::size_t>(std::clamp(std::floor(value), 0.0, static_cast<double>(n - 1)));
  };
  for (int j = 0; j < grid.nz; ++j) {
    const std::size_t row = clamp_to(map.height - 1 - (j + (map.height - grid.nz) / 2.0), map.height);
    for (int i = 0; i < grid.nx; ++i) {
      const std::size_t column = clamp_to(i + (map.width - grid.nx) / 2.0, map.width);
      grid.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.nx) + static_cast<std::size_t>(i)] =
          map.values[row * static_cast<std::size_t>(map.width) + column] * factor;
    }
  }
  return grid;
}

HeightGrid flat_terrain(const TerrainOptions& options, double y) {
  HeightGrid grid =
      empty_grid(points_along(options.width, options.spacing), points_along(options.height, options.spacing), options.spacing);
  std::fill(grid.heights.begin(), grid.heights.end(), y);
  return grid;
}

}  // namespace simbatch::roads
