#pragma once
/// What the physics does not know about the appearance of things: surfaces of the ground, roads, houses and trees, models, lights.
/// Filled by lib/scenario; everything in it is optional, and things that it does not mention are drawn as their shapes in a plain color.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::sim {
class TreeNode;
}

namespace simbatch::scene {

enum class Material : std::uint8_t { plain, ground, road, junction, pavement, kerb, building, house, tree, vehicle, wheel };

/// Triangles of a terrain from this one on (up to the next stretch) are of this material.
struct TerrainStretch {
  std::size_t first_triangle = 0;
  Material material = Material::ground;
};

/// A road's middle line on the map, for its markings.
struct RoadAppearance {
  std::vector<geo::EastNorth> line;  ///< m
  double width = 0;                  ///< of all lanes together, m
  bool is_marked = true;             ///< tracks and drives have no paint
};

/// A file of the scenario's. `place` is where it was named.
struct ModelFile {
  std::string folder;  ///< contains LOD0/model.<type>; or the file itself. Empty: none
  std::string type;    ///< suffix: "3ds", "obj"; empty: the first that is found
  std::string named_in;
  Position at;
  std::string name = {};  ///< as written there
};
/// All files that drawing this model may read, if it exists: the model's own first, then those beside it whose names occur in it
/// (materials, buffers), by name. None exceeds the limit of what is read (64 MiB).
/// Cost: one pass over the model's bytes.
std::vector<std::string> model_files(const ModelFile& model);

/// A part of a fixed body that is a building of a map.
struct PartAppearance {
  Material material = Material::plain;
  ModelFile model;
};

struct LightAppearance {
  const sim::TreeNode* node = nullptr;  ///< whose first number is the intensity, 0..1
  const sim::TreeNode* part = nullptr;  ///< whose first seven are its pose
  geo::Vec3 position;                   ///< in the part, m
  geo::Vec3 direction;                  ///< in the part; 0: shines in all directions
  double cos_half_angle = 0;            ///< of a head-light's cone
  geo::Vec3 color{1, 1, 1};             ///< linear red, green, blue, 0..1
};

/// Rays that a sensor casts, for views that show them.
struct RayAppearance {
  const sim::TreeNode* node = nullptr;  ///< whose first numbers are the distances, one per direction, m
  const sim::TreeNode* part = nullptr;  ///< whose first seven numbers are its pose
  geo::Vec3 position;                   ///< in the part, m
  std::vector<geo::Vec3> directions;    ///< in the part, of length 1
  double far = 0;                       ///< m; a distance of this or more met nothing
};

struct Appearance {
  std::map<std::uint32_t, std::vector<TerrainStretch>> terrains;  ///< by BodyId
  std::vector<RoadAppearance> roads;
  std::map<std::uint32_t, std::vector<PartAppearance>> parts;         ///< by BodyId; one per part
  std::map<std::uint32_t, ModelFile> bodies;                          ///< models of moving bodies, by BodyId
  std::map<std::pair<std::uint32_t, std::size_t>, ModelFile> wheels;  ///< by VehicleId and wheel
  std::vector<LightAppearance> lights;
  std::vector<RayAppearance> rays;
  std::optional<double> water_level;  ///< y of the water's surface, m; not in pictures
  /// Most triangles of all models together, each counted as often as it is placed; beyond it things are drawn as their shapes.
  std::size_t max_model_triangles = 20'000'000;
};

}  // namespace simbatch::scene
