// What the process that reads a model sends.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "lib/models/packed_model.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using namespace simbatch::models;

TEST_CASE("models: what a child sends is unpacked only if it is a model within its bounds") {
  Model model;
  model.mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  model.mesh.indices = {0, 1, 2};
  model.paint = {0};
  model.colors = {{0.5, 1, 0}};
  const std::string good = pack(model);
  const auto read = unpack(good);
  REQUIRE(read);
  CHECK(read->mesh.points == model.mesh.points);
  CHECK(read->mesh.indices == model.mesh.indices);
  CHECK(read->colors == model.colors);
  for (std::size_t n = 0; n < good.size(); ++n) CHECK_FALSE(unpack(std::string(good, 0, n)));
  CHECK_FALSE(unpack(good + "x"));
  const auto refused = [&](auto change) {
    Model other = model;
    change(other);
    return !unpack(pack(other));
  };
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double x : {nan, infinity, -infinity, 2e9, -2e9}) CHECK(refused([&](Model& m) { m.mesh.points[1].y = x; }));
  for (const double x : {nan, infinity, -0.1, 1.1}) CHECK(refused([&](Model& m) { m.colors[0].z = x; }));
  CHECK(refused([](Model& m) { m.mesh.indices[2] = 3; }));
  CHECK(refused([](Model& m) { m.colors.clear(); }));
  Model paints = model;
  paints.paint = {200};
  REQUIRE(unpack(pack(paints)));
  CHECK(unpack(pack(paints))->paint[0] == 0);
  for (std::uint64_t seed = 0; seed < 300; ++seed)
    if (const auto mangled = unpack(test::mutated(good, seed)))
      for (const geo::Vec3& c : mangled->colors) CHECK((c.x >= 0 && c.x <= 1));
}
