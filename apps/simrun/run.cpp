#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "apps/simrun/codes.hpp"
#include "apps/simrun/pictures.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "formats/trace/write.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

std::unique_ptr<trace::Writer> open_trace(const RunOptions& options, const sim::BuiltScenario& built, const sim::RunPlan& plan,
                                          const std::vector<const sim::TreeNode*>& nodes) {
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

// What programs did that is no problem.
void tell_ends(const cli::Common& common, const sim::ProgramScheduler& programs) {
  constexpr std::size_t kShown = 10;
  const auto& ends = programs.ends();
  for (std::size_t i = 0; i < std::min(ends.size(), kShown); ++i)
    cli::info(common, fmt::format("{}: {} ended with {} in step {} ({} s)", ends[i].robot, ends[i].label, ends[i].status,
                                  ends[i].step, number_text(ends[i].time)));
  if (ends.size() > kShown) cli::info(common, fmt::format("{} more programs ended", ends.size() - kShown));
}

}  // namespace

Diagnostics failure_diagnostics(const sim::Simulation& simulation, const std::string& scenario) {
  const sim::Failure& failure = *simulation.failure();
  if (failure.code != nullptr) {
    Diagnostics problem(failure.source.file.empty() ? scenario : failure.source.file);
    problem.report(*failure.code, failure.source.at,
                   fmt::format("{} in step {} ({} s): {}", quoted(failure.object), failure.step, number_text(failure.time),
                               failure.message));
    return problem;
  }
  const sim::TreeNode* node = simulation.tree().find(failure.object);
  if (node == nullptr) node = simulation.tree().find(failure.object.substr(0, failure.object.rfind('.')));  // a field of it
  Diagnostics problem(node != nullptr && !node->source().file.empty() ? node->source().file : scenario);
  problem.report(code::kBlowUp, node != nullptr ? node->source().at : Position{},
                 fmt::format("{} first after step {} ({} s): {}", quoted(failure.object), failure.step,
                             number_text(failure.time), failure.message));
  return problem;
}

ExitCode run(const RunOptions& options) {
  cli::Reporter reporter(options.common);
  ExitCode exit = ExitCode::ok;
  const bool only_look = options.check || !options.steps;
  sim::BuildOptions how{.dt = options.dt,
                        .seed = options.seed,
                        .root = options.root,
                        .graspit_root = options.graspit_root,
                        .rndf = options.rndf,
                        .programs = only_look ? sim::ProgramUse::check : sim::ProgramUse::run};
  apply(options.common, options.programs, how);
  const auto built = build(reporter, options.scenario, how, exit);
  if (!built) return reporter.finish(exit);
  sim::Simulation& simulation = *built->simulation;
  if (options.check) {
    built->cameras->renderer().prepare();
    reporter.show(built->cameras->renderer().problems());
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
    recording.emplace(
        options.record, simulation.tree(),
        sim::RecordingHeader{built->name, simulation.settings().seed, simulation.settings().physics.dt, plan.every, 0, 0});
    outputs.recording = &*recording;
  }

  std::optional<Frames> frames;
  if (!options.frames.folder.empty()) {
    frames.emplace(*built->cameras, options.frames, reporter, options.scenario);
    if (reporter.failed()) return reporter.finish();
    outputs.look = [&](std::int64_t step) { frames->look(step); };
  }

  cli::handle_interrupts_by_polling();
  const auto began = std::chrono::steady_clock::now();
  cli::Progress progress(options.common, "simulating", static_cast<std::uint64_t>(plan.steps));
  trace::End end = sim::run_simulation(simulation, plan, outputs, [&](std::int64_t done) {
    progress.update(static_cast<std::uint64_t>(done));
    return !cli::interrupted();
  });
  progress.finish();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  const bool in_turn = simulation.failure() && simulation.failure()->code == &sim::program_code::kInterrupted;
  if (in_turn) {
    end.outcome = "interrupted";
    end.message.clear();
  }
  const bool complete = end.outcome == "complete";
  // A run that failed leaves what it came to. One that was interrupted leaves no trace, but for the form that is written while
  // it goes on.
  const bool ended = end.outcome != "interrupted";
  if (writer != nullptr && (ended || writer->streams())) writer->finish(end);
  if (recording && ended) recording->finish();
  reporter.show(built->cameras->renderer().problems());
  if (built->programs != nullptr) reporter.show(built->programs->warnings());
  if (simulation.failure() && !in_turn) reporter.show(failure_diagnostics(simulation, options.scenario));
  if (built->programs != nullptr) tell_ends(options.common, *built->programs);
  const double speed = wall > 0 ? end.time / wall : 0;
  if (options.state_hash && complete) cli::print(hex64(end.state_hash) + "\n");
  cli::info(options.common,
            fmt::format("{} {} steps of {} s, {:.6g} s simulated in {:.3f} s, {:.{}f} times real time; state hash {}",
                        end.outcome, end.steps, number_text(simulation.settings().physics.dt), end.time, wall, speed,
                        speed < 10 ? 2 : 0, hex64(end.state_hash)));
  if (end.outcome == "interrupted") return reporter.finish(ExitCode::interrupted);
  return reporter.finish();
}

}  // namespace simbatch::simrun
