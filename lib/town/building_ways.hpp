#pragma once
/// Houses in the form of mapped buildings: outlines with heights and roofs, for programs that draw OpenStreetMap data.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "formats/osm/node_sink.hpp"
#include "lib/town/house.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town {

/// Writes each house as four nodes at its corners and a closed way with `building`, `height`, `building:levels`, `roof:shape`,
/// `roof:height` (OSM wiki, "Simple 3D Buildings"), each tree as a node `natural=tree` with `height`, hedges and fences as
/// `barrier` with `height`, places of parked cars as `amenity=parking_space`. All carry the mark.
class BuildingWriter {
 public:
  /// @param first, step  ids of the nodes: first, first + step, ...  @param first_way  the same for ways
  BuildingWriter(const Town& town, osm::Id first, osm::Id step, osm::Id first_way)
      : town_(town), plane_(town.plane), next_(first), step_(step), next_way_(first_way) {}
  /// The nodes of these houses.
  void write(std::span<const House> houses, osm::NodeSink& sink);
  /// The ways of all houses written so far: call once.
  void write_ways(osm::NodeSink& sink);

 private:
  struct Outline {
    osm::Id first_node = 0;
    std::uint16_t model = 0;
    Roof roof = Roof::flat;
  };
  Roof roof_of(const House& house);
  std::array<osm::Id, 5> nodes_of(const Outline& outline) const;
  void write_small(const Outline& outline, std::string_view height, osm::NodeSink& sink);

  const Town& town_;
  Plane plane_;
  osm::Id next_, step_, next_way_;
  std::vector<Outline> outlines_;
  Neighborhoods::Near near_;
};

}  // namespace simbatch::town
