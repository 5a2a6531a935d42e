#pragma once
/// Appearance of objects beyond their physics: surfaces of the ground, roads, houses and trees, models, lights. Filled by
/// lib/scenario; all of it is optional, and objects without an entry are drawn as their shapes in a plain color.

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"
#include "base/geo/triangle_mesh.hpp"
#include "lib/models/model_file.hpp"
#include "lib/sim/physics/world.hpp"

namespace simbatch::sim {
class TreeNode;
}

namespace simbatch::scene {

enum class Material : std::uint8_t { plain, ground, road, junction, pavement, kerb, building, house, tree, vehicle, wheel };
/// Their names, in that order, for the head of a page.
inline constexpr std::string_view kMaterialNames[] = {"plain",    "ground", "road", "junction", "pavement", "curb",
                                                      "building", "house",  "tree", "vehicle",  "wheel"};
static_assert(std::size(kMaterialNames) == static_cast<std::size_t>(Material::wheel) + 1);

/// Triangles of a terrain from this one on (up to the next stretch) are of this material.
struct TerrainStretch {
  std::size_t first_triangle = 0;
  Material material = Material::ground;
  std::optional<geo::Vec3> color = {};  ///< of plain ones: linear red, green, blue, 0..1
};

/// Paint across a road.
struct RoadMarkAppearance {
  double along = 0;          ///< of its middle, from the beginning of the line, m
  bool is_stop_line = true;  ///< else a pedestrian crossing
  int side = 0;              ///< stop lines: only right of the middle line, as it runs (1), only left of it (-1), all (0)
};
/// The line between a lane and what is beside it.
enum class LaneLine : std::uint8_t { none, solid_white, broken_white, solid_yellow, double_yellow };
struct LaneLines {
  LaneLine left = LaneLine::none, right = LaneLine::none;  ///< of the road's line as it runs
};
/// A road's middle line on the map, for its markings.
struct RoadAppearance {
  std::vector<geo::EastNorth> line;            ///< m
  double width = 0;                            ///< of all lanes together, m
  bool is_marked = true;                       ///< tracks and drives have no paint
  int lanes = 0;                               ///< in all; 0: two where it is at least 5.5 m wide
  bool is_one_way = false;                     ///< no middle line between directions
  std::vector<RoadMarkAppearance> marks = {};  ///< by `along`
  std::vector<double> y = {};                  ///< of each point, m; empty: at any height, where no road lies over another
  std::optional<LaneLines> lines = {};         ///< of a single lane; absent: those usual for a street of so many lanes
};

/// Triangles without a body: pictures show them, but nothing touches them, and sensors of distances pass through.
struct DrawnSurface {
  std::string name;
  geo::TriangleMesh mesh;                 ///< in the world (m)
  std::vector<TerrainStretch> stretches;  ///< by first_triangle
};

/// A part of a fixed body that is a building of a map.
struct PartAppearance {
  Material material = Material::plain;
  models::ModelFile model;
};

struct LightAppearance {
  const sim::TreeNode* node = nullptr;  ///< node; its first number is the intensity, 0..1
  const sim::TreeNode* part = nullptr;  ///< node; its first seven numbers are its pose
  geo::Vec3 position;                   ///< in the part, m
  geo::Vec3 direction;                  ///< in the part; 0: shines in all directions
  double cos_half_angle = 0;            ///< of a head-light's cone
  geo::Vec3 color{1, 1, 1};             ///< linear red, green, blue, 0..1
};

/// Rays that a sensor casts, for views that show them.
struct RayAppearance {
  const sim::TreeNode* node = nullptr;  ///< node; its first numbers are the distances, one per direction, m
  const sim::TreeNode* part = nullptr;  ///< node; its first seven numbers are its pose
  geo::Vec3 position;                   ///< in the part, m
  std::vector<geo::Vec3> directions;    ///< in the part, of length 1
  double far = 0;                       ///< m; a distance of this or more means no hit
};

struct Appearance {
  std::map<std::uint32_t, std::vector<TerrainStretch>> terrains;  ///< by BodyId
  std::vector<RoadAppearance> roads;
  std::vector<DrawnSurface> drawn;
  std::map<std::uint32_t, std::vector<PartAppearance>> parts;  ///< by BodyId; one per part
  std::map<std::uint32_t, models::ModelFile> bodies;           ///< models of moving bodies, by BodyId
  /// Colors of parts of moving bodies, by BodyId: red, green, blue as on a screen, 0..1; one per part, or none.
  std::map<std::uint32_t, std::vector<std::optional<std::array<float, 3>>>> colors;
  std::map<std::pair<std::uint32_t, std::size_t>, models::ModelFile> wheels;  ///< by VehicleId and wheel
  std::vector<LightAppearance> lights;
  std::vector<RayAppearance> rays;
  std::optional<double> water_level;  ///< y of the water's surface, m
  bool water_is_drawn = false;        ///< all water is in `drawn`
  /// Maximum number of triangles of all model instances; beyond it objects are drawn as their shapes.
  std::size_t max_model_triangles = 20'000'000;
};

}  // namespace simbatch::scene
