#pragma once
/// Houses as nodes of a map (thesis table C.3).

#include "formats/osm/read.hpp"
#include "formats/osm/write.hpp"
#include "lib/mapgen/place.hpp"
#include "lib/mapgen/town.hpp"

namespace simbatch::mapgen {

/// Passes every house on as a node with the tags filePath, fileType, landuse, name, rotY (degrees, the compass direction of
/// the front, 0 <= rotY < 360), sizeX, sizeY, sizeZ (m), and the mark kGeneratedKey.
/// @param first, step  ids are first, first + step, ...
void write_houses(Town& town, const Placement& placement, osm::Id first, osm::Id step, osm::NodeSink& sink);

/// The lowest id of the file's nodes and of what its ways and relations refer to; 0 if none is negative. New nodes count
/// down from there.
/// @param replaces  nodes that were generated earlier do not count: they go, and running again gives the same ids
osm::Id lowest_node_id(const osm::Document& document, bool replaces);

/// The highest id of the file's nodes, counted in the same way; 0 if none is positive.
osm::Id highest_node_id(const osm::Document& document, bool replaces);

}  // namespace simbatch::mapgen
