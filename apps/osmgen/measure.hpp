#pragma once
/// Sizes of the models of a house list.

#include <string>

#include "base/core/diagnostics.hpp"
#include "formats/autosim/houses.hpp"

namespace simbatch::osmgen {

/// Gives every model without a BoxSize that of the box around the vertices of its file (m, y up): `path`, as seen from the list's
/// folder, if it is a file, else LOD0/model.<type> in it; of types that simulators draw (models::kModelTypes), up to 64 MiB. Reports
/// those that cannot be measured at their place in the list. @param tells_missing  also how many models have no file
void measure_models(autosim::HouseList& houses, const std::string& list_file, bool tells_missing, Diagnostics& diagnostics);

}  // namespace simbatch::osmgen
