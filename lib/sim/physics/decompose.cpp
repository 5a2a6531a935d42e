// Greedy hierarchical cutting by planes, guided by the reduction of hull volume, as in V-HACD (K. Mamou, "Volumetric
// hierarchical approximate convex decomposition", Game Engine Gems 3, 2016), but on surface triangles instead of voxels: the
// hull of one side of a solid equals the hull of that side's surface. Triangles are clipped by Sutherland and Hodgman's
// algorithm (1974).

#include "lib/sim/physics/decompose.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "lib/sim/physics/hull.hpp"

namespace simbatch::physics {
namespace {

constexpr double kMinGain = 0.01;  // of the first hull's volume
// with up to this many per axis, cuts go through the vertices; beyond, they are evenly spaced
constexpr std::size_t kMaxVertexCuts = 32;
constexpr int kEvenCuts = 7;

using Triangle = std::array<Vec3, 3>;

double coordinate(Vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

double volume_of(const std::vector<Vec3>& points) {
  const TriangleMesh hull = detail::hull_triangles(points);
  double volume = 0;
  for (std::size_t i = 0; i + 2 < hull.indices.size(); i += 3) {
    const Vec3 a = hull.points[hull.indices[i]] - points[0], b = hull.points[hull.indices[i + 1]] - points[0],
               c = hull.points[hull.indices[i + 2]] - points[0];
    volume += geo::dot(a, geo::cross(b, c)) / 6;
  }
  return volume;
}

std::array<double, 3> key_of(Vec3 p) { return {p.x, p.y, p.z}; }

/// The distinct points, in an order that depends only on their coordinates.
std::vector<Vec3> points_of(const std::vector<Triangle>& triangles) {
  std::vector<Vec3> points;
  for (const Triangle& t : triangles) points.insert(points.end(), t.begin(), t.end());
  std::sort(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) { return key_of(a) < key_of(b); });
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

/// Intersection of an edge with the plane: bitwise the same for both directions of the edge, and exactly in the plane.
Vec3 crossing(Vec3 p, Vec3 q, int axis, double at) {
  if (key_of(q) < key_of(p)) std::swap(p, q);
  const double a = coordinate(p, axis) - at, b = coordinate(q, axis) - at;
  Vec3 on = p + (a / (a - b)) * (q - p);
  (axis == 0 ? on.x : axis == 1 ? on.y : on.z) = at;
  return on;
}

using Segment = std::array<Vec3, 2>;

/// Clips a triangle to the lower (side -1) or upper (side 1) side of a plane, and adds the segment in which they intersect. A
/// triangle in the plane belongs only to the side of its neighbors, which contribute its edges.
void clip(const Triangle& triangle, int axis, double at, int side, std::vector<Triangle>& out, std::vector<Segment>& rim) {
  const auto height = [&](Vec3 p) { return side * (coordinate(p, axis) - at); };
  if (std::none_of(triangle.begin(), triangle.end(), [&](const Vec3& p) { return height(p) > 0; })) return;
  std::vector<Vec3> polygon, on_plane;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 p = triangle[i], q = triangle[(i + 1) % 3];
    const double dp = height(p), dq = height(q);
    if (dp >= 0) polygon.push_back(p);
    if (dp == 0) on_plane.push_back(p);
    if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) {
      polygon.push_back(crossing(p, q, axis, at));
      on_plane.push_back(polygon.back());
    }
  }
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) out.push_back({polygon[0], polygon[i], polygon[i + 1]});
  if (on_plane.size() == 2) rim.push_back({on_plane[0], on_plane[1]});
}

/// Closes the cut: fills each connected rim with triangles to its center, which is exact for faces that are star-shaped about
/// it.
void close(const std::vector<Segment>& rim, std::vector<Triangle>& out) {
  std::map<std::array<double, 3>, std::size_t> numbers;
  std::vector<std::size_t> leader;  // representative of each point's set (union-find)
  const auto find = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  const auto number = [&](Vec3 p) {
    const auto [at, is_new] = numbers.emplace(key_of(p), leader.size());
    if (is_new) leader.push_back(at->second);
    return at->second;
  };
  for (const Segment& segment : rim) {
    const std::size_t a = find(number(segment[0])), b = find(number(segment[1]));
    leader[std::max(a, b)] = std::min(a, b);
  }
  std::map<std::size_t, std::pair<Vec3, double>> middles;
  for (const auto& [key, i] : numbers) {
    auto& [sum, count] = middles[find(i)];
    sum += Vec3{key[0], key[1], key[2]};
    count += 1;
  }
  for (const Segment& segment : rim) {
    const auto& [sum, count] = middles[find(number(segment[0]))];
    out.push_back({segment[0], segment[1], (1 / count) * sum});
  }
}

struct Cut {
  double gain = 0;
  std::vector<Triangle> low, high;
};

Cut cut_of(const std::vector<Triangle>& triangles, int axis, double at) {
  Cut cut;
  std::vector<Segment> low_rim, high_rim;
  for (const Triangle& t : triangles) {
    clip(t, axis, at, -1, cut.low, low_rim);
    clip(t, axis, at, 1, cut.high, high_rim);
  }
  close(low_rim, cut.low);
  close(high_rim, cut.high);
  return cut;
}

struct Piece {
  std::vector<Triangle> triangles;
  std::vector<Vec3> points;
  double volume = 0;
  Cut best;
  bool is_tried = false;  // in the middle
};

std::vector<double> places_of_cuts(const std::vector<Vec3>& points, int axis) {
  std::vector<double> places;
  for (const Vec3& p : points) places.push_back(coordinate(p, axis));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  if (places.size() <= 2) return {};
  const double low = places.front(), high = places.back();
  if (places.size() <= kMaxVertexCuts + 2) return {places.begin() + 1, places.end() - 1};
  std::vector<double> even;
  for (int k = 1; k <= kEvenCuts; ++k) even.push_back(low + (high - low) * k / (kEvenCuts + 1));
  return even;
}

Piece piece_of(std::vector<Triangle> triangles) {
  Piece piece{std::move(triangles), {}, 0, {}, false};
  piece.points = points_of(piece.triangles);
  if (piece.points.size() >= 4) piece.volume = volume_of(piece.points);
  return piece;
}

void find_best_cut(Piece& piece) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double at : places_of_cuts(piece.points, axis)) {
      Cut cut = cut_of(piece.triangles, axis, at);
      const std::vector<Vec3> low = points_of(cut.low), high = points_of(cut.high);
      if (!check_shape(ConvexHull{low}).empty() || !check_shape(ConvexHull{high}).empty()) continue;
      cut.gain = piece.volume - volume_of(low) - volume_of(high);
      if (cut.gain > piece.best.gain) piece.best = std::move(cut);
    }
}

/// Cuts the longest edge of the bounding box in half: two cuts may help where a single one does not (half a ring has the hull
/// of half a disk).
Cut middle_cut(const Piece& piece) {
  Cut best;
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double low = coordinate(piece.points[0], axis), high = low;
    for (const Vec3& p : piece.points) {
      low = std::min(low, coordinate(p, axis));
      high = std::max(high, coordinate(p, axis));
    }
    if (high - low <= longest) continue;
    Cut cut = cut_of(piece.triangles, axis, (low + high) / 2);
    if (!check_shape(ConvexHull{points_of(cut.low)}).empty() || !check_shape(ConvexHull{points_of(cut.high)}).empty()) continue;
    longest = high - low;
    best = std::move(cut);
  }
  return best;
}

/// Cuts until there are `most` pieces, or neither one nor two cuts reduce the hull volume enough.
void cut_up(std::vector<Piece>& pieces, std::size_t most, double whole) {
  const double least = kMinGain * whole;
  while (pieces.size() < most) {
    auto next = std::max_element(pieces.begin(), pieces.end(),
                                 [](const Piece& a, const Piece& b) { return a.best.gain < b.best.gain; });
    Cut cut = std::move(next->best);
    next->best = {};
    if (!(cut.gain > least)) {
      next = std::find_if(pieces.begin(), pieces.end(), [](const Piece& piece) { return !piece.is_tried; });
      if (next == pieces.end()) return;
      next->is_tried = true;
      cut = middle_cut(*next);
      if (cut.low.empty() || cut.high.empty()) continue;
    }
    const bool blind = !(cut.gain > least);
    Piece low = piece_of(std::move(cut.low)), high = piece_of(std::move(cut.high));
    find_best_cut(low);
    find_best_cut(high);
    if (blind && !(low.best.gain + high.best.gain > least)) continue;
    *next = std::move(low);
    pieces.push_back(std::move(high));
  }
}

}  // namespace

std::vector<ConvexHull> convex_parts(const TriangleMesh& mesh, int most) {
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    triangles.push_back({mesh.points[mesh.indices[i]], mesh.points[mesh.indices[i + 1]], mesh.points[mesh.indices[i + 2]]});
  std::vector<Piece> pieces{piece_of(std::move(triangles))};
  if (!check_shape(ConvexHull{pieces[0].points}).empty()) return {};
  const double whole = pieces[0].volume;
  if (most > 1) {
    find_best_cut(pieces[0]);
    cut_up(pieces, static_cast<std::size_t>(most), whole);
  }
  std::vector<ConvexHull> hulls;
  for (Piece& piece : pieces) hulls.push_back({std::move(piece.points)});
  return hulls;
}

}  // namespace simbatch::physics
