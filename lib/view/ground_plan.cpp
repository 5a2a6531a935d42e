// What never moves is projected triangle by triangle: of a closed surface those that face up cover all of it.
#include "lib/view/ground_plan.hpp"

#include <variant>

#include "lib/sim/scene/tessellate.hpp"
#include "lib/sim/simulation.hpp"
#include "lib/sim/vision/cameras.hpp"

namespace simbatch::view {
namespace {

using plot::GroundPlan;

constexpr std::string_view kWaters = "areas.water";  // of a map, as lib/scenario names them

GroundPlan::Kind kind_of(const scene::Appearance& look, physics::BodyId body, std::size_t part) {
  const auto found = look.parts.find(static_cast<std::uint32_t>(body));
  if (found == look.parts.end() || part >= found->second.size()) return GroundPlan::Kind::obstacle;
  switch (found->second[part].material) {
    case scene::Material::building:
    case scene::Material::house: return GroundPlan::Kind::house;
    case scene::Material::tree: return GroundPlan::Kind::tree;
    default: return GroundPlan::Kind::obstacle;
  }
}

void add_from_above(const geo::TriangleMesh& mesh, const geo::Pose& X_W, GroundPlan::Kind kind, GroundPlan& plan) {
  for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    std::array<geo::Vec3, 3> corner;
    for (std::size_t k = 0; k < 3; ++k) corner[k] = X_W * mesh.points[mesh.indices[i + k]];
    if (!(geo::cross(corner[1] - corner[0], corner[2] - corner[0]).y > 0)) continue;
    plan.areas.push_back({kind, {{corner[0].x, corner[0].z}, {corner[1].x, corner[1].z}, {corner[2].x, corner[2].z}}});
  }
}

}  // namespace

GroundPlan ground_plan(const scenario::BuiltScenario& built) {
  GroundPlan plan;
  physics::World& world = built.simulation->world();
  const scene::Appearance& look = built.cameras->renderer().appearance();
  for (const scene::RoadAppearance& road : look.roads) {
    GroundPlan::Road& line = plan.roads.emplace_back();
    line.width = road.width;
    for (const geo::EastNorth p : road.line) line.line.push_back({p.east, p.north});
  }
  for (std::size_t b = 0; b < world.body_count(); ++b) {
    const auto body = static_cast<physics::BodyId>(b);
    const bool is_water = world.name(body) == kWaters;
    if (world.kind(body) != physics::BodyKind::fixed || (world.is_terrain(body) && !is_water)) continue;
    const std::vector<physics::Part> parts = world.parts(body);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const bool is_hull = std::holds_alternative<physics::ConvexHull>(parts[p].shape);
      add_from_above(is_hull ? world.hull_surface(body, p) : scene::triangles_of(parts[p].shape),
                     world.pose(body) * parts[p].pose, is_water ? GroundPlan::Kind::water : kind_of(look, body, p), plan);
    }
  }
  // A map's waters are areas; what is lower there, such as a tunnel, is dry.
  if (look.water_level && look.roads.empty())
    plan.is_water = [&world, level = *look.water_level](double x, double z) {
      const auto ground = world.terrain_height(x, z);
      return !ground || *ground < level;
    };
  return plan;
}

}  // namespace simbatch::view
