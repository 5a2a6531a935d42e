// Meshes against closed forms: closed, outward, of the right area and volume, under any transform and facet count.
#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "base/core/random.hpp"
#include "formats/inventor/inventor.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::inventor;
using std::numbers::pi;

namespace {

Mesh mesh_of(const std::string& body) {
  auto scene = read_inventor("#Inventor V2.1 ascii\n" + body, {}, "a.iv");
  REQUIRE_MESSAGE(scene.diagnostics.items().empty(), test::all_text(scene.diagnostics));
  return std::move(scene.value->mesh);
}

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double volume(const Mesh& mesh) {
  double six = 0;
  for (const Triangle& t : mesh.triangles) six += dot(mesh.points[t[0]], cross(mesh.points[t[1]], mesh.points[t[2]]));
  return six / 6;
}
double area(const Mesh& mesh) {
  double twice = 0;
  for (const Triangle& t : mesh.triangles) {
    const Point n = cross(minus(mesh.points[t[1]], mesh.points[t[0]]), minus(mesh.points[t[2]], mesh.points[t[0]]));
    twice += std::sqrt(dot(n, n));
  }
  return twice / 2;
}

// Points as equal where they coincide to 1e-9: corners that several facets have of their own.
std::map<std::array<long long, 3>, int> seen_corners;
int corner(const Point& p) {
  std::array<long long, 3> key{};
  for (std::size_t i = 0; i < 3; ++i) key[i] = std::llround(p[i] * 1e7);
  return seen_corners.emplace(key, static_cast<int>(seen_corners.size())).first->second;
}

// Every edge belongs to two triangles, which walk it in opposite directions.
bool is_closed(const Mesh& mesh) {
  seen_corners.clear();
  std::map<std::pair<int, int>, int> edges;
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) ++edges[{corner(mesh.points[t[i]]), corner(mesh.points[t[(i + 1) % 3]])}];
  for (const auto& [edge, times] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (times != 1 || back == edges.end()) return false;
  }
  return true;
}

std::string text(double x) {
  char out[64];
  return {out, std::to_chars(out, out + sizeof out, x).ptr};
}

}  // namespace

TEST_CASE("inventor: boxes have the volume and area of their edges") {
  RandomStream random(1, "boxes");
  for (int i = 0; i < 50; ++i) {
    const double a = 0.01 + random.uniform() * 100, b = 0.01 + random.uniform() * 10, c = 0.01 + random.uniform();
    const Mesh mesh = mesh_of("Cube { width " + text(a) + " height " + text(b) + " depth " + text(c) + " }");
    CHECK(is_closed(mesh));
    CHECK(volume(mesh) == doctest::Approx(a * b * c).epsilon(1e-12));
    CHECK(area(mesh) == doctest::Approx(2 * (a * b + b * c + c * a)).epsilon(1e-12));
  }
}

TEST_CASE("inventor: cylinders and cones are prisms and pyramids over regular polygons") {
  for (const double complexity : {0.2, 0.35, 0.5, 0.7, 1.0}) {
    CAPTURE(complexity);
    const std::string head = "Complexity { value " + text(complexity) + " } ";
    const double n = std::floor(40 * complexity);
    const double r = 1.5, h = 0.7;
    const double polygon = n / 2 * std::sin(2 * pi / n) * r * r, side = 2 * r * std::sin(pi / n);
    const Mesh cylinder = mesh_of(head + "Cylinder { radius 1.5 height 0.7 }");
    CHECK(is_closed(cylinder));
    CHECK(volume(cylinder) == doctest::Approx(polygon * h).epsilon(1e-6));
    CHECK(area(cylinder) == doctest::Approx(2 * polygon + n * side * h).epsilon(1e-6));
    CHECK(area(mesh_of(head + "Cylinder { radius 1.5 height 0.7 parts SIDES }")) ==
          doctest::Approx(n * side * h).epsilon(1e-6));
    CHECK(area(mesh_of(head + "Cylinder { radius 1.5 height 0.7 parts TOP }")) == doctest::Approx(polygon).epsilon(1e-6));
    CHECK(area(mesh_of(head + "Cylinder { radius 1.5 height 0.7 parts (TOP | BOTTOM) }")) ==
          doctest::Approx(2 * polygon).epsilon(1e-6));
    const Mesh cone = mesh_of(head + "Cone { bottomRadius 1.5 height 0.7 }");
    CHECK(is_closed(cone));
    CHECK(volume(cone) == doctest::Approx(polygon * h / 3).epsilon(1e-6));
    const double slant = std::sqrt(h * h + std::pow(r * std::cos(pi / n), 2));
    CHECK(area(cone) == doctest::Approx(polygon + n * side * slant / 2).epsilon(1e-6));
    CHECK(area(mesh_of(head + "Cone { bottomRadius 1.5 height 0.7 parts BOTTOM }")) == doctest::Approx(polygon).epsilon(1e-6));
  }
}

TEST_CASE("inventor: spheres are closed, inscribed, and come nearer to a sphere with each step of complexity") {
  double last = 0;
  for (const double complexity : {0.1, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    CAPTURE(complexity);
    const Mesh mesh = mesh_of("Complexity { value " + text(complexity) + " } Sphere { radius 2 }");
    CHECK(is_closed(mesh));
    for (const Triangle& t : mesh.triangles)
      for (const std::uint32_t i : t) CHECK(std::sqrt(dot(mesh.points[i], mesh.points[i])) == doctest::Approx(2).epsilon(1e-6));
    const double v = volume(mesh);
    CHECK(v > last);
    CHECK(v < 4.0 / 3 * pi * 8);
    last = v;
  }
  CHECK(last > 0.985 * 4.0 / 3 * pi * 8);  // 30 slices of 30 corners
}

TEST_CASE("inventor: shapes stay closed and outward under any transform, and their volume grows by its determinant") {
  RandomStream random(2, "transforms");
  for (int i = 0; i < 60; ++i) {
    std::string transforms;
    double determinant = 1;
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      double f[4];
      for (double& x : f) x = (random.below(2) == 0 ? 1 : -1) * (0.5 + random.uniform());
      const std::string three = text(f[0]) + " " + text(f[1]) + " " + text(f[2]);
      switch (random.below(5)) {
        case 0: transforms += "Translation { translation " + three + " }\n"; break;
        case 1: transforms += "Rotation { rotation " + three + " " + text(f[3]) + " }\n"; break;
        case 2:
          transforms += "RotationXYZ { axis " + std::string(1, "XYZ"[random.below(3)]) + " angle " + text(f[3]) + " }\n";
          break;
        case 3:
          transforms += "Scale { scaleFactor " + three + " }\n";
          determinant *= f[0] * f[1] * f[2];
          break;
        default:
          transforms += "Transform { translation 1 2 3 rotation " + three + " " + text(f[3]) + " scaleFactor " + three +
                        " center 3 2 1 scaleOrientation 0 1 1 0.5 }\n";
          determinant *= f[0] * f[1] * f[2];
      }
    }
    CAPTURE(transforms);
    for (const std::string_view shape : {"Cube {}", "Cylinder {}", "Cone {}", "Sphere {}"}) {
      CAPTURE(shape);
      const double before = volume(mesh_of(std::string(shape)));
      const Mesh mesh = mesh_of(transforms + std::string(shape));
      CHECK(is_closed(mesh));
      CHECK(volume(mesh) == doctest::Approx(before * std::abs(determinant)).epsilon(1e-9));
    }
  }
}

TEST_CASE("inventor: a concave face is cut into triangles of its own area, none turned over") {
  RandomStream random(3, "polygons");
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    // A star around the origin: simple, usually not convex.
    const std::size_t n = 4 + random.below(30);
    std::string points, indexes;
    std::vector<std::array<double, 2>> corners;
    for (std::size_t k = 0; k < n; ++k) {
      const double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(n), r = 0.2 + random.uniform();
      corners.push_back({r * std::cos(angle), r * std::sin(angle)});
      points += text(corners.back()[0]) + " " + text(corners.back()[1]) + " 3,";
      indexes += std::to_string(k) + ",";
    }
    double twice = 0;
    for (std::size_t k = 0; k < n; ++k)
      twice += corners[k][0] * corners[(k + 1) % n][1] - corners[k][1] * corners[(k + 1) % n][0];
    const Mesh mesh = mesh_of("ShapeHints { faceType UNKNOWN_FACE_TYPE }\nCoordinate3 { point [" + points +
                              "] }\nIndexedFaceSet { coordIndex [" + indexes + "-1] }");
    CHECK(mesh.triangles.size() == n - 2);
    CHECK(area(mesh) == doctest::Approx(twice / 2).epsilon(1e-9));
    for (const Triangle& t : mesh.triangles)
      CHECK(cross(minus(mesh.points[t[1]], mesh.points[t[0]]), minus(mesh.points[t[2]], mesh.points[t[0]]))[2] > 0);
  }
}

TEST_CASE("inventor: numbers are read to the last bit, however they are written") {
  RandomStream random(4, "numbers");
  for (int i = 0; i < 20'000; ++i) {
    std::string digits;
    if (random.below(3) == 0) digits += "+-"[random.below(2)];
    const std::uint64_t whole = random.below(20), fraction = random.below(20);
    for (std::uint64_t k = 0; k < whole; ++k) digits += static_cast<char>('0' + random.below(10));
    if (fraction > 0 || whole == 0) {
      digits += '.';
      for (std::uint64_t k = 0; k <= fraction; ++k) digits += static_cast<char>('0' + random.below(10));
    }
    if (random.below(2) == 0) digits += "eE"[random.below(2)] + std::to_string(static_cast<int>(random.below(80)) - 40);
    const char* const first = digits.data() + (digits[0] == '+' ? 1 : 0);
    double expected = 0;
    REQUIRE(std::from_chars(first, digits.data() + digits.size(), expected).ec == std::errc{});
    const auto scene =
        read_inventor("#Inventor V2.1 ascii\nCoordinate3 { point [" + digits + " 0 0, 0 1 0, 0 0 1] } FaceSet {}", {}, "a");
    REQUIRE_MESSAGE(!scene.diagnostics.has_errors(), digits);
    REQUIRE_MESSAGE(scene.value->mesh.points[0][0] == expected, digits);
  }
}

TEST_CASE("inventor: a node that is used again is the same as one that is written again") {
  const std::string sub = "Separator { Translation { translation 1 2 3 } Material { diffuseColor 1 0 0 } Cube {} Cone {} }";
  const Mesh twice = mesh_of(sub + "\nScale { scaleFactor 2 1 1 }\n" + sub);
  const Mesh used = mesh_of("DEF a " + sub + "\nScale { scaleFactor 2 1 1 }\nUSE a");
  CHECK(used == twice);
  // The nearest DEF before it counts.
  const Mesh later = mesh_of("DEF a Cube {}\nDEF a Sphere {}\nUSE a");
  CHECK(later == mesh_of("Cube {}\nSphere {}\nSphere {}"));
}

TEST_CASE("inventor: random meshes are written and read back to the last bit") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, "mesh");
    Mesh mesh;
    for (std::uint64_t n = 4 + random.below(20); n > 0; --n)
      mesh.points.push_back({random.uniform() * 1e-7, (random.uniform() - 0.5) * 1e9, random.uniform()});
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      Part part{
          mesh.triangles.size(), 1 + random.below(5), {static_cast<float>(random.uniform()), static_cast<float>(n), 0.1F}};
      part.color[1] = static_cast<float>(n) / 8;
      for (std::size_t k = 0; k < part.count; ++k) {
        const auto a = static_cast<std::uint32_t>(random.below(mesh.points.size() - 2));
        mesh.triangles.push_back({a, a + 1, a + 2});
      }
      mesh.parts.push_back(part);
    }
    const std::string file = write_inventor(mesh);
    const auto read = read_inventor(file, {}, "a.iv");
    REQUIRE_MESSAGE(read.diagnostics.items().empty(), test::all_text(read.diagnostics));
    CHECK(read.value->mesh == mesh);
    CHECK(write_inventor(read.value->mesh) == file);
  }
}
