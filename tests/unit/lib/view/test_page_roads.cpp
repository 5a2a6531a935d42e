// What the page gets of roads; the decoder here is that of web/src/meshes.ts.
#include "lib/view/page_roads.hpp"

#include <doctest/doctest.h>

using namespace simbatch;

namespace {

struct Reader {
  const std::string& bytes;
  std::size_t at = 0;
  std::int64_t next() {
    std::uint64_t bits = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      bits |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
  }
  std::vector<std::int64_t> differences(std::size_t count) {
    std::vector<std::int64_t> values;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < count; ++i) values.push_back(last += next());
    return values;
  }
};

/// Triangles (0, z), (2, z), (0, z + 2) on level ground, each with the paint of its number.
scene::PaintedMesh triangles_at(std::initializer_list<double> norths) {
  scene::PaintedMesh mesh;
  for (const double z : norths) {
    const auto first = static_cast<std::uint32_t>(mesh.points.size());
    for (const geo::Vec3 p : {geo::Vec3{0, 0, z}, geo::Vec3{2, 0, z}, geo::Vec3{0, 0, z + 2}}) mesh.points.push_back(p);
    for (std::uint32_t k = 0; k < 3; ++k) mesh.indices.push_back(first + k);
    mesh.paints.push_back(static_cast<std::uint32_t>(mesh.paints.size()));
  }
  return mesh;
}

std::vector<scene::Paint> paints(std::initializer_list<scene::Material> materials) {
  std::vector<scene::Paint> made;
  for (const scene::Material material : materials) made.emplace_back().material = material;
  return made;
}

}  // namespace

TEST_CASE("page roads: a triangle has the lanes of its road, and the marks that touch it") {
  using scene::Material;
  scene::RoadAppearance road{{{0, 0}, {0, 100}}, 12};
  road.lanes = 3;
  road.is_one_way = true;
  road.marks = {{30, false, 0}, {31, true, 0}, {60, true, 1}};
  view::detail::RoadWriter writer({road});
  std::string bytes;
  writer.append(bytes, triangles_at({10, 29, 30, 60}),
                paints({Material::road, Material::road, Material::ground, Material::junction}));
  writer.append_table(bytes);
  Reader reader{bytes};
  REQUIRE(reader.next() == 2);
  CHECK(reader.differences(2) == std::vector<std::int64_t>{1200, 1200});
  CHECK(reader.differences(2) == std::vector<std::int64_t>{3 + 64, 3 + 64});
  CHECK(reader.differences(6) == std::vector<std::int64_t>{0, 200, 0, 0, 200, 0});
  CHECK(reader.differences(6) == std::vector<std::int64_t>{1000, 1000, 1200, 2900, 2900, 3100});
  REQUIRE(reader.next() == 3);  // the ground has no lanes
  CHECK(reader.differences(3) == std::vector<std::int64_t>{0, 0, 2});
  CHECK(reader.differences(3) == std::vector<std::int64_t>{0, 2, 1});
  REQUIRE(reader.next() == 3);
  CHECK(reader.differences(3) == std::vector<std::int64_t>{0, 0, 0});           // x
  CHECK(reader.differences(3) == std::vector<std::int64_t>{3000, 3100, 6000});  // z
  CHECK(reader.differences(3) == std::vector<std::int64_t>{0, 0, 0});           // direction
  CHECK(reader.differences(3) == std::vector<std::int64_t>{10000, 10000, 10000});
  CHECK(reader.differences(3) == std::vector<std::int64_t>{1200, 1200, 1200});
  CHECK(reader.differences(3) == std::vector<std::int64_t>{0, 1, 1});  // a crossing; lines over a one-way road
  CHECK(reader.at == bytes.size());
}

TEST_CASE("page roads: marks on a bridge are not on the street under it") {
  scene::RoadAppearance road{{{0, 0}, {0, 100}}, 12};
  road.y = {6, 6};
  road.marks = {{30, false, 0}};
  view::detail::RoadWriter writer({road});
  std::string bytes;
  writer.append(bytes, triangles_at({29}), paints({scene::Material::junction}));
  writer.append_table(bytes);
  Reader reader{bytes};
  CHECK(reader.next() == 0);
  REQUIRE(reader.next() == 1);
  CHECK(reader.next() == 0);
  CHECK(reader.next() == 0);
  CHECK(reader.next() == 0);  // and the table is empty
  CHECK(reader.at == bytes.size());
}
