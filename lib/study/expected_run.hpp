#pragma once
/// A run whose expectations are evaluated during the run; used by tests, studies and searches.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "formats/trace/write.hpp"
#include "lib/expect/monitor.hpp"
#include "lib/scenario/build.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::study {

struct ExpectedRunOptions {
  /// All expectations are decided by this run. Otherwise, those that require a longer run (`duration`) stay undecided.
  bool is_whole = true;
  std::string trace = {};                 ///< file for a JSON trace of all nodes; empty: none
  std::function<void()> after_step = {};  ///< called after the expectations are evaluated: after the start, and after each step
};

/// How the run ended.
struct ExpectedRun {
  bool is_complete = false;               ///< all steps were made
  trace::End end;                         ///< with the outcomes of the expectations
  std::vector<expect::Outcome> outcomes;  ///< in the order of the scenario's expectations; undecided if the run is not complete
  /// Writer of the trace; null without ExpectedRunOptions::trace. Without writer->finish(end) the file is discarded.
  std::unique_ptr<trace::Writer> writer;
};

/// Runs a built scenario from its start.
/// @throws IoError if the trace cannot be written
ExpectedRun run_expected(const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                         const ExpectedRunOptions& options = {});

/// How many steps a duration (s) takes.
std::int64_t steps_of(double duration, double dt);

}  // namespace simbatch::study
