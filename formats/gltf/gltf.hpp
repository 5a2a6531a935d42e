#pragma once
/// glTF 2.0 scenes (Khronos, ISO/IEC 12113), written as binary files (GLB): docs/formats/gltf.md. Frame of the format:
/// right-handed, y up, meters, seconds, linear colors; a camera looks along its -z.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/geo/pose.hpp"

namespace simbatch::gltf {

struct Material {
  std::string name;
  std::array<float, 4> color{1, 1, 1, 1};  ///< linear red, green, blue, and opacity, 0..1
  float metallic = 0, roughness = 1;       ///< 0..1
  bool double_sided = false;               ///< visible from both sides
  friend bool operator==(const Material&, const Material&) = default;
};

/// Triangles of one material, counter-clockwise from outside.
struct Primitive {
  std::uint32_t geometry = 0;  ///< into Asset::geometries: its points
  std::uint32_t indices = 0;   ///< into Asset::indices
  std::uint32_t material = 0;
};
struct Mesh {
  std::string name;
  std::vector<Primitive> primitives;  ///< at least one
};

/// A camera with perspective.
struct Camera {
  std::string name;
  double field_of_view = 1;  ///< vertical, rad, in (0, pi)
  double aspect = 4.0 / 3;   ///< width / height
};

struct Node {
  std::string name;
  geo::Pose pose;  ///< in its parent
  std::optional<std::uint32_t> mesh, camera;
  std::vector<std::uint32_t> children;
};

/// How a node moves: a pose in its parent for each of Asset::times.
struct Track {
  std::uint32_t node = 0;
  std::vector<std::array<float, 3>> positions;  ///< empty: constant position
  std::vector<std::array<float, 4>> rotations;  ///< x, y, z, w; empty: constant rotation
};

struct Asset {
  std::string generator = "simbatch";
  std::vector<Material> materials;
  std::vector<std::vector<std::array<float, 3>>> geometries;  ///< points, m; none empty, all finite
  std::vector<std::vector<std::uint32_t>> indices;            ///< three per triangle; none empty
  std::vector<Mesh> meshes;
  std::vector<Camera> cameras;
  std::vector<Node> nodes;        ///< nodes without a parent are the scene's roots
  std::string animation = "run";  ///< its name
  std::vector<float> times;       ///< s, increasing; empty: nothing moves
  std::vector<Track> tracks;
};

/// Maximum size of a GLB file: its length has 32 bits.
inline constexpr std::uint64_t kMaxBytes = 0xFFFFFFFF;

/// The bytes of a GLB file; the same for the same asset. Unused materials, meshes and cameras are not allowed. Empty if it
/// would be larger than `max_bytes`, at most kMaxBytes.
std::string write_glb(const Asset& asset, std::uint64_t max_bytes = kMaxBytes);

}  // namespace simbatch::gltf
