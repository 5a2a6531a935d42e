// Surfaces of shapes and figures: closed, outward, with the area and volume of their closed forms; colors and road markings.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/core/random.hpp"
#include "lib/sim/scene/bounds.hpp"
#include "lib/sim/scene/figures.hpp"
#include "lib/sim/scene/flat_look.hpp"
#include "lib/sim/scene/palette.hpp"
#include "lib/sim/scene/tessellate.hpp"

using namespace simbatch;
using namespace simbatch::scene;
using physics::Shape;
using physics::TriangleMesh;
using std::numbers::pi;

namespace {

constexpr double kTight = 1e-12;

/// Area of a regular polygon of n corners in a circle.
double polygon(int n, double radius) { return n / 2.0 * std::sin(2 * pi / n) * radius * radius; }

double volume(const TriangleMesh& mesh) {
  double six = 0;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    six += dot(mesh.points[mesh.indices[i]], cross(mesh.points[mesh.indices[i + 1]], mesh.points[mesh.indices[i + 2]]));
  return six / 6;
}

Vec3 area_vector(const TriangleMesh& mesh, std::size_t i) {
  const Vec3 a = mesh.points[mesh.indices[i]];
  return 0.5 * cross(mesh.points[mesh.indices[i + 1]] - a, mesh.points[mesh.indices[i + 2]] - a);
}
double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) sum += length(area_vector(mesh, i));
  return sum;
}

/// Every edge belongs to two triangles, which walk it in opposite directions. Corners that coincide are one.
bool is_closed(const TriangleMesh& mesh) {
  std::map<std::array<long long, 3>, std::uint32_t> corners;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  const auto corner = [&](std::uint32_t i) {
    const Vec3& p = mesh.points[i];
    return corners.emplace(std::array{std::llround(p.x * 1e8), std::llround(p.y * 1e8), std::llround(p.z * 1e8)}, i)
        .first->second;
  };
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) ++edges[{corner(mesh.indices[i + k]), corner(mesh.indices[i + (k + 1) % 3])}];
  return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    const auto back = edges.find({edge.first.second, edge.first.first});
    return back != edges.end() && back->second == edge.second;
  });
}

/// No triangle without area.
bool is_clean(const TriangleMesh& mesh) {
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
    if (!(length(area_vector(mesh, i)) > 1e-9)) return false;
  return mesh.indices.size() % 3 == 0;
}

/// Of a surface of revolution with such rings, (radius, y).
double turned_volume(const std::vector<std::pair<double, double>>& rings, int n) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
    const auto [a, ya] = rings[i];
    const auto [b, yb] = rings[i + 1];
    sum += polygon(n, 1) * (yb - ya) / 3 * (a * a + a * b + b * b);
  }
  return sum;
}

std::vector<std::pair<double, double>> ball_rings(double r, double l, int around) {
  const int half = std::max(around / 4, 1);
  std::vector<std::pair<double, double>> rings;
  for (int i = -half; i <= 0; ++i) rings.emplace_back(r * std::cos(pi / 2 * i / half), r * std::sin(pi / 2 * i / half) - l / 2);
  for (int i = 0; i <= half; ++i) rings.emplace_back(r * std::cos(pi / 2 * i / half), r * std::sin(pi / 2 * i / half) + l / 2);
  return rings;
}

/// Cuts of a figure that are bodies of their own: the triangles of each part, in the order in which they were added.
TriangleMesh piece(const TriangleMesh& mesh, std::size_t first, std::size_t count) {
  return {mesh.points,
          {mesh.indices.begin() + static_cast<std::ptrdiff_t>(3 * first),
           mesh.indices.begin() + static_cast<std::ptrdiff_t>(3 * (first + count))}};
}

}  // namespace

TEST_CASE("scene: boxes have the area and volume of their edges") {
  RandomStream random(1, "boxes");
  for (int i = 0; i < 100; ++i) {
    const Vec3 s{0.01 + random.uniform() * 50, 0.01 + random.uniform(), 0.01 + random.uniform() * 5};
    const TriangleMesh mesh = triangles_of(Shape(physics::Box{s}));
    CHECK(is_closed(mesh));
    CHECK(is_clean(mesh));
    CHECK(volume(mesh) == doctest::Approx(s.x * s.y * s.z).epsilon(kTight));
    CHECK(area(mesh) == doctest::Approx(2 * (s.x * s.y + s.y * s.z + s.z * s.x)).epsilon(kTight));
  }
}

TEST_CASE("scene: round shapes are closed, outward and inscribed, with any number of corners") {
  for (const int n : {3, 4, 5, 7, 8, 12, 13, 24, 64}) {
    CAPTURE(n);
    const double r = 0.7, l = 1.9;
    const TriangleMesh cylinder = triangles_of(Shape(physics::Cylinder{r, l}), n);
    CHECK(is_closed(cylinder));
    CHECK(is_clean(cylinder));
    CHECK(volume(cylinder) == doctest::Approx(polygon(n, r) * l).epsilon(kTight));
    const double side = 2 * r * std::sin(pi / n);
    CHECK(area(cylinder) == doctest::Approx(2 * polygon(n, r) + n * side * l).epsilon(kTight));
    const TriangleMesh cone = triangles_of(Shape(physics::Cone{r, l}), n);
    CHECK(is_closed(cone));
    CHECK(is_clean(cone));
    CHECK(volume(cone) == doctest::Approx(polygon(n, r) * l / 3).epsilon(kTight));
    CHECK(area(cone) == doctest::Approx(polygon(n, r) + n * side / 2 * std::hypot(l, r * std::cos(pi / n))).epsilon(kTight));
    const TriangleMesh ball = triangles_of(Shape(physics::Sphere{r}), n);
    CHECK(is_closed(ball));
    CHECK(is_clean(ball));
    CHECK(volume(ball) == doctest::Approx(turned_volume(ball_rings(r, 0, n), n)).epsilon(1e-9));
    for (const std::uint32_t i : ball.indices) CHECK(length(ball.points[i]) == doctest::Approx(r).epsilon(kTight));
    const TriangleMesh capsule = triangles_of(Shape(physics::Capsule{r, l}), n);
    CHECK(is_closed(capsule));
    CHECK(is_clean(capsule));
    CHECK(volume(capsule) == doctest::Approx(turned_volume(ball_rings(r, l, n), n)).epsilon(1e-9));
    CHECK(area(capsule) == doctest::Approx(area(ball) + n * side * l).epsilon(1e-9));
  }
}

TEST_CASE("scene: finer spheres and capsules come nearer to the ideal ones, from inside") {
  double before = 0;
  for (const int n : {8, 16, 32, 64, 128}) {
    const double v = volume(triangles_of(Shape(physics::Sphere{1}), n));
    CHECK(v > before);
    CHECK(v < 4.0 / 3 * pi);
    // Of second order: half the step, a quarter of the error.
    if (n > 8) CHECK((4.0 / 3 * pi - v) < 0.3 * (4.0 / 3 * pi - before));
    before = v;
  }
}

TEST_CASE("scene: the bounds of a shape are those of its surface") {
  const std::vector<Vec3> corners = {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
  for (const Shape& shape :
       {Shape(physics::Box{{1, 2, 3}}), Shape(physics::Sphere{2}), Shape(physics::Capsule{0.5, 2}),
        Shape(physics::Cylinder{0.5, 3}), Shape(physics::Cone{1.5, 1}), Shape(physics::ConvexHull{corners})}) {
    CAPTURE(shape.index());
    const TriangleMesh mesh = triangles_of(shape, 64);
    std::vector<Vec3> used;
    for (const std::uint32_t i : mesh.indices) used.push_back(mesh.points[i]);
    const auto [low, high] = bounds_of(shape);
    const auto [surface_low, surface_high] = bounds_of(std::span<const Vec3>(used));
    CHECK(length(low - surface_low) < 1e-9);
    CHECK(length(high - surface_high) < 1e-9);
  }
}

TEST_CASE("scene: hulls are closed around all of their points") {
  RandomStream random(2, "hulls");
  for (int i = 0; i < 30; ++i) {
    std::vector<Vec3> points;
    for (std::uint64_t n = 5 + random.below(30); n > 0; --n)
      points.push_back({random.uniform() - 0.5, 2 * random.uniform(), random.uniform() * 3});
    const TriangleMesh mesh = triangles_of(Shape(physics::ConvexHull{points}));
    CHECK(is_closed(mesh));
    CHECK(volume(mesh) > 0);
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
      const Vec3 normal = area_vector(mesh, t);
      // Bullet finds hulls in whole numbers of about the size over 10,000.
      double outside = 0;
      for (const Vec3& p : points) outside = std::max(outside, dot(normal, p - mesh.points[mesh.indices[t]]) / length(normal));
      CHECK(outside < 1e-3);
    }
  }
}

TEST_CASE("scene: height grids are seen from above; level ones are two triangles") {
  RandomStream random(3, "grids");
  geo::HeightGrid grid;
  grid.nx = 5;
  grid.nz = 4;
  grid.spacing = 2;
  grid.x0 = -3;
  grid.z0 = 7;
  grid.heights.assign(20, 1.5);
  const TriangleMesh level = triangles_of(grid);
  CHECK(level.indices.size() == 6);
  CHECK(area(level) == doctest::Approx(8 * 6));
  for (std::size_t i = 0; i < 6; i += 3) CHECK(area_vector(level, i).y > 0);
  CHECK(bounds_of(std::span<const Vec3>(level.points)).second.x == doctest::Approx(5));
  // A plane has the area of its ground divided by the cosine of its slope.
  for (int z = 0; z < 4; ++z)
    for (int x = 0; x < 5; ++x) grid.heights[static_cast<std::size_t>(z * 5 + x)] = 2 * x * 0.3 + 2 * z * 0.1;
  CHECK(area(triangles_of(grid)) == doctest::Approx(48 * std::sqrt(1 + 0.09 + 0.01)).epsilon(kTight));
  for (double& h : grid.heights) h = random.uniform() * 5;
  const TriangleMesh rough = triangles_of(grid);
  CHECK(rough.indices.size() == 3u * 2 * 4 * 3);
  for (std::size_t i = 0; i + 2 < rough.indices.size(); i += 3) {
    CHECK(area_vector(rough, i).y == doctest::Approx(2));
    // The middle of each triangle is on the surface that the physics has.
    Vec3 middle{};
    for (std::size_t k = 0; k < 3; ++k) middle = middle + (1.0 / 3) * rough.points[rough.indices[i + k]];
    const auto height = physics::height_at(grid, middle.x, middle.z);
    REQUIRE(height);
    CHECK(*height == doctest::Approx(middle.y).epsilon(1e-9));
  }
}

TEST_CASE("scene: houses are two closed bodies in their box: walls, and a gable roof along the longer side") {
  RandomStream random(4, "houses");
  for (int i = 0; i < 200; ++i) {
    const Vec3 size{3 + random.uniform() * 15, 2 + random.uniform() * 9, 3 + random.uniform() * 15};
    CAPTURE(size.x);
    CAPTURE(size.y);
    CAPTURE(size.z);
    double eaves = -1;
    const Figure house = house_figure(size, eaves);
    CHECK(house.paint.size() * 3 == house.mesh.indices.size());
    CHECK(is_clean(house.mesh));
    const auto [low, high] = bounds_of(std::span<const Vec3>(house.mesh.points));
    CHECK(length(low + 0.5 * size) < 1e-9);
    CHECK(length(high - 0.5 * size) < 1e-9);
    if (eaves == 0) {
      CHECK((std::min(size.x, size.z) > 13 || size.y > 9.5));
      CHECK(volume(house.mesh) == doctest::Approx(size.x * size.y * size.z));
      continue;
    }
    const TriangleMesh walls = piece(house.mesh, 0, 12), roof = piece(house.mesh, 12, 8);
    CHECK(is_closed(walls));
    CHECK(is_closed(roof));
    CHECK(volume(walls) == doctest::Approx(0.94 * size.x * 0.94 * size.z * eaves).epsilon(1e-9));
    CHECK(volume(roof) == doctest::Approx(size.x * size.z * (size.y - eaves) / 2).epsilon(1e-9));
    CHECK(eaves > 0.5 * size.y);
    CHECK(eaves < size.y);
  }
}

TEST_CASE("scene: cars are two closed bodies that meet at the belt") {
  RandomStream random(5, "cars");
  for (int i = 0; i < 100; ++i) {
    const Vec3 size{1 + random.uniform() * 2, 1 + random.uniform() * 3, 2 + random.uniform() * 10};
    double belt = -9;
    const Figure car = car_figure(size, belt);
    const TriangleMesh body = piece(car.mesh, 0, 12), cabin = piece(car.mesh, 12, 12);
    CHECK(car.mesh.indices.size() == 72);
    CHECK(is_closed(body));
    CHECK(is_closed(cabin));
    CHECK(is_clean(car.mesh));
    // Of a prismatoid, by Simpson's rule (exact for sections that are quadratic in the height).
    const Vec3 h = 0.5 * size;
    const auto prismatoid = [](double dy, double ax, double az, double bx, double bz) {
      return dy / 6 * 4 * (ax * az + 4 * (ax + bx) / 2 * (az + bz) / 2 + bx * bz);
    };
    CHECK(volume(body) == doctest::Approx(prismatoid(belt + h.y * 0.75, h.x, h.z * 0.985, h.x * 0.97, h.z)).epsilon(1e-9));
    CHECK(volume(cabin) ==
          doctest::Approx(prismatoid(h.y - belt, h.x * 0.93, h.z * 0.56, h.x * 0.72, h.z * 0.34)).epsilon(1e-9));
    const auto [low, high] = bounds_of(std::span<const Vec3>(car.mesh.points));
    CHECK(high.y == doctest::Approx(h.y));
    CHECK(low.y == doctest::Approx(-0.75 * h.y));  // wheels reach further down
    CHECK(high.x == doctest::Approx(h.x));
    CHECK(high.z == doctest::Approx(h.z));
    CHECK(low.z == doctest::Approx(-h.z));
  }
}

TEST_CASE("scene: trees are a trunk on the ground and a crown of three balls, all closed") {
  for (const Vec3 size : {Vec3{0.7, 12, 0.7}, Vec3{5, 8, 4}, Vec3{0.2, 2, 0.3}}) {
    CAPTURE(size.y);
    const Figure tree = tree_figure(size);
    std::size_t trunk = 0;
    while (trunk < tree.paint.size() && tree.paint[trunk] == 1) ++trunk;
    REQUIRE(trunk > 0);
    CHECK(is_closed(piece(tree.mesh, 0, trunk)));
    CHECK(volume(piece(tree.mesh, 0, trunk)) > 0);
    const std::size_t ball = (tree.paint.size() - trunk) / 3;
    CHECK(tree.paint.size() == trunk + 3 * ball);
    double top = -1e9;
    for (std::size_t i = 0; i < 3; ++i) {
      const TriangleMesh crown = piece(tree.mesh, trunk + i * ball, ball);
      CHECK(is_closed(crown));
      CHECK(volume(crown) > 0);
      for (const std::uint32_t k : crown.indices) {
        top = std::max(top, crown.points[k].y);
        CHECK(crown.points[k].y > -size.y / 2);  // none reaches into the ground
      }
    }
    const auto [low, high] = bounds_of(std::span<const Vec3>(tree.mesh.points));
    CHECK(low.y == doctest::Approx(-size.y / 2));
    CHECK(top <= size.y / 2 + 1e-9);
    CHECK(top > 0.9 * size.y / 2);
  }
}

TEST_CASE("scene: screen colors go there and back, and grow with their numbers") {
  float before = -1;
  for (int byte = 0; byte < 256; ++byte) {
    const Rgb color = screen_color(byte, 255 - byte, 0);
    CHECK(color.r > before);
    before = color.r;
    CAPTURE(byte);
    CHECK(screen_byte(color.r) == byte);
    CHECK(screen_byte(color.g) == 255 - byte);
    CHECK(screen_byte(color.b) == 0);
    // Brightnesses between two bytes are those of the nearer one.
    const double below = (byte - 0.501) / 255, above = (byte + 0.499) / 255;
    if (byte > 0) CHECK(screen_byte(static_cast<float>(below * below * (0.8 + 0.2 * below))) == byte - 1);
    if (byte < 255) CHECK(screen_byte(static_cast<float>(above * above * (0.8 + 0.2 * above))) == byte);
  }
  CHECK(screen_color(255, 255, 255).r == doctest::Approx(1));
  CHECK(screen_byte(-1) == 0);
  CHECK(screen_byte(2) == 255);
  CHECK(screen_byte(1) == 255);
  std::uint8_t last = 0;
  for (int i = 0; i <= 1000; ++i) {
    CHECK(screen_byte(static_cast<float>(i) / 1000) >= last);
    last = screen_byte(static_cast<float>(i) / 1000);
  }
}

TEST_CASE("scene: things of one key keep their colors, and all colors are colors") {
  const auto sound = [](const Paint& paint) {
    for (const Rgb& c : {paint.color, paint.second})
      for (const float x : {c.r, c.g, c.b})
        if (!(x >= 0 && x <= 1)) return false;
    return paint.floor_height > 0;
  };
  std::map<float, int> walls, bodies;
  for (std::uint64_t key = 0; key < 1000; ++key) {
    const double height = 0.5 + static_cast<double>(key % 100) / 3;
    for (const Paint& paint :
         {building_paint(key, -1, height), house_paint(key, -1, height, 0.6 * height), car_paint(key, 0.5, 1.5),
          body_paint(key), fixture_paint(key), wheel_paint(0.3), tree_paints(key)[0], tree_paints(key)[1]})
      CHECK(sound(paint));
    // Floors fill the height evenly, and no window is above the walls.
    const Paint house = building_paint(key, -1, height);
    const double floors = height / static_cast<double>(house.floor_height);
    CHECK(std::abs(floors - std::round(floors)) < 1e-4);
    CHECK(static_cast<double>(house.windows) <= height * 1.000001);
    CHECK(static_cast<double>(house_paint(key, -1, height, 0.6 * height).windows) <= 0.6 * height * 1.000001);
    ++walls[house.color.r];
    ++bodies[body_paint(key).color.r];
    CHECK(building_paint(key, 3, 9).color.g == house.color.g);  // of the key alone
  }
  CHECK(walls.size() == 8);
  CHECK(bodies.size() >= 6);
}

TEST_CASE("scene: one color stands in for a texture, by the way that a triangle faces") {
  const Vec3 up{0, 1, 0}, down{0, -1, 0}, side{1, 0, 0}, front{0, 0, 1};
  struct Row {
    Paint paint;
    Vec3 middle, normal;
    std::string_view name;
  };
  Paint plain, road;
  road.material = Material::road;
  const Paint house = house_paint(1, 0, 6, 4), car = car_paint(1, 0.2, 1.5), wheel = wheel_paint(0.3);
  for (const Row& row :
       {Row{plain, {}, up, "plain"}, Row{road, {}, up, "asphalt"}, Row{house, {}, up, "roof"}, Row{house, {}, side, "wall"},
        Row{house, {}, down, "wall"}, Row{car, {0, 0.5, 0}, side, "glass"}, Row{car, {0, 0.5, 0}, up, "sheet_metal"},
        Row{car, {0, 0.1, 0}, side, "sheet_metal"}, Row{car, {0, -0.5, 0}, down, "underbody"}, Row{wheel, {}, side, "rim"},
        Row{wheel, {}, front, "tire"}, Row{tree_paints(1)[0], {}, up, "leaves"}}) {
    CAPTURE(row.name);
    const FlatLook look = flat_look(row.paint, row.middle, row.normal);
    CHECK(look.name == row.name);
    for (const float x : {look.color.r, look.color.g, look.color.b, look.roughness, look.metallic}) {
      CHECK(x >= 0);
      CHECK(x <= 1);
    }
  }
  CHECK(flat_look(house, {}, up).color.r == house.second.r);
  CHECK(flat_look(house, {}, side).color.r == house.color.r);
}

TEST_CASE("scene: a place on a road is measured from the nearest piece of its middle line") {
  RandomStream random(6, "roads");
  std::vector<RoadAppearance> roads;
  for (int i = 0; i < 12; ++i) {
    RoadAppearance road;
    road.width = 3 + random.uniform() * 5;
    road.is_marked = true;
    geo::EastNorth p{random.uniform() * 200, random.uniform() * 200};
    for (std::uint64_t n = 2 + random.below(4); n > 0; --n) {
      road.line.push_back(p);
      p = {p.east + (random.uniform() - 0.5) * 80, p.north + (random.uniform() - 0.5) * 80};
    }
    roads.push_back(road);
  }
  roads.push_back({{{50, 50}, {50, 50}}, 4, true});  // without length
  roads.push_back({{}, 4, true});
  const RoadMap map(roads);
  int on = 0;
  for (int i = 0; i < 5000; ++i) {
    const double x = random.uniform() * 220 - 10, z = random.uniform() * 220 - 10;
    double nearest = 1e9, along = 0;
    for (const RoadAppearance& road : roads) {
      double start = 0;
      for (std::size_t k = 0; k + 1 < road.line.size(); ++k) {
        const double dx = road.line[k + 1].east - road.line[k].east, dz = road.line[k + 1].north - road.line[k].north;
        const double l = std::hypot(dx, dz);
        if (l == 0) continue;
        const double s = std::clamp(((x - road.line[k].east) * dx + (z - road.line[k].north) * dz) / l, 0.0, l);
        const double d = std::hypot(x - road.line[k].east - dx / l * s, z - road.line[k].north - dz / l * s);
        if (d <= road.width / 2 + 0.1 && d < nearest) nearest = d, along = start + s;
        start += l;
      }
    }
    const RoadMap::Place place = map.at({x, 0, z});
    CAPTURE(x);
    CAPTURE(z);
    CHECK((place.width > 0) == (nearest < 1e9));
    if (!(place.width > 0) || nearest == 1e9) continue;
    ++on;
    CHECK(std::abs(std::abs(place.across) - nearest) < 1e-6);
    CHECK(std::abs(place.along - along) < 1e-6);
  }
  CHECK(on > 300);
}
