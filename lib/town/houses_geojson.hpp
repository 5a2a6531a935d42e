#pragma once
/// Exports the houses of a town as GeoJSON.

#include <string>

#include "lib/town/place.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town {

/// The houses as a FeatureCollection (RFC 7946) of their footprints, with the properties of thesis table C.3.
std::string houses_geojson(Town& town, const PlacedHouses& placement);

}  // namespace simbatch::town
