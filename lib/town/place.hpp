#pragma once
/// Placing houses and trees along the roads of a town (thesis 3.4, B.4). The rules are told in docs/osmgen.md.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/town/house.hpp"
#include "lib/town/town.hpp"

namespace simbatch {
class Workers;
}

namespace simbatch::town {

struct PlaceOptions {
  /// From the outer edge of the pavement to the middle of a house (m), > 0: the thesis' "Distance to Street of the house
  /// centers".
  double street_distance = 12;
  /// Instead: from there to the front of a house, so that the fronts of a street stand in line.
  std::optional<double> front_distance{};
  double house_distance = 6;    ///< free space between neighbours in a row (m), >= 0
  double clearance = 0.5;       ///< as in TownOptions: between houses of different rows
  bool clip_to_bounds = false;  ///< only houses that lie in one of the map's bounds; all if it has none
  /// Mean distance (m) of the trees put into the inside of areas whose section holds nothing but trees; none if empty.
  std::optional<double> forest_inside{};
  Workers* workers = nullptr;  ///< who help to place, if given; the houses are the same for any number of them
};

struct UseCount {
  std::string use;
  bool in_list = false;       ///< the house list has something for it
  std::uint64_t placed = 0;   ///< houses and trees
  std::uint64_t nothing = 0;  ///< places looked at and left empty because the list has nothing for it
};

struct Placement {
  /// By street, side, distance; then the insides of forests. Empty if they were passed on instead.
  std::vector<House> houses;
  std::uint64_t placed = 0;                        ///< how many there are
  std::array<std::uint64_t, kReasons> rejected{};  ///< places looked at and not taken, by Reason
  std::vector<UseCount> uses;                      ///< those that occurred, by falling count, then name
  std::uint64_t along_streets = 0;                 ///< how many of the houses stand along streets
  std::uint64_t skipped_forests = 0;               ///< too large to be filled
  double metres_used = 0;                          ///< of roads along which places were looked for
};

/// Places houses. Empties town.obstacles.
///
/// Along each side of each street a row is begun at its start: a model is chosen by a hash of (way id, side, distance along
/// the way in steps of 8 m) from the section of the land use there, then moved on along the street until it touches nothing;
/// the next one follows `house_distance` behind it. Fronts face the street. Whatever is set is an obstacle to what follows;
/// streets take turns in the order of their lowest way id.
/// Cost: some 0.8 us a house and thread; the same input gives the same houses.
/// @param as_set  if given, is passed all houses in order, some thousands at a time: for writing meanwhile. It is called by
///                one thread at a time, not always the same; while it takes its time, placing waits. It must not touch `town`.
Placement place(Town& town, const PlaceOptions& options, const std::function<void(std::span<const House>)>& as_set = nullptr);

/// The land use whose section the house's model is from.
const std::string& land_use_of(const Town& town, const House& house);

}  // namespace simbatch::town
