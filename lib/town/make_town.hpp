#pragma once
/// Converts a map to a town: roads, buildings, water and areas in the form that the placement needs.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/town/town.hpp"
#include "lib/town/town_options.hpp"

namespace simbatch::town {

/// Keys of the tags that a town is made from, for osm::ReadOptions::keep_keys, so that other tags take no memory.
std::vector<std::string> town_keys();
/// Makes a town from a map.
/// @param houses   must outlive the town; each model has a size (its file's, if the list has none), at most autosim::kMaxHouseSize
/// @param generated  numbers of previously generated nodes (osm::Layout::located_nodes), ascending
/// @param diagnostics  gets warnings about the map as a whole
Town make_town(const osm::Model& map, const autosim::MapSetup& setup, const autosim::HouseList& houses,
               std::span<const std::uint32_t> generated, const TownOptions& options, Diagnostics& diagnostics);

}  // namespace simbatch::town
