#include "lib/study/expected_run.hpp"

#include <cmath>

#include "lib/expect/trace_signals.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/record/recorder.hpp"

namespace simbatch::study {
namespace {

/// A JSON trace of all nodes of a run that is about to begin; the run's rows are added from now on.
std::unique_ptr<trace::Writer> keep_trace(const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                                          const std::string& path, sim::RunOutputs& outputs) {
  outputs.nodes = sim::traced_nodes(built.simulation->tree(), {});
  trace::Header header = sim::trace_header(*built.simulation, plan);
  header.scenario = built.name;
  for (const scenario::FileDigest& file : built.inputs) header.inputs.push_back({file.name, file.digest});
  header.devices = sim::trace_devices(outputs.nodes);
  auto writer = trace::make_writer(trace::Format::json, path, std::move(header));
  outputs.writer = writer.get();
  return writer;
}

}  // namespace

ExpectedRun run_expected(const scenario::BuiltScenario& built, const sim::RunPlan& plan, const ExpectedRunOptions& options) {
  sim::RunOutputs outputs;
  outputs.on_step = [&](std::int64_t) {
    built.expectations->evaluate();
    if (options.after_step) options.after_step();
  };
  ExpectedRun run;
  if (!options.trace.empty()) run.writer = keep_trace(built, plan, options.trace, outputs);
  run.end = sim::run_simulation(*built.simulation, plan, outputs, [](std::int64_t) { return true; });
  run.is_complete = run.end.outcome == "complete";
  if (run.is_complete) built.expectations->finish(options.is_whole);
  for (const auto& [expectation, monitor, least] : built.expectations->entries()) {
    run.outcomes.push_back(monitor.outcome());
    run.end.expectations.push_back(expect::trace_outcome(expectation, run.outcomes.back()));
  }
  return run;
}

std::int64_t steps_of(double duration, double dt) { return static_cast<std::int64_t>(std::ceil(duration / dt - 1e-6)); }

}  // namespace simbatch::study
