// Our own method: a convex piece on the plane is cut along the edges of the terrain's triangles (Sutherland and Hodgman 1974),
// so that lifting the corners of each part by the height of the one triangle below it is exact.
#include "lib/roads/drape.hpp"

#include "base/geo/bounds.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::roads::detail {

namespace {
constexpr double kThinnest = 1e-6;  ///< m; thinner triangles are dropped, since their normal is undefined
}

Drape::Drape(const HeightGrid& terrain)
    : terrain_(terrain), all_level_(std::all_of(terrain.heights.begin(), terrain.heights.end(), [&](double h) {
        return h == terrain.heights.front();
      })) {}

bool Drape::is_level(int i0, int i1, int j0, int j1) const {
  if (all_level_) return true;
  const auto at = [&](int i, int j) {
    return terrain_.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(terrain_.nx) + static_cast<std::size_t>(i)];
  };
  const double h = at(i0, j0);
  for (int j = j0; j <= j1 + 1; ++j)
    for (int i = i0; i <= i1 + 1; ++i)
      if (at(i, j) != h) return false;
  return true;
}

void Drape::emit(const Polygon& polygon, double lift, geo::TriangleMesh& mesh) {
  corners_.clear();
  for (const EastNorth p : polygon)
    corners_.push_back(flat_.add(mesh, {p.east, height_at(terrain_, p.east, p.north) + lift, p.north}));
  for (std::size_t i = 2; i < polygon.size(); ++i)
    if (twice_area(polygon[0], polygon[i - 1], polygon[i]) > kThinnest * distance(polygon[0], polygon[i]))
      mesh.indices.insert(mesh.indices.end(), {corners_[0], corners_[i], corners_[i - 1]});  // clockwise on the map: up
}

bool Drape::add(const Polygon& polygon, double lift, geo::TriangleMesh& mesh) {
  geo::Bounds2 bounds;
  for (const EastNorth p : polygon) bounds.add(p.east, p.north);
  const double west = bounds.x.low, east = bounds.x.high;
  const double south = bounds.y.low, north = bounds.y.high;
  const HeightGrid& t = terrain_;
  if (!(west < t.x1() && east > t.x0 && south < t.z1() && north > t.z0)) return false;
  const auto cell = [&](double value, double from, int n) {
    return static_cast<int>(std::clamp(std::floor((value - from) / t.spacing), 0.0, static_cast<double>(n - 2)));
  };
  const int i0 = cell(west, t.x0, t.nx), i1 = cell(east, t.x0, t.nx), j0 = cell(south, t.z0, t.nz),
            j1 = cell(north, t.z0, t.nz);
  const bool sticks_out = west < t.x0 || east > t.x1() || south < t.z0 || north > t.z1();
  if (!sticks_out && is_level(i0, i1, j0, j1)) {
    emit(polygon, lift, mesh);
    return true;
  }
  const std::size_t before = mesh.indices.size();
  for (int j = j0; j <= j1; ++j) {
    const double z0 = t.z0 + j * t.spacing, z1 = t.z0 + (j + 1) * t.spacing;
    clip(polygon, {0, z0}, {1, z0}, true, half_);
    clip(half_, {0, z1}, {1, z1}, false, row_);
    if (row_.empty()) continue;
    geo::Bounds1 row;
    for (const EastNorth p : row_) row.add(p.east);
    for (int i = cell(row.low, t.x0, t.nx); i <= cell(row.high, t.x0, t.nx); ++i) {
      const double x0 = t.x0 + i * t.spacing, x1 = t.x0 + (i + 1) * t.spacing;
      clip(row_, {x0, 0}, {x0, 1}, false, half_);
      clip(half_, {x1, 0}, {x1, 1}, true, cell_);
      if (cell_.empty()) continue;
      for (const bool south_west : {true, false}) {
        clip(cell_, {x1, z0}, {x0, z1}, south_west, other_);
        if (!other_.empty()) emit(other_, lift, mesh);
      }
    }
  }
  return mesh.indices.size() > before;
}

void Drape::add_face(EastNorth a, EastNorth b, double low, double high, geo::TriangleMesh& mesh) {
  const HeightGrid& t = terrain_;
  if (!t.contains(a.east, a.north) || !t.contains(b.east, b.north)) return;
  // Between grid lines the terrain bends only at diagonals, so half-cell steps follow it closely.
  const double l = distance(a, b);
  const int steps = all_level_ ? 1 : std::max(1, static_cast<int>(std::ceil(l / (t.spacing / 2))));
  EastNorth p = a;
  double hp = height_at(t, p.east, p.north);
  for (int i = 1; i <= steps; ++i) {
    const EastNorth q = plus(a, times(static_cast<double>(i) / steps, minus(b, a)));
    const double hq = height_at(t, q.east, q.north);
    const std::uint32_t corners[] = {
        upright_.add(mesh, {p.east, hp + low, p.north}), upright_.add(mesh, {q.east, hq + low, q.north}),
        upright_.add(mesh, {q.east, hq + high, q.north}), upright_.add(mesh, {p.east, hp + high, p.north})};
    for (const std::size_t k : {0, 2, 1, 0, 3, 2}) mesh.indices.push_back(corners[k]);
    p = q;
    hp = hq;
  }
}

}  // namespace simbatch::roads::detail
