// Grid traversal after Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing" (1987), in two dimensions: clip
// the ray to the surface's box, walk from cell to cell over the nearer border, and intersect the two planes of each cell whose
// heights the ray passes (grid.hpp).

#include "lib/sim/physics/grid.hpp"

#include <limits>

namespace simbatch::physics {

std::optional<double> height_at(const HeightGrid& grid, double x, double z) {
  const double fx = (x - grid.x0) / grid.spacing, fz = (z - grid.z0) / grid.spacing;
  if (!(fx >= 0 && fz >= 0 && fx <= grid.nx - 1 && fz <= grid.nz - 1)) return std::nullopt;
  const int ix = std::min(static_cast<int>(fx), grid.nx - 2), iz = std::min(static_cast<int>(fz), grid.nz - 2);
  const auto at = [&](int i, int j) {
    return grid.heights[static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.nx) + static_cast<std::size_t>(i)];
  };
  const double u = fx - ix, v = fz - iz;
  if (u + v <= 1) return at(ix, iz) + u * (at(ix + 1, iz) - at(ix, iz)) + v * (at(ix, iz + 1) - at(ix, iz));
  const double far = at(ix + 1, iz + 1);
  return far + (1 - u) * (at(ix, iz + 1) - far) + (1 - v) * (at(ix + 1, iz) - far);
}

namespace detail {

Grid::Grid(HeightGrid grid)
    : grid_(std::move(grid)),
      inverse_(1 / grid_.spacing),
      lowest_(*std::min_element(grid_.heights.begin(), grid_.heights.end())),
      highest_(*std::max_element(grid_.heights.begin(), grid_.heights.end())) {}

Vec3 Grid::facet(int index) const {
  if (is_plane_) return {0, 1, 0};
  const int x = index / 2 % grid_.nx, z = index / 2 / grid_.nx;
  const double a = at(x, z), b = at(x, z + 1), c = at(x + 1, z), d = at(x + 1, z + 1);
  return geo::normalized(index % 2 == 0 ? Vec3{a - c, grid_.spacing, a - b} : Vec3{b - d, grid_.spacing, c - d});
}

int Grid::triangle_at(double x, double z) const {
  if (is_plane_) return 0;
  const double u = (x - grid_.x0) * inverse_, v = (z - grid_.z0) * inverse_;
  const int ix = std::clamp(static_cast<int>(u), 0, grid_.nx - 2), iz = std::clamp(static_cast<int>(v), 0, grid_.nz - 2);
  return 2 * (iz * grid_.nx + ix) + (u - ix + v - iz <= 1 ? 0 : 1);
}

std::optional<double> Grid::height(double x, double z) const {
  return is_plane_ ? std::optional(lowest_) : height_at(grid_, x, z);
}

// The same test as for the pieces in cell_ray(), over the whole ray.
bool Grid::plane_ray(double from, double to, double limit, GridHit& hit) const {
  const double a = from - lowest_, b = to - lowest_;
  if ((a > 0) == (b > 0) && a != 0) return false;
  const double t = a != b ? a / (a - b) : 0;
  if (t > limit) return false;
  hit.fraction = t;
  hit.normal = {0, b <= a ? 1.0 : -1.0, 0};
  return true;
}

bool Grid::cell_ray(int ix, int iz, Vec3 from, Vec3 d, double t0, double t1, GridHit& hit) const {
  const std::size_t i = index(ix, iz);
  const double h00 = grid_.heights[i], h10 = grid_.heights[i + 1];
  const double h01 = grid_.heights[i + static_cast<std::size_t>(grid_.nx)],
               h11 = grid_.heights[i + static_cast<std::size_t>(grid_.nx) + 1];
  // u, v: position within the cell in cell units, linear in t; the diagonal is u + v = 1.
  const double u0 = (from.x - grid_.x0) * inverse_ - ix, v0 = (from.z - grid_.z0) * inverse_ - iz;
  const double du = d.x * inverse_, dv = d.z * inverse_;
  const double s0 = u0 + v0 - 1, ds = du + dv;
  const auto piece = [&](bool lower, double a, double b) {
    // Height of the surface: h + gu u + gv v.
    const double gu = lower ? h10 - h00 : h11 - h01, gv = lower ? h01 - h00 : h11 - h10;
    const double h = lower ? h00 : h11 - gu - gv;
    const double f0 = from.y - (h + gu * u0 + gv * v0), df = d.y - (gu * du + gv * dv);
    const double fa = f0 + a * df, fb = f0 + b * df;
    if ((fa > 0) == (fb > 0) && fa != 0) return false;
    const double t = df != 0 ? std::clamp(-f0 / df, a, b) : a;
    const Vec3 n = geo::normalized(Vec3{-gu * inverse_, 1, -gv * inverse_});
    hit.fraction = t;
    hit.normal = df <= 0 ? n : -n;
    return true;
  };
  const double sa = s0 + t0 * ds, sb = s0 + t1 * ds;
  if ((sa <= 0) == (sb <= 0)) return piece(sa <= 0, t0, t1);
  const double middle = std::clamp(-s0 / ds, t0, t1);
  return piece(sa <= 0, t0, middle) || piece(sb <= 0, middle, t1);
}

bool Grid::walk(Vec3 from, Vec3 d, double t0, double t1, GridHit& hit) const {
  const double x0 = (from.x + t0 * d.x - grid_.x0) * inverse_, z0 = (from.z + t0 * d.z - grid_.z0) * inverse_;
  int ix = std::clamp(static_cast<int>(std::floor(x0)), 0, grid_.nx - 2);
  int iz = std::clamp(static_cast<int>(std::floor(z0)), 0, grid_.nz - 2);
  const int sx = d.x > 0 ? 1 : -1, sz = d.z > 0 ? 1 : -1;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const double dx = d.x * inverse_, dz = d.z * inverse_;
  const double bx = (from.x - grid_.x0) * inverse_, bz = (from.z - grid_.z0) * inverse_;
  double t = t0;
  // Each iteration moves to a neighboring cell or ends, so there are at most nx + nz iterations.
  for (;;) {
    const double tx = dx != 0 ? (ix + (sx > 0 ? 1 : 0) - bx) / dx : kNever;
    const double tz = dz != 0 ? (iz + (sz > 0 ? 1 : 0) - bz) / dz : kNever;
    const double out = std::min({std::max(tx, t), std::max(tz, t), t1});
    const auto [low, high] = cell_range(ix, iz);
    const double ya = from.y + t * d.y, yb = from.y + out * d.y;
    if (std::min(ya, yb) <= high && std::max(ya, yb) >= low && cell_ray(ix, iz, from, d, t, out, hit)) return true;
    if (out >= t1) return false;
    if (tx <= tz)
      ix += sx;
    else
      iz += sz;
    if (ix < 0 || iz < 0 || ix > grid_.nx - 2 || iz > grid_.nz - 2) return false;
    t = out;
  }
}

bool Grid::ray(Vec3 from, Vec3 to, double limit, GridHit& hit) const {
  if (is_plane_) return plane_ray(from.y, to.y, limit, hit);
  const Vec3 d = to - from;
  // Most rays are those of wheels and end in the cell where they start.
  const double ux = (from.x - grid_.x0) * inverse_, uz = (from.z - grid_.z0) * inverse_;
  const double vx = (to.x - grid_.x0) * inverse_, vz = (to.z - grid_.z0) * inverse_;
  if (ux >= 0 && uz >= 0 && ux < grid_.nx - 1 && uz < grid_.nz - 1 && vx >= 0 && vz >= 0) {
    const int ix = static_cast<int>(ux), iz = static_cast<int>(uz);
    if (vx >= ix && vx < ix + 1 && vz >= iz && vz < iz + 1) return cell_ray(ix, iz, from, d, 0, limit, hit);
  }
  double t0 = 0, t1 = limit;
  // Clip to the bounding box of the surface.
  const double lo[3] = {grid_.x0, lowest_, grid_.z0};
  const double hi[3] = {grid_.x0 + grid_.spacing * (grid_.nx - 1), highest_, grid_.z0 + grid_.spacing * (grid_.nz - 1)};
  const double p[3] = {from.x, from.y, from.z}, v[3] = {d.x, d.y, d.z};
  for (int k = 0; k < 3; ++k) {
    if (p[k] >= lo[k] && p[k] <= hi[k] && p[k] + v[k] >= lo[k] && p[k] + v[k] <= hi[k]) continue;
    if (v[k] == 0) return false;  // outside the box
    const double a = (lo[k] - p[k]) / v[k], b = (hi[k] - p[k]) / v[k];
    t0 = std::max(t0, std::min(a, b));
    t1 = std::min(t1, std::max(a, b));
  }
  if (!(t0 <= t1)) return false;
  // Rounding may clip the highest and lowest points; widen by 1e-9 of the ray.
  t0 = std::max(0.0, t0 - 1e-9);
  t1 = std::min(limit, t1 + 1e-9);
  return walk(from, d, t0, t1, hit);
}

}  // namespace detail
}  // namespace simbatch::physics
