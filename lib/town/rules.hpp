#pragma once
/// Where houses make sense: rules beyond the thesis, each of which can be switched off.

#include <string>
#include <string_view>
#include <vector>

namespace simbatch::town {

/// A default-constructed set applies none: rows of houses along every street, as in the thesis.
struct Rules {
  bool sea = false;            ///< none to the right of a coastline
  bool rails = false;          ///< none on spurs, sidings, yards and railways under construction
  bool highway_areas = false;  ///< none on the areas of roads (`area:highway`)
  bool power_lines = false;    ///< none under power lines
  bool access = false;         ///< none that a railway, water, a building or another house cuts off from its street
  bool settlement = false;     ///< none where nothing shows that people live there (lib/town/settlement.hpp)
  bool tracks = false;         ///< none along farm and forest tracks, parking aisles and driveways
  bool centers = false;        ///< also along pedestrian and living streets that the setup does not list
  double sign_distance = 100;  ///< greatest distance to a mapped building that is a sign of settlement (m), > 0
  bool any() const { return sea || rails || highway_areas || power_lines || access || settlement || tracks || centers; }
};

/// All of them.
Rules all_rules();
/// Names of the rules, as in `osmgen --without`: "sea", "rails", "highway-areas", "power-lines", "access", "settlement",
/// "tracks", "centers".
std::vector<std::string> rule_names();
/// Switches a rule off. @return false if there is no such rule
bool switch_off(Rules& rules, std::string_view name);

/// Space between houses and a street, by its kind (m): the usual building lines, rounded (own).
struct Spacing {
  double front = 5;  ///< from the pavement's outer edge to the front of a house
  double gap = 5;    ///< between neighbors in a row; 0: they form a closed front
};
Spacing spacing_of(std::string_view highway);
/// Streets of town centers on foot: `pedestrian`, `living_street`.
bool is_center(std::string_view highway);
/// Ways through fields and yards, without addresses: `track`, `raceway`, `busway`, ...
bool is_back_way(std::string_view highway);
/// Streets whose density shows a settlement: neither fast roads nor service roads, tracks and paths.
bool is_street(std::string_view highway);
/// A land use that shows a settlement: `residential`, `retail`, ...
bool is_settled(std::string_view landuse);

}  // namespace simbatch::town
