#pragma once
/// Finds the scenario of a trace, and verifies that its inputs are unchanged.

#include <string>
#include <vector>

#include "apps/simrun/simrun.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {

/// The scenario to run again: `chosen`, or found by name and digest; empty after simrun-no-scenario was reported.
/// @param trace  its path
std::string find_scenario(const std::string& chosen, const std::string& trace, const trace::Header& header,
                          Diagnostics& problems);
/// `chosen`, or the road network of an object file (the second input), if there is one.
std::string find_network(const std::string& chosen, const trace::Header& header, const std::string& scenario);
/// The options with which a trace's run got its controllers and libraries, as words of a command line ("--controller",
/// "car=python3 drive.py"), for those robots that have none in `now`.
std::vector<std::string> missing_choices(const trace::Header& header, const ProgramOptions& now);
/// The header without the inputs that controlled robots ("car=drive.py"), to compare it with a world that is only looked at.
trace::Header without_programs(trace::Header header);
/// Reports inputs that differ from those of the trace (simrun-digest).
void compare_inputs(const trace::Header& header, const std::vector<scenario::FileDigest>& inputs, Diagnostics& problems);
/// Reports a different engine, math library or floating-point mode (simrun-platform).
void compare_platforms(const trace::Header& now, const trace::Header& then, Diagnostics& problems);
/// Provenance of the run.
sim::RunPlan plan_of(const trace::Trace& old);

}  // namespace simbatch::simrun
