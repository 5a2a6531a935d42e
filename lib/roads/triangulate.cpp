// Ear clipping: Meisters, Polygons have ears, 1975. Corners whose triangle is convex and contains no other corner are cut off
// until one triangle remains.
#include "lib/roads/triangulate.hpp"

#include <algorithm>
#include <cmath>

namespace simbatch::roads::detail {
namespace {

bool in_triangle(EastNorth p, EastNorth a, EastNorth b, EastNorth c) {
  return twice_area(a, b, p) >= 0 && twice_area(b, c, p) >= 0 && twice_area(c, a, p) >= 0;
}

/// Joins a hole by a bridge from its easternmost corner eastward to the outline and back.
void join_hole(Polygon& outline, const Polygon& hole) {
  std::size_t start = 0;
  for (std::size_t i = 1; i < hole.size(); ++i)
    if (hole[i].east > hole[start].east) start = i;
  const EastNorth from = hole[start];
  // The nearest edge hit by the ray to the east; then its visible corner.
  double nearest = 1e300;
  std::size_t corner = outline.size();
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const EastNorth a = outline[i], b = outline[(i + 1) % outline.size()];
    if ((a.north > from.north) == (b.north > from.north)) continue;
    const double east = a.east + (from.north - a.north) / (b.north - a.north) * (b.east - a.east);
    if (east < from.east || east >= nearest) continue;
    nearest = east;
    corner = a.east > b.east ? i : (i + 1) % outline.size();
  }
  if (corner == outline.size()) return;  // not inside: ignored
  // A corner in the triangle (from, hit, corner) hides it: take the one at the flattest angle to the ray.
  const EastNorth hit{nearest, from.north}, seen = outline[corner];
  double best = std::fabs(std::atan2(seen.north - from.north, seen.east - from.east));
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const EastNorth p = outline[i];
    const bool inside = seen.north > from.north ? in_triangle(p, from, hit, seen) : in_triangle(p, from, seen, hit);
    if (!inside || p == seen) continue;
    const double angle = std::fabs(std::atan2(p.north - from.north, p.east - from.east));
    if (angle < best) {
      best = angle;
      corner = i;
    }
  }
  Polygon bridge;
  for (std::size_t i = 0; i <= hole.size(); ++i) bridge.push_back(hole[(start + i) % hole.size()]);
  bridge.push_back(outline[corner]);
  outline.insert(outline.begin() + static_cast<std::ptrdiff_t>(corner) + 1, bridge.begin(), bridge.end());
}

}  // namespace

std::vector<EastNorth> triangulate(const Polygon& outer, const std::vector<Polygon>& holes) {
  std::vector<EastNorth> triangles;
  std::size_t corners = outer.size();
  for (const Polygon& hole : holes) corners += hole.size() + 2;
  if (outer.size() < 3 || corners > kMaxCorners) return triangles;
  Polygon outline = outer;
  std::vector<const Polygon*> by_east;
  for (const Polygon& hole : holes)
    if (hole.size() >= 3) by_east.push_back(&hole);
  const auto easternmost = [](const Polygon& p) {
    return std::max_element(p.begin(), p.end(), [](EastNorth a, EastNorth b) { return a.east < b.east; })->east;
  };
  std::stable_sort(by_east.begin(), by_east.end(),
                   [&](const Polygon* a, const Polygon* b) { return easternmost(*a) > easternmost(*b); });
  for (const Polygon* hole : by_east) join_hole(outline, *hole);

  std::vector<std::size_t> left(outline.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  std::size_t since_last = 0;
  for (std::size_t i = 0; left.size() > 2 && since_last < left.size();) {
    const std::size_t n = left.size();
    i %= n;
    const EastNorth a = outline[left[(i + n - 1) % n]], b = outline[left[i]], c = outline[left[(i + 1) % n]];
    const double area = twice_area(a, b, c);
    bool is_ear = area > 0;
    for (std::size_t k = 2; is_ear && k + 1 < n; ++k) {
      const EastNorth p = outline[left[(i + k) % n]];
      if (p != a && p != b && p != c && in_triangle(p, a, b, c)) is_ear = false;
    }
    if (is_ear) triangles.insert(triangles.end(), {a, b, c});
    if (is_ear || area == 0) {  // a corner on a straight line is removed without a triangle
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      since_last = 0;
    } else {
      ++i;
      ++since_last;
    }
  }
  return triangles;
}

}  // namespace simbatch::roads::detail
