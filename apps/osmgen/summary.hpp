#pragma once
/// Summary of a run of osmgen, as text and JSON.

#include <string>

#include "lib/town/place.hpp"
#include "lib/town/town.hpp"

namespace simbatch::osmgen {

std::string summary_text(const town::Town& town, const town::PlacedHouses& placement);
/// docs/osmgen.md, "Report".
std::string summary_json(const town::Town& town, const town::PlacedHouses& placement);

}  // namespace simbatch::osmgen
