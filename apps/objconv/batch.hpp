#pragma once
/// Commands that process many input files independently, on several threads, with atomic outputs.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/command.hpp"
#include "apps/common/reporter.hpp"
#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"

namespace simbatch::objconv {

/// Options of commands that read files.
struct InputOptions {
  std::vector<std::string> files;  ///< INPUT...; - is standard input
  unsigned jobs = 1;               ///< --jobs
};
/// Options of commands that write one output per input.
struct OutputOptions {
  std::string file = "-";  ///< -o
  std::string folder;      ///< --out-dir
  std::string report;      ///< --report: JSON list of losses
};

void add_input_options(cli::Command& command, InputOptions& options);
void add_output_options(cli::Command& command, OutputOptions& options);
void add_report_option(cli::Command& command, std::string& report);

/// Rejects command lines with conflicting outputs: several inputs without --out-dir, two inputs with one output, outputs that
/// are inputs. Call it after the options were declared.
/// @param suffix    of outputs in --out-dir, as in convert_files()
/// @param in_place  an output may replace its own input: the same format is written again
/// @param network   of --rndf, or null
void check_outputs(cli::Command& command, const InputOptions& inputs, const OutputOptions& outputs, std::string suffix,
                   bool in_place, const std::string* network = nullptr);

using Sink = std::function<void(std::string_view)>;
/// Converts one input; the contents of the sink become the output unless there is an error.
using Convert = std::function<Diagnostics(const Input& input, const Sink& sink)>;

/// Converts all inputs, on --jobs threads; each output is written completely or not at all. Diagnostics come in the order of
/// the inputs, then, for several inputs, one summary line. Exit code: 3 if a file could not be read or written, else 1 if an
/// input has errors, else 0.
/// @param shared  of files that all inputs share (--rndf); with errors in them nothing is converted
/// @param suffix  of outputs in --out-dir, as ".xml"; empty: the input's name
cli::ExitCode convert_files(cli::Reporter& reporter, const InputOptions& inputs, const OutputOptions& outputs,
                            Diagnostics shared, std::string_view suffix, const Convert& convert);

/// Like convert_files(), without outputs: the contents of the sinks are printed in the order of the inputs.
cli::ExitCode read_files(cli::Reporter& reporter, const InputOptions& inputs, Diagnostics shared, const Convert& read);

/// The losses among these diagnostics as JSON, for --report.
std::string report_text(std::span<const Diagnostics* const> all);

/// "dir/town.obj" -> "town"; standard input -> "stdin".
std::string stem_of(const std::string& file);

}  // namespace simbatch::objconv
