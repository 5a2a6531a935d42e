#pragma once
/// What osmgen did, for people and as JSON.

#include <string>

#include "lib/town/place.hpp"
#include "lib/town/town.hpp"

namespace simbatch::osmgen {

std::string summary_text(const town::Town& town, const town::PlacedHouses& placement);
/// docs/osmgen.md, "Report".
std::string summary_json(const town::Town& town, const town::PlacedHouses& placement);

}  // namespace simbatch::osmgen
