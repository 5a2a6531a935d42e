// Random scenes read back as the specification of glTF 2.0 describes them (chapters 3 and 4).

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "base/core/random.hpp"
#include "formats/gltf/gltf.hpp"
#include "tests/support/json.hpp"

using namespace simbatch;
using test::Json;

namespace {

struct Glb {
  Json json;
  std::string binary;
};

std::uint32_t word(std::string_view bytes, std::size_t at) {
  REQUIRE(at + 4 <= bytes.size());
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

Glb decoded(const std::string& bytes) {
  REQUIRE(bytes.substr(0, 4) == "glTF");
  CHECK(word(bytes, 4) == 2);
  REQUIRE(word(bytes, 8) == bytes.size());
  const std::uint32_t size = word(bytes, 12);
  REQUIRE(size % 4 == 0);
  REQUIRE(bytes.substr(16, 4) == "JSON");
  Glb glb{test::read_json(std::string_view(bytes).substr(20, size)), {}};
  CHECK(glb.json["asset"]["version"].text == "2.0");
  if (20 + size == bytes.size()) return glb;
  REQUIRE(word(bytes, 20 + size) % 4 == 0);
  REQUIRE(28 + size + word(bytes, 20 + size) == bytes.size());
  CHECK(bytes.substr(24 + size, 4) == std::string("BIN\0", 4));
  glb.binary = bytes.substr(28 + size);
  return glb;
}

/// The numbers of an accessor; its view and its limits must fit.
std::vector<double> numbers_of(const Glb& glb, std::size_t index) {
  const Json& accessor = glb.json["accessors"][index];
  const Json& view = glb.json["bufferViews"][accessor["bufferView"].whole()];
  const std::size_t component = accessor["componentType"].whole(), size = component == 5123 ? 2 : 4;
  const std::string type = accessor["type"].text;
  const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4, count = accessor["count"].whole();
  const std::size_t offset = view["byteOffset"].whole();
  CHECK(count > 0);
  CHECK(offset % size == 0);
  REQUIRE(view["byteLength"].whole() == count * width * size);
  REQUIRE(offset + count * width * size <= glb.json["buffers"][0]["byteLength"].whole());
  REQUIRE(glb.json["buffers"][0]["byteLength"].whole() <= glb.binary.size());
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count * width; ++i) {
    const char* at = glb.binary.data() + offset + i * size;
    if (component == 5126) {
      float value = 0;
      std::memcpy(&value, at, 4);
      numbers.push_back(value);
    } else {
      std::uint32_t value = 0;
      std::memcpy(&value, at, size);
      CHECK(value < (size == 2 ? 0xFFFFU : 0xFFFFFFFFU));  // the largest value restarts a primitive
      numbers.push_back(value);
    }
  }
  if (accessor.has("min"))
    for (std::size_t k = 0; k < width; ++k) {
      double low = numbers[k], high = numbers[k];
      for (std::size_t i = k; i < numbers.size(); i += width) {
        low = std::min(low, numbers[i]);
        high = std::max(high, numbers[i]);
      }
      CHECK(accessor["min"][k].number == low);
      CHECK(accessor["max"][k].number == high);
    }
  return numbers;
}

template <std::size_t N>
std::vector<double> flat(const std::vector<std::array<float, N>>& rows) {
  std::vector<double> out;
  for (const auto& row : rows) out.insert(out.end(), row.begin(), row.end());
  return out;
}

template <std::size_t N>
std::vector<std::array<float, N>> random_rows(RandomStream& random, std::size_t count) {
  std::vector<std::array<float, N>> rows(count);
  for (auto& row : rows)
    for (float& x : row) x = static_cast<float>(random.uniform() * 20 - 10);
  return rows;
}

gltf::Asset random_asset(std::uint64_t seed) {
  RandomStream random(seed, "gltf");
  gltf::Asset asset;
  const std::size_t things = 1 + random.below(4);
  for (std::size_t i = 0; i < things; ++i) {
    asset.materials.push_back({"m\"" + std::to_string(i), {0.25F, 0.5F, 1, i % 2 == 0 ? 1.0F : 0.5F}, 0, 1, i % 2 == 0});
    const std::size_t points = 3 + random.below(40);
    asset.geometries.push_back(random_rows<3>(random, points));
    auto& indices = asset.indices.emplace_back(3 * (1 + random.below(30)));
    for (std::uint32_t& index : indices) index = static_cast<std::uint32_t>(random.below(points));
    const auto n = static_cast<std::uint32_t>(i);
    asset.meshes.push_back({"mesh\n" + std::to_string(i), {{n, n, n}}});
  }
  const std::size_t nodes = 1 + random.below(10);
  for (std::size_t i = 0; i < nodes; ++i) {
    gltf::Node& node = asset.nodes.emplace_back();
    node.name = "node" + std::to_string(i);
    node.pose.p = {random.uniform(), random.uniform(), random.uniform()};
    if (random.below(2) == 0) node.pose.q = geo::rotation({1, 2, 3}, random.uniform());
    node.mesh = static_cast<std::uint32_t>(i % things);
    if (i > 0 && random.below(2) == 0) asset.nodes[random.below(i)].children.push_back(static_cast<std::uint32_t>(i));
  }
  const std::size_t times = random.below(6);
  for (std::size_t i = 0; i < times; ++i) asset.times.push_back(static_cast<float>(i) * 0.25F);
  if (times > 0)
    for (std::uint32_t i = 0; i < nodes; i += 2) {
      gltf::Track track{i, random_rows<3>(random, times), {}};
      if (random.below(2) == 0) track.rotations = std::vector<std::array<float, 4>>(times, {0, 0, 0, 1});
      asset.tracks.push_back(track);
    }
  return asset;
}

}  // namespace

TEST_CASE("gltf: the JSON reader of the tests takes JSON and nothing else") {
  const Json value = test::read_json(R"( {"a": [1, -0.5e3, true, null], "b": {"c": "x\"y"}} )");
  CHECK(value["a"][1].number == -500);
  CHECK(value["a"].size() == 4);
  CHECK(value["b"]["c"].text == "x\\\"y");
  for (const char* text :
       {"", "{", "[1,]", "[1 2]", "{\"a\" 1}", "01", "1.", "nul", "\"\n\"", "[] []", "{\"a\":1,\"a\":2}", "+1"}) {
    CAPTURE(std::string(text));
    CHECK_THROWS_AS(test::read_json(text), std::invalid_argument);
  }
}

TEST_CASE("gltf: random scenes come back: points, triangles, nodes, materials, tracks") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const gltf::Asset asset = random_asset(seed);
    const Glb glb = decoded(gltf::write_glb(asset));
    const Json& json = glb.json;
    REQUIRE(json["meshes"].size() == asset.meshes.size());
    for (std::size_t i = 0; i < asset.meshes.size(); ++i) {
      const Json& primitive = json["meshes"][i]["primitives"][0];
      CHECK(numbers_of(glb, primitive["attributes"]["POSITION"].whole()) == flat(asset.geometries[i]));
      const auto indices = numbers_of(glb, primitive["indices"].whole());
      CHECK(std::vector<std::uint32_t>(indices.begin(), indices.end()) == asset.indices[i]);
      CHECK(primitive["material"].whole() == i);
      const Json& material = json["materials"][i];
      CHECK(material["pbrMetallicRoughness"]["baseColorFactor"][3].number == asset.materials[i].color[3]);
      CHECK(material.has("alphaMode") == (asset.materials[i].color[3] < 1));
      CHECK(material.has("doubleSided") == asset.materials[i].double_sided);
    }
    // Every node is a root or the child of one node.
    REQUIRE(json["nodes"].size() == asset.nodes.size());
    std::multiset<std::size_t> reached;
    for (const Json& root : json["scenes"][0]["nodes"].items) reached.insert(root.whole());
    for (std::size_t i = 0; i < asset.nodes.size(); ++i) {
      const Json& node = json["nodes"][i];
      CHECK(node["name"].text == asset.nodes[i].name);
      CHECK(node["mesh"].whole() == *asset.nodes[i].mesh);
      CHECK(node["translation"][0].number == static_cast<float>(asset.nodes[i].pose.p.x));
      CHECK(node.has("rotation") == (asset.nodes[i].pose.q != geo::Quat{}));
      if (node.has("rotation")) CHECK(node["rotation"][3].number == static_cast<float>(asset.nodes[i].pose.q.w));
      if (node.has("children"))
        for (const Json& child : node["children"].items) reached.insert(child.whole());
    }
    CHECK(reached.size() == asset.nodes.size());
    CHECK(std::set(reached.begin(), reached.end()).size() == asset.nodes.size());
    CHECK(json.has("animations") == !asset.tracks.empty());
    if (asset.tracks.empty()) continue;
    std::size_t channel = 0;
    const Json& animation = json["animations"][0];
    for (const gltf::Track& track : asset.tracks) {
      const auto check_channel = [&](const char* path, const std::vector<double>& values) {
        const Json& target = animation["channels"][channel]["target"];
        CHECK(target["node"].whole() == track.node);
        CHECK(target["path"].text == path);
        const Json& sampler = animation["samplers"][animation["channels"][channel]["sampler"].whole()];
        CHECK(numbers_of(glb, sampler["output"].whole()) == values);
        CHECK(numbers_of(glb, sampler["input"].whole()) == std::vector<double>(asset.times.begin(), asset.times.end()));
        ++channel;
      };
      check_channel("translation", flat(track.positions));
      if (!track.rotations.empty()) check_channel("rotation", flat(track.rotations));
    }
    CHECK(animation["channels"].size() == channel);
  }
}

TEST_CASE("gltf: indices have 16 bits as long as they stay below the value that restarts a primitive") {
  for (const std::uint32_t last : {254U, 65534U, 65535U, 65536U}) {
    gltf::Asset asset;
    asset.materials.resize(1);
    asset.geometries = {std::vector<std::array<float, 3>>(last + 1, {1, 2, 3})};
    asset.indices = {{0, 1, last}};
    asset.meshes = {{"m", {{0, 0, 0}}}};
    asset.nodes = {{"n", {}, 0, std::nullopt, {}}};
    const Glb glb = decoded(gltf::write_glb(asset));
    const std::size_t accessor = glb.json["meshes"][0]["primitives"][0]["indices"].whole();
    CHECK(numbers_of(glb, accessor) == std::vector<double>{0, 1, static_cast<double>(last)});
    CHECK(glb.json["accessors"][accessor]["componentType"].whole() == (last < 65535 ? 5123U : 5125U));
  }
}

TEST_CASE("gltf: an animation in which nothing moves is left out: the format has none without channels") {
  gltf::Asset asset = random_asset(1);
  asset.times = {0, 1};
  asset.tracks = {{0, {}, {}}};
  const Glb glb = decoded(gltf::write_glb(asset));
  CHECK_FALSE(glb.json.has("animations"));
}
