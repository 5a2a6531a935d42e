#pragma once
/// Joins parts that never move against each other.

#include "base/core/diagnostics.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// The model without fixed joints between parts: a part on a fixed joint becomes part of its parent, with its shapes, mass and
/// the joints that it had. Fixed joints to the world remain. A note says which parts were joined.
Model merge_fixed(Model model, Diagnostics& problems);

}  // namespace simbatch::robots
