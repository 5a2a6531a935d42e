#pragma once
/// What is at the edge of a street: traffic signals, signs, lamps.

#include <cstddef>
#include <string>
#include <vector>

#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/marks.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

struct Furniture {
  enum class Kind { signal, stop, give_way, sign, lamp } kind = Kind::lamp;
  osm::Id node = 0;    ///< of the map
  int number = 0;      ///< of those of one node, from 1
  geo::Vec3 at;        ///< foot of the pole, on the ground (m)
  double heading = 0;  ///< that its front faces, rad from north; of lamps towards the street
};

/// Signals, stop and give-way signs at the stop lines of a map, on the right of the traffic that they are for, 0.4 m from the
/// lanes and facing it; `traffic_sign=*` nodes beside roads; `highway=street_lamp` nodes. None is put on lanes: it is moved away
/// from its road by up to 2.5 m, else left out. None at roads that are not on the ground. In the order of marks, then of nodes.
/// @param marks  of road_marks()
std::vector<Furniture> street_furniture(const osm::Model& map, const geo::LocalFrame& frame, const std::vector<Road>& roads,
                                        const std::vector<RoadMark>& marks, const HeightGrid& terrain);

/// Boxes of one piece: `pose` of their middles, y up from its foot, z to its front. The head of a signal is the last.
struct FurnitureBox {
  geo::Vec3 size;
  geo::Vec3 middle;
};
std::vector<FurnitureBox> boxes_of(Furniture::Kind kind);

}  // namespace simbatch::roads
