#pragma once
/// The files of a map folder. Private to the room.

#include <optional>

#include "formats/autosim/world.hpp"
#include "lib/scenario/files.hpp"
#include "lib/scenario/map_town.hpp"

namespace simbatch::scenario::detail {

/// Whether a map folder may lack setup.xml.
enum class Setup { must_be_there, may_lack };
/// Opens setup, heights or elevation tiles, and the street map of the world's <Map>; nothing after an error. A GeoTIFF in the
/// folder, which is not read, is reported.
std::optional<TownFiles> open_town(Files& files, const autosim::World& world, Setup setup = Setup::must_be_there);

}  // namespace simbatch::scenario::detail
