#pragma once
/// The subcommands of simrun; main.cpp wires them to the command line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/cli/cli.hpp"
#include "lib/sim/build/build.hpp"

namespace simbatch::simrun {

/// simrun SCENARIO
struct RunOptions {
  cli::Common common;
  std::string scenario;
  std::string root;
  std::string graspit_root;           ///< of a GraspIt! world
  std::string rndf;                   ///< of a CajunBot object file
  std::optional<std::int64_t> steps;
  std::optional<double> dt;
  std::optional<std::uint64_t> seed;
  std::string trace;                  ///< empty: none
  std::string format;                 ///< empty: by the suffix of `trace`
  std::int64_t every = 1;
  std::int64_t hash_every = 100;
  std::vector<std::string> devices;   ///< patterns; empty: all
  std::string record;                 ///< empty: none
  bool check = false, print_tree = false, state_hash = false;
};
cli::ExitCode run(const RunOptions& options);

/// simrun dump
struct DumpOptions {
  std::string recording, scenario, root, rndf;
  std::optional<std::int64_t> step;   ///< absent: the last
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
  std::vector<std::string> devices;   ///< patterns; empty: what measures
  int columns = 3;                    ///< charts side by side
};
cli::ExitCode plot(const cli::Common& common, const PlotOptions& options);

/// Builds and shows the problems. Empty after errors; then `exit` says how to end.
std::optional<sim::BuiltScenario> build(cli::Reporter& reporter, const std::string& scenario,
                                        const sim::BuildOptions& options, cli::ExitCode& exit);

}  // namespace simbatch::simrun
