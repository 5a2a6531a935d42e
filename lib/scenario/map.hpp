#pragma once
/// The ground and the town of a map folder (<Map> in the section Terrain): terrain, roads, buildings, houses.

#include "lib/scenario/site.hpp"

namespace simbatch::scenario::detail {

/// Reads setup.xml, the height map and the street map, and adds their contents: the terrain's grid, the meshes "roads" and
/// "pavements", and bodies "buildings.<column>.<row>" and "houses.<column>.<row>", each with everything in one square of
/// kTownSquare meters. The setup's NodeOffset becomes the world's origin if the scenario names none.
/// @return the appearance of roads, buildings and houses
Scene build_map(const Site& site);

inline constexpr double kTownSquare = 128;

}  // namespace simbatch::scenario::detail
