#pragma once
/// Reports, before the run, which parts of a map the simulation changes or leaves out. Private to the room.

#include <vector>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/buildings.hpp"
#include "lib/roads/carriageway.hpp"
#include "lib/roads/level_widths.hpp"
#include "lib/roads/levels.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::scenario::detail {

/// A map with nothing near the origin: `sim-map-far`. Roads, buildings and houses outside the terrain:
/// `sim-map-cropped`. @param roads  before they are cut  @param houses  those on the terrain
void report_extent(const osm::Model& map, const autosim::MapSetup& setup, const roads::RoadSelection& roads,
                   const roads::HeightGrid& grid, const roads::BuildingSelection& buildings, std::size_t houses,
                   Diagnostics& problems);
/// Kinds of road for cars that the setup does not list: `sim-map-kinds`. Nothing about paths and other ways without cars.
/// @param file  from which the setup was read
void report_kinds(const Input& file, const autosim::MapSetup& setup, const roads::RoadSelection& selection,
                  const std::vector<roads::Road>& roads, Diagnostics& problems);
/// Reports roads whose tags give a width that is not used: `sim-map-widths`.
void report_widths(const roads::UnusedWidths& unused, Diagnostics& problems);
/// Reports what was narrowed or removed where buildings leave too little room for a road: `sim-map-narrow`.
void report_fitting(const roads::Fitting& fitting, std::size_t crossed, Diagnostics& problems);
/// Bridges and tunnels, and what had to be narrowed beside them: `sim-map-levels`, a note.
/// @param cut_water  area of water that gives way to cuttings (m2)
void report_levels(const roads::Levels& levels, const roads::LevelFitting& fitting, double cut_water, Diagnostics& problems);

/// Reports that roads cannot be laid out, and which one is nearest to the place where the attempt ended: `sim-map-crowded`.
void report_crowded(const std::vector<roads::Road>& roads, geo::EastNorth place, const geo::LocalFrame& frame,
                    Diagnostics& problems);
/// The same of the areas on the ground.
void report_crowded_ground(geo::EastNorth place, const geo::LocalFrame& frame, Diagnostics& problems);

}  // namespace simbatch::scenario::detail
