#include "lib/town/plane.hpp"

#include <emmintrin.h>

#include <cmath>
#include <numbers>

#include "base/geo/cell_key.hpp"
#include "lib/town/cells.hpp"

namespace simbatch::town {
namespace {
constexpr std::int32_t kCellE7 = 500'000;  // 0.05 degrees
constexpr std::int32_t kCellMm = 4'096'000;
constexpr std::int32_t kSide = 64;  // the caches hold kSide x kSide cells, direct-mapped

std::size_t slot(std::int32_t row, std::int32_t column) {
  return static_cast<std::size_t>(row & (kSide - 1)) * kSide + static_cast<std::size_t>(column & (kSide - 1));
}

using Bicubics = std::array<std::array<double, 2>, 16>;

/// Power coefficients of the cubic through four values at the Chebyshev points cos((2k+1) pi / 8), k = 0..3.
std::array<double, 4> cubic(const std::array<double, 4>& f) {
  std::array<double, 4> c{};  // Chebyshev coefficients
  for (std::size_t n = 0; n < 4; ++n) {
    for (std::size_t k = 0; k < 4; ++k) c[n] += f[k] * std::cos(static_cast<double>(n * (2 * k + 1)) * std::numbers::pi / 8);
    c[n] *= n == 0 ? 0.25 : 0.5;
  }
  return {c[0] - c[2], c[1] - 3 * c[3], 2 * c[2], 4 * c[3]};
}
double node(std::size_t k) { return std::cos(static_cast<double>(2 * k + 1) * std::numbers::pi / 8); }

/// Bicubic of a function on [-1, 1]^2: f(u, v) -> {first, second}.
template <class F>
Bicubics fit(F f) {
  std::array<std::array<std::array<double, 4>, 4>, 2> values{};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const std::array<double, 2> at = f(node(i), node(j));
      values[0][i][j] = at[0];
      values[1][i][j] = at[1];
    }
  Bicubics result{};
  for (std::size_t r = 0; r < 2; ++r) {
    std::array<std::array<double, 4>, 4> rows{};
    for (std::size_t i = 0; i < 4; ++i) rows[i] = cubic(values[r][i]);
    for (std::size_t j = 0; j < 4; ++j) {
      const std::array<double, 4> column = cubic({rows[0][j], rows[1][j], rows[2][j], rows[3][j]});
      for (std::size_t i = 0; i < 4; ++i) result[i * 4 + j][r] = column[i];
    }
  }
  return result;
}

std::array<double, 2> evaluate(const Bicubics& a, double u, double v) {
  const __m128d us = _mm_set1_pd(u), vs = _mm_set1_pd(v);
  __m128d sum = _mm_setzero_pd();
  for (std::size_t i = 4; i-- > 0;) {
    __m128d row = _mm_loadu_pd(a[i * 4 + 3].data());
    for (std::size_t j = 3; j-- > 0;) row = _mm_add_pd(_mm_loadu_pd(a[i * 4 + j].data()), _mm_mul_pd(vs, row));
    sum = _mm_add_pd(_mm_mul_pd(sum, us), row);
  }
  std::array<double, 2> both{};
  _mm_storeu_pd(both.data(), sum);
  return both;
}
}  // namespace

Plane::Plane(geo::LatLon origin) : frame_(origin) {
  forward_.cells.resize(kSide * kSide);
  reverse_.cells.resize(kSide * kSide);
}

inline const Plane::Cell& Plane::cell_of(Cache& cache, std::int32_t a, std::int32_t b, std::int32_t side, Make make) {
  // Consecutive points are near each other. Without a sign: both limits in one comparison.
  const auto within = [side](std::int32_t at, std::int32_t low) {
    return static_cast<std::uint32_t>(at) - static_cast<std::uint32_t>(low) < static_cast<std::uint32_t>(side);
  };
  if (const Cell* last = cache.last; last != nullptr && within(a, last->low_a) && within(b, last->low_b)) return *last;
  return find_cell(cache, a, b, side, make);
}

const Plane::Cell& Plane::find_cell(Cache& cache, std::int32_t a, std::int32_t b, std::int32_t side, Make make) {
  const std::int32_t row = floor_div(a, side), column = floor_div(b, side);
  std::shared_ptr<const Cell>& cached = cache.cells[slot(row, column)];
  const std::uint64_t key = geo::cell_key(row, column);
  if (!cached || cached->key != key) {
    auto cell = std::make_shared<Cell>();
    cell->key = key;
    cell->low_a = row * side;
    cell->low_b = column * side;
    cell->middle_a = (row + 0.5) * side;
    cell->middle_b = (column + 0.5) * side;
    (this->*make)(row, column, *cell);
    cached = std::move(cell);
  }
  cache.last = cached.get();
  return *cached;
}

void Plane::make_forward(std::int32_t row, std::int32_t column, Cell& cell) {
  const double lat0 = (row + 0.5) * kCellE7 * 1e-7, lon0 = (column + 0.5) * kCellE7 * 1e-7;
  const double half = kCellE7 * 0.5e-7;
  double away = std::fabs(lon0 - frame_.origin().lon);
  if (away > 180) away = 360 - away;
  cell.usable = away <= 60;
  if (!cell.usable) return;
  cell.a = fit([&](double u, double v) -> std::array<double, 2> {
    const geo::EastNorth at = frame_.to_plane({lat0 + u * half, lon0 + v * half});
    return {at.east * 1000, at.north * 1000};
  });
  cell.usable = std::isfinite(cell.a[0][0]) && std::isfinite(cell.a[0][1]);
}

void Plane::make_reverse(std::int32_t row, std::int32_t column, Cell& cell) {
  const double half = kCellMm * 0.5e-3;
  const double north0 = (2 * row + 1) * half, east0 = (2 * column + 1) * half;
  const double lon0 = frame_.to_geographic({east0, north0}).lon;
  cell.a = fit([&](double u, double v) -> std::array<double, 2> {
    const geo::LatLon at = frame_.to_geographic({east0 + v * half, north0 + u * half});
    double lon = at.lon;  // unrolled, so that a cell on the antimeridian stays smooth
    if (lon - lon0 > 180) lon -= 360;
    if (lon - lon0 < -180) lon += 360;
    return {at.lat * 1e7, lon * 1e7};
  });
}

std::optional<Point> Plane::to_plane(osm::LatLon place) {
  const Cell& cell = cell_of(forward_, place.lat_e7, place.lon_e7, kCellE7, &Plane::make_forward);
  if (!cell.usable) return std::nullopt;
  const double u = (place.lat_e7 - cell.middle_a) * (2.0 / kCellE7), v = (place.lon_e7 - cell.middle_b) * (2.0 / kCellE7);
  const auto [x, z] = evaluate(cell.a, u, v);
  if (!(std::fabs(x) < kFarthest && std::fabs(z) < kFarthest)) return std::nullopt;
  return Point{static_cast<std::int32_t>(std::lrint(x)), static_cast<std::int32_t>(std::lrint(z))};
}

osm::LatLon Plane::to_geographic(Point place) {
  const Cell& cell = cell_of(reverse_, place.z, place.x, kCellMm, &Plane::make_reverse);
  const double u = (place.z - cell.middle_a) * (2.0 / kCellMm), v = (place.x - cell.middle_b) * (2.0 / kCellMm);
  auto [lat, lon] = evaluate(cell.a, u, v);
  if (lon > 1.8e9) lon -= 3.6e9;
  if (lon < -1.8e9) lon += 3.6e9;
  return {static_cast<std::int32_t>(std::lrint(lat)), static_cast<std::int32_t>(std::lrint(lon))};
}

}  // namespace simbatch::town
