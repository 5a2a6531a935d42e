#pragma once
/// The town of a map, for export.

#include <array>
#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "lib/roads/town_geojson.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::scenario {

/// What the street map in a map folder is called; the first that is there counts.
inline constexpr std::array kStreetMaps{"map.osm", "map.osm.gz", "map.osm.bz2", "map.osm.pbf"};

/// The town as a simulation builds it: streets fitted between buildings, raised and lowered; without building anything.
/// @param path     a map folder, a scenario with a <Map> (of which only that is read; the rest is reported: sim-loss-scenario), or
///                 an OpenStreetMap file, packed too: with usual widths of streets, on level ground
/// @param options  root and library, as for building it
/// @return nothing after an error @throws IoError when the file itself cannot be read
std::optional<roads::TownMap> read_town(const std::string& path, const BuildOptions& options, Diagnostics& problems);

}  // namespace simbatch::scenario
