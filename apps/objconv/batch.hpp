#pragma once
/// Commands that treat many input files alike: each on its own, on several threads, outputs whole or not at all.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/cli.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"

namespace CLI {
class App;
}

namespace simbatch::objconv {

/// Options of commands that read files.
struct InputOptions {
  std::vector<std::string> files;  ///< INPUT...; - is standard input
  unsigned jobs = 1;               ///< --jobs
};
/// Options of commands that write one output for each input.
struct OutputOptions {
  std::string file = "-";  ///< -o
  std::string folder;      ///< --out-dir
  std::string report;      ///< --report: JSON list of losses
};

void add_input_options(CLI::App& command, InputOptions& options);
void add_output_options(CLI::App& command, OutputOptions& options);
/// Usage errors: several inputs need --out-dir, and no two inputs may have the same output.
void check_outputs(const CLI::App& command, const InputOptions& inputs, const OutputOptions& outputs);
void add_report_option(CLI::App& command, std::string& report);

using Sink = std::function<void(std::string_view)>;
/// Converts one input; what goes into the sink becomes the output unless there is an error.
using Convert = std::function<Diagnostics(const Input& input, const Sink& sink)>;

/// Converts all inputs, on --jobs threads; each output appears whole or not at all. Diagnostics come in the order of the inputs, then,
/// for several inputs, one summary line. Exit code: 3 if a file could not be read or written, else 1 if an input has errors, else 0.
/// @param shared  of files that all inputs share (--rndf); with errors in them nothing is converted
/// @param suffix  of outputs in --out-dir, as ".xml"; empty: the input's name
cli::ExitCode convert_files(const cli::Common& common, const InputOptions& inputs, const OutputOptions& outputs,
                            Diagnostics shared, std::string_view suffix, const Convert& convert);

/// As convert_files(), without outputs: what goes into the sink is printed in the order of the inputs.
cli::ExitCode read_files(const cli::Common& common, const InputOptions& inputs, Diagnostics shared, const Convert& read);

/// Writes the losses among these diagnostics as JSON; nothing if `file` is empty. @throws IoError
void write_report(const std::string& file, std::span<const Diagnostics* const> all);

/// "dir/town.obj" -> "town"; standard input -> "stdin".
std::string stem_of(const std::string& file);

}  // namespace simbatch::objconv
