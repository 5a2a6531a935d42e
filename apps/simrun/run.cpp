#include <fmt/format.h>

#include <chrono>

#include "apps/simrun/codes.hpp"
#include "apps/simrun/simrun.hpp"
#include "formats/trace/write.hpp"
#include "lib/base/hash.hpp"
#include "lib/base/number.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

std::unique_ptr<trace::Writer> open_trace(const RunOptions& options, const sim::BuiltScenario& built,
                                          const sim::RunPlan& plan, const std::vector<const sim::TreeNode*>& nodes) {
  trace::Format format = trace::Format::json;
  if (!options.format.empty())
    format = *trace::format_named(options.format);
  else if (options.trace != "-")
    format = *trace::format_of(options.trace);  // main.cpp has checked both
  trace::Header header = sim::trace_header(*built.simulation, plan);
  header.scenario = built.name;
  for (const sim::FileDigest& file : built.inputs) header.inputs.push_back({file.name, file.digest});
  header.devices = sim::trace_devices(nodes);
  return trace::make_writer(format, options.trace, std::move(header));
}

void report_failure(cli::Reporter& reporter, const sim::Simulation& simulation, const std::string& scenario) {
  const sim::Failure& failure = *simulation.failure();
  const sim::TreeNode* node = simulation.tree().find(failure.object);
  Diagnostics problem(node != nullptr && !node->source().file.empty() ? node->source().file : scenario);
  problem.report(codes::kBlowUp, node != nullptr ? node->source().at : Position{},
                 fmt::format("{} first after step {} ({} s): {}", quoted(failure.object), failure.step,
                             number_text(failure.time), failure.message));
  reporter.show(std::move(problem));
}

}  // namespace

ExitCode run(const RunOptions& options) {
  cli::Reporter reporter(options.common);
  ExitCode exit = ExitCode::ok;
  const auto built = build(reporter, options.scenario, {options.dt, options.seed, options.root, options.graspit_root, options.rndf}, exit);
  if (!built) return reporter.finish(exit);
  sim::Simulation& simulation = *built->simulation;
  if (options.check) {
    const ExitCode result = reporter.finish();
    cli::info(options.common, fmt::format("{}: {} nodes, {} input files, no errors", options.scenario,
                                          simulation.tree().nodes().size(), built->inputs.size()));
    return result;
  }
  if (options.print_tree) {
    simulation.start();
    cli::print(simulation.tree().printed());
    if (!options.steps) return reporter.finish();
  }

  const sim::RunPlan plan{*options.steps, options.every, options.hash_every};
  sim::RunOutputs outputs;
  std::unique_ptr<trace::Writer> writer;
  if (!options.trace.empty()) {
    outputs.nodes = sim::traced_nodes(simulation.tree(), options.devices);
    writer = open_trace(options, *built, plan, outputs.nodes);
    outputs.writer = writer.get();
  }
  std::optional<sim::RecordingWriter> recording;
  if (!options.record.empty()) {
    recording.emplace(options.record, simulation.tree(),
                      sim::RecordingHeader{built->name, simulation.settings().seed, simulation.settings().physics.dt,
                                           plan.every, 0, 0});
    outputs.recording = &*recording;
  }

  cli::handle_interrupts_by_polling();
  const auto began = std::chrono::steady_clock::now();
  cli::Progress progress(options.common, "simulating", static_cast<std::uint64_t>(plan.steps));
  const trace::End end = sim::run_simulation(simulation, plan, outputs, [&](std::int64_t done) {
    progress.update(static_cast<std::uint64_t>(done));
    return !cli::interrupted();
  });
  progress.finish();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  const bool complete = end.outcome == "complete";
  // A run that did not come to its end leaves no trace, but for the form that is written while it goes on.
  if (writer != nullptr && (complete || writer->streams())) writer->finish(end);
  if (recording && complete) recording->finish();
  if (simulation.failure()) report_failure(reporter, simulation, options.scenario);
  if (options.state_hash && complete) cli::print(hex64(end.state_hash) + "\n");
  cli::info(options.common,
            fmt::format("{} {} steps of {} s, {:.6g} s simulated in {:.3f} s, {:.3g} times real time; state hash {}",
                        end.outcome, end.steps, number_text(simulation.settings().physics.dt), end.time, wall,
                        wall > 0 ? end.time / wall : 0.0, hex64(end.state_hash)));
  if (end.outcome == "interrupted") return reporter.finish(ExitCode::interrupted);
  return reporter.finish();
}

}  // namespace simbatch::simrun
