#pragma once
/// What osmgen did, for people and as JSON.

#include <string>

#include "lib/mapgen/place.hpp"
#include "lib/mapgen/town.hpp"

namespace simbatch::osmgen {

std::string summary_text(const mapgen::Town& town, const mapgen::Placement& placement);
/// docs/osmgen.md, "Report".
std::string summary_json(const mapgen::Town& town, const mapgen::Placement& placement);

}  // namespace simbatch::osmgen
