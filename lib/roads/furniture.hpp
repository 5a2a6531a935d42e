#pragma once
/// Street furniture: traffic signals, signs, lamps.

#include <cstddef>
#include <string>
#include <vector>

#include "base/geo/geo.hpp"
#include "base/geo/pose.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/effort.hpp"
#include "lib/roads/marks.hpp"
#include "lib/roads/road_lines.hpp"
#include "lib/roads/terrain.hpp"

namespace simbatch::roads {

struct Furniture {
  enum class Kind { signal, stop, give_way, sign, lamp } kind = Kind::lamp;
  osm::Id node = 0;    ///< of the map
  int number = 0;      ///< among those of the same node, from 1
  geo::Vec3 at;        ///< foot of the pole, on the ground (m)
  double heading = 0;  ///< direction that its front faces (rad from north); lamps face the street
};

/// Signals, stop signs and give-way signs at the stop lines of a map, to the right of the traffic that they apply to, facing
/// it, 0.4 m from the lanes; `traffic_sign=*` nodes beside roads; `highway=street_lamp` nodes. Nothing is placed on lanes: it
/// is moved up to 2.5 m away from its road, or else left out. Roads that are not on the ground have none. Sorted by mark, node.
/// @param marks  the result of road_marks()
std::vector<Furniture> street_furniture(const osm::Model& map, const geo::LocalFrame& frame, const std::vector<Road>& roads,
                                        const std::vector<RoadMark>& marks, const HeightGrid& terrain,
                                        const Budget& budget = {});

/// The boxes that a piece consists of; each `pose` is that of the box's center, with y up from the foot and z to the front. The
/// last box of a signal is its head.
struct FurnitureBox {
  geo::Vec3 size;
  geo::Vec3 middle;
};
std::vector<FurnitureBox> boxes_of(Furniture::Kind kind);

}  // namespace simbatch::roads
