#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/objconv/batch.hpp"
#include "apps/objconv/codes.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/workers.hpp"
#include "lib/traffic/versions.hpp"

namespace simbatch::objconv {
namespace {

/// What became of one input.
struct Outcome {
  Diagnostics diagnostics;
  std::string text;  // of run_check
  bool io_failed = false;
};

Outcome run_one(const cli::Common& common, const std::string& input_name, const std::string& output, const Convert& convert,
                bool to_file) {
  Outcome outcome;
  try {
    const Input input = Input::open(input_name);
    if (!to_file) {
      outcome.diagnostics = convert(input, [&](std::string_view part) { outcome.text += part; });
      return outcome;
    }
    AtomicFile file(output);
    outcome.diagnostics = convert(input, [&](std::string_view part) { file.write(part); });
    const bool failed = outcome.diagnostics.has_errors() || (common.strict && outcome.diagnostics.warnings() > 0);
    if (!failed) file.commit();
  } catch (const IoError& error) {
    outcome.diagnostics = Diagnostics(error.file());
    if (error.reader_gone()) return outcome;
    outcome.io_failed = true;
    outcome.diagnostics.report(code::kIo, {}, error.cause());
  }
  return outcome;
}

std::vector<std::string> outputs_of(const InputOptions& inputs, const OutputOptions& outputs, std::string_view suffix) {
  if (outputs.folder.empty()) return {outputs.file};
  std::error_code problem;
  std::filesystem::create_directories(outputs.folder, problem);
  if (problem) throw IoError(outputs.folder, "cannot make the folder: " + problem.message());
  std::vector<std::string> names;
  for (const std::string& input : inputs.files)
    names.push_back((std::filesystem::path(outputs.folder) /
                     (suffix.empty() ? std::filesystem::path(input).filename().string() : stem_of(input) + std::string(suffix)))
                        .string());
  return names;
}

/// Calls `convert` for every input, on inputs.jobs threads. @param outputs  one for each input, or empty
std::vector<Outcome> run_on_threads(const cli::Common& common, const InputOptions& inputs,
                                    const std::vector<std::string>& outputs, const Convert& convert) {
  const std::size_t n = inputs.files.size();
  std::vector<Outcome> outcomes(n);
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> finished{0};
  std::mutex mutex;
  cli::Progress progress(common, "converting", n > 1 ? n : 0);
  const auto work = [&] {
    while (true) {
      const std::size_t i = next++;
      if (i >= n) return;
      try {
        outcomes[i] = run_one(common, inputs.files[i], outputs.empty() ? "" : outputs[i], convert, !outputs.empty());
      } catch (...) {  // a bug: the others stop as well
        next = n;
        throw;
      }
      const std::lock_guard lock(mutex);
      progress.update(++finished);
    }
  };
  Workers workers(static_cast<unsigned>(std::clamp<std::size_t>(inputs.jobs, 1, std::max<std::size_t>(n, 1)) - 1));
  std::vector<Workers::Task> others;
  for (unsigned t = 0; t < workers.count(); ++t) others.push_back(workers.start(work));
  work();
  for (Workers::Task& other : others) other.wait();
  progress.finish();
  return outcomes;
}

cli::ExitCode run_all(const cli::Common& common, const InputOptions& inputs, const std::vector<std::string>& outputs,
                      const std::string& report, Diagnostics shared, const Convert& convert) {
  cli::Reporter reporter(common);
  reporter.show(std::move(shared));
  // A conversion needs all files that it was given; a check goes on without those that have errors.
  if (reporter.failed() && !outputs.empty()) return reporter.finish();
  std::vector<Outcome> outcomes = run_on_threads(common, inputs, outputs, convert);
  std::vector<const Diagnostics*> all;
  for (const Outcome& outcome : outcomes) all.push_back(&outcome.diagnostics);
  write_report(report, all);
  std::size_t failed = 0;
  bool io_failed = false;
  for (Outcome& outcome : outcomes) {
    const std::size_t before = reporter.errors();
    if (!outcome.text.empty()) cli::print(outcome.text);
    reporter.show(std::move(outcome.diagnostics));
    if (reporter.errors() > before) ++failed;
    io_failed = io_failed || outcome.io_failed;
  }
  const cli::ExitCode exit = reporter.finish(io_failed ? cli::ExitCode::io : cli::ExitCode::ok);
  const std::size_t n = inputs.files.size();
  if (n > 1 && !common.diagnostics_json)
    cli::info(common, fmt::format("{} files: {} good, {} with errors", n, n - failed, failed));
  return exit;
}

}  // namespace

void write_report(const std::string& file, std::span<const Diagnostics* const> all) {
  if (file.empty()) return;
  nlohmann::ordered_json lost = nlohmann::ordered_json::array();
  for (const Diagnostics* diagnostics : all)
    for (const Diagnostic& d : diagnostics->items())
      if (traffic::is_loss(d.code))
        lost.push_back(
            {{"file", d.file}, {"line", d.at.line}, {"column", d.at.column}, {"code", d.code}, {"message", d.message}});
  const nlohmann::ordered_json report = {{"lost", std::move(lost)}};
  write_file(file, report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

std::string stem_of(const std::string& file) { return file == "-" ? "stdin" : std::filesystem::path(file).stem().string(); }

cli::ExitCode convert_files(const cli::Common& common, const InputOptions& inputs, const OutputOptions& outputs,
                            Diagnostics shared, std::string_view suffix, const Convert& convert) {
  return run_all(common, inputs, outputs_of(inputs, outputs, suffix), outputs.report, std::move(shared), convert);
}

cli::ExitCode read_files(const cli::Common& common, const InputOptions& inputs, Diagnostics shared, const Convert& read) {
  return run_all(common, inputs, {}, {}, std::move(shared), read);
}

void add_input_options(CLI::App& command, InputOptions& options) {
  command.add_option("INPUT", options.files, "Files to read (- is standard input)")
      ->type_name("FILE")
      ->required()
      ->group("Input");
  command.add_option("--jobs", options.jobs, "Threads for several inputs")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N")
      ->capture_default_str()
      ->group("Behavior");
}

void add_output_options(CLI::App& command, OutputOptions& options) {
  CLI::Option* output = command.add_option("-o,--output", options.file, "File to write (- is standard output)")
                            ->type_name("FILE")
                            ->capture_default_str()
                            ->group("Output");
  command.add_option("--out-dir", options.folder, "Folder for one output per input")
      ->type_name("FOLDER")
      ->excludes(output)
      ->group("Output");
  add_report_option(command, options.report);
}

void check_outputs(const CLI::App& command, const InputOptions& inputs, const OutputOptions& outputs) {
  if (inputs.files.size() > 1 && outputs.folder.empty())
    throw CLI::ValidationError(command.get_name(), "several inputs need --out-dir");
  std::set<std::string> stems;
  for (const std::string& input : inputs.files)
    if (!stems.insert(stem_of(input)).second)
      throw CLI::ValidationError(command.get_name(), "two inputs would be written to the same file: " + input);
}

void add_report_option(CLI::App& command, std::string& report) {
  command.add_option("--report", report, "Write the list of losses as JSON")->type_name("FILE")->group("Output");
}

}  // namespace simbatch::objconv
