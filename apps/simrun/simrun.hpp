#pragma once
/// The subcommands of simrun; main.cpp wires them to the command line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/cli.hpp"
#include "formats/trace/read.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::simrun {

/// How user programs are run.
struct ProgramOptions {
  std::vector<sim::ProgramChoice> choices;         ///< --program
  double timeout = 10;                             ///< s; --program-timeout
  std::vector<sim::ControllerChoice> controllers;  ///< --controller
  bool isolate = false;                            ///< --isolate
};
/// Puts them where building looks for them, with what programs in other processes need of this program.
void apply(const cli::Common& common, const ProgramOptions& programs, sim::BuildOptions& options);

/// --frames
struct FrameOptions {
  std::string folder;                ///< empty: none
  std::vector<std::string> cameras;  ///< patterns; empty: all
  std::int64_t every = 1;            ///< steps from picture to picture
};

/// simrun SCENARIO
struct RunOptions {
  cli::Common common;
  std::string scenario;
  std::string root;
  std::string graspit_root;  ///< of a GraspIt! world
  std::string rndf;          ///< of a CajunBot object file
  std::optional<std::int64_t> steps;
  std::optional<double> dt;
  std::optional<std::uint64_t> seed;
  std::string trace;   ///< empty: none
  std::string format;  ///< empty: by the suffix of `trace`
  std::int64_t every = 1;
  std::int64_t hash_every = 100;
  std::vector<std::string> devices;  ///< patterns; empty: all
  std::string record;                ///< empty: none
  bool check = false, print_tree = false, state_hash = false;
  FrameOptions frames;
  ProgramOptions programs;
};
cli::ExitCode run(const RunOptions& options);

/// simrun dump
struct DumpOptions {
  std::string recording, scenario, root, rndf;
  std::optional<std::int64_t> step;  ///< absent: the last
};
cli::ExitCode dump(const cli::Common& common, const DumpOptions& options);

/// simrun diff
struct DiffOptions {
  std::string a, b;
  double tolerance = 0;
};
cli::ExitCode diff(const cli::Common& common, const DiffOptions& options);

/// simrun verify
struct VerifyOptions {
  std::string trace, scenario, root, rndf;  ///< scenario and rndf empty: looked for
  ProgramOptions programs;
};
cli::ExitCode verify(const cli::Common& common, const VerifyOptions& options);

/// simrun convert
struct ConvertOptions {
  std::string input, output, format;
};
cli::ExitCode convert(const cli::Common& common, const ConvertOptions& options);

/// simrun plot
struct PlotOptions {
  std::string input, output;
  std::vector<std::string> devices;  ///< patterns; empty: what measures
  int columns = 3;                   ///< charts side by side
};
cli::ExitCode plot(const cli::Common& common, const PlotOptions& options);

/// simrun snapshot
struct SnapshotOptions {
  std::string scenario, output, root, graspit_root, rndf;
  std::int64_t at = 0;  ///< step
  std::optional<double> dt;
  std::optional<std::uint64_t> seed;
  std::string camera;                   ///< pattern; empty: the first one
  std::string from, to;                 ///< "x,y,z", both or none: instead of a camera
  std::optional<double> field_of_view;  ///< vertical, degrees
  std::string size;                     ///< "WxH"; empty: the camera's, or 640x480
  int samples = 3;
  double daylight = 1;
  ProgramOptions programs;
};
cli::ExitCode snapshot(const cli::Common& common, const SnapshotOptions& options);

/// simrun compile
struct CompileOptions {
  std::vector<std::string> sources;
  std::string output;
  std::string compiler;            ///< empty: c++, or cc when all sources are C
  std::vector<std::string> flags;  ///< after ours
};
cli::ExitCode compile(const cli::Common& common, const CompileOptions& options);

/// A problem that ended the run of a simulation, where it belongs. @param scenario  for what has no place of its own
Diagnostics failure_diagnostics(const sim::Simulation& simulation, const std::string& scenario);

/// Builds and shows the problems. Empty after errors; then `exit` says how to end.
std::optional<sim::BuiltScenario> build(cli::Reporter& reporter, const std::string& scenario, const sim::BuildOptions& options,
                                        cli::ExitCode& exit);

/// Reads a trace and shows the problems; what is known to be no trace is called by its name. Empty after errors. @throws IoError
std::optional<trace::ReadTrace> read_trace(cli::Reporter& reporter, const std::string& path);

}  // namespace simbatch::simrun
