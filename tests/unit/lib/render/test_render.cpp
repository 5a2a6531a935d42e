#include <doctest/doctest.h>

#include <set>

#include "lib/render/render.hpp"

using namespace simbatch;

TEST_CASE("render: a red box stands in the middle, lit, on a background; the same bytes twice") {
  const std::vector<std::array<double, 3>> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const std::vector<std::array<std::uint32_t, 3>> triangles{{7, 6, 4}, {7, 4, 5}, {2, 3, 1}, {2, 1, 0}, {6, 2, 0}, {6, 0, 4},
                                                            {3, 7, 5}, {3, 5, 1}, {3, 2, 6}, {3, 6, 7}, {5, 4, 0}, {5, 0, 1}};
  render::Scene scene;
  scene.add(points, triangles, std::vector<render::Color>(triangles.size(), render::Color{1, 0, 0}), {});
  render::Options options;
  options.width = 80;
  options.height = 60;
  const image::Image image = render::draw(scene, options);
  const auto pixel = [&](int x, int y) { return image.rgb.data() + (y * 80 + x) * 3; };
  CHECK(pixel(40, 30)[0] > 2 * pixel(40, 30)[1]);
  CHECK(pixel(2, 2)[2] > pixel(2, 2)[0]);
  std::set<std::uint8_t> shades;
  for (int y = 15; y < 45; ++y) shades.insert(pixel(40, y)[0]);
  CHECK(shades.size() >= 2);  // top and sides are lit differently
  CHECK(render::draw(scene, options).rgb == image.rgb);
  CHECK(image::to_png(image).substr(1, 3) == "PNG");
  CHECK(render::draw({}, options).rgb.size() == image.rgb.size());
}
