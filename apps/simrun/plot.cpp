// simrun plot: a trace as an SVG picture.

#include "lib/plot/trace_charts.hpp"

#include <algorithm>
#include <iterator>

#include "apps/common/console.hpp"
#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/origin.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "lib/plot/expectation_charts.hpp"
#include "lib/sim/tree/tree.hpp"
#include "lib/view/ground_plan.hpp"

namespace simbatch::simrun {

namespace {

using cli::ExitCode;

struct PlotOptions {
  std::string input, output;
  std::vector<std::string> devices;  ///< patterns; empty: all measuring devices
  int columns = 3;                   ///< charts side by side
  std::vector<std::string> expectations;
  std::string scenario, root, rndf;  ///< scenario and rndf empty: searched for
  bool no_map = false;
};

/// The world under the paths, as it was built for the run; empty if its scenario is not found. A scenario that was named and
/// cannot be built is reported.
std::optional<scenario::BuiltScenario> world_of(const PlotOptions& options, const trace::Trace& trace,
                                                cli::Reporter& reporter) {
  if (options.no_map) return std::nullopt;
  Diagnostics not_found;
  const std::string scenario = find_scenario(options.scenario, options.input, trace.header, not_found);
  if (scenario.empty()) return std::nullopt;
  scenario::BuildOptions how{.dt = trace.header.dt,
                             .seed = trace.header.seed,
                             .root = options.root,
                             .library = cli::robot_library(),
                             .graspit_root = cli::graspit_root(options.root),
                             .programs = scenario::ProgramUse::ignore};
  if (!apply_settings(reporter, scenario, settings_of(trace.header), how)) return std::nullopt;
  how.rndf = find_network(options.rndf, trace.header, scenario);
  scenario::BuildResult built = scenario::build_scenario(scenario, how);
  Diagnostics problems(options.input);
  if (built.value)
    compare_inputs(without_programs(trace.header), built.value->inputs, problems);
  else if (!options.scenario.empty())
    problems.append(std::move(built.diagnostics));
  else
    reporter.status("the paths are drawn without their map: " + scenario + " cannot be built");
  reporter.show(std::move(problems));
  return std::move(built.value);
}

cli::Outputs outputs_of(const PlotOptions& options) {
  cli::Outputs outputs;
  outputs.reads("TRACE", options.input);
  outputs.reads("--scenario", options.scenario);
  outputs.reads("--rndf", options.rndf);
  outputs.writes("--output", options.output);
  return outputs;
}

ExitCode plot(const PlotOptions& options, cli::Reporter& reporter) {
  const ReadFiles files_read;
  const auto input = read_trace(reporter, options.input);
  if (!input) return reporter.finish(ExitCode::input);
  plot::TraceChartOptions choice;
  if (!options.devices.empty()) {
    choice.wanted = [&](std::string_view name) { return sim::is_chosen(options.devices, name); };
  }
  const trace::Trace& trace = *input->trace.value;
  check_patterns(options.input, options.devices, trace.header, reporter);
  const auto world = world_of(options, trace, reporter);
  if (world) {
    choice.ground = view::ground_plan(*world);
    for (const scenario::PlannedPath& plan : world->plans) choice.plans.push_back({plan.robot + ", planned", plan.x, plan.z});
  }
  std::vector<plot::Chart> charts = plot::trace_charts(trace, choice);
  const auto append = [&charts](std::vector<plot::Chart> more) {
    charts.insert(charts.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  append(plot::recorded_expectation_charts(trace));
  for_each_expectation_text(options.expectations, [&](std::string_view text, const expect::Place& place) {
    auto parsed = expect::read_expectations(text, place);
    reporter.show(std::move(parsed.diagnostics));
    for (const expect::Expectation& expectation : *parsed.value) {
      Diagnostics problems;
      if (const auto checked = expect::check_trace(trace, expectation, problems))
        append(plot::expectation_chart(trace, expectation, *checked));
      reporter.show(std::move(problems));
    }
  });
  if (reporter.failed()) return reporter.finish();
  if (const std::string conflict = outputs_of(options).conflict(files_read); !conflict.empty()) {
    cli::print_error("simrun: " + conflict);
    return reporter.finish(ExitCode::usage);
  }
  write_file(options.output, plot::svg(charts, options.columns));
  return reporter.finish();
}

}  // namespace

void add_plot(cli::Command& program) {
  cli::Command& command = program.add("plot", "Draw a trace: paths on the scenario's map, sensors over time (SVG)");
  auto& o = command.keep<PlotOptions>();
  command.positional("TRACE", o.input, "Trace").required();
  command.option("-o,--output", "FILE", o.output, "SVG file; - is standard output").required();
  add_devices_option(command, o.devices);
  add_expect_option(command, o.expectations,
                    "Draw this expectation, or all of a file, as well as those of the trace; may be repeated");
  command.option("--scenario", "SCENARIO", o.scenario, "What lies under the paths (default: found by name and digest)");
  add_root_option(command, o.root);
  add_rndf_option(command, o.rndf, "Road network of a CajunBot object file (default: found by name and digest)");
  command.flag("--no-map", o.no_map, "Draw the paths on an empty grid");
  command.option("--columns", "N", o.columns, "Charts side by side").range(1, 12).show_default();
  command.check([&o] { return outputs_of(o).conflict(); });
  command.examples({"simrun plot run.json -o run.svg --devices '*.chassis' --devices '*.psd*'"});
  command.run([&o](cli::Reporter& reporter) { return plot(o, reporter); });
}

}  // namespace simbatch::simrun
