// GLB files: chunks, lengths, accessors. That the Khronos validator accepts whole worlds is tested in tests/web.

#include <doctest/doctest.h>

#include <cstring>

#include "formats/gltf/gltf.hpp"

using namespace simbatch;

namespace {

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}
std::string json_of(const std::string& glb) { return glb.substr(20, word(glb, 12)); }

gltf::Asset triangle() {
  gltf::Asset asset;
  asset.materials = {{"red", {1, 0, 0, 1}, 0, 0.5f}};
  asset.geometries = {{{0, 0, 0}, {1, 0, 0}, {0, 2, -3}}};
  asset.indices = {{0, 1, 2}};
  asset.meshes = {{"triangle", {{0, 0, 0}}}};
  asset.nodes = {{"a.b", {{1, 2, 3}, {}}, 0, std::nullopt, {1}}, {"a.b.c", {}, 0, std::nullopt, {}}};
  return asset;
}

}  // namespace

TEST_CASE("gltf: chunks are aligned and their lengths add up") {
  const std::string glb = gltf::write_glb(triangle());
  CHECK(glb.substr(0, 4) == "glTF");
  CHECK(word(glb, 4) == 2);
  CHECK(word(glb, 8) == glb.size());
  const std::uint32_t json = word(glb, 12);
  CHECK(json % 4 == 0);
  CHECK(glb.substr(16, 4) == "JSON");
  CHECK(word(glb, 20 + json) == glb.size() - 28 - json);
  CHECK(word(glb, 20 + json) == 3 * 12 + 8);  // points; three indices of 16 bits, padded
  CHECK(glb.substr(24 + json, 4) == std::string("BIN\0", 4));
  CHECK(gltf::write_glb(triangle()) == glb);
}

TEST_CASE("gltf: roots, limits of positions and names are in the JSON") {
  const std::string json = json_of(gltf::write_glb(triangle()));
  const auto has = [&](const char* text) { return json.find(text) != std::string::npos; };
  CHECK(has(R"("scenes":[{"nodes":[0]}])"));
  CHECK(has(R"({"name":"a.b","translation":[1,2,3],"mesh":0,"children":[1]})"));
  CHECK(has(R"("min":[0,0,-3],"max":[1,2,0])"));
  CHECK(has(R"("componentType":5123,"count":3)"));
  CHECK(has(R"("baseColorFactor":[1,0,0,1])"));
  CHECK_FALSE(has("animations"));
}

TEST_CASE("gltf: tracks share their times; large indices have 32 bits") {
  gltf::Asset asset = triangle();
  asset.times = {0, 0.5f, 1};
  asset.tracks = {{0, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 0, 1}}},
                  {1, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}}, {}}};
  asset.geometries[0].resize(70'000);
  asset.indices[0] = {0, 1, 69'999};
  const std::string json = json_of(gltf::write_glb(asset));
  CHECK(json.find(R"("componentType":5125)") != std::string::npos);
  CHECK(json.find(R"("samplers":[{"input":2,"output":3},{"input":2,"output":4},{"input":2,"output":5}])") != std::string::npos);
  CHECK(json.find(R"("target":{"node":1,"path":"translation"})") != std::string::npos);
  CHECK(json.find(R"("min":[0],"max":[1])") != std::string::npos);
}

TEST_CASE("gltf: an empty scene is a file without binary data; one that is too large is none") {
  const std::string glb = gltf::write_glb({});
  CHECK(word(glb, 8) == glb.size());
  CHECK(json_of(glb).find(R"("scenes":[{}])") != std::string::npos);
  CHECK(gltf::write_glb(triangle(), 100).empty());
}
