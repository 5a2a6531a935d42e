#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/environment.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/codes.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/origin.hpp"
#include "apps/simrun/show.hpp"
#include "apps/simrun/simrun.hpp"
#include "apps/simrun/trust.hpp"
#include "base/core/hash.hpp"
#include "base/core/input.hpp"
#include "formats/autosim/world.hpp"
#include "formats/trace/collect.hpp"
#include "lib/sim/program/script.hpp"
#include "lib/sim/record/body_fields.hpp"
#include "lib/sim/record/recorder.hpp"
#include "lib/sim/record/run.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

struct VerifyOptions {
  std::string trace, scenario, root, rndf;  ///< scenario and rndf empty: searched for
  ProgramOptions programs;
};

// Repeats the scenario and compares; reports differences.
ExitCode repeat(const trace::Trace& old, const scenario::BuiltScenario& built, Diagnostics problems, cli::Reporter& reporter) {
  const sim::RunPlan plan = plan_of(old);
  std::vector<std::string_view> kinds;
  for (const trace::Device& device : old.header.devices) kinds.push_back(device.kind);
  sim::add_body_fields(*built.simulation, sim::body_fields_of(kinds), problems);
  sim::RunOutputs outputs;
  for (const trace::Device& device : old.header.devices)
    if (const sim::TreeNode* node = built.simulation->tree().find(device.name)) outputs.nodes.push_back(node);
  trace::Header header = run_header(built, plan, outputs.nodes);
  header.steps = old.header.steps;
  header.script = old.header.script;
  compare_platforms(header, old.header, problems);
  trace::Collector collector(std::move(header));
  outputs.writer = &collector;
  cli::handle_interrupts_by_polling();
  cli::Progress progress(reporter.options(), "verifying", static_cast<std::uint64_t>(plan.steps));
  trace::End end = sim::run_simulation(*built.simulation, plan, outputs, [&](std::int64_t done) {
    progress.update(static_cast<std::uint64_t>(done));
    return !cli::interrupted();
  });
  progress.finish();
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  if (built.programs != nullptr) reporter.show(built.programs->warnings());
  trace::Trace& now = collector.trace();
  // An interrupted run is repeated up to its last step; a truncated trace up to its last row.
  if (old.end) {
    if (old.end->outcome == "interrupted" && end.outcome == "complete") end.outcome = "interrupted";
    now.end = end;
  }
  const trace::Comparison comparison = trace::compare(old, now);
  if (!comparison.equal()) {
    cli::print(show(comparison));
    problems.report(code::kDiffers, {}, "the run does not repeat this trace");
  }
  reporter.show(std::move(problems));
  if (comparison.equal())
    reporter.status(
        fmt::format("verified: {} steps, {} rows, state hash {}", end.steps, comparison.rows, hex64(end.state_hash)));
  return reporter.finish();
}

// For a command line of a shell.
std::string shell_quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Whether the scenario names programs and the run had none of them: --ignore-programs.
bool ignored_programs(const trace::Header& header, const std::string& scenario) {
  const Input input = Input::open(scenario);
  const auto world = autosim::read_world(input.text(), scenario);
  if (!world.value) return false;
  bool has_programs = false;
  for (const autosim::RobotEntry& robot : world.value->robots)
    for (const autosim::UserProgram& program : robot.programs) {
      has_programs = true;
      const std::string name = std::filesystem::path(program.path).lexically_normal().generic_string();
      for (const trace::InputFile& file : header.inputs)
        if (file.name == name) return false;
    }
  return has_programs;
}

ExitCode verify(const VerifyOptions& options, cli::Reporter& reporter) {
  const auto read = read_trace(reporter, options.trace);
  if (!read) return reporter.finish(ExitCode::input);
  const trace::Trace& old = *read->trace.value;
  Diagnostics problems(options.trace);
  const std::string scenario = find_scenario(options.scenario, options.trace, old.header, problems);
  if (scenario.empty()) {
    reporter.show(std::move(problems));
    return reporter.finish();
  }
  if (const auto words = missing_choices(old.header, options.programs); !words.empty()) {
    std::string text;
    for (const std::string& word : words) text += " " + (word.starts_with("--") ? word : shell_quoted(word));
    problems.report(code::kControl, {}, "the run was controlled from outside; repeat it with" + text);
    reporter.show(std::move(problems));
    return reporter.finish();
  }
  ExitCode exit = ExitCode::ok;
  scenario::BuildOptions how{.dt = old.header.dt,
                             .seed = old.header.seed,
                             .root = options.root,
                             .library = cli::robot_library(),
                             .graspit_root = cli::graspit_root(options.root),
                             .rndf = find_network(options.rndf, old.header, scenario)};
  ProgramOptions programs = options.programs;
  if (!programs.allow && programs.choices.empty() && programs.controllers.empty())
    programs.ignore = programs.ignore || ignored_programs(old.header, scenario);
  apply(reporter.options(), programs, how);
  if (!old.header.settings.empty() || !old.header.script.empty()) how.trusts = trusting({options.trace});
  if (!apply_settings(reporter, scenario, settings_of(old.header), how)) return reporter.finish(ExitCode::input);
  (void)report_isolation(options.programs, scenario, reporter);
  const auto built = build(reporter, scenario, how, exit);
  if (!built || reporter.failed()) return reporter.finish(exit);
  compare_inputs(old.header, built->inputs, problems);
  sim::add_script(*built->simulation, script_of(old.header), options.trace, problems);
  return repeat(old, *built, std::move(problems), reporter);
}

}  // namespace

void add_verify(cli::Command& program) {
  cli::Command& command = program.add("verify", "Repeat the run of a trace and compare");
  auto& o = command.keep<VerifyOptions>();
  command.positional("TRACE", o.trace, "Trace").required();
  command.option("--scenario", "SCENARIO", o.scenario, "Its scenario (default: found by name and digest)");
  add_root_option(command, o.root);
  add_rndf_option(command, o.rndf, "Road network of a CajunBot object file (default: found by name and digest)");
  add_program_options(command, o.programs);
  command.examples({"simrun verify run.json --scenario my_car/scenario.xml"});
  command.run([&o](cli::Reporter& reporter) { return verify(o, reporter); });
}

}  // namespace simbatch::simrun
