// GLB 2: a header of 12 bytes, a chunk of JSON padded by blanks, a chunk of binary data padded by zeros (specification, chapter
// 4). Each array is a buffer view of its own with one accessor.

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/json/write_json.hpp"
#include "formats/gltf/gltf.hpp"

namespace simbatch::gltf {
namespace {

constexpr int kFloat = 5126, kUint16 = 5123, kUint32 = 5125, kVertices = 34962, kIndices = 34963;

template <class T>
void append(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);  // x86-64 is little-endian, as the format
}

class GlbWriter {
 public:
  explicit GlbWriter(const Asset& asset) : asset_(asset) {}

  std::string write() {
    json_.open_object();
    json_.key("asset").open_object();
    json_.member("version", "2.0").member("generator", asset_.generator);
    json_.close();
    write_nodes();
    write_materials();
    write_cameras();
    write_meshes();
    write_animation();
    write_buffers();
    json_.close();
    return assembled();
  }

 private:
  struct Accessor {
    std::uint64_t offset, bytes;
    std::size_t count;
    int component, target;  // target 0: none
    const char* type;
    std::vector<double> low, high;
  };

  void write_vector(std::string_view key, std::initializer_list<double> values) {
    json_.key(key).open_array();
    for (const double v : values) json_.value(static_cast<double>(static_cast<float>(v)));
    json_.close();
  }

  void write_nodes() {
    std::vector<bool> is_child(asset_.nodes.size(), false);
    for (const Node& node : asset_.nodes)
      for (const std::uint32_t child : node.children) is_child[child] = true;
    json_.member("scene", 0).key("scenes").open_array().open_object();
    if (!asset_.nodes.empty()) {
      json_.key("nodes").open_array();
      for (std::size_t i = 0; i < asset_.nodes.size(); ++i)
        if (!is_child[i]) json_.value(i);
      json_.close();
    }
    json_.close().close();
    if (asset_.nodes.empty()) return;
    json_.key("nodes").open_array();
    for (const Node& node : asset_.nodes) {
      json_.open_object().member("name", node.name);
      const geo::Pose& pose = node.pose;
      if (pose.p != geo::Vec3{}) write_vector("translation", {pose.p.x, pose.p.y, pose.p.z});
      if (pose.q != geo::Quat{}) write_vector("rotation", {pose.q.x, pose.q.y, pose.q.z, pose.q.w});
      if (node.mesh) json_.member("mesh", *node.mesh);
      if (node.camera) json_.member("camera", *node.camera);
      if (!node.children.empty()) {
        json_.key("children").open_array();
        for (const std::uint32_t child : node.children) json_.value(child);
        json_.close();
      }
      json_.close();
    }
    json_.close();
  }

  void write_materials() {
    if (asset_.materials.empty()) return;
    json_.key("materials").open_array();
    for (const Material& material : asset_.materials) {
      json_.open_object().member("name", material.name).key("pbrMetallicRoughness").open_object();
      const auto& c = material.color;
      write_vector("baseColorFactor", {double{c[0]}, double{c[1]}, double{c[2]}, double{c[3]}});
      json_.member("metallicFactor", double{material.metallic}).member("roughnessFactor", double{material.roughness}).close();
      if (material.color[3] < 1) json_.member("alphaMode", "BLEND");
      if (material.double_sided) json_.member("doubleSided", true);
      json_.close();
    }
    json_.close();
  }

  void write_cameras() {
    if (asset_.cameras.empty()) return;
    json_.key("cameras").open_array();
    for (const Camera& camera : asset_.cameras) {
      json_.open_object().member("name", camera.name).member("type", "perspective").key("perspective").open_object();
      json_.member("yfov", camera.field_of_view).member("aspectRatio", camera.aspect).member("znear", 0.05).close();
      json_.close();
    }
    json_.close();
  }

  void write_meshes() {
    if (asset_.meshes.empty()) return;
    std::vector<std::size_t> points, corners;
    for (const auto& geometry : asset_.geometries) points.push_back(add_floats(geometry, "VEC3", kVertices, true));
    for (const auto& indices : asset_.indices) corners.push_back(add_indices(indices));
    json_.key("meshes").open_array();
    for (const Mesh& mesh : asset_.meshes) {
      json_.open_object().member("name", mesh.name).key("primitives").open_array();
      for (const Primitive& primitive : mesh.primitives) {
        json_.open_object().key("attributes").open_object().member("POSITION", points[primitive.geometry]).close();
        json_.member("indices", corners[primitive.indices]).member("material", primitive.material).close();
      }
      json_.close().close();
    }
    json_.close();
  }

  void write_animation() {
    const bool nothing_moves = std::all_of(asset_.tracks.begin(), asset_.tracks.end(), [](const Track& track) {
      return track.positions.empty() && track.rotations.empty();
    });
    if (asset_.times.empty() || nothing_moves) return;
    std::vector<std::array<float, 1>> times;
    for (const float t : asset_.times) times.push_back({t});
    const std::size_t input = add_floats(times, "SCALAR", 0, true);
    struct Channel {
      std::uint32_t node;
      const char* path;
      std::size_t output;
    };
    std::vector<Channel> channels;
    for (const Track& track : asset_.tracks) {
      if (!track.positions.empty())
        channels.push_back({track.node, "translation", add_floats(track.positions, "VEC3", 0, false)});
      if (!track.rotations.empty()) channels.push_back({track.node, "rotation", add_floats(track.rotations, "VEC4", 0, false)});
    }
    json_.key("animations").open_array().open_object().member("name", asset_.animation).key("samplers").open_array();
    for (const Channel& channel : channels) json_.open_object().member("input", input).member("output", channel.output).close();
    json_.close().key("channels").open_array();
    for (std::size_t i = 0; i < channels.size(); ++i) {
      json_.open_object().member("sampler", i).key("target").open_object();
      json_.member("node", channels[i].node).member("path", channels[i].path).close().close();
    }
    json_.close().close().close();
  }

  void write_buffers() {
    if (accessors_.empty()) return;
    json_.key("accessors").open_array();
    for (std::size_t i = 0; i < accessors_.size(); ++i) {
      const Accessor& a = accessors_[i];
      json_.open_object().member("bufferView", i).member("componentType", a.component).member("count", a.count);
      json_.member("type", a.type);
      for (const auto& [key, limits] : {std::pair("min", &a.low), std::pair("max", &a.high)}) {
        if (limits->empty()) continue;
        json_.key(key).open_array();
        for (const double v : *limits) json_.value(v);
        json_.close();
      }
      json_.close();
    }
    json_.close().key("bufferViews").open_array();
    for (const Accessor& a : accessors_) {
      json_.open_object().member("buffer", 0).member("byteOffset", a.offset).member("byteLength", a.bytes);
      if (a.target != 0) json_.member("target", a.target);
      json_.close();
    }
    json_.close().key("buffers").open_array().open_object().member("byteLength", bytes_.size()).close().close();
  }

  std::size_t add(std::size_t count, int component, const char* type, int target, std::uint64_t offset) {
    accessors_.push_back({offset, bytes_.size() - offset, count, component, target, type, {}, {}});
    bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
    return accessors_.size() - 1;
  }

  template <std::size_t N>
  std::size_t add_floats(const std::vector<std::array<float, N>>& values, const char* type, int target, bool limits) {
    const std::uint64_t offset = bytes_.size();
    std::vector<double> low(N, std::numeric_limits<double>::infinity()), high(N, -low[0]);
    for (const auto& value : values)
      for (std::size_t k = 0; k < N; ++k) {
        low[k] = std::min(low[k], static_cast<double>(value[k]));
        high[k] = std::max(high[k], static_cast<double>(value[k]));
      }
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]);
    const std::size_t made = add(values.size(), kFloat, type, target, offset);
    if (limits) {
      accessors_[made].low = std::move(low);
      accessors_[made].high = std::move(high);
    }
    return made;
  }

  std::size_t add_indices(const std::vector<std::uint32_t>& indices) {
    const std::uint64_t offset = bytes_.size();
    const bool small = std::all_of(indices.begin(), indices.end(), [](std::uint32_t i) { return i < 0xFFFF; });
    for (const std::uint32_t i : indices) small ? append(bytes_, static_cast<std::uint16_t>(i)) : append(bytes_, i);
    return add(indices.size(), small ? kUint16 : kUint32, "SCALAR", kIndices, offset);
  }

  std::string assembled() {
    std::string json = json_.text();
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::uint64_t all = 12 + 8 + json.size() + (bytes_.empty() ? 0 : 8 + bytes_.size());
    if (all > kMaxBytes) return {};
    std::string out;
    out.reserve(all);
    append(out, std::uint32_t{0x46546C67});  // "glTF"
    append(out, std::uint32_t{2});
    append(out, static_cast<std::uint32_t>(all));
    append(out, static_cast<std::uint32_t>(json.size()));
    append(out, std::uint32_t{0x4E4F534A});  // "JSON"
    out += json;
    if (bytes_.empty()) return out;
    append(out, static_cast<std::uint32_t>(bytes_.size()));
    append(out, std::uint32_t{0x004E4942});  // "BIN"
    return out + bytes_;
  }

  const Asset& asset_;
  json::Writer json_;
  std::string bytes_;
  std::vector<Accessor> accessors_;
};

}  // namespace

std::string write_glb(const Asset& asset, std::uint64_t max_bytes) {
  std::string bytes = GlbWriter(asset).write();
  return bytes.size() > max_bytes ? std::string() : bytes;
}

}  // namespace simbatch::gltf
