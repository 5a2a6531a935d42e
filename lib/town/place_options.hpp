#pragma once
/// Options and results of placing houses.

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
  /// Alternatively the distance to the front of a house, so that the fronts of a street are aligned.
  std::optional<double> front_distance{};
  /// Take distances to the front, and gaps between neighbors, from the kind of street (RoadKind::spacing) instead.
  bool fronts_by_street = false, gaps_by_street = false;
  double house_distance = 6;    ///< free space between neighbors in a row (m), >= 0
  bool clip_to_bounds = false;  ///< only houses inside the map's bounds; all if it has none
  /// Mean distance (m) between the trees that fill areas whose section contains only trees; no filling if empty.
  std::optional<double> forest_inside{};
  Workers* workers = nullptr;  ///< used for the placement, if given; the result does not depend on their number
};

struct UseCount {
  std::string use;
  bool in_list = false;       ///< the house list has models for it
  std::uint64_t placed = 0;   ///< houses and trees
  std::uint64_t nothing = 0;  ///< candidate positions left empty for lack of models
};

struct PlacedHouses {
  /// By street, side, distance; then the insides of forests. Empty if they were passed to a consumer.
  std::vector<House> houses;
  std::uint64_t placed = 0;                        ///< how many there are
  std::array<std::uint64_t, kReasons> rejected{};  ///< rejected candidate positions, by Reason
  std::vector<UseCount> uses;                      ///< those that occurred, by descending count, then name
  std::uint64_t small = 0;                         ///< how many are of gardens, street trees or parked cars
  std::uint64_t along_streets = 0;                 ///< how many of the houses are along streets
  std::uint64_t skipped_forests = 0;               ///< forests too large to be filled
  double meters_used = 0;                          ///< length of roads along which positions were searched
  std::string refused;  ///< why no houses were placed: the map is too crowded (code::kCrowded); usually empty
};

}  // namespace simbatch::town
