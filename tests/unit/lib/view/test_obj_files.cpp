// Worlds as OBJ files, and OBJ meshes as scenes.

#include "lib/view/obj_files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "formats/obj/codes.hpp"
#include "formats/obj/obj.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

/// A square of two materials at (10, 0, 0), whose child is 1 m above it and turned by 90 degrees about y.
gltf::Asset nested() {
  gltf::Asset asset;
  asset.materials = {{"red one", {1, 0, 0, 1}, 0, 1, false}, {"", {0, 0.5F, 1, 1}, 0, 1, false}};
  asset.geometries = {{{0, 0, 0}, {1, 0, 0}, {1, 0, -1}, {0, 0, -1}}};
  asset.indices = {{0, 1, 2}, {0, 2, 3}};
  asset.meshes = {{"square", {{0, 0, 0}, {0, 1, 1}}}};
  const geo::Quat turn{std::sqrt(0.5), 0, std::sqrt(0.5), 0};
  asset.nodes = {{"child", {{0, 1, 0}, turn}, 0, {}, {}}, {"a body", {{10, 0, 0}, {}}, 0, {}, {0}}, {"camera", {}, {}, {}, {}}};
  return asset;
}

}  // namespace

TEST_CASE("obj: a scene's nodes are objects where they are in the world") {
  const std::string text = view::obj_of(nested());
  CHECK(
      text.find(
          "o a_body\nusemtl red_one\nv 10 0 0 1 0 0\nv 11 0 0 1 0 0\nv 11 0 -1 1 0 0\nf 1 2 3\nusemtl unnamed\nv 10 0 0 0 0.73 1\n") !=
      std::string::npos);
  CHECK(text.find("camera") == std::string::npos);
  CHECK(text.find("a_body") < text.find("o child"));
  const auto mesh = obj::read_obj(text, "w.obj");
  REQUIRE(mesh.ok());
  CHECK(mesh.value->triangles.size() == 4);
  CHECK(mesh.value->points.size() == 12);
  // The child's second corner: +x becomes -z by its turn.
  CHECK(mesh.value->points[7] == std::array<double, 3>{10, 1, -1});
  CHECK(view::obj_of(nested()) == text);
  CHECK(obj::read_obj(view::obj_of({}), "none.obj").ok() == false);
}

TEST_CASE("obj: a mesh is a scene of its own, without points that nothing uses") {
  Diagnostics problems("t");
  const auto asset =
      view::asset_of_obj("v 9 9 9\nv 0 0 0\nv 2 0 0\nv 0 3 0\nv 2 3 0\nf 2 3 4\nf 4 3 5\n", "m.obj", "m", problems);
  REQUIRE(asset);
  CHECK(asset->nodes.size() == 1);
  CHECK(asset->nodes[0].name == "m");
  CHECK(asset->geometries[0].size() == 4);
  CHECK(asset->indices[0] == std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3});
  CHECK(asset->geometries[0][3] == std::array<float, 3>{2, 3, 0});
  CHECK(!gltf::write_glb(*asset).empty());
  CHECK(!view::asset_of_obj("v 1 2\nf 1 2 3\n", "bad.obj", "bad", problems));
  CHECK(!view::asset_of_obj("v 1e39 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "far.obj", "far", problems));
  test::Expected expected(std::move(problems));
  expected.take(obj::code::kVertex, Position{1, 1});
  expected.take(obj::code::kFace, Position{2, 5});
  CHECK(expected.take(obj::code::kVertex).find("1e+39") != std::string::npos);
}
