#include <fmt/format.h>

#include "apps/common/console.hpp"
#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/sim/record/codes.hpp"
#include "lib/sim/record/recorded_trace.hpp"
#include "lib/sim/record/recording.hpp"

namespace simbatch::simrun {

namespace {

using cli::ExitCode;

struct DumpOptions {
  std::string recording, scenario, root, rndf;
  std::optional<Moment> step;  ///< absent: the last
};

/// The frame of --step, or the last; empty after a problem.
std::optional<std::uint64_t> chosen_frame(const DumpOptions& options, const sim::RecordingView& view, Diagnostics& problem) {
  if (view.frames == 0) {
    problem.report(sim::record_code::kFormat, {}, "the recording holds no frame");
    return std::nullopt;
  }
  if (!options.step) return view.frames - 1;
  const std::int64_t step = options.step->step_at(view.header.dt);
  const std::int64_t index = step / view.header.every;
  if (step % view.header.every == 0 && static_cast<std::uint64_t>(index) < view.frames)
    return static_cast<std::uint64_t>(index);
  problem.report(sim::record_code::kFormat, {},
                 fmt::format("no frame for step {}; there is one every {} steps, up to step {}", step, view.header.every,
                             static_cast<std::int64_t>(view.frames - 1) * view.header.every));
  return std::nullopt;
}

void print_frame(const sim::RecordingView& view, const std::string& scenario, std::uint64_t frame, const std::string& nodes) {
  const std::int64_t step = static_cast<std::int64_t>(frame) * view.header.every;
  std::string name;
  append_json_string(name, scenario);
  cli::print(fmt::format("{{\"scenario\":{},\"frames\":{},\"step\":{},\"time\":{},\"nodes\":{}}}\n", name, view.frames, step,
                         number_text(static_cast<double>(step) * view.header.dt), nodes));
}

/// Decodes with the names and units stored in the recording.
ExitCode dump_described(const DumpOptions& options, const sim::RecordingView& view, const std::string& name,
                        cli::Reporter& reporter) {
  Diagnostics problem(name);
  const auto frame = chosen_frame(options, view, problem);
  reporter.show(std::move(problem));
  if (!frame) return reporter.finish();
  const std::int64_t step = static_cast<std::int64_t>(*frame) * view.header.every;
  const Parsed<trace::Trace> row = sim::trace_of(view, name, step, step);
  reporter.show(row.diagnostics);
  if (row.value) print_frame(view, row.value->header.scenario, *frame, sim::row_json(*row.value, 0));
  return reporter.finish();
}

/// With the tree that the scenario builds.
ExitCode dump_with_scenario(const DumpOptions& options, const sim::RecordingView& view, const std::string& name,
                            cli::Reporter& reporter) {
  ExitCode exit = ExitCode::ok;
  const auto built = build(reporter, options.scenario,
                           {.dt = view.header.dt,
                            .seed = view.header.seed,
                            .root = options.root,
                            .library = cli::robot_library(),
                            .graspit_root = cli::graspit_root(options.root),
                            .rndf = options.rndf,
                            .programs = scenario::ProgramUse::ignore},
                           exit);
  if (!built) return reporter.finish(exit);
  sim::SimulationTree& tree = built->simulation->tree();
  Diagnostics problem(name);
  const auto nodes = sim::recorded_nodes(tree, view.header.devices);
  std::optional<std::uint64_t> frame;
  if (sim::tree_fingerprint(tree, view.header.devices) != view.header.tree)
    problem.report(sim::record_code::kTree, {},
                   fmt::format("the recording is of {}, whose tree differs from that of {}", quoted(view.header.scenario),
                               quoted(options.scenario)));
  else
    frame = chosen_frame(options, view, problem);
  if (frame && !sim::restore_frame(view.frame(*frame), tree, nodes))
    problem.report(sim::record_code::kFormat, {}, "the size of a frame does not match its nodes");
  const bool good = problem.empty();
  reporter.show(std::move(problem));
  if (good) print_frame(view, built->name, *frame, sim::nodes_json(nodes));
  return reporter.finish();
}

ExitCode dump(const DumpOptions& options, cli::Reporter& reporter) {
  const Input input = Input::open(options.recording);
  if (Diagnostics other; file_kind::report_other_kind(input.text(), input.name(), file_kind::Purpose::recording, other)) {
    reporter.show(std::move(other));
    return reporter.finish();
  }
  auto recording = sim::read_recording(input.text(), input.name());
  if (recording.value && !recording.value->description && options.scenario.empty())
    recording.diagnostics.report(sim::record_code::kFormat, {},
                                 "an older recording, without names: name the scenario that it was made with (--scenario)");
  reporter.show(recording.diagnostics);
  if (!recording.value || reporter.failed()) return reporter.finish();
  return options.scenario.empty() ? dump_described(options, *recording.value, input.name(), reporter)
                                  : dump_with_scenario(options, *recording.value, input.name(), reporter);
}

}  // namespace

void add_dump(cli::Command& program) {
  cli::Command& command = program.add("dump", "Print a step of a recording as JSON");
  auto& o = command.keep<DumpOptions>();
  command.positional("RECORDING", o.recording, "Recording made with --record").required();
  command.option("--scenario", "SCENARIO", o.scenario,
                 "Scenario that it was made with: for older recordings, or to compare the trees");
  command.option("--step", "N", {o.step, read_moment, kMomentForm}, "Which step, or time like 3s (default: the last)");
  add_root_option(command, o.root);
  add_rndf_option(command, o.rndf, "Road network of a CajunBot object file");
  command.examples({"simrun dump run.rec --step 20"});
  command.run([&o](cli::Reporter& reporter) { return dump(o, reporter); });
}

}  // namespace simbatch::simrun
