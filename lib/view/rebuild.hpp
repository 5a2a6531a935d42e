#pragma once
/// A scenario as there is to see of it, and how it moved in the run of a trace.

#include <functional>
#include <optional>

#include "lib/scenario/build.hpp"
#include "lib/view/gltf_world.hpp"

namespace simbatch::view {

struct BuiltView {
  scenario::BuiltScenario built;
  scene::PaintedScene scene;
  Motion motion;  ///< rows of the trace; without one: empty
  std::vector<WorldCamera> cameras;
};

/// A simulation that was started as there is to see of it now, without motion.
BuiltView view_of(scenario::BuiltScenario built, Diagnostics& problems);

struct RebuildOptions {
  /// Builds the scenario; called once or twice.
  std::function<scenario::BuildResult(scenario::ProgramUse)> build;
  bool run_programs = false;                     ///< programs are run where the run has to be repeated
  std::function<bool(std::int64_t)> go_on = {};  ///< called with the steps done; false ends it
};

/// Builds a scenario without its programs, starts it, and takes all motion from the trace. What the trace lacks is taken from the run, made
/// again; a run that ends in another state than the trace's is reported (view-poses).
/// @param trace  nullptr: nothing moves
/// @return empty after an error in the scenario, or when go_on ended it
std::optional<BuiltView> rebuild(const RebuildOptions& options, const trace::Trace* trace, Diagnostics& problems);

}  // namespace simbatch::view
