#pragma once
/// Shared by the subcommands of simrun. Each add_X() is in the file of its name.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/command.hpp"
#include "apps/common/reporter.hpp"
#include "base/process/sandbox.hpp"
#include "formats/trace/parts.hpp"
#include "formats/trace/read.hpp"
#include "lib/expect/monitor.hpp"
#include "lib/scenario/build.hpp"
#include "lib/study/address.hpp"

namespace simbatch::sim {
struct RunPlan;
struct ScriptSetting;
}  // namespace simbatch::sim

namespace simbatch::serve {
class ControlEndpoints;
}  // namespace simbatch::serve

namespace simbatch::simrun {

/// Files that a scenario needs besides its own.
struct ScenarioFiles {
  std::string root;                            ///< --root; empty: the scenario's folder
  std::string graspit_root;                    ///< --graspit-root of a GraspIt! world
  std::string rndf;                            ///< --rndf of a CajunBot object file
  std::vector<scenario::FileChange> settings;  ///< --set
};

/// How user programs are run.
struct ProgramOptions {
  bool allow = false;                                   ///< --allow-programs
  std::vector<scenario::ProgramChoice> choices;         ///< --program
  double timeout = 10;                                  ///< s; --program-timeout
  std::vector<scenario::ControllerChoice> controllers;  ///< --controller
  bool isolate = false;                                 ///< --isolate
  std::vector<std::string> readable;                    ///< --isolate-read
  bool ignore = false;                                  ///< --ignore-programs
};
/// Copies them to the build options, with the settings for programs in other processes.
/// @param page_endpoints  of the live page; null: there is none
void apply(const cli::CommonOptions& common, const ProgramOptions& programs, scenario::BuildOptions& options,
           std::shared_ptr<serve::ControlEndpoints> page_endpoints = {});

/// What --isolate does not protect with this level of support (simrun-isolation).
Diagnostics isolation_gaps(const SandboxSupport& support, const std::string& scenario);
/// If programs are to be isolated, says which layers are in effect, and shows these gaps. False after errors: nothing may run.
bool report_isolation(const ProgramOptions& programs, const std::string& scenario, cli::Reporter& reporter);
/// --allow-programs, --program, ... as words of a command line.
std::vector<std::string> words_of(const ProgramOptions& programs);

/// A problem that ended a simulation run, at its position. @param scenario  for problems without a position
Diagnostics failure_diagnostics(const sim::Simulation& simulation, const std::string& scenario);

/// Builds and shows the problems. Empty after errors; then `exit` is the exit code. @param settings  of --set
std::optional<scenario::BuiltScenario> build(cli::Reporter& reporter, const std::string& scenario,
                                             scenario::BuildOptions options, cli::ExitCode& exit,
                                             const std::vector<scenario::FileChange>& settings = {});

/// Adds the settings of --set to the build options, for callers that do not use build(). False after errors, which were shown.
/// @throws IoError
bool apply_settings(cli::Reporter& reporter, const std::string& scenario, const std::vector<scenario::FileChange>& settings,
                    scenario::BuildOptions& how);
/// The settings of --set that a trace's header lists.
std::vector<scenario::FileChange> settings_of(const trace::Header& header);

/// Reads the file of --script; empty after errors. @throws IoError
std::optional<std::vector<sim::ScriptSetting>> read_script_file(const std::string& path, Diagnostics& problems);
/// The text of a script. @param steps  of the run that it was recorded in
std::string script_text(const std::string& scenario, std::int64_t steps, const std::vector<sim::ScriptSetting>& settings);
/// A script as a trace's header has it, and back.
std::vector<trace::ScriptSetting> traced_script(const std::vector<sim::ScriptSetting>& settings);
std::vector<sim::ScriptSetting> script_of(const trace::Header& header);

/// The header of a run's trace, but for its script.
trace::Header run_header(const scenario::BuiltScenario& built, const sim::RunPlan& plan,
                         const std::vector<const sim::TreeNode*>& nodes);
/// Records the outcomes of all expectations in the trace; after an incomplete run, only those that had been decided.
void finish_expectations(const sim::Expectations& expectations, trace::End& end);
/// Reports patterns of --devices that match nothing (simrun-device) and so are probably misspelled.
void check_patterns(const std::string& scenario, const std::vector<std::string>& devices, const sim::SimulationTree& tree,
                    cli::Reporter& reporter);
/// The same for a trace's devices.
void check_patterns(const std::string& file, const std::vector<std::string>& devices, const trace::Header& header,
                    cli::Reporter& reporter);
/// The page's template; empty if this installation has none.
std::string page_template_path();

/// The option --expect.
void add_expect_option(cli::Command& command, std::vector<std::string>& expectations, std::string help);
/// True if this value of --expect is a file rather than a text.
bool is_expectation_file(const std::string& word);
/// Reads the values of --expect: calls use(text, place) for each text. @throws IoError
void for_each_expectation_text(const std::vector<std::string>& words,
                               const std::function<void(std::string_view text, const expect::Place& place)>& use);
/// Adds the expectations of --expect to those of the scenario.
void add_expectations(const std::vector<std::string>& words, const scenario::BuiltScenario& built, Diagnostics& problems);
/// Reports an outcome: a failure at its place, anything else as a status line.
void report_outcome(const expect::Expectation& expectation, const expect::Outcome& outcome, cli::Reporter& reporter);

struct ReadTrace {
  Parsed<trace::Trace> trace;
  std::optional<trace::Format> format;  ///< absent: a recording
};
/// Reads a trace or a recording and shows the problems; a file of another known kind is reported as such. Empty after errors.
/// @throws IoError
std::optional<ReadTrace> read_trace(cli::Reporter& reporter, const std::string& path);
struct TraceParts : trace::PartsRead {
  bool recording = false;
};
/// The same part by part. The trace is without rows; absent: the receiver stopped it. @throws IoError
std::optional<TraceParts> read_trace_parts(cli::Reporter& reporter, const std::string& path, trace::PartReceiver& receiver);

void add_run(cli::Command& command);  ///< without a subcommand
void add_init(cli::Command& program);
/// The first commands to try with a starter folder, for a shell.
std::vector<std::string> first_commands(const std::string& folder, const std::string& robot);
void add_dump(cli::Command& program);
void add_diff(cli::Command& program);
void add_compare(cli::Command& program);
void add_verify(cli::Command& program);
void add_convert(cli::Command& program);
void add_info(cli::Command& program);
void add_plot(cli::Command& program);
void add_check(cli::Command& program);
void add_test(cli::Command& program);
void add_study(cli::Command& program);
void add_search(cli::Command& program);
void add_snapshot(cli::Command& program);
void add_compile(cli::Command& program);
void add_replay(cli::Command& program);
void add_serve(cli::Command& program);
void add_session(cli::Command& program);
void add_drive(cli::Command& program);

}  // namespace simbatch::simrun
