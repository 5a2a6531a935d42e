// simrun replay: a run as one HTML file that shows it in 3D, with its tree and charts, in any browser, without a network.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/origin.hpp"
#include "apps/simrun/rebuilt_world.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "formats/trace/select.hpp"
#include "lib/sim/tree/tree.hpp"
#include "lib/sim/vision/cameras.hpp"
#include "lib/view/page.hpp"
#include "lib/view/rebuild.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;
namespace fs = std::filesystem;

struct ReplayOptions {
  std::string trace, output;
  WorldOptions world;
  std::int64_t every = 1;            ///< rows of the trace per row of the page
  std::vector<std::string> devices;  ///< patterns; empty: all
};

/// Empty if the scenario is not found or cannot be built; the page then contains only tree and charts.
/// @param folder  receives the scenario's folder
std::optional<view::BuiltView> world_of(const ReplayOptions& options, const trace::Trace& trace, cli::Reporter& reporter,
                                        Diagnostics& problems, std::string& folder) {
  Diagnostics found(options.trace);
  std::string scenario;
  auto world = rebuild_world(options.world, options.trace, trace, reporter, found, scenario);
  if (scenario.empty()) {
    for (const Diagnostic& each : found.items())
      problems.report_as(Severity::warning, code::kNoScenario, {}, each.message + "; the page has no 3D view");
    return std::nullopt;
  }
  folder = fs::path(scenario).parent_path().string();
  if (world) compare_inputs(without_programs(trace.header), world->built.inputs, problems);
  // After errors in the scenario the page has no 3D view.
  if (!found.has_errors()) {
    problems.append(std::move(found));
    return world;
  }
  for (const Diagnostic& each : found.items()) {
    Diagnostics own(each.file);
    own.report_as(Severity::warning, code::kNotBuilt, each.at, each.message + " [" + std::string(each.code) + "]");
    problems.append(std::move(own));
  }
  return world;
}

cli::Outputs outputs_of(const ReplayOptions& options) {
  cli::Outputs outputs;
  outputs.reads("TRACE", options.trace);
  outputs.reads("--scenario", options.world.scenario);
  outputs.reads("--rndf", options.world.rndf);
  outputs.writes("--output", options.output);
  return outputs;
}

ExitCode replay(const ReplayOptions& options, cli::Reporter& reporter) {
  const ReadFiles files_read;
  const std::string page_file = page_template_path();
  if (page_file.empty()) {
    Diagnostics problem(options.trace);
    problem.report(
        code::kNoPage, {},
        "this installation has no page: share/simbatch/replay.html is missing; build simbatch where npm is installed");
    reporter.show(std::move(problem));
    return reporter.finish(ExitCode::input);
  }
  auto read = read_trace(reporter, options.trace);
  if (!read) return reporter.finish(ExitCode::input);
  check_patterns(options.trace, options.devices, read->trace.value->header, reporter);
  if (reporter.failed()) return reporter.finish();
  trace::Trace thinner = trace::every_nth_row(std::move(*read->trace.value), options.every);
  // Expectations may refer to nodes that --devices excludes.
  std::vector<view::PageExpectation> expectations = view::page_expectations(thinner);
  const trace::Trace trace =
      trace::only_devices(std::move(thinner), [&](std::string_view name) { return sim::is_chosen(options.devices, name); });
  Diagnostics problems(options.trace);
  std::string folder;
  const auto world = world_of(options, trace, reporter, problems, folder);
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  const Input page = Input::open(page_file);
  view::PageInput input{&trace, std::nullopt, &problems, folder, page.text(), std::move(expectations)};
  if (world)
    input.world = view::PageWorld{world->built.simulation.get(),
                                  &world->scene,
                                  &world->built.cameras->renderer().appearance(),
                                  &world->motion,
                                  world->cameras,
                                  world->built.world};
  const std::string html = view::make_page(input);
  reporter.show(problems);
  if (reporter.failed()) return reporter.finish();
  if (const std::string conflict = outputs_of(options).conflict(files_read); !conflict.empty()) {
    cli::print_error("simrun: " + conflict);
    return reporter.finish(ExitCode::usage);
  }
  write_file(options.output, html);
  const double megabytes = static_cast<double>(html.size()) / 1e6;
  reporter.status(fmt::format("{} rows, {} nodes, {:.2f} MB{}", trace.steps.size(), trace.header.devices.size(), megabytes,
                              megabytes > 100 ? "; --every and --devices make it smaller" : ""));
  return reporter.finish();
}

}  // namespace

std::string page_template_path() { return cli::installed(SIMBATCH_DATADIR "/simbatch/replay.html").string(); }

void add_replay(cli::Command& program) {
  cli::Command& command = program.add("replay", "Make one HTML file that shows a run in 3D, with its values and charts");
  auto& o = command.keep<ReplayOptions>();
  command.positional("TRACE", o.trace, "Trace").required();
  command.option("-o,--output", "FILE", o.output, "HTML file; - is standard output").required();
  command.option("--every", "M", o.every, "Take every M-th row of the trace").range(1, kMaxSteps).show_default();
  add_devices_option(command, o.devices);
  command.option("--scenario", "SCENARIO", o.world.scenario, "Its scenario (default: found by name and digest)");
  add_root_option(command, o.world.root);
  add_rndf_option(command, o.world.rndf, "Road network of a CajunBot object file (default: found by name and digest)");
  add_program_options(command, o.world.programs);
  command.check([&o] { return outputs_of(o).conflict(); });
  command.examples({"simrun replay run.json -o run.html", "simrun replay run.json -o run.html --every 4 --devices 'car.*'"});
  command.run([&o](cli::Reporter& reporter) { return replay(o, reporter); });
}

}  // namespace simbatch::simrun
