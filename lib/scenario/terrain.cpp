// The ground: a plane, a height map, or a map folder.

#include "lib/roads/terrain.hpp"

#include "lib/scenario/codes.hpp"
#include "lib/scenario/map.hpp"
#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {

Scene build_terrain(const Site& site) {
  const autosim::Terrain& terrain = site.file.terrain;
  // If the ground cannot be built, that is reported once, not again for every object placed on it.
  site.assembly.is_ground_reported = true;
  physics::TerrainSettings settings;
  settings.friction = terrain.friction.value_or(site.surface_friction("terrain"));
  settings.restitution = site.file.physics.restitution;
  roads::HeightGrid grid;
  switch (terrain.kind) {
    case autosim::Terrain::Kind::none: return {};
    case autosim::Terrain::Kind::plane:
      site.assembly.is_ground_reported = false;
      site.simulation.world().add_plane(terrain.height, settings);
      return {};
    case autosim::Terrain::Kind::height_map: {
      auto file = site.files.open(terrain.path, terrain.place.at);
      if (!file) return {};
      auto map = roads::read_height_map(file->text(), file->name());
      file.reset();
      site.files.append(map.diagnostics);
      if (!map.value) return {};
      grid = roads::terrain_of(std::move(*map.value), {terrain.height_data_per_area, terrain.height_division, 0, 0});
      break;
    }
    case autosim::Terrain::Kind::map: return build_map(site);
  }
  site.assembly.is_ground_reported = false;
  site.simulation.world().add_terrain(std::move(grid), settings);
  return {};
}

}  // namespace simbatch::scenario::detail
