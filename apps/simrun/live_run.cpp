#include "apps/simrun/live_run.hpp"

#include <algorithm>
#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/whole_trace.hpp"
#include "base/core/atomic_file.hpp"
#include "base/process/socket.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/vision/cameras.hpp"

namespace simbatch::simrun {
namespace {

// The outputs of the run, from its first row on, and the page that shows this row.
void prepare(LiveRun& run, const ServeOptions& options, std::string_view page, cli::Reporter& reporter, Diagnostics problems) {
  sim::Simulation& simulation = run.simulation();
  run.all = sim::traced_nodes(simulation.tree(), {});
  run.traced = sim::traced_nodes(simulation.tree(), options.devices);
  run.plan = {0, options.every, options.hash_every};
  if (!options.trace.empty()) {
    run.rows.emplace(run_header(run.view.built, run.plan, run.traced));
    run.outputs.writer = &*run.rows;
    run.outputs.nodes = run.traced;
  }
  sim::Expectations& expectations = *run.view.built.expectations;
  if (!expectations.entries().empty()) run.outputs.on_step = [&expectations](std::int64_t) { expectations.evaluate(); };
  run.recorder.emplace(simulation, run.plan, run.outputs);
  run.failed = simulation.failure().has_value();
  if (!run.failed) run.recorder->record();
  run.live.emplace(run.view, run_header(run.view.built, run.plan, run.all), run.all);
  problems.append(Diagnostics(run.view.built.cameras->renderer().problems()));
  const std::string folder = std::filesystem::path(options.scenario).parent_path().string();
  serve::Choice choice = options.choice;
  choice.programs = options.offers.shown(simulation.tree());
  run.page = std::make_shared<const std::string>(run.live->page(page, problems, folder, choice));
  reporter.show(std::move(problems));
}

cli::Outputs serve_outputs(const ServeOptions& o) {
  cli::Outputs outputs;
  for (const std::string& path : o.paths) outputs.reads("SCENARIO", path);
  for (const std::string& scenario : o.scenarios) outputs.reads("SCENARIO", scenario);
  outputs.reads("--rndf", o.files.rndf);
  outputs.reads("--script", o.script);
  for (const Offer& offer : o.offered)
    if (offer.program.ends_with(".so")) outputs.reads("--offer", offer.program);
  for (const std::string& word : o.expectations)
    if (is_expectation_file(word)) outputs.reads("--expect", word);
  outputs.writes("--trace", o.trace);
  outputs.writes("--save-script", o.save_script);
  return outputs;
}

}  // namespace

std::unique_ptr<LiveRun> make_live_run(const ServeOptions& options, std::string_view page, cli::Reporter& reporter,
                                       cli::ExitCode& exit, std::function<void(std::string_view, std::string_view)> log,
                                       std::shared_ptr<serve::ControlEndpoints> endpoints) {
  scenario::BuildOptions how{.dt = options.dt,
                             .seed = options.seed,
                             .root = options.files.root,
                             .library = cli::robot_library(),
                             .graspit_root = cli::graspit_root(options.files.graspit_root),
                             .rndf = options.files.rndf};
  apply(reporter.options(), options.programs, how, std::move(endpoints));
  options.offers.apply(how);
  how.log = [shown = how.log, log = std::move(log)](std::string_view robot, std::string_view text) {
    shown(robot, text);
    log(robot, text);
  };
  const ReadFiles files_read;
  auto built = build(reporter, options.scenario, how, exit, options.files.settings);
  if (!built) return nullptr;
  if (const std::string problem = serve_outputs(options).conflict(files_read); !problem.empty()) {
    cli::print_error("simrun: " + problem);
    exit = cli::ExitCode::usage;
    return nullptr;
  }
  Diagnostics problems(options.scenario);
  add_expectations(options.expectations, *built, problems);
  std::vector<sim::ScriptSetting> settings;
  if (!options.script.empty()) {
    if (auto read = read_script_file(options.script, problems)) settings = std::move(*read);
  }
  auto run = std::make_unique<LiveRun>();
  run->script = &sim::add_script(*built->simulation, std::move(settings), options.script, problems);
  if (problems.has_errors()) {
    reporter.show(std::move(problems));
    exit = cli::ExitCode::input;
    return nullptr;
  }
  built->simulation->start();
  run->view = view::view_of(std::move(*built), problems);
  prepare(*run, options, page, reporter, std::move(problems));
  if (run->view.built.programs != nullptr) run->view.built.programs->begin();
  return run;
}

std::string serve_problem(const ServeOptions& o) {
  if (std::string problem = trace_problem(o.format, o.trace, "--trace"); !problem.empty()) return problem;
  if (std::string problem = compression_problem(o.compression, o.format, o.trace); !problem.empty()) return problem;
  const auto address =
      parse_socket_address("tcp:" + (o.bind.find(':') == std::string::npos ? o.bind : "[" + o.bind + "]") + ":0");
  if (!address) return "--bind: " + simbatch::quoted(o.bind) + " is not a numeric address, like 127.0.0.1 or ::1";
  for (const Offer& offer : o.offered) {
    const auto is_for = [&](const auto& choice) { return sim::glob_matches(choice.robot, offer.robot); };
    if (std::any_of(o.programs.choices.begin(), o.programs.choices.end(), is_for) ||
        std::any_of(o.programs.controllers.begin(), o.programs.controllers.end(), is_for))
      return "--offer " + offer.robot + "=...: this robot has a --program or a --controller already; offer that too";
  }
  if (o.speed > 0 && o.speed < 0.001) return "--speed must be 0, or at least 0.001";
  // The token becomes part of a URL.
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
  if (const char* token = std::getenv("SIMBATCH_TOKEN");
      token != nullptr && std::string_view(token).find_first_not_of(kPlain) != std::string_view::npos)
    return "SIMBATCH_TOKEN may have letters, digits and - . _ ~ only";
  return serve_outputs(o).conflict();
}

std::string find_scenarios(ServeOptions& options) {
  namespace fs = std::filesystem;
  for (const std::string& path : options.paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      options.scenarios.push_back(path);
      options.choice.names.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error))
      if (it->path().filename() == "scenario.xml") found.push_back(it->path().string());
    if (found.empty()) return "there is no scenario.xml in or below " + quoted(path);
    std::sort(found.begin(), found.end());
    for (const std::string& scenario : found) {
      options.scenarios.push_back(scenario);
      // Below one folder as seen from it; below several as they are given, since the same name may be in each.
      std::string name = fs::path(scenario).lexically_relative(path).parent_path().string();
      if (name.empty() || options.paths.size() > 1) name = fs::path(scenario).parent_path().string();
      options.choice.names.push_back(std::move(name));
    }
  }
  options.scenario = options.scenarios.front();
  return serve_outputs(options).conflict();
}

bool was_interrupted_in_turn(const LiveRun& run) {
  const auto& failure = run.view.built.simulation->failure();
  return failure && failure->code == &sim::program_code::kInterrupted;
}

std::string save(LiveRun& run, const ServeOptions& options) {
  const std::int64_t steps = run.simulation().clock().step;
  std::string written;
  if (run.rows) {
    const SteppedRun stepped{run.view.built, *run.script, *run.recorder, was_interrupted_in_turn(run)};
    write_whole_trace(stepped, *run.rows, {options.trace, options.format, options.compression});
    written += "; trace in " + options.trace;
  }
  if (!options.save_script.empty()) {
    write_file(options.save_script, script_text(run.view.built.name, steps, run.script->settings()));
    written += "; script in " + options.save_script;
  }
  return written;
}

}  // namespace simbatch::simrun
