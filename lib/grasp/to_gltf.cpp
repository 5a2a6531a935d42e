// Bodies and robots as glTF 2.0 (formats/gltf writes it): the mesh's parts become primitives of one mesh, each link a node.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/core/number.hpp"
#include "lib/grasp/export.hpp"

namespace simbatch::grasp {
namespace {

/// Files have display colors, glTF has linear ones.
float linear(float display) {
  return static_cast<float>(std::round(1e6 * std::pow(std::clamp(static_cast<double>(display), 0.0, 1.0), 2.2)) / 1e6);
}

class AssetBuilder {
 public:
  /// GraspIt!'s z is up, glTF's y.
  explicit AssetBuilder(const std::string& name) {
    add({name, {{}, rotation_x(-std::acos(-1.0) / 2).q}, {}, {}, {}}, std::nullopt);
  }

  std::uint32_t add(gltf::Node node, std::optional<std::uint32_t> parent = 0) {
    const auto index = static_cast<std::uint32_t>(asset.nodes.size());
    asset.nodes.push_back(std::move(node));
    if (parent) asset.nodes[*parent].children.push_back(index);
    return index;
  }

  /// The mesh of a body; none if it has no triangle. Bodies shared by several links are written once.
  std::optional<std::uint32_t> mesh_of(const GraspBody& body) {
    const auto [known, is_new] = meshes_.try_emplace(&body);
    if (is_new) known->second = make_mesh(body);
    return known->second;
  }

  gltf::Asset asset;

 private:
  std::optional<std::uint32_t> make_mesh(const GraspBody& body) {
    std::vector<std::uint32_t> index(body.mesh.points.size(), 0);
    for (const auto& triangle : body.mesh.triangles)
      for (const std::uint32_t corner : triangle) index[corner] = 1;
    std::vector<std::array<float, 3>> points;
    for (std::size_t i = 0; i < index.size(); ++i) {
      if (index[i] == 0) continue;
      index[i] = static_cast<std::uint32_t>(points.size());
      const auto& p = body.mesh.points[i];
      points.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
    }
    gltf::Mesh mesh{body.name, {}};
    const auto geometry = static_cast<std::uint32_t>(asset.geometries.size());
    for (const inventor::Part& part : body.mesh.parts) {
      std::vector<std::uint32_t> corners;
      for (std::size_t t = part.first; t < part.first + part.count; ++t)
        for (const std::uint32_t corner : body.mesh.triangles[t]) corners.push_back(index[corner]);
      if (corners.empty()) continue;
      mesh.primitives.push_back({geometry, static_cast<std::uint32_t>(asset.indices.size()), material_of(part)});
      asset.indices.push_back(std::move(corners));
    }
    if (mesh.primitives.empty()) return std::nullopt;
    asset.geometries.push_back(std::move(points));
    asset.meshes.push_back(std::move(mesh));
    return static_cast<std::uint32_t>(asset.meshes.size() - 1);
  }

  std::uint32_t material_of(const inventor::Part& part) {
    gltf::Material material;
    for (std::size_t k = 0; k < 3; ++k) material.color[k] = linear(part.color[k]);
    material.roughness = 0.7F;
    material.double_sided = true;  // the winding of faces is often inconsistent
    const auto known = std::find_if(asset.materials.begin(), asset.materials.end(),
                                    [&](const gltf::Material& m) { return m.color == material.color; });
    if (known != asset.materials.end()) return static_cast<std::uint32_t>(known - asset.materials.begin());
    material.name = "color " + number_text(asset.materials.size());
    asset.materials.push_back(std::move(material));
    return static_cast<std::uint32_t>(asset.materials.size() - 1);
  }

  std::map<const GraspBody*, std::optional<std::uint32_t>> meshes_;  // lookups only: never iterated
};

}  // namespace

gltf::Asset to_gltf(const GraspBody& body) {
  AssetBuilder builder(body.name);
  builder.asset.nodes[0].mesh = builder.mesh_of(body);
  return std::move(builder.asset);
}

gltf::Asset to_gltf(const GraspRobot& robot) {
  AssetBuilder builder(robot.name);
  if (robot.palm) builder.add({"palm", {}, builder.mesh_of(*robot.palm), {}, {}});
  const std::vector<double> zero(robot.chains.dofs, 0.0);
  const auto poses = link_poses(robot.chains, zero);
  for (std::size_t c = 0; c < robot.links.size(); ++c)
    for (std::size_t l = 0; l < robot.links[c].size(); ++l) {
      const auto mesh = robot.links[c][l] ? builder.mesh_of(*robot.links[c][l]) : std::nullopt;
      builder.add({"chain" + number_text(c) + "_link" + number_text(l), poses[c][l], mesh, {}, {}});
    }
  return std::move(builder.asset);
}

}  // namespace simbatch::grasp
