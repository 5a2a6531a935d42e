#pragma once
/// What the subcommands of simrun share. Each add_X() is in the file of its name.

#include <optional>
#include <string>
#include <vector>

#include "apps/common/command.hpp"
#include "apps/common/reporter.hpp"
#include "formats/trace/read.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::simrun {

/// Files of a scenario beside itself.
struct ScenarioFiles {
  std::string root;          ///< --root; empty: the scenario's folder
  std::string graspit_root;  ///< --graspit-root of a GraspIt! world
  std::string rndf;          ///< --rndf of a CajunBot object file
};

/// How user programs are run.
struct ProgramOptions {
  bool allow = false;                                   ///< --allow-programs
  std::vector<scenario::ProgramChoice> choices;         ///< --program
  double timeout = 10;                                  ///< s; --program-timeout
  std::vector<scenario::ControllerChoice> controllers;  ///< --controller
  bool isolate = false;                                 ///< --isolate
};
/// Puts them where building looks for them, with what programs in other processes need of this program.
void apply(const cli::CommonOptions& common, const ProgramOptions& programs, scenario::BuildOptions& options);

/// A problem that ended the run of a simulation, where it belongs. @param scenario  for what has no place of its own
Diagnostics failure_diagnostics(const sim::Simulation& simulation, const std::string& scenario);

/// Builds and shows the problems. Empty after errors; then `exit` is how the program ends.
std::optional<scenario::BuiltScenario> build(cli::Reporter& reporter, const std::string& scenario,
                                             const scenario::BuildOptions& options, cli::ExitCode& exit);

/// Reads a trace and shows the problems; a file of another known kind is reported as such. Empty after errors. @throws IoError
std::optional<trace::ReadTrace> read_trace(cli::Reporter& reporter, const std::string& path);

void add_run(cli::Command& program);  ///< without a subcommand
void add_dump(cli::Command& program);
void add_diff(cli::Command& program);
void add_verify(cli::Command& program);
void add_convert(cli::Command& program);
void add_plot(cli::Command& program);
void add_snapshot(cli::Command& program);
void add_compile(cli::Command& program);

}  // namespace simbatch::simrun
