#pragma once
/// Merges parts that never move relative to each other.

#include "base/core/diagnostics.hpp"
#include "lib/robots/model.hpp"

namespace simbatch::robots {

/// The model without fixed joints between parts: a part on a fixed joint is merged into its parent, along with its shapes, mass
/// and joints. Fixed joints to the world remain. A note lists the merged parts.
Model merge_fixed(Model model, Diagnostics& problems);

}  // namespace simbatch::robots
