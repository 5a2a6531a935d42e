// Wavefront Advanced Visualizer Manual, appendix B1; colors after the coordinates of a vertex are an extension that Blender,
// MeshLab and assimp read.
#include "lib/view/obj_files.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/core/number.hpp"
#include "formats/obj/codes.hpp"
#include "formats/obj/obj.hpp"

namespace simbatch::view {
namespace {

std::string rounded(double value, double per_unit) {
  const double r = std::round(value * per_unit) / per_unit;
  return number_text(r == 0 ? 0.0 : r);  // not -0
}

/// A name as one word: OBJ separates by blanks.
std::string word(const std::string& name) {
  std::string out = name.empty() ? "unnamed" : name;
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return out;
}

class ObjWriter {
 public:
  explicit ObjWriter(const gltf::Asset& asset) : asset_(asset) {}

  std::string text() {
    std::vector<bool> is_child(asset_.nodes.size());
    for (const gltf::Node& node : asset_.nodes)
      for (const std::uint32_t child : node.children) is_child[child] = true;
    out_ = "# Simbatch; m, right-handed, y up\n";
    // A stack instead of recursion: chains of nodes may be long.
    std::vector<std::pair<std::uint32_t, geo::Pose>> waiting;
    for (std::size_t i = asset_.nodes.size(); i-- > 0;)
      if (!is_child[i]) waiting.emplace_back(static_cast<std::uint32_t>(i), geo::Pose{});
    while (!waiting.empty()) {
      const std::pair<std::uint32_t, geo::Pose> next = waiting.back();
      waiting.pop_back();
      const gltf::Node& node = asset_.nodes[next.first];
      const geo::Pose pose = next.second * node.pose;
      if (node.mesh) write(node, asset_.meshes[*node.mesh], pose);
      for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) waiting.emplace_back(*child, pose);
    }
    return std::move(out_);
  }

 private:
  void write(const gltf::Node& node, const gltf::Mesh& mesh, const geo::Pose& pose) {
    out_ += "o " + word(node.name) + "\n";
    for (const gltf::Primitive& primitive : mesh.primitives) write(primitive, pose);
  }

  void write(const gltf::Primitive& primitive, const geo::Pose& pose) {
    const gltf::Material& material = asset_.materials[primitive.material];
    const auto& points = asset_.geometries[primitive.geometry];
    const auto& indices = asset_.indices[primitive.indices];
    std::string color;
    for (std::size_t k = 0; k < 3; ++k)
      color += " " + rounded(std::pow(std::clamp(double{material.color[k]}, 0.0, 1.0), 1 / 2.2), 1e3);
    out_ += "usemtl " + word(material.name) + "\n";
    // Points are shared by primitives of other materials: those of this one, numbered as they are first used.
    std::vector<std::uint64_t> number(points.size(), 0);
    std::string faces;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      std::uint64_t& own = number[indices[i]];
      if (own == 0) {
        own = ++written_;
        const auto& [x, y, z] = points[indices[i]];
        const geo::Vec3 p = pose * geo::Vec3{x, y, z};
        out_ += "v " + rounded(p.x, 1e6) + " " + rounded(p.y, 1e6) + " " + rounded(p.z, 1e6) + color + "\n";
      }
      faces += (i % 3 == 0 ? "f " : " ") + number_text(own) + (i % 3 == 2 ? "\n" : "");
    }
    out_ += faces;
  }

  const gltf::Asset& asset_;
  std::string out_;
  std::uint64_t written_ = 0;  // points
};

}  // namespace

std::string obj_of(const gltf::Asset& asset) { return ObjWriter(asset).text(); }

std::optional<gltf::Asset> asset_of_obj(std::string_view text, const std::string& file, const std::string& name,
                                        Diagnostics& problems) {
  auto mesh = obj::read_obj(text, file);
  const bool is_good = mesh.ok();
  problems.append(std::move(mesh.diagnostics));
  if (!is_good) return std::nullopt;
  gltf::Asset asset;
  asset.materials.push_back({"mesh", {0.6F, 0.6F, 0.6F, 1}, 0, 0.7F, true});  // faces are often inside out
  std::vector<std::array<float, 3>>& points = asset.geometries.emplace_back();
  std::vector<std::uint32_t>& indices = asset.indices.emplace_back();
  std::map<std::uint32_t, std::uint32_t> known;  // points that no triangle uses are left out
  for (const auto& triangle : mesh.value->triangles)
    for (const std::uint32_t corner : triangle) {
      const auto place = known.try_emplace(corner, static_cast<std::uint32_t>(points.size()));
      if (place.second) {
        std::array<float, 3>& point = points.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
          const double x = mesh.value->points[corner][k];
          if (!(std::abs(x) <= std::numeric_limits<float>::max())) {
            problems.report(obj::code::kVertex, {},
                            "a coordinate is " + number_text(x) + ", expected at most 3.4e38, as glTF has");
            return std::nullopt;
          }
          point[k] = static_cast<float>(x);
        }
      }
      indices.push_back(place.first->second);
    }
  asset.meshes.push_back({name, {{0, 0, 0}}});
  asset.nodes.push_back({name, {}, 0, {}, {}});
  return asset;
}

}  // namespace simbatch::view
