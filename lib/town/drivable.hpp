#pragma once
/// Streets as simrun builds them, and which parts of them are clear of buildings. Private to the room.

#include <cstdint>
#include <vector>

#include "base/geo/geo.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"
#include "lib/roads/road_lines.hpp"

namespace simbatch::town::detail {

struct BuiltStreets {
  std::vector<roads::Road> roads;
  /// By road: for each point of its line, whether a car is clear of mapped buildings there. Empty: everywhere. Lines that reach
  /// into a building have a point every meter there.
  std::vector<std::vector<bool>> is_clear;
};

/// How far to the right of the middle of a street a car drives (m): in the right lane, or in the middle of a one-way street and of
/// one narrower than 5 m.
double lane_offset(const roads::Road& road);

/// The streets of a map between its mapped buildings, without what osmgen places. Clear is a place whose lanes no building
/// reaches into, as far as a car 2.5 m wide needs them. No streets if the map is too crowded to lay them out.
BuiltStreets built_streets(const osm::Model& map, const autosim::MapSetup& setup);

}  // namespace simbatch::town::detail
