#pragma once
/// The world of a trace, built again from its scenario.

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
/// @param trace_file  for messages, and beside it the scenario is searched for
/// @param problems    what is wrong with the scenario, or that there is none (kNoScenario)
/// @param scenario    gets the scenario's file; empty if there is none
/// @return empty if the scenario is not found, cannot be built, or after an interrupt
std::optional<view::BuiltView> rebuild_world(const WorldOptions& options, const std::string& trace_file,
                                             const trace::Trace& trace, cli::Reporter& reporter, Diagnostics& problems,
                                             std::string& scenario);

}  // namespace simbatch::simrun
