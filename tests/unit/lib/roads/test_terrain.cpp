#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "lib/roads/codes.hpp"
#include "lib/roads/terrain.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {

/// A 24-bit BMP, 3 x 2: bottom row 0, 10, 20, top row 100, 110, 120, all gray.
std::string small_bmp() {
  std::string bytes = "BM";
  const auto put = [&](std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  };
  for (const std::uint32_t v : {78u, 0u, 54u, 40u, 3u, 2u}) put(v, 4);
  put(1, 2);
  put(24, 2);
  for (const std::uint32_t v : {0u, 24u, 2835u, 2835u, 0u, 0u}) put(v, 4);
  for (const int first : {0, 100}) {
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c) put(static_cast<std::uint32_t>(first + 10 * i), 1);
    put(0, 3);  // rows fill up to 4 bytes
  }
  return bytes;
}

}  // namespace

TEST_CASE("terrain: a text height map has its north in the first row and its middle at the origin") {
  const Parsed<HeightMap> map = read_height_map("# three columns\n1 2 3\r\n4 5 6  # south\n\n", "heights.txt");
  REQUIRE(map.ok());
  const HeightGrid grid = terrain_of(*map.value, {.spacing = 10});
  CHECK(grid == HeightGrid{3, 2, 10, -10, -5, {4, 5, 6, 1, 2, 3}});
  CHECK(height_at(grid, -10, 5) == 1);
  CHECK(height_at(grid, 10, -5) == 6);
}

TEST_CASE("terrain: heights between the points lie on the two triangles of a cell") {
  const HeightGrid grid{2, 2, 1, 0, 0, {0, 1, 10, 100}};
  CHECK(height_at(grid, 0.25, 0.25) == doctest::Approx(0.25 * 1 + 0.25 * 10));
  CHECK(height_at(grid, 0.5, 0.5) == doctest::Approx(5.5));  // the edge from (1,0) to (0,1)
  CHECK(height_at(grid, 0.75, 0.75) == doctest::Approx(100 + 0.25 * (10 - 100) + 0.25 * (1 - 100)));
  CHECK(height_at(grid, -50, 0) == 0);
  CHECK(height_at(grid, 5, 7) == 100);
  CHECK(height_at(grid, std::numeric_limits<double>::infinity(), 1e300) == 100);
  CHECK(std::isfinite(height_at(grid, std::nan(""), 0.5)));
}

TEST_CASE("terrain: a picture's gray values are divided by the coefficient") {
  const Parsed<HeightMap> map = read_height_map(small_bmp(), "heights.bmp");
  CAPTURE(simbatch::test::all_text(map.diagnostics));
  REQUIRE(map.ok());
  CHECK(map.value->values == std::vector<double>{100, 110, 120, 0, 10, 20});
  const HeightGrid grid = terrain_of(*map.value, {.spacing = 8, .height_division = 10});
  CHECK(grid == HeightGrid{3, 2, 8, -8, -4, {0, 1, 2, 10, 11, 12}});
}

TEST_CASE("terrain: a Size cuts the map about its middle or goes on with its edge") {
  const HeightMap map{3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, true};
  CHECK(terrain_of(map, {.spacing = 1, .width = 4, .height = 2}) ==
        HeightGrid{5, 3, 1, -2, -1, {7, 7, 8, 9, 9, 4, 4, 5, 6, 6, 1, 1, 2, 3, 3}});
  const HeightMap wide{5, 2, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, true};
  CHECK(terrain_of(wide, {.spacing = 2, .width = 4, .height = 2}) == HeightGrid{3, 2, 2, -2, -1, {7, 8, 9, 2, 3, 4}});
  const HeightGrid flat = flat_terrain({.spacing = 8, .width = 1000, .height = 500}, 3);
  CHECK(flat.nx == 126);
  CHECK(flat.nz == 64);
  CHECK(flat.x0 == -500);
  CHECK(flat.heights.back() == 3);
  CHECK(terrain_of(map, {.spacing = 1e-3, .width = 1e9, .height = 1e9}).heights.size() <= std::size_t{1} << 24);
}

TEST_CASE("terrain: broken height maps are diagnosed") {
  simbatch::test::Expected expected(read_height_map("1 2 3\n4 x 6\n7 8\n", "h.txt").diagnostics);
  expected.take(code::kHeightText, Position{2, 3});
  expected.take(code::kHeightText, Position{3, 1});
  simbatch::test::Expected small(read_height_map("1 2 3\n", "h.txt").diagnostics);
  small.take(code::kPictureSize);
  simbatch::test::Expected empty(read_height_map("", "h.txt").diagnostics);
  empty.take(code::kPictureSize);
  simbatch::test::Expected cut(read_height_map(small_bmp().substr(0, 30), "h.bmp").diagnostics);
  cut.take(code::kPicture);
  std::string huge = small_bmp();
  huge[20] = 0x7f;  // width 8 million
  huge[24] = 0x7f;
  simbatch::test::Expected bomb(read_height_map(huge, "h.bmp").diagnostics);
  bomb.take(code::kPicture);
}

TEST_CASE("terrain: no prefix or mutation of a picture or text does harm") {
  for (const std::string& text :
       {small_bmp(), std::string("1 2 3\n4 5 6\n"), simbatch::test::read_text("scenarios/first_drive/heights.png")}) {
    simbatch::test::for_every_prefix(
        text, [](std::string_view cut) { (void)read_height_map(cut, "cut"); }, 300);
    for (std::uint64_t seed = 0; seed < 300; ++seed) (void)read_height_map(simbatch::test::mutated(text, seed), "mutated");
  }
}
