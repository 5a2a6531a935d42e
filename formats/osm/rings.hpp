#pragma once
/// Rings of multipolygon relations, put together from their member ways.

#include <cstdint>
#include <vector>

#include "formats/osm/osm.hpp"

namespace simbatch::osm {

struct Ring {
  std::vector<std::uint32_t> nodes;  ///< numbers of nodes, without repeated end; at least 3
  bool outer = true;                 ///< role of its ways is not "inner"
};
struct Rings {
  std::vector<Ring> rings;
  bool complete = true;  ///< false if members are missing or do not close: `rings` holds those that do
};
/// Joins ways at their ends, whatever their roles, in the order of the members. Source: OSM wiki, "Relation:multipolygon/
/// Algorithm" (ring assignment); roles only decide about sizes, holes follow from the even-odd rule.
/// Cost: O(members * log members + nodes).
Rings assemble(const Model& map, std::size_t relation);

/// Nodes of a closed way that the file holds, without repeated end and without immediate repetition.
std::vector<std::uint32_t> ring_of_way(const Model& map, std::size_t way);

}  // namespace simbatch::osm
