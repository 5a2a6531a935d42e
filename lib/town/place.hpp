#pragma once
/// Placing houses and trees along the roads of a town (thesis 3.4, B.4). The rules are in docs/osmgen.md.

#include <functional>
#include <span>
#include <string>

#include "lib/town/house.hpp"
#include "lib/town/place_options.hpp"
#include "lib/town/town.hpp"

namespace simbatch::town {

/// Places houses. Empties town.obstacles.  Each side of each street is a row, filled from its start: a model is chosen by a
/// hash of (way id, side, distance along the way in steps of 8 m) from the section of the land use there, then moved along the
/// street until it touches nothing; the next one follows at `house_distance`. Fronts face the street. Each house is an obstacle
/// to the following ones; streets take turns in the order of their lowest way id. Cost: about 0.8 us per house and thread; the
/// same input gives the same houses. @param on_placed  if given, receives all houses in order, some thousands at a time, for
/// concurrent writing. Called by one thread at a time, not always the same; placement blocks while it runs. It must not touch
/// `town`.
PlacedHouses place(Town& town, const PlaceOptions& options,
                   const std::function<void(std::span<const House>)>& on_placed = nullptr);

/// The land use of the section that contains the house's model.
const std::string& land_use_of(const Town& town, const House& house);

}  // namespace simbatch::town
