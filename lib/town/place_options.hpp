#pragma once
/// How houses are placed, and the results.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/town/house.hpp"

namespace simbatch {
class Workers;
}

namespace simbatch::town {

struct PlaceOptions {
  /// From the outer edge of the pavement to the middle of a house (m), > 0: the thesis' "Distance to Street of the house
  /// centers".
  double street_distance = 12;
  /// Instead: from there to the front of a house, so that the fronts of a street are aligned.
  std::optional<double> front_distance{};
  double house_distance = 6;    ///< free space between neighbors in a row (m), >= 0
  bool clip_to_bounds = false;  ///< only houses that lie in one of the map's bounds; all if it has none
  /// Mean distance (m) of the trees put into the inside of areas whose section holds nothing but trees; none if empty.
  std::optional<double> forest_inside{};
  Workers* workers = nullptr;  ///< help to place, if given; the houses are the same for any number of them
};

struct UseCount {
  std::string use;
  bool in_list = false;       ///< the house list has something for it
  std::uint64_t placed = 0;   ///< houses and trees
  std::uint64_t nothing = 0;  ///< places looked at and left empty because the list has nothing for it
};

struct PlacedHouses {
  /// By street, side, distance; then the insides of forests. Empty if they were passed on instead.
  std::vector<House> houses;
  std::uint64_t placed = 0;                        ///< how many there are
  std::array<std::uint64_t, kReasons> rejected{};  ///< places looked at and not taken, by Reason
  std::vector<UseCount> uses;                      ///< those that occurred, by falling count, then name
  std::uint64_t along_streets = 0;                 ///< how many of the houses are along streets
  std::uint64_t skipped_forests = 0;               ///< too large to be filled
  double meters_used = 0;                          ///< of roads along which places were looked for
};

}  // namespace simbatch::town
