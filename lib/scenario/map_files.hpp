#pragma once
/// The files of a map folder. Private to the room.

#include <optional>

#include "formats/autosim/world.hpp"
#include "lib/scenario/files.hpp"
#include "lib/scenario/map_town.hpp"

namespace simbatch::scenario::detail {

/// Opens setup, heights or elevation tiles, and the street map of the world's <Map>; nothing after an error. A GeoTIFF in the
/// folder, which is not read, is reported.
std::optional<TownFiles> open_town(Files& files, const autosim::World& world);

}  // namespace simbatch::scenario::detail
