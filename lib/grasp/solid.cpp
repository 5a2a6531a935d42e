// Volume integrals of a triangle mesh: the sum over tetrahedra from the middle of the bounding box to each triangle gives
// volume, first and second moments (Mirtich 1996, see the header); a second pass over the sorted edges shows whether the mesh
// is closed.
#include "lib/grasp/solid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace simbatch::grasp {
namespace {

using Point = std::array<double, 3>;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

bool is_closed(std::span<const Point> points, std::span<const std::array<std::uint32_t, 3>> triangles) {
  std::vector<std::uint32_t> order(points.size()), name(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return points[a] < points[b]; });
  for (std::size_t i = 0; i < order.size(); ++i)
    name[order[i]] = i > 0 && points[order[i]] == points[order[i - 1]] ? name[order[i - 1]] : order[i];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> up, down;  // edges by their direction, the lower corner first
  up.reserve(3 * triangles.size());
  down.reserve(3 * triangles.size());
  for (const auto& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = name[t[k]], b = name[t[(k + 1) % 3]];
      if (a < b) up.emplace_back(a, b);
      if (b < a) down.emplace_back(b, a);
    }
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end());
  // Several solids may share an edge: then it occurs equally often in both directions.
  return !triangles.empty() && up == down;
}

}  // namespace

SolidProperties measure_solid(std::span<const Point> points, std::span<const std::array<std::uint32_t, 3>> triangles) {
  SolidProperties result;
  if (triangles.empty()) return result;
  Point low = points[triangles[0][0]], high = low;
  for (const auto& t : triangles)
    for (const std::uint32_t corner : t)
      for (std::size_t i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], points[corner][i]);
        high[i] = std::max(high[i], points[corner][i]);
      }
  const Point middle{(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};

  double six_volume = 0;
  Point first{}, surface{};        // 24 * integral of x_i; area-weighted sum
  std::array<double, 6> second{};  // 120 * integral of xx, yy, zz, xy, yz, zx
  static constexpr std::size_t kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}};
  for (const auto& t : triangles) {
    const Point a = minus(points[t[0]], middle), b = minus(points[t[1]], middle), c = minus(points[t[2]], middle);
    const double six = dot(a, cross(b, c));
    const double area = std::sqrt(dot(cross(minus(b, a), minus(c, a)), cross(minus(b, a), minus(c, a)))) / 2;
    six_volume += six;
    result.area += area;
    Point sum{};
    for (std::size_t i = 0; i < 3; ++i) {
      sum[i] = a[i] + b[i] + c[i];
      first[i] += six * sum[i];
      surface[i] += area * sum[i] / 3;
    }
    for (std::size_t k = 0; k < 6; ++k) {
      const std::size_t i = kPairs[k][0], j = kPairs[k][1];
      second[k] += six * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + sum[i] * sum[j]);
    }
  }
  result.volume = six_volume / 6;
  result.closed = is_closed(points, triangles);
  const double scale = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  if (std::abs(result.volume) <= 1e-12 * scale * scale * scale) {
    for (std::size_t i = 0; i < 3; ++i) result.centroid[i] = middle[i] + (result.area > 0 ? surface[i] / result.area : 0);
    return result;
  }
  Point center{};
  for (std::size_t i = 0; i < 3; ++i) {
    center[i] = first[i] / 24 / result.volume;
    result.centroid[i] = middle[i] + center[i];
  }
  std::array<double, 6> moment{};  // of unit mass about the centroid
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t i = kPairs[k][0], j = kPairs[k][1];
    moment[k] = second[k] / 120 / result.volume - center[i] * center[j];
  }
  const auto [xx, yy, zz, xy, yz, zx] = moment;
  result.inertia = {yy + zz, -xy, -zx, -xy, zz + xx, -yz, -zx, -yz, xx + yy};
  return result;
}

// The second moments of mass C = trace(I) / 2 - I have no negative principal value if and only if the moments of I fulfill the
// triangle inequality; both are decided by their principal minors (Sylvester's criterion).
bool is_possible_inertia(const std::array<double, 9>& inertia, double tolerance) {
  const double trace = inertia[0] + inertia[4] + inertia[8];
  if (!(trace > 0) || !std::isfinite(trace)) return false;
  const auto principal_minors = [trace](const std::array<double, 9>& m, double least) {
    std::array<double, 9> a{};
    for (std::size_t i = 0; i < 9; ++i) a[i] = m[i] / trace + (i % 4 == 0 ? least : 0);  // of the size of 1
    const double pairs[] = {a[0] * a[4] - a[1] * a[1], a[4] * a[8] - a[5] * a[5], a[8] * a[0] - a[2] * a[2]};
    const double whole = a[0] * pairs[1] - a[1] * (a[1] * a[8] - a[5] * a[2]) + a[2] * (a[1] * a[5] - a[4] * a[2]);
    return std::min({a[0], a[4], a[8], pairs[0], pairs[1], pairs[2], whole});
  };
  std::array<double, 9> second = inertia;
  for (std::size_t i = 0; i < 9; ++i) second[i] = (i % 4 == 0 ? trace / 2 : 0) - inertia[i];
  return principal_minors(inertia, 0) > 0 && principal_minors(second, tolerance) >= 0;
}

}  // namespace simbatch::grasp
