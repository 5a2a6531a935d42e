// Pictures of meshes that belong to no scenario.

#include "lib/view/still.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "lib/view/mesh_view.hpp"

using namespace simbatch;

namespace {

/// A box about the origin. @param size  along x, y, z (m)
view::ColoredMesh box(std::array<double, 3> size, std::array<float, 3> color, geo::Pose pose = {}) {
  view::ColoredMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.push_back({(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], (i & 4 ? 0.5 : -0.5) * size[2]});
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  mesh.colors.assign(mesh.triangles.size(), color);
  mesh.pose = pose;
  return mesh;
}

/// The rectangle of pixels that are much more red than green.
struct Extent {
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};
Extent red_of(const image::Image& picture) {
  Extent red;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const std::size_t at =
          3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) + static_cast<std::size_t>(x));
      if (picture.rgb[at] < 40 || picture.rgb[at] < 2 * picture.rgb[at + 1]) continue;
      red = {std::min(red.left, x), std::max(red.right, x), std::min(red.top, y), std::max(red.bottom, y)};
    }
  return red;
}

image::Image picture_of(std::span<const view::ColoredMesh> meshes, view::StillOptions options) {
  Diagnostics problems;
  auto world = view::view_of_meshes(meshes, problems);
  REQUIRE(world);
  CHECK(problems.empty());
  options.samples = 1;
  return view::still_of(*world, options);
}

}  // namespace

TEST_CASE("still: what is drawn fills the picture, whatever its shape, size and place") {
  for (const double scale : {0.1, 1.0, 50.0})
    for (const std::array<double, 3>& shape : {std::array<double, 3>{1, 1, 1}, {6, 0.2, 0.2}, {0.3, 0.3, 4}}) {
      CAPTURE(scale);
      CAPTURE(shape[2]);
      const view::ColoredMesh mesh = box({scale * shape[0], scale * shape[1], scale * shape[2]}, {0.9F, 0.05F, 0.05F},
                                         {{3 * scale, -2 * scale, 7 * scale}, {}});
      const image::Image picture = picture_of({&mesh, 1}, {.width = 160, .height = 120});
      const Extent red = red_of(picture);
      const double wide = (red.right - red.left) / 160.0, high = (red.bottom - red.top) / 120.0;
      CHECK(std::max(wide, high) > 0.8);
      CHECK(red.left > 1);
      CHECK(red.right < 158);
      CHECK(red.top > 1);
      CHECK(red.bottom < 118);
    }
}

TEST_CASE("still: there is ground under the lowest point, with a shadow on it") {
  const std::vector<view::ColoredMesh> meshes{box({1, 1, 0.1}, {0.9F, 0.05F, 0.05F}, {{0, 0, 1}, {}}),
                                              box({0.1, 0.1, 1}, {0.9F, 0.05F, 0.05F}, {{0, 0, 0.5}, {}})};
  const image::Image picture = picture_of(meshes, {.width = 80, .height = 60, .azimuth = 90, .elevation = 60});
  // From above there is ground in all four corners, and some of it is much darker.
  int brightest = 0, darkest = 255;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
    if (picture.rgb[i] > picture.rgb[i + 1] * 3 / 2) continue;  // red
    brightest = std::max<int>(brightest, picture.rgb[i + 1]);
    darkest = std::min<int>(darkest, picture.rgb[i + 1]);
  }
  CHECK(brightest > 60);
  CHECK(darkest < brightest * 2 / 3);
}

TEST_CASE("still: nothing that has an area is nothing to draw") {
  Diagnostics problems;
  CHECK_FALSE(view::view_of_meshes({}, problems));
  view::ColoredMesh flat;
  flat.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  CHECK_FALSE(view::view_of_meshes({&flat, 1}, problems));
}
