#pragma once
/// Where houses make sense: rules beyond the thesis, each of which can be switched off.

#include <string>
#include <string_view>
#include <vector>

#include "lib/town/neighborhoods.hpp"

namespace simbatch::town {

/// A default-constructed set applies none: rows of houses along every street, as in the thesis.
struct Rules {
  bool sea = false;            ///< none to the right of a coastline
  bool rails = false;          ///< none on spurs, sidings, yards and railways under construction
  bool highway_areas = false;  ///< none on the areas of roads (`area:highway`)
  bool power_lines = false;    ///< none below power lines
  bool access = false;         ///< none that are cut off from their street by a railway, water, a building or another house
  bool settlement = false;     ///< none where nothing shows that people live there (lib/town/settlement.hpp)
  bool tracks = false;         ///< none along farm and forest tracks, parking aisles and driveways
  bool centers = false;        ///< also along pedestrian and living streets that the setup does not list
  bool lanes = false;          ///< none on lanes that `width` or `lanes` make wider than the setup
  bool waterways = false;      ///< none in waterways that `width` makes wider than usual
  bool eras = false;           ///< setbacks and gaps also by how densely the place is built (lib/town/neighborhoods.hpp)
  bool row_houses = false;     ///< runs of houses wall to wall where streets are dense
  bool second_rows = false;    ///< houses beyond the first row, each with a drive to its street
  bool heights = false;        ///< models and roofs like those of the neighborhood
  bool ramps = false;          ///< nothing where the street is on a bridge or ramp, or in a cutting, nor close beside it
  bool gardens = false;        ///< hedges, fences and trees of front gardens
  bool street_trees = false;   ///< trees beside the pavement
  bool parked_cars = false;    ///< cars at the curb, clear of the lanes
  double sign_distance = 100;  ///< greatest distance to a mapped building that is a sign of settlement (m), > 0
  /// What asks how densely a place is built.
  bool of_neighborhoods() const {
    return eras || row_houses || second_rows || heights || gardens || street_trees || parked_cars;
  }
  /// What must leave the ways to doors free.
  bool has_drives() const { return second_rows || gardens || street_trees || parked_cars; }
  bool any() const {
    return sea || rails || highway_areas || power_lines || access || settlement || tracks || centers || lanes || waterways ||
           ramps || of_neighborhoods();
  }
};

/// All of them.
Rules all_rules();
/// Names of the rules, as in `osmgen --without`: "sea", "rails", "highway-areas", "power-lines", "access", "settlement",
/// "tracks", "centers", "lanes", "waterways", "eras", "row-houses", "second-rows", "heights", "ramps", "gardens",
/// "street-trees", "parked-cars".
std::vector<std::string> rule_names();
/// Switches a rule off. @return false if there is no such rule
bool switch_off(Rules& rules, std::string_view name);

/// Distances of houses by the kind of street (m): typical building lines, rounded (our own choice).
struct Spacing {
  double front = 5;  ///< from the pavement's outer edge to the front of a house
  double gap = 5;    ///< between neighbors in a row; 0: they form a closed front
};
Spacing spacing_of(std::string_view highway);
/// The same where the place is built more or less densely than a suburb. Ways without addresses are as everywhere.
Spacing spacing_of(std::string_view highway, Density density);
/// Pedestrian streets of town centers: `pedestrian`, `living_street`.
bool is_center(std::string_view highway);
/// Ways through fields and yards, without addresses: `track`, `raceway`, `busway`, ...
bool is_back_way(std::string_view highway);
/// Streets whose density indicates a settlement: not fast roads, service roads, tracks or paths.
bool is_street(std::string_view highway);
/// A land use that indicates a settlement: `residential`, `retail`, ...
bool is_settled(std::string_view landuse);

}  // namespace simbatch::town
