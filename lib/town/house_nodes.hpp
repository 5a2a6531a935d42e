#pragma once
/// Houses as nodes of a map (thesis table C.3).

#include <span>
#include <string>
#include <vector>

#include "formats/osm/document.hpp"
#include "formats/osm/node_sink.hpp"
#include "lib/town/place.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town {

/// Converts houses to nodes with the tags filePath, fileType, landuse, name, rotY (degrees, the compass direction of the front,
/// 0 <= rotY < 360), sizeX, sizeY, sizeZ (m), the mark kGeneratedKey, and, if it is neither a house nor a tree of a land use,
/// `simbatch:kind` (hedge, fence, tree, car). Copies what it needs from the town, which place() may
/// be using concurrently; the models must outlive it.
class HouseWriter {
 public:
  /// @param first, step  ids are first, first + step, ...
  HouseWriter(const Town& town, osm::Id first, osm::Id step);
  /// @param sink  the same sink in every call
  void write(std::span<const House> houses, osm::NodeSink& sink);

 private:
  std::size_t prepare(std::uint16_t number, osm::NodeSink& sink) const;
  static constexpr std::size_t kNotYet = SIZE_MAX;
  Plane plane_;
  std::vector<const autosim::HouseModel*> models_;
  std::vector<std::string> uses_;      // of each model
  std::vector<std::size_t> prepared_;  // likewise, the sink's number
  std::size_t first_small_;            // models from this one on have a kind
  osm::Id next_, step_;
};
/// All houses of a placement.
void write_houses(const Town& town, const PlacedHouses& placement, osm::Id first, osm::Id step, osm::NodeSink& sink);

/// The lowest id among the file's nodes and the references of its ways and relations; 0 if none is negative. Ids of new nodes
/// count down from there.
/// @param replaces  ignore previously generated nodes: they are replaced, so that a second run assigns the same ids
osm::Id lowest_node_id(const osm::Document& document, bool replaces);

/// The highest such id; 0 if none is positive.
osm::Id highest_node_id(const osm::Document& document, bool replaces);

}  // namespace simbatch::town
