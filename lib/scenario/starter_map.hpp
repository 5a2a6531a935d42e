#pragma once
/// Makes a setup file for a street map and finds a road for the robot to start on.

#include <optional>
#include <string>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "formats/autosim/setup.hpp"
#include "formats/osm/osm.hpp"

namespace simbatch::scenario {

struct StarterMap {
  std::string setup;  ///< text of setup.xml: usual widths of roads; origin in the middle of the roads
  std::string road;   ///< name or id of the longest way that cars drive on, for a Position
  double at = 0;      ///< m along it
};

/// @param streets  OSM data, packed too. @return empty after a report, also if the map has no road for cars
Parsed<StarterMap> starter_map(const Input& streets);
/// The road to start on with a setup that the map already has.
Parsed<StarterMap> starter_map(const Input& streets, const Input& setup);

/// The setup of such a map: usual widths of roads; origin in the middle of those for cars, to 0.00001 degrees, if there are any.
autosim::MapSetup usual_setup(const osm::Model& map);

}  // namespace simbatch::scenario
