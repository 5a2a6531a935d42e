// What a picture shows: where things are in it, what hides what, and which way they face.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "lib/render/render.hpp"

using namespace simbatch;

namespace {

constexpr render::Color kRed{1, 0, 0}, kGreen{0, 1, 0}, kBlue{0, 0, 1};

/// A box with edges of length 2 * half about `center`.
void add_box(render::Scene& scene, const geo::Vec3& center, double half, const render::Color& color) {
  std::vector<std::array<double, 3>> points;
  for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
  const std::vector<std::array<std::uint32_t, 3>> triangles{{7, 6, 4}, {7, 4, 5}, {2, 3, 1}, {2, 1, 0}, {6, 2, 0}, {6, 0, 4},
                                                            {3, 7, 5}, {3, 5, 1}, {3, 2, 6}, {3, 6, 7}, {5, 4, 0}, {5, 0, 1}};
  geo::Pose pose;
  pose.p = center;
  scene.add(points, triangles, std::vector<render::Color>(triangles.size(), color), pose);
}

/// How many pixels are mostly of that channel, and their mean place.
struct Blob {
  std::size_t pixels = 0;
  double x = 0, y = 0;
};
Blob find(const image::Image& image, int width, int channel) {
  Blob blob;
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3) {
    const int value = image.rgb[i + static_cast<std::size_t>(channel)];
    int others = 0;
    for (int c = 0; c < 3; ++c)
      if (c != channel) others = std::max<int>(others, image.rgb[i + static_cast<std::size_t>(c)]);
    if (value < 40 || value < 2 * others) continue;
    ++blob.pixels;
    blob.x += static_cast<double>(i / 3 % static_cast<std::size_t>(width));
    blob.y += static_cast<double>(i / 3 / static_cast<std::size_t>(width));
  }
  if (blob.pixels > 0) blob.x /= static_cast<double>(blob.pixels), blob.y /= static_cast<double>(blob.pixels);
  return blob;
}

render::Options small(double azimuth, double elevation) {
  render::Options options;
  options.width = 120;
  options.height = 90;
  options.azimuth = azimuth;
  options.elevation = elevation;
  options.ground = false;
  return options;
}

}  // namespace

TEST_CASE("render: the camera looks from its azimuth: +x, +y and up are where they should be") {
  render::Scene scene;
  add_box(scene, {3, 0, 0}, 0.6, kRed);
  add_box(scene, {0, 3, 0}, 0.6, kGreen);
  add_box(scene, {0, 0, 3}, 0.6, kBlue);
  // From -y (azimuth -90): +x is right, z up.
  const image::Image front = render::draw(scene, small(-90, 5));
  const Blob red = find(front, 120, 0), green = find(front, 120, 1), blue = find(front, 120, 2);
  REQUIRE(red.pixels > 20);
  REQUIRE(green.pixels > 20);
  REQUIRE(blue.pixels > 20);
  CHECK(red.x > green.x + 10);
  CHECK(red.x > blue.x + 10);
  CHECK(blue.y < green.y - 10);
  CHECK(std::abs(green.x - blue.x) < 4);
  // From +x (azimuth 0): +y is right.
  const image::Image side = render::draw(scene, small(0, 5));
  CHECK(find(side, 120, 1).x > find(side, 120, 2).x + 10);
  // From above: the blue box is nearest and covers the origin; +x and +y are on different sides.
  const image::Image above = render::draw(scene, small(-90, 89));
  CHECK(find(above, 120, 1).y < find(above, 120, 2).y - 10);
  CHECK(find(above, 120, 0).x > find(above, 120, 2).x + 10);
}

TEST_CASE("render: what is in front hides what is farther away, in whatever order they were added") {
  for (const bool near_first : {true, false}) {
    CAPTURE(near_first);
    render::Scene scene;
    if (near_first) add_box(scene, {0, -3, 0}, 1, kRed);
    add_box(scene, {0, 3, 0}, 1, kGreen);
    if (!near_first) add_box(scene, {0, -3, 0}, 1, kRed);
    const image::Image image = render::draw(scene, small(-90, 0));
    CHECK(find(image, 120, 0).pixels > 100);
    // Straight behind it: at most a rim of the other is to be seen.
    CHECK(find(image, 120, 1).pixels < find(image, 120, 0).pixels / 10);
    const image::Image back = render::draw(scene, small(90, 0));
    CHECK(find(back, 120, 1).pixels > 100);
    CHECK(find(back, 120, 0).pixels < find(back, 120, 1).pixels / 10);
  }
}

TEST_CASE("render: a scene fills its picture, whatever its size, place and the picture's shape") {
  for (const double size : {1e-3, 1.0, 1e3}) {
    CAPTURE(size);
    render::Scene scene;
    add_box(scene, {100 * size, -50 * size, 7 * size}, size, kRed);
    const Blob blob = find(render::draw(scene, small(-55, 25)), 120, 0);
    CHECK(blob.pixels > 120 * 90 / 8);
    CHECK(blob.x == doctest::Approx(60).epsilon(0.1));
    CHECK(blob.y == doctest::Approx(45).epsilon(0.1));
  }
  render::Scene scene;
  add_box(scene, {}, 1, kRed);
  render::Options tall = small(-55, 25);
  tall.width = 30;
  tall.height = 200;
  const image::Image image = render::draw(scene, tall);
  CHECK(image.rgb.size() == 30U * 200U * 3U);
  const Blob blob = find(image, 30, 0);
  CHECK(blob.pixels > 100);
  CHECK(blob.x == doctest::Approx(15).epsilon(0.15));
}

TEST_CASE("render: the ground takes a shadow, and can be left out") {
  render::Scene scene;
  add_box(scene, {0, 0, 1}, 1, kRed);
  render::Options options = small(-55, 40);
  const image::Image bare = render::draw(scene, options);
  options.ground = true;
  const image::Image grounded = render::draw(scene, options);
  CHECK(bare.rgb != grounded.rgb);
  const auto levels = [](const image::Image& image) {
    std::array<bool, 256> seen{};
    for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3)
      if (image.rgb[i] == image.rgb[i + 1] || std::abs(image.rgb[i] - image.rgb[i + 2]) < 12) seen[image.rgb[i + 1]] = true;
    return std::count(seen.begin(), seen.end(), true);
  };
  CHECK(levels(grounded) > levels(bare));  // light and shadow on the floor
}

TEST_CASE("render: a mesh is placed by its pose") {
  const std::vector<std::array<double, 3>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 1, 2}};
  const std::vector<render::Color> colors{kGreen};
  render::Scene scene;
  CHECK(scene.empty());
  geo::Pose pose;
  pose.p = {10, 20, 30};
  scene.add(points, triangles, colors, pose);
  REQUIRE(scene.faces().size() == 1);
  CHECK(!scene.empty());
  const render::Scene::Face& face = scene.faces()[0];
  CHECK(face.p[1] == geo::Vec3{11, 20, 30});
  CHECK(face.p[2] == geo::Vec3{10, 21, 30});
  CHECK(face.color == kGreen);
  for (const geo::Vec3& normal : face.n) {
    CHECK(normal.z == doctest::Approx(1));
    CHECK(normal.x == doctest::Approx(0));
  }
}

TEST_CASE("render: faces that meet at a small angle share a normal, those at an edge do not") {
  const auto normals_differ = [](double slope) {
    // Two triangles that share the edge from (0,0,0) to (0,1,0), each falling off by `slope`.
    const std::vector<std::array<double, 3>> points{{0, 0, 0}, {0, 1, 0}, {1, 0, -slope}, {-1, 0, -slope}};
    const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 2, 1}, {0, 1, 3}};
    render::Scene scene;
    scene.add(points, triangles, std::vector<render::Color>(2, kRed), {});
    return scene.faces()[0].n[0] != scene.faces()[1].n[0];
  };
  CHECK(!normals_differ(0));
  CHECK(!normals_differ(0.2));  // 23 degrees
  CHECK(normals_differ(1));     // 90 degrees
}
