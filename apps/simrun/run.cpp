#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "apps/common/console.hpp"
#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/made_of_run.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/pictures.hpp"
#include "apps/simrun/trust.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/core/shell_word.hpp"
#include "formats/trace/write.hpp"
#include "lib/expect/trace_signals.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/program/codes.hpp"
#include "lib/sim/program/script.hpp"
#include "lib/sim/record/body_fields.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

/// simrun SCENARIO
struct RunOptions {
  std::string scenario;
  ScenarioFiles files;
  std::optional<std::int64_t> steps;
  std::optional<double> seconds;  ///< s, instead of steps
  std::optional<double> dt;
  std::optional<std::uint64_t> seed;
  std::string trace;   ///< empty: none
  std::string format;  ///< empty: by the suffix of `trace`
  std::string compression;
  std::int64_t every = 1;
  std::int64_t hash_every = 100;
  std::vector<std::string> devices;  ///< patterns; empty: all
  std::vector<std::string> fields;   ///< of sim::kBodyFieldWords
  std::string record;                ///< empty: none
  bool check = false, print_tree = false, state_hash = false;
  FrameOptions frames;
  ProgramOptions programs;
  std::vector<std::string> expectations;  ///< files and texts
  std::string script;                     ///< --script; empty: none
  bool realtime = false;
  std::vector<trace::ScriptSetting> traced = {};  ///< of the script
};

/// Limits a run to real time.
class RealTime {
 public:
  /// Waits until the time of a step has come, or for an interrupt.
  void wait(double time) const {
    const auto due = began_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time));
    for (auto now = Clock::now(); now < due && !cli::interrupted(); now = Clock::now())
      std::this_thread::sleep_for(std::min<Clock::duration>(due - now, std::chrono::milliseconds(100)));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_ = Clock::now();
};

trace::Header traced_header(const RunOptions& options, const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                            const std::vector<const sim::TreeNode*>& nodes) {
  trace::Header header = run_header(built, plan, nodes);
  header.script = options.traced;
  return header;
}

std::unique_ptr<trace::Writer> open_trace(const RunOptions& options, const scenario::BuiltScenario& built,
                                          const sim::RunPlan& plan, const std::vector<const sim::TreeNode*>& nodes) {
  return trace::make_writer(trace_format(options.format, options.trace), options.trace,
                            traced_header(options, built, plan, nodes), trace::Lines::at_once,
                            trace_compression(options.compression));
}

// Reports programs that ended normally.
void report_ended_programs(const cli::Reporter& reporter, const sim::ProgramScheduler& programs) {
  constexpr std::size_t kShown = 10;
  const auto& ends = programs.ends();
  for (std::size_t i = 0; i < std::min(ends.size(), kShown); ++i)
    reporter.status(fmt::format("{}: {} ended with {} in step {} ({} s)", ends[i].robot, ends[i].label, ends[i].status,
                                ends[i].step, number_text(ends[i].time)));
  if (ends.size() > kShown) reporter.status(fmt::format("{} more programs ended", ends.size() - kShown));
}

// What a run writes while it is in progress.
struct OpenOutputs {
  std::unique_ptr<trace::Writer> writer;
  std::optional<sim::RecordingWriter> recording;
  std::optional<Frames> frames;
  sim::RunOutputs outputs;
};

void open_outputs(const RunOptions& options, const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                  cli::Reporter& reporter, OpenOutputs& open) {
  const sim::Simulation& simulation = *built.simulation;
  if (!options.trace.empty()) {
    open.outputs.nodes = sim::traced_nodes(built.simulation->tree(), options.devices);
    if (is_made_of_run(options.trace)) {
      open.outputs.nodes = nodes_made_of(options.trace, std::move(open.outputs.nodes));
      open.writer = make_run_writer(options.trace, built, traced_header(options, built, plan, open.outputs.nodes), reporter);
    } else {
      open.writer = open_trace(options, built, plan, open.outputs.nodes);
    }
    open.outputs.writer = open.writer.get();
  }
  if (!options.record.empty()) {
    open.recording.emplace(options.record, built.simulation->tree(),
                           sim::RecordingHeader{built.name, simulation.settings().seed, simulation.settings().physics.dt,
                                                plan.every, 0, 0, options.devices},
                           traced_header(options, built, plan, {}));
    open.outputs.recording = &*open.recording;
  }
  if (!options.frames.folder.empty()) open.frames.emplace(*built.cameras, options.frames, reporter, options.scenario);
  if (open.frames || !built.expectations->entries().empty() || options.realtime)
    open.outputs.on_step = [&open, &built,
                            realtime = options.realtime ? std::optional(RealTime()) : std::nullopt](std::int64_t step) {
      if (realtime) realtime->wait(built.simulation->clock().time);
      if (open.frames) open.frames->capture(step);
      built.expectations->evaluate();
    };
}

void report_collisions(const std::vector<trace::Collision>& collisions, const cli::Reporter& reporter) {
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < std::min(collisions.size(), kShown); ++i) {
    const trace::Collision& each = collisions[i];
    reporter.status(fmt::format(
        "collision: {} hit {} at {:.4g} s (step {}) with {:.3g} m/s{}", each.robot, each.with, each.time, each.step, each.speed,
        each.count == 1 ? "" : fmt::format("; {} times, at most {:.3g} m/s", each.count, each.fastest)));
  }
  if (collisions.size() > kShown)
    reporter.status(fmt::format("collision: {} more pairs of bodies", collisions.size() - kShown));
}

void report_expectations(const sim::Expectations& expectations, cli::Reporter& reporter) {
  for (const auto& [expectation, monitor, duration] : expectations.entries())
    report_outcome(expectation, monitor.outcome(), reporter);
}

ExitCode check(const RunOptions& options, const scenario::BuiltScenario& built, cli::Reporter& reporter) {
  built.cameras->renderer().check_models();
  reporter.show(built.cameras->renderer().problems());
  const ExitCode result = reporter.finish();
  reporter.status(fmt::format("{}: {} node{}, {} input file{}, {}", options.scenario, built.simulation->tree().nodes().size(),
                              built.simulation->tree().nodes().size() == 1 ? "" : "s", built.inputs.size(),
                              built.inputs.size() == 1 ? "" : "s", reporter.failed() ? "not usable" : "no errors"));
  if (!options.programs.ignore)
    for (const std::string& line : permissions_of(options.scenario, options.programs.allow)) reporter.status(line);
  return result;
}

constexpr double kUsualSeconds = 10;  // duration of a run if nothing specifies it

// The requested steps; else those that the scenario's expectations need, or ten seconds.
std::int64_t steps_of(const RunOptions& options, const scenario::BuiltScenario& built) {
  if (options.steps) return *options.steps;
  const double usual = built.duration > 0 ? built.duration : kUsualSeconds;
  return steps_in(options.seconds.value_or(usual), built.simulation->settings().physics.dt);
}

// Suggests next commands if only a scenario was given.
void say_how_to_go_on(const RunOptions& options, const trace::End& end, cli::Reporter& reporter) {
  if (options.steps || options.seconds || !options.trace.empty() || !options.record.empty() || end.outcome != "complete")
    return;
  const std::string name = shell_word(options.scenario);
  std::string clock;
  if (options.dt) clock += " --dt " + number_text(*options.dt);
  if (options.seed) clock += " --seed " + number_text(*options.seed);
  const std::string again = clock + file_words(options.files) + program_words(options.programs);
  reporter.status("To go on:");
  for (const std::string& line :
       {"simrun " + name + again + " --seconds " + number_text(end.time) + " --trace run.json   # keep what it measured",
        std::string("simrun replay run.json -o run.html   # watch it in a browser"),
        "simrun snapshot " + name + again + " -o picture.png --at 3s   # a picture",
        "simrun " + name + again + " --print-tree   # what can be traced, set and expected"})
    reporter.status("  " + line);
}

ExitCode simulate(const RunOptions& options, const scenario::BuiltScenario& built, cli::Reporter& reporter) {
  sim::Simulation& simulation = *built.simulation;
  const sim::RunPlan plan{steps_of(options, built), options.every, options.hash_every};
  OpenOutputs open;
  open_outputs(options, built, plan, reporter, open);
  if (reporter.failed()) return reporter.finish();

  cli::handle_interrupts_by_polling();
  const auto began = std::chrono::steady_clock::now();
  cli::Progress progress(reporter.options(), "simulating", static_cast<std::uint64_t>(plan.steps));
  trace::End end = sim::run_simulation(simulation, plan, open.outputs, [&](std::int64_t done) {
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
  // A run that failed keeps its outputs up to the failure. An interrupted one leaves no trace, except in the format that is
  // written step by step.
  const bool ended = end.outcome != "interrupted";
  if (end.outcome == "complete") built.expectations->finish();
  finish_expectations(*built.expectations, end);
  if (open.writer != nullptr && (ended || open.writer->streams())) open.writer->finish(end);
  if (open.recording && ended) open.recording->finish(end);
  reporter.show(built.cameras->renderer().problems());
  if (built.programs != nullptr) reporter.show(built.programs->warnings());
  if (simulation.failure() && !in_turn) reporter.show(failure_diagnostics(simulation, options.scenario));
  if (built.programs != nullptr) report_ended_programs(reporter, *built.programs);
  if (ended) report_expectations(*built.expectations, reporter);
  report_collisions(end.collisions, reporter);
  const double speed = wall > 0 ? end.time / wall : 0;
  if (options.print_tree && ended) cli::print(simulation.tree().printed(options.devices));
  if (options.state_hash && end.outcome == "complete") cli::print(hex64(end.state_hash) + "\n");
  reporter.status(fmt::format("{} {} steps of {} s, {:.6g} s simulated in {:.3f} s, {:.{}f} times real time; state hash {}",
                              end.outcome, end.steps, number_text(simulation.settings().physics.dt), end.time, wall, speed,
                              speed < 10 ? 2 : 0, hex64(end.state_hash)));
  if (!reporter.failed()) say_how_to_go_on(options, end, reporter);
  return reporter.finish(ended ? ExitCode::ok : ExitCode::interrupted);
}

// Outputs that would overwrite a file that the scenario refers to, which is known once it is built.
std::string conflict(const RunOptions& o, const std::vector<scenario::FileDigest>& inputs) {
  cli::Outputs outputs;
  outputs.reads("SCENARIO", o.scenario);
  outputs.reads("--rndf", o.files.rndf);
  outputs.reads("--script", o.script);
  for (const std::string& word : o.expectations)
    if (is_expectation_file(word)) outputs.reads("--expect", word);
  const auto folder = std::filesystem::path(o.scenario).parent_path();
  for (const scenario::FileDigest& file : inputs) outputs.reads("of the scenario", (folder / file.name).string());
  outputs.writes("--trace", o.trace);
  outputs.writes("--record", o.record);
  return outputs.conflict();
}

// Makes the script part of the simulation. @return what the trace says of it
std::vector<trace::ScriptSetting> use_script(const std::string& path, sim::Simulation& simulation, Diagnostics& problems) {
  auto script = read_script_file(path, problems);
  if (!script) return {};
  return traced_script(sim::add_script(simulation, std::move(*script), path, problems).settings());
}

// --print-tree alone: at time 0.
bool only_prints_tree(const RunOptions& o) { return o.print_tree && !o.steps && !o.seconds; }

ExitCode run(RunOptions& options, cli::Reporter& reporter) {
  ExitCode exit = ExitCode::ok;
  const bool only_look = options.check || only_prints_tree(options);
  scenario::BuildOptions how{.dt = options.dt,
                             .seed = options.seed,
                             .root = options.files.root,
                             .library = cli::robot_library(),
                             .graspit_root = cli::graspit_root(options.files.graspit_root),
                             .rndf = options.files.rndf,
                             .programs = only_look ? scenario::ProgramUse::check : scenario::ProgramUse::run};
  apply(reporter.options(), options.programs, how);
  const auto built = build(reporter, options.scenario, how, exit, options.files.settings);
  if (!built) return reporter.finish(exit);
  if (const std::string problem = conflict(options, built->inputs); !problem.empty()) {
    cli::print_error("simrun: " + problem);
    return reporter.finish(ExitCode::usage);
  }
  Diagnostics problems(options.scenario);
  sim::BodyFields fields;
  for (const std::string& word : options.fields) sim::ask_for(word, fields);
  sim::add_body_fields(*built->simulation, fields, problems);
  check_patterns(options.scenario, options.devices, built->simulation->tree(), reporter);
  add_expectations(options.expectations, *built, problems);
  if (!only_look) (void)report_isolation(options.programs, options.scenario, reporter);
  if (!options.script.empty()) options.traced = use_script(options.script, *built->simulation, problems);
  reporter.show(std::move(problems));
  if (reporter.failed()) return reporter.finish();
  if (options.check) return check(options, *built, reporter);
  if (only_prints_tree(options)) {
    built->simulation->start();
    cli::print(built->simulation->tree().printed(options.devices));
    return reporter.finish();
  }
  return simulate(options, *built, reporter);
}

std::string usage_problem(const RunOptions& o) {
  if (o.steps && o.seconds) return "--steps and --seconds exclude each other";
  if (is_made_of_run(o.trace)) {
    if (!o.format.empty()) return "--format: a " + o.trace.substr(o.trace.size() - 4) + " file is not a trace";
    if (is_scene(o.trace) && !o.devices.empty() && o.record.empty() && !o.print_tree)
      return "--devices: a scene (.glb) has all parts";
  } else if (std::string problem = trace_problem(o.format, o.trace, "--trace"); !problem.empty()) {
    return problem;
  }
  if (std::string problem = compression_problem(o.compression, o.format, o.trace); !problem.empty()) return problem;
  if (!o.frames.cameras.empty() && o.frames.folder.empty()) return "--cameras needs --frames";
  return conflict(o, {});
}

}  // namespace

trace::Header run_header(const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                         const std::vector<const sim::TreeNode*>& nodes) {
  trace::Header header = sim::trace_header(*built.simulation, plan);
  header.scenario = built.name;
  for (const scenario::FileDigest& file : built.inputs) header.inputs.push_back({file.name, file.digest});
  for (const scenario::FileChange& change : built.changes) header.settings.push_back({change.at, change.value});
  header.devices = sim::trace_devices(nodes);
  return header;
}

void finish_expectations(const sim::Expectations& expectations, trace::End& end) {
  for (const auto& [expectation, monitor, duration] : expectations.entries())
    end.expectations.push_back(expect::trace_outcome(expectation, monitor.outcome()));
}

static void check_names(const std::string& file, const std::vector<std::string>& devices,
                        const std::vector<std::string_view>& names, std::string_view hint, cli::Reporter& reporter) {
  Diagnostics problems(file);
  for (const std::string& pattern : devices) {
    if (std::any_of(names.begin(), names.end(), [&](std::string_view name) { return sim::glob_matches(pattern, name); }))
      continue;
    const std::string_view near = nearest(pattern, names);
    problems.report(code::kDevice, {},
                    "nothing matches --devices " + simbatch::quoted(pattern) +
                        (near.empty() ? "; " + std::string(hint) : ", did you mean " + simbatch::quoted(near) + "?"));
  }
  reporter.show(std::move(problems));
}

// A run of an hour should not end in an empty trace.
void check_patterns(const std::string& scenario, const std::vector<std::string>& devices, const sim::SimulationTree& tree,
                    cli::Reporter& reporter) {
  std::vector<std::string_view> names;
  for (const sim::TreeNode* node : tree.nodes()) names.push_back(node->name());
  check_names(scenario, devices, names, "--print-tree shows what there is", reporter);
}

void check_patterns(const std::string& file, const std::vector<std::string>& devices, const trace::Header& header,
                    cli::Reporter& reporter) {
  std::vector<std::string_view> names;
  for (const trace::Device& device : header.devices) names.push_back(device.name);
  check_names(file, devices, names, "simrun info --devices lists them", reporter);
}

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

void add_run(cli::Command& command) {
  auto& o = command.keep<RunOptions>();
  command
      .positional(
          "SCENARIO", o.scenario,
          "Scenario file (AutoSim World XML), a URDF, SDF or MJCF file, a GraspIt! world (.wld, XML), or a CajunBot object file")
      .required();
  command.group("Run");
  command.option("-n,--steps", "N", o.steps, "Number of steps (default: as long as the scenario's expectations need, or 10 s)")
      .range(0, kMaxSteps);
  command.option("--seconds", "S", o.seconds, "Simulated seconds, instead of a number of steps").range(0, kMaxSeconds);
  add_clock_options(command, o.dt, o.seed);
  add_file_options(command, o.files);
  command.flag("--check", o.check, "Check everything that the scenario refers to, run nothing");
  add_expect_option(command, o.expectations,
                    "Expect this of the run, or everything in a file, besides what the scenario expects; may be repeated");
  command.option("--script", "FILE", o.script, "Apply the settings of a script, step by step, as recorded by `simrun serve`");
  command.flag("--realtime", o.realtime, "No faster than real time");
  add_program_options(command, o.programs);
  command.group("Output");
  command.option("-o,--trace", "FILE", o.trace,
                 "Write a trace, an animated scene (.glb) or GPS tracks (.gpx); - is standard output");
  add_format_options(command, o.format, o.compression);
  command.option("--every", "M", o.every, "Write a row every M steps").range(1, kMaxSteps).show_default();
  command.option("--hash-every", "M", o.hash_every, "Write a state hash every M steps (0: none)")
      .range(0, kMaxSteps)
      .show_default();
  command.option(
      "--devices", "GLOB", o.devices,
      "Only nodes whose full name matches (* and ?), in the trace, the recording and the printed tree; may be repeated");
  command
      .option("--fields", "WHAT", o.fields,
              "Also trace this of every body that can move: velocities, contacts, forces (poses always are); may be repeated")
      .choices({sim::kBodyFieldWords.begin(), sim::kBodyFieldWords.end()});
  command.option("--record", "FILE", o.record, "Write the bit stream of the tree, or of --devices, step by step");
  command.option("--frames", "DIR", o.frames.folder, "Write the cameras' pictures as PNG files to this folder");
  command.option("--cameras", "GLOB", o.frames.cameras, "Only cameras whose full name matches; * and ?; may be repeated");
  command.option("--frames-every", "M", o.frames.every, "Write a picture every M steps").range(1, kMaxSteps).show_default();
  command.flag("--print-tree", o.print_tree,
               "Print the simulation tree at the end, or at time 0 without --steps and --seconds");
  command.flag("--state-hash", o.state_hash, "Print the state hash of the run on standard output");
  command.check([&o] { return usage_problem(o); });
  command.without_subcommand("a scenario runs without one: simrun SCENARIO --steps N");
  command.examples({"simrun init my_car", "simrun my_car/scenario.xml --seconds 20 --trace run.json",
                    "simrun my_car/scenario.xml --check",
                    "simrun my_car/scenario.xml --seconds 20 --set car.chassis.Mass=2000 --trace heavy.json",
                    "simrun my_car/scenario.xml --expect 'always car.chassis.psd0.distance_true > 1 m'",
                    "simrun scenarios/grasp/world.wld --steps 4000 --trace grasp.json",
                    "simrun objects.xml --rndf site.rndf --steps 24000 --trace traffic.json"});
  command.run([&o](cli::Reporter& reporter) { return run(o, reporter); });
}

}  // namespace simbatch::simrun
