#include "apps/simrun/rebuilt_world.hpp"

#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/origin.hpp"
#include "lib/sim/program/script.hpp"

namespace simbatch::simrun {

std::optional<view::BuiltView> rebuild_world(const WorldOptions& options, const std::string& trace_file,
                                             const trace::Trace& trace, cli::Reporter& reporter, Diagnostics& problems,
                                             std::string& scenario) {
  scenario = find_scenario(options.scenario, trace_file, trace.header, problems);
  if (scenario.empty()) return std::nullopt;
  const ProgramOptions& programs = options.programs;
  scenario::BuildOptions as_run{.dt = trace.header.dt,
                                .seed = trace.header.seed,
                                .root = options.root,
                                .library = cli::robot_library(),
                                .graspit_root = cli::graspit_root(options.root)};
  if (!apply_settings(reporter, scenario, settings_of(trace.header), as_run)) return std::nullopt;
  as_run.rndf = find_network(options.rndf, trace.header, scenario);
  view::RebuildOptions how;
  how.run_programs = programs.allow || !programs.choices.empty() || !programs.controllers.empty();
  if (how.run_programs) (void)report_isolation(programs, scenario, reporter);
  if (reporter.failed()) return std::nullopt;
  how.build = [&](scenario::ProgramUse use) {
    scenario::BuildOptions build = as_run;
    build.programs = use;
    apply(reporter.options(), programs, build);
    build.trusts = {};  // a program is run here only if an option says so
    scenario::BuildResult result = scenario::build_scenario(scenario, build);
    if (result.value && !trace.header.script.empty())
      sim::add_script(*result.value->simulation, script_of(trace.header), trace_file, result.diagnostics);
    return result;
  };
  cli::handle_interrupts_by_polling();
  cli::Progress progress(reporter.options(), "repeating the run", static_cast<std::uint64_t>(trace.header.steps));
  how.keep_going = [&](std::int64_t done) {
    progress.update(static_cast<std::uint64_t>(done));
    return !cli::interrupted();
  };
  Diagnostics found(scenario);
  auto world = view::rebuild(how, &trace, found);
  progress.finish();
  problems.append(std::move(found));
  return world;
}

}  // namespace simbatch::simrun
