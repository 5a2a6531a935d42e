#pragma once
/// The map plane of a town in whole millimeters, with fast conversion from and to 10^-7 degrees.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::town {

/// A point on the map plane (geo::LocalFrame): whole millimeters east (the world's +x) and north (+z) of its origin. 8 bytes,
/// so that a city's points stay small; exact, so that points compare equal wherever they are used.
struct Point {
  std::int32_t x = 0, z = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// Largest coordinate of a Point along either axis (mm): 2000 km.
inline constexpr std::int32_t kFarthest = 2'000'000'000;

/// The transverse Mercator projection of geo::LocalFrame, evaluated by bicubic polynomials in cells of 0.05 degrees (back: 4096
/// m). Within 1 micrometer of the exact series; 10 to 20 times faster. A pure function of origin and point, independent of
/// earlier calls. Source: Chebyshev interpolation (Trefethen, Approximation Theory and Approximation Practice, ch. 8); the
/// error falls with the fourth power of cell size / earth radius, measured in the unit test. Not thread-safe (it caches cells);
/// copies are cheap.
class Plane {
 public:
  /// @param origin  place of (0, 0), usually NodeOffset of the map setup
  explicit Plane(geo::LatLon origin);
  const geo::LocalFrame& frame() const { return frame_; }
  /// Empty if a coordinate exceeds kFarthest, or if the longitude differs from the origin's by more than 60 degrees.
  std::optional<Point> to_plane(osm::LatLon place);
  /// The nearest point of the 10^-7 degree grid.
  osm::LatLon to_geographic(Point place);

 private:
  struct Cell {
    std::uint64_t key = ~std::uint64_t{0};
    // coefficients of u^i v^j at [4 i + j], for both results side by side; u and v are in [-1, 1] across the cell
    std::array<std::array<double, 2>, 16> a{};
    bool usable = false;
    // Lowest corner and middle, of latitude or north first.
    std::int32_t low_a = 0, low_b = 0;
    double middle_a = 0, middle_b = 0;
  };
  struct Cache {
    std::vector<std::shared_ptr<const Cell>> cells;
    const Cell* last = nullptr;  // one of them: of the last query
  };
  using Make = void (Plane::*)(std::int32_t row, std::int32_t column, Cell&);
  /// The cell of a place, whose coordinates are latitude or north first.
  const Cell& cell_of(Cache& cache, std::int32_t a, std::int32_t b, std::int32_t side, Make make);
  /// The cached cell, made again if there is another one in its place.
  const Cell& find_cell(Cache& cache, std::int32_t a, std::int32_t b, std::int32_t side, Make make);
  void make_forward(std::int32_t row, std::int32_t column, Cell& cell);
  void make_reverse(std::int32_t row, std::int32_t column, Cell& cell);

  geo::LocalFrame frame_;
  Cache forward_, reverse_;
};

}  // namespace simbatch::town
