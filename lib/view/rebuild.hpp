#pragma once
/// The visible part of a scenario, and its motion in the run of a trace.

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

/// The cameras of the robots of a started simulation.
std::vector<WorldCamera> cameras_of(const scenario::BuiltScenario& built);
/// The visible part of a started simulation in its current state, without motion.
BuiltView view_of(scenario::BuiltScenario built, Diagnostics& problems);

struct RebuildOptions {
  /// Builds the scenario; called once or twice.
  std::function<scenario::BuildResult(scenario::ProgramUse)> build;
  bool run_programs = false;                          ///< programs run only if the run has to be repeated
  std::function<bool(std::int64_t)> keep_going = {};  ///< called with the number of completed steps; returning false cancels
};

/// Builds a scenario without its programs, starts it, and reads all motion from the trace. Motion missing from the trace is
/// recorded by repeating the run; a repeated run that ends in a different state is reported (view-poses).
/// @param trace  nullptr: nothing moves
/// @return empty after an error in the scenario, or when canceled by the callback
std::optional<BuiltView> rebuild(const RebuildOptions& options, const trace::Trace* trace, Diagnostics& problems);

}  // namespace simbatch::view
