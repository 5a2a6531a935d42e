#include "lib/roads/terrain.hpp"

#include "lib/scenario/codes.hpp"
#include "lib/scenario/context.hpp"
#include "lib/scenario/map.hpp"

namespace simbatch::scenario::detail {
namespace {

// A plane "without end": 16 km each way, in cells that Bullet's contacts can still handle.
constexpr double kPlaneCell = 64, kPlaneExtent = 32768;

}  // namespace

void build_terrain(BuildContext& context) {
  const autosim::Terrain& terrain = context.world_file.terrain;
  // Ground that could not be made is one error; that things stand on nothing is not told as well.
  context.warned_about_ground = true;
  physics::TerrainSettings settings;
  settings.friction = terrain.friction.value_or(context.surface_friction("terrain"));
  settings.restitution = context.world_file.physics.restitution;
  roads::HeightGrid grid;
  switch (terrain.kind) {
    case autosim::Terrain::Kind::none: return;
    case autosim::Terrain::Kind::plane:
      grid = roads::flat_terrain({kPlaneCell, 1, kPlaneExtent, kPlaneExtent}, terrain.height);
      break;
    case autosim::Terrain::Kind::height_map: {
      const auto file = context.open(terrain.path, terrain.place.at);
      if (!file) return;
      const auto map = roads::read_height_map(file->text(), file->name());
      context.problems.append(map.diagnostics);
      if (!map.value) return;
      grid = roads::terrain_of(*map.value, {terrain.height_data_per_area, terrain.height_division, 0, 0});
      break;
    }
    case autosim::Terrain::Kind::map:
      context.warned_about_ground = false;
      build_map(context);
      return;
  }
  context.warned_about_ground = false;
  context.simulation.world().add_terrain(
      physics::HeightGrid{grid.nx, grid.nz, grid.spacing, grid.x0, grid.z0, std::move(grid.heights)}, settings);
}

}  // namespace simbatch::scenario::detail
