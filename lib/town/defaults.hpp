#pragma once
/// The default map setup and house list: `osmgen` uses them without --setup and --houses, and `osmgen init` writes them.

#include <cstdint>
#include <string>

#include "formats/autosim/houses.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::town {

/// All kinds of road with typical widths and pavements; the origin is the center of the map (of its bounds, else of its roads'
/// nodes), rounded to 0.0001 degrees, or the road node nearest to it where none is within 10 km east or north; Size covers all nodes of the roads, but at most 20 km.
/// @param name  for the setup's sections
autosim::MapSetup default_setup(const osm::Model& map, const std::string& name);
enum class Style : std::uint8_t {
  rows,   ///< the thesis: houses, and trees of forests
  places  ///< also gardens, street trees and parked cars, and houses for each kind of neighborhood
};
/// Houses, shops, offices, workshops and trees of typical sizes. Their model files need not exist: simulators then draw boxes.
autosim::HouseList default_houses(Style style = Style::places);

}  // namespace simbatch::town
