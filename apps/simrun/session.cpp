// simrun session: another program steps the run at its own pace, over standard input and output: Python's simbatch.Session
// (docs/python.md).

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "apps/common/console.hpp"
#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/whole_trace.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/process/passing.hpp"
#include "base/process/pool.hpp"
#include "lib/session/session.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/program/native/turn_guard.hpp"
#include "lib/sim/record/body_fields.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

constexpr std::size_t kMaxLine = std::size_t{1} << 24;

struct SessionOptions {
  std::string scenario;
  ScenarioFiles files;
  std::optional<double> dt;
  std::optional<std::uint64_t> seed;
  std::string script;  ///< empty: none
  bool rows = false;   ///< kept for traces
  std::int64_t every = 1, hash_every = 100;
  std::vector<std::string> devices, fields, expectations;
  ProgramOptions programs;
};

/// A run, the process that steps it, and the branches that it has created.
class Steered {
 public:
  Steered(const SessionOptions& options, scenario::BuiltScenario& built, sim::ScriptPlayer& script);
  int serve();

 private:
  std::string save(const session::Request& request);
  std::string write(const session::Request& request);
  std::string make_branch();
  int serve_branch(Descriptor socket);
  bool begin(bool is_branch);
  int loop();

  const SessionOptions& options_;
  scenario::BuiltScenario& built_;
  sim::ScriptPlayer& script_;
  sim::RunPlan plan_;
  sim::RunOutputs outputs_;
  std::optional<trace::Collector> rows_;
  std::optional<sim::RunRecorder> recorder_;
  std::optional<session::Session> session_;
  std::unique_ptr<SharedMemory> memory_;
  LineSocket socket_{0, 1, kMaxLine};
  std::vector<Process> branches_;
};

Steered::Steered(const SessionOptions& options, scenario::BuiltScenario& built, sim::ScriptPlayer& script)
    : options_(options), built_(built), script_(script), plan_{0, options.every, options.hash_every} {
  sim::Simulation& simulation = *built.simulation;
  if (options.rows) {
    outputs_.nodes = sim::traced_nodes(simulation.tree(), options.devices);
    rows_.emplace(run_header(built, plan_, outputs_.nodes));
    outputs_.writer = &*rows_;
  }
  if (!built.expectations->entries().empty())
    outputs_.on_step = [&expectations = *built.expectations](std::int64_t) { expectations.evaluate(); };
  recorder_.emplace(simulation, plan_, outputs_);
  if (!simulation.failure()) recorder_->record();
  session::Duties duties;
  duties.stepped = [this] { recorder_->record(); };
  duties.keep_going = [this] { return !socket_.is_closed(); };
  duties.failure = [this] { return failure_diagnostics(*built_.simulation, options_.scenario); };
  duties.save = [this](const session::Request& request) { return save(request); };
  duties.make_branch = [this] { return make_branch(); };
  session_.emplace(simulation, script, std::move(duties));
}

// In a forked copy of this process, because writing a trace finishes the expectations while this run continues.
std::string Steered::save(const session::Request& request) {
  if (!request.trace.empty()) {
    if (!rows_) return "the session keeps no rows for a trace: start it with --rows";
    if (request.trace == "-") return "a trace needs a file: standard output is in use";
    if (std::string wrong = trace_problem(request.format, request.trace, "trace"); !wrong.empty()) return wrong;
  }
  std::string wrong = "the process that writes was killed";
  run_pool(
      1, {},
      [&](std::size_t, const PoolOutput& output) {
        output.send(write(request));
        return 0;
      },
      [&](PoolResult&& result) {
        if (!result.process.by_signal && result.process.value == 0) wrong = result.bytes;
        return true;
      });
  return wrong;
}

std::string Steered::write(const session::Request& request) {
  try {
    if (!request.script.empty())
      write_file(request.script, script_text(built_.name, built_.simulation->clock().step, script_.settings()));
    if (!request.trace.empty()) write_whole_trace({built_, script_, *recorder_}, *rows_, {request.trace, request.format, {}});
  } catch (const IoError& error) {
    return error.what();
  }
  return {};
}

std::string Steered::make_branch() {
  if (!options_.programs.controllers.empty() || options_.programs.isolate)
    return "programs in separate processes cannot be copied: a session with --controller or --isolate has no branches";
  Descriptor socket = socket_.take_descriptor();
  if (!socket) return "a branch needs a socket of its own: send one with the request, over a Unix socket";
  std::erase_if(branches_, [](Process& each) { return each.wait(deadline_in(0)).has_value(); });
  const int kept = socket.get();
  branches_.push_back(fork_process([&] { return serve_branch(std::move(socket)); }, {kept}));
  return {};
}

int Steered::serve_branch(Descriptor socket) {
  for (Process& each : branches_) each.forget();  // they belong to the other process
  branches_.clear();
  socket_.continue_with(std::move(socket));
  sim::renew_turn_guards();
  return begin(true) ? loop() : 0;
}

bool Steered::begin(bool is_branch) {
  memory_.reset();
  if (socket_.passes_descriptors()) {
    memory_ = std::make_unique<SharedMemory>(session_->memory_size());
    session_->publish_to(memory_->bytes());
  }
  std::vector<session::InputName> inputs;
  for (const scenario::FileDigest& each : built_.inputs) inputs.push_back({each.name, each.digest});
  return socket_.send(is_branch ? session_->branch_hello() : session_->hello(built_.name, inputs),
                      memory_ ? memory_->descriptor() : -1);
}

int Steered::loop() {
  std::string line;
  while (socket_.receive(line)) {
    const session::Answer answer = session_->answer(line);
    if (answer.is_last || !socket_.send(answer.line) || !socket_.send(answer.bytes)) break;
  }
  // Branches end with this process.
  for (Process& each : branches_) (void)each.wait(std::nullopt);
  return 0;
}

int Steered::serve() { return begin(false) ? loop() : 0; }

ExitCode session(const SessionOptions& options, cli::Reporter& reporter) {
  ExitCode exit = ExitCode::ok;
  scenario::BuildOptions how{.dt = options.dt,
                             .seed = options.seed,
                             .root = options.files.root,
                             .library = cli::robot_library(),
                             .graspit_root = cli::graspit_root(options.files.graspit_root),
                             .rndf = options.files.rndf};
  apply(reporter.options(), options.programs, how);
  auto built = build(reporter, options.scenario, how, exit, options.files.settings);
  if (!built) return reporter.finish(exit);
  Diagnostics problems(options.scenario);
  sim::BodyFields fields;
  for (const std::string& word : options.fields) sim::ask_for(word, fields);
  sim::add_body_fields(*built->simulation, fields, problems);
  check_patterns(options.scenario, options.devices, built->simulation->tree(), reporter);
  (void)report_isolation(options.programs, options.scenario, reporter);
  add_expectations(options.expectations, *built, problems);
  std::vector<sim::ScriptSetting> settings;
  if (!options.script.empty())
    if (auto read = read_script_file(options.script, problems)) settings = std::move(*read);
  sim::ScriptPlayer& script = sim::add_script(*built->simulation, std::move(settings), options.script, problems);
  reporter.show(std::move(problems));
  if (reporter.failed()) return reporter.finish();
  built->simulation->start();
  (void)Steered(options, *built, script).serve();
  return reporter.finish();
}

}  // namespace

void add_session(cli::Command& program) {
  cli::Command& command =
      program.add("session", "Let another program step a run at its own pace, over standard streams (simbatch.Session)");
  auto& o = command.keep<SessionOptions>();
  command.positional("SCENARIO", o.scenario, "Scenario file, a GraspIt! world, or a CajunBot object file").required();
  command.group("Run");
  add_clock_options(command, o.dt, o.seed);
  command.option("--script", "FILE", o.script, "Apply the settings of a script, step by step, before the other program's");
  add_expect_option(command, o.expectations, "Also expect this, or everything in a file; may be repeated");
  add_file_options(command, o.files);
  add_program_options(command, o.programs);
  command.group("Output");
  command.flag("--rows", o.rows, "Keep rows, for traces that the other program requests");
  command.option("--every", "M", o.every, "Keep a row every M steps").range(1, kMaxSteps).show_default();
  command.option("--hash-every", "M", o.hash_every, "Keep a state hash every M steps (0: none)")
      .range(0, kMaxSteps)
      .show_default();
  command.option("--devices", "GLOB", o.devices, "Only nodes whose full name matches (* and ?), in traces; may be repeated");
  command.option("--fields", "WHAT", o.fields, "Also show this of every body that can move; may be repeated")
      .choices({sim::kBodyFieldWords.begin(), sim::kBodyFieldWords.end()});
  command.examples({"simrun session my_car/scenario.xml --rows"});
  command.run([&o](cli::Reporter& reporter) { return session(o, reporter); });
}

}  // namespace simbatch::simrun
