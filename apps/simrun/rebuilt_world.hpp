#pragma once
/// The world of a trace, rebuilt from its scenario.

#include <optional>
#include <string>

#include "apps/simrun/simrun.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::simrun {

struct WorldOptions {
  std::string scenario, root, rndf;  ///< scenario and rndf empty: searched for
  ProgramOptions programs = {};
};

/// Motion that the trace lacks is obtained by repeating the run, with a progress bar; an interrupt cancels.
/// @param trace_file  for messages; the scenario is searched for next to it
/// @param problems    receives what is wrong with the scenario, or that it was not found (kNoScenario)
/// @param scenario    receives the scenario's file; empty if it was not found
/// @return empty if the scenario is not found, cannot be built, or after an interrupt
std::optional<view::BuiltView> rebuild_world(const WorldOptions& options, const std::string& trace_file,
                                             const trace::Trace& trace, cli::Reporter& reporter, Diagnostics& problems,
                                             std::string& scenario);

}  // namespace simbatch::simrun
