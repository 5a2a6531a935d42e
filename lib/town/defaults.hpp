#pragma once
/// A map setup and a house list for those who have none: what `osmgen` uses without --setup and --houses, and what `osmgen init`
/// writes.

#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::town {

/// All kinds of road with usual widths and pavements, the origin in the middle of the map (of its bounds, else of its roads'
/// nodes), rounded to 0.0001 degrees, and a Size that holds all nodes of its roads, but at most 20 km.
/// @param name  for the setup's sections
autosim::MapSetup default_setup(const osm::Model& map, const std::string& name);
/// Houses, shops, offices, workshops and trees of usual sizes. Their model files need not exist: simulators draw boxes then.
autosim::HouseList default_houses();

}  // namespace simbatch::town
