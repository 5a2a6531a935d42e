#pragma once
/// A place given by a house: "in front of the town hall", on the nearest road.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/roads/buildings.hpp"
#include "lib/roads/road_place.hpp"

namespace simbatch::roads {

/// The houses of a map. Pointers may be null: there are none of that kind.
struct Houses {
  const std::vector<Prism>* mapped = nullptr;
  const std::vector<HouseBox>* generated = nullptr;
};

/// In front of a house: on the road that is nearest to the house's middle, tunnels aside, in the outermost lane on the house's
/// side. Roads narrower than a lane (paths) count only where there is no other. The heading is that of the lane's traffic: along
/// the road on its right, against it on its left, as on the whole of a one-way road.
/// @param house    name or address ("High Street 12") of a mapped building or a generated house, or the id of its way, relation
///                 or node, searched for in this order
/// @param problem  why there is no such place: no such house (and the nearest name), several of that name, no road
std::optional<RoadPlace> place_by_house(const Houses& houses, const std::vector<Road>& roads, std::string_view house,
                                        std::string& problem);

}  // namespace simbatch::roads
