#pragma once
/// A scenario seen from above, to be drawn under the paths of its runs.

#include "lib/plot/ground_plan.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::view {

/// Roads, waters, houses, trees and everything else that never moves, as it was built; the plan's x is the world's x (east), its y
/// the world's z (north), m. Refers to the scenario, which must outlive it.
plot::GroundPlan ground_plan(const scenario::BuiltScenario& built);

}  // namespace simbatch::view
