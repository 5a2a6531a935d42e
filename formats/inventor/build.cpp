// Facets of the primitive shapes as in Coin 4.0 (measured), and polygons cut by ear clipping (Meisters, "Polygons have ears",
// Amer. Math. Monthly 82, 1975): the ear test runs in the plane of the polygon's Newell normal.
#include "formats/inventor/build.hpp"

#include <algorithm>
#include <numbers>

namespace simbatch::inventor::detail {

Affine operator*(const Affine& a, const Affine& b) {
  Affine c;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column)
      c.m[row * 3 + column] =
          a.m[row * 3] * b.m[column] + a.m[row * 3 + 1] * b.m[3 + column] + a.m[row * 3 + 2] * b.m[6 + column];
    c.t[row] = a.m[row * 3] * b.t[0] + a.m[row * 3 + 1] * b.t[1] + a.m[row * 3 + 2] * b.t[2] + a.t[row];
  }
  return c;
}

Affine translation(const Point& t) {
  Affine a;
  a.t = t;
  return a;
}

Affine scale(const Point& s) {
  Affine a;
  for (std::size_t i = 0; i < 3; ++i) a.m[i * 4] = s[i];
  return a;
}

Affine rotation(const std::array<double, 4>& axis_angle) {
  auto [x, y, z, angle] = axis_angle;
  const double length = std::sqrt(x * x + y * y + z * z);
  if (!(length > 0) || !std::isfinite(length)) return {};
  x /= length, y /= length, z /= length;
  const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
  Affine a;
  a.m = {c + x * x * k,     x * y * k - z * s, x * z * k + y * s, y * x * k + z * s, c + y * y * k,
         y * z * k - x * s, z * x * k - y * s, z * y * k + x * s, c + z * z * k};
  return a;
}

std::uint32_t Facets::point(double x, double y, double z) {
  mesh_.points.push_back(to_mesh_({x, y, z}));
  return static_cast<std::uint32_t>(mesh_.points.size() - 1);
}

void Facets::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::vector<Point>& points = mesh_.points;
  if (points[a] == points[b] || points[b] == points[c] || points[a] == points[c]) {
    ++dropped_;
    return;
  }
  if (flip_) std::swap(b, c);
  mesh_.triangles.push_back({a, b, c});
}

void Facets::cube(double width, double height, double depth) {
  const double x = width / 2, y = height / 2, z = depth / 2;
  const auto first = static_cast<std::uint32_t>(mesh_.points.size());
  for (unsigned i = 0; i < 8; ++i) point((i & 1U) != 0 ? x : -x, (i & 2U) != 0 ? y : -y, (i & 4U) != 0 ? z : -z);
  // Front, back, left, right, top, bottom; each a fan.
  static constexpr std::uint32_t kFaces[6][4] = {{7, 6, 4, 5}, {2, 3, 1, 0}, {6, 2, 0, 4},
                                                 {3, 7, 5, 1}, {3, 2, 6, 7}, {5, 4, 0, 1}};
  for (const auto& f : kFaces) {
    triangle(first + f[0], first + f[1], first + f[2]);
    triangle(first + f[0], first + f[2], first + f[3]);
  }
}

namespace {

// The toolkit's numbers of facets; both ends of the range were measured.
std::uint32_t facets(double full, double complexity, std::uint32_t least) {
  const float wanted = std::floor(static_cast<float>(full) * static_cast<float>(complexity));  // as there: single
  return wanted >= 128 ? 128 : wanted > static_cast<float>(least) ? static_cast<std::uint32_t>(wanted) : least;
}

struct Circle {  // begins at -z, goes to -x: the toolkit's order
  explicit Circle(std::uint32_t n) : sides(n) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      at[i] = {-std::sin(angle), -std::cos(angle)};
    }
  }
  double x(std::uint32_t i) const { return at[i][0]; }
  double z(std::uint32_t i) const { return at[i][1]; }
  std::uint32_t sides;
  std::array<std::array<double, 2>, 128> at{};
};

}  // namespace

void Facets::sphere(double radius, double complexity) {
  const std::uint32_t bands = facets(30, complexity, 3) - 1;
  const Circle circle{facets(30, complexity, 4)};
  const std::uint32_t top = point(0, radius, 0);
  std::uint32_t ring = 0;
  for (std::uint32_t band = 1; band < bands; ++band) {
    const double polar = std::numbers::pi * band / bands;
    const double y = radius * std::cos(polar), r = radius * std::sin(polar);
    const auto above = ring;
    ring = static_cast<std::uint32_t>(mesh_.points.size());
    for (std::uint32_t i = 0; i < circle.sides; ++i) point(r * circle.x(i), y, r * circle.z(i));
    for (std::uint32_t i = 0; i < circle.sides; ++i) {
      const std::uint32_t next = (i + 1) % circle.sides;
      if (band == 1) {
        triangle(top, ring + i, ring + next);
      } else {
        triangle(above + i, ring + i, ring + next);
        triangle(above + i, ring + next, above + next);
      }
    }
  }
  const std::uint32_t bottom = point(0, -radius, 0);
  for (std::uint32_t i = 0; i < circle.sides; ++i) triangle(ring + i, bottom, ring + (i + 1) % circle.sides);
}

void Facets::cylinder(double radius, double height, double complexity, bool sides, bool top, bool bottom) {
  const Circle circle{facets(40, complexity, 4)};
  const double y = height / 2;
  const auto upper = static_cast<std::uint32_t>(mesh_.points.size());
  for (std::uint32_t i = 0; i < circle.sides; ++i) point(radius * circle.x(i), y, radius * circle.z(i));
  const auto lower = static_cast<std::uint32_t>(mesh_.points.size());
  for (std::uint32_t i = 0; i < circle.sides; ++i) point(radius * circle.x(i), -y, radius * circle.z(i));
  for (std::uint32_t i = 0; sides && i < circle.sides; ++i) {
    const std::uint32_t next = (i + 1) % circle.sides;
    triangle(upper + i, lower + i, lower + next);
    triangle(upper + i, lower + next, upper + next);
  }
  for (std::uint32_t i = 1; top && i + 1 < circle.sides; ++i) triangle(upper, upper + i, upper + i + 1);
  const std::uint32_t last = lower + circle.sides - 1;
  for (std::uint32_t i = 1; bottom && i + 1 < circle.sides; ++i) triangle(last, last - i, last - i - 1);
}

void Facets::cone(double radius, double height, double complexity, bool sides, bool bottom) {
  const Circle circle{facets(40, complexity, 4)};
  const double y = height / 2;
  const std::uint32_t top = point(0, y, 0);
  const auto lower = static_cast<std::uint32_t>(mesh_.points.size());
  for (std::uint32_t i = 0; i < circle.sides; ++i) point(radius * circle.x(i), -y, radius * circle.z(i));
  for (std::uint32_t i = 0; sides && i < circle.sides; ++i) triangle(top, lower + i, lower + (i + 1) % circle.sides);
  const std::uint32_t last = lower + circle.sides - 1;
  for (std::uint32_t i = 1; bottom && i + 1 < circle.sides; ++i) triangle(last, last - i, last - i - 1);
}

namespace {

using Point2 = std::array<double, 2>;

double turn(const Point2& a, const Point2& b, const Point2& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// The polygon in the plane of its Newell normal, counter-clockwise.
std::vector<Point2> flattened(std::span<const Point> polygon) {
  Point normal{0, 0, 0};
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
      normal[k] += (a[u] - b[u]) * (a[v] + b[v]);
    }
  }
  std::size_t k = 0;  // the axis that the plane is most across
  for (std::size_t i = 1; i < 3; ++i)
    if (std::abs(normal[i]) > std::abs(normal[k])) k = i;
  const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
  std::vector<Point2> flat;
  flat.reserve(polygon.size());
  for (const Point& p : polygon) flat.push_back(normal[k] < 0 ? Point2{p[v], p[u]} : Point2{p[u], p[v]});
  return flat;
}

}  // namespace

void cut_polygon(std::span<const Point> polygon, const std::function<void(std::size_t, std::size_t, std::size_t)>& emit) {
  const std::size_t n = polygon.size();
  const auto fan = [&emit](const std::vector<std::size_t>& left) {
    for (std::size_t i = 1; i + 1 < left.size(); ++i) emit(left[0], left[i], left[i + 1]);
  };
  std::vector<std::size_t> left(n);
  for (std::size_t i = 0; i < n; ++i) left[i] = i;
  if (n <= 3 || n > 4096) return fan(left);
  const std::vector<Point2> flat = flattened(polygon);
  bool convex = true;
  for (std::size_t i = 0; i < n && convex; ++i) convex = turn(flat[i], flat[(i + 1) % n], flat[(i + 2) % n]) >= 0;
  if (convex) return fan(left);

  std::size_t tried = 0;  // vertices tested since the last ear
  std::size_t i = 0;
  while (left.size() > 3 && tried < left.size()) {
    const std::size_t size = left.size();
    const std::size_t a = left[(i + size - 1) % size], b = left[i % size], c = left[(i + 1) % size];
    bool ear = turn(flat[a], flat[b], flat[c]) > 0;
    for (const std::size_t p : left) {
      if (!ear) break;
      if (p == a || p == b || p == c || flat[p] == flat[a] || flat[p] == flat[b] || flat[p] == flat[c]) continue;
      ear = !(turn(flat[a], flat[b], flat[p]) >= 0 && turn(flat[b], flat[c], flat[p]) >= 0 &&
              turn(flat[c], flat[a], flat[p]) >= 0);
    }
    if (ear) {
      emit(a, b, c);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i % size));
      tried = 0;
      i = i % size;
    } else {
      ++tried;
      ++i;
    }
  }
  fan(left);
}

}  // namespace simbatch::inventor::detail
