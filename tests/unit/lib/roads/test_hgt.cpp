// Elevation tiles: rows from the north, big-endian, named by their corner.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "lib/roads/codes.hpp"
#include "lib/roads/hgt.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::roads;

namespace {
constexpr int kSide = 1201;

/// A tile whose height is 100 m at the south-west corner, and rises by `east` and `north` m a sample.
std::string tile_bytes(int east, int north) {
  std::string bytes;
  bytes.reserve(2 * kSide * kSide);
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) {
      const int value = 100 + east * column + north * (kSide - 1 - row);
      bytes += static_cast<char>(value >> 8);
      bytes += static_cast<char>(value & 0xff);
    }
  return bytes;
}
void set(std::string& bytes, int row, int column, int value) {
  const auto at = 2 * static_cast<std::size_t>(row * kSide + column);
  bytes[at] = static_cast<char>(value >> 8);
  bytes[at + 1] = static_cast<char>(value & 0xff);
}
}  // namespace

TEST_CASE("hgt: heights rise to the east and to the north as in the tile") {
  const auto tile = read_hgt(tile_bytes(1, 2), "maps/N48E011.hgt");
  CAPTURE(simbatch::test::all_text(tile.diagnostics));
  REQUIRE(tile.ok());
  CHECK(tile.value->lat == 48);
  CHECK(tile.value->lon == 11);
  CHECK(tile.value->side == kSide);
  CHECK(tile.value->voids == 0);
  const geo::LocalFrame frame({48.25, 11.5});  // 300 samples north, 600 east of the corner
  std::size_t missing = 0;
  const HeightGrid grid = terrain_of({*tile.value}, frame, {.spacing = 50, .width = 1000, .height = 1000}, missing);
  CHECK(missing == 0);
  CHECK(grid.nx == 21);
  CHECK(height_at(grid, 0, 0) == doctest::Approx(100 + 600 + 2 * 300).epsilon(1e-6));
  // A sample is 1/1200 degree: 92.67 m to the north, 61.8 m to the east there.
  const geo::EastNorth sample = frame.to_plane({48.25 + 1.0 / 1200, 11.5 + 1.0 / 1200});
  CHECK(height_at(grid, sample.east, sample.north) == doctest::Approx(1300 + 3).epsilon(1e-4));
  CHECK(height_at(grid, 400, 0) - height_at(grid, -400, 0) == doctest::Approx(800 / sample.east).epsilon(0.01));
}

TEST_CASE("hgt: the southern and the western half of the world, and tiles beside each other") {
  const auto west = read_hgt(tile_bytes(0, 1), "S33W071.hgt"), east = read_hgt(tile_bytes(0, 1), "s33w070.hgt");
  REQUIRE(west.ok());
  REQUIRE(east.ok());
  CHECK(west.value->lat == -33);
  CHECK(west.value->lon == -71);
  const geo::LocalFrame frame({-32.5, -70});
  const TerrainOptions options{.spacing = 100, .width = 2000, .height = 2000};
  std::size_t missing = 0;
  const HeightGrid both = terrain_of({*west.value, *east.value}, frame, options, missing);
  CHECK(missing == 0);
  CHECK(height_at(both, -500, 0) == doctest::Approx(700).epsilon(1e-3));
  CHECK(height_at(both, 500, 0) == doctest::Approx(700).epsilon(1e-3));
  const HeightGrid one = terrain_of({*west.value}, frame, options, missing);
  CHECK(missing > 100);
  CHECK(height_at(one, 500, 0) == doctest::Approx(700).epsilon(1e-3));
}

TEST_CASE("hgt: samples without data are as a neighbor") {
  std::string bytes = tile_bytes(0, 0);
  set(bytes, 10, 20, -32768);
  for (int column = 0; column < kSide; ++column) set(bytes, 11, column, -32768);
  set(bytes, 0, 0, -32768);
  const auto tile = read_hgt(bytes, "N48E011.hgt");
  REQUIRE(tile.ok());
  CHECK(tile.value->voids == 2 + kSide);
  for (const std::int16_t value : tile.value->values) REQUIRE(value == 100);
}

TEST_CASE("hgt: a wrong name and a wrong size are reported at once, and a tile without data") {
  const auto wrong = read_hgt("abc", "heights.hgt");
  CHECK_FALSE(wrong.ok());
  simbatch::test::Expected expected(wrong.diagnostics);
  expected.take(code::kHgtName);
  CHECK(expected.take(code::kHgtSize).find("3 bytes") != std::string::npos);
  for (const char* name :
       {"N90E011.hgt", "N48E180.hgt", "S91E011.hgt", "N48W181.hgt", "N48X011.hgt", "N4", "N-1E011.hgt", "NN48E011.hgt"}) {
    CAPTURE(name);
    CHECK_FALSE(read_hgt(tile_bytes(0, 0), name).ok());
  }
  std::string empty = tile_bytes(0, 0);
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column) set(empty, row, column, -32768);
  const auto none = read_hgt(empty, "N48E011.hgt");
  simbatch::test::Expected voids(none.diagnostics);
  voids.take(code::kHgtSize);
}

TEST_CASE("hgt: heights that the earth does not have are as samples without data, and reported") {
  std::string bytes = tile_bytes(0, 0);
  set(bytes, 10, 20, -32640);
  set(bytes, 11, 0, 9001);
  set(bytes, 12, 0, -12000);
  set(bytes, 13, 0, -32768);
  const auto tile = read_hgt(bytes, "N48E011.hgt");
  simbatch::test::Expected expected(tile.diagnostics);
  CHECK(expected.take(code::kHgtRange)
            .find("2 samples lie outside -12000 to 9000 m, the first -32640 m in row 11, column 21; a "
                  "neighbor's height is used there") != std::string::npos);
  REQUIRE(tile.ok());
  CHECK(tile.value->voids == 1);
  CHECK(tile.value->values[10 * kSide + 20] == 100);
  CHECK(tile.value->values[11 * kSide] == 100);
  CHECK(tile.value->values[12 * kSide] == -12000);
  const auto none = read_hgt(std::string(2 * kSide * kSide, '\x80'), "N48E011.hgt");
  CHECK_FALSE(none.ok());
  simbatch::test::Expected all(none.diagnostics);
  CHECK(none.diagnostics.errors() == 1);
  CHECK(all.take(code::kHgtRange).starts_with("1442401 samples lie outside"));
}

TEST_CASE("hgt: the name of a place's tile is that of its south-west corner") {
  CHECK(hgt_name({48.2, 11.5}) == "N48E011.hgt");
  CHECK(hgt_name({-32.5, -70.5}) == "S33W071.hgt");
  CHECK(hgt_name({-0.5, 0}) == "S01E000.hgt");
  CHECK(hgt_name({5, 179.9}) == "N05E179.hgt");
}
