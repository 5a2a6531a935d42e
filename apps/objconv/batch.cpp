#include "apps/objconv/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>

#include "apps/common/console.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/progress.hpp"
#include "apps/objconv/codes.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/workers.hpp"
#include "base/json/write_json.hpp"
#include "lib/traffic/versions.hpp"

namespace simbatch::objconv {
namespace {

/// Result of one input.
struct Outcome {
  Diagnostics diagnostics;
  std::string text;  // of run_check
  bool io_failed = false;
};

Outcome run_one(const cli::CommonOptions& common, const std::string& input_name, const std::string& output,
                const Convert& convert, bool to_file) {
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
    outcome.diagnostics.report(code::kIo, {}, error.cause() + cli::where_installed(error.file()));
  }
  return outcome;
}

/// Names of the outputs, one per input.
std::vector<std::string> outputs_of(const InputOptions& inputs, const OutputOptions& outputs, std::string_view suffix) {
  if (outputs.folder.empty()) return {outputs.file};
  std::vector<std::string> names;
  for (const std::string& input : inputs.files) {
    const bool keeps_name = suffix.empty() && input != "-";
    const std::string name =
        keeps_name ? std::filesystem::path(input).filename().string() : stem_of(input) + std::string(suffix);
    names.push_back((std::filesystem::path(outputs.folder) / name).string());
  }
  return names;
}

/// Calls `convert` for every input, on inputs.jobs threads. @param outputs  one per input, or empty
std::vector<Outcome> run_on_threads(const cli::CommonOptions& common, const InputOptions& inputs,
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

/// A folder for outputs. Those on the way to it that it made and that are empty in the end are removed again.
class OutputFolder {
 public:
  /// @throws IoError
  explicit OutputFolder(const std::string& path) {
    std::error_code problem;
    for (std::filesystem::path folder = path; !folder.empty() && !std::filesystem::exists(folder, problem);
         folder = folder.parent_path())
      made_.push_back(folder);
    if (!path.empty()) std::filesystem::create_directories(path, problem);
    if (problem) throw IoError(path, "cannot make the folder: " + problem.message());
  }
  ~OutputFolder() {
    std::error_code problem;
    for (const std::filesystem::path& folder : made_) std::filesystem::remove(folder, problem);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  // inner ones first
};

cli::ExitCode run_all(cli::Reporter& reporter, const InputOptions& inputs, const std::vector<std::string>& outputs,
                      const std::string& report, Diagnostics shared, const Convert& convert) {
  const cli::CommonOptions& common = reporter.options();
  reporter.show(std::move(shared));
  // A conversion needs all of its files; a check continues without those that have errors.
  if (reporter.failed() && !outputs.empty()) return reporter.finish();
  std::optional<AtomicFile> report_file;
  if (!report.empty()) report_file.emplace(report);  // what cannot be written is found before other outputs are
  std::vector<Outcome> outcomes = run_on_threads(common, inputs, outputs, convert);
  std::vector<const Diagnostics*> all;
  for (const Outcome& outcome : outcomes) all.push_back(&outcome.diagnostics);
  if (report_file) {
    report_file->write(report_text(all));
    report_file->commit();
  }
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
    reporter.status(fmt::format("{} files: {} good, {} with errors", n, n - failed, failed));
  return exit;
}

}  // namespace

std::string report_text(std::span<const Diagnostics* const> all) {
  json::Writer out(2);
  out.open_object();
  out.key("lost").open_array();
  for (const Diagnostics* diagnostics : all) {
    for (const Diagnostic& d : diagnostics->items()) {
      if (!traffic::is_loss(d.code)) continue;
      out.open_object();
      out.member("file", d.file);
      out.member("line", d.at.line);
      out.member("column", d.at.column);
      out.member("code", std::string_view(d.code));
      out.member("message", d.message);
      out.close();
    }
  }
  out.close();
  out.close();
  return out.text() + "\n";
}

std::string stem_of(const std::string& file) { return file == "-" ? "stdin" : std::filesystem::path(file).stem().string(); }

cli::ExitCode convert_files(cli::Reporter& reporter, const InputOptions& inputs, const OutputOptions& outputs,
                            Diagnostics shared, std::string_view suffix, const Convert& convert) {
  const OutputFolder folder(outputs.folder);
  return run_all(reporter, inputs, outputs_of(inputs, outputs, suffix), outputs.report, std::move(shared), convert);
}

cli::ExitCode read_files(cli::Reporter& reporter, const InputOptions& inputs, Diagnostics shared, const Convert& read) {
  return run_all(reporter, inputs, {}, {}, std::move(shared), read);
}

void add_input_options(cli::Command& command, InputOptions& options) {
  command.group("Input");
  command.positional("INPUT", options.files, "Files to read (- is standard input)").required();
  command.group("Behavior");
  command.option("--jobs", "N", options.jobs, "Threads for several inputs").range(1, 1024).show_default();
  command.check([&options]() -> std::string {
    const bool is_good = std::count(options.files.begin(), options.files.end(), "-") <= 1;
    return is_good ? "" : "only one input can be standard input";
  });
}

void add_output_options(cli::Command& command, OutputOptions& options) {
  command.group("Output");
  command.option("-o,--output", "FILE", options.file, "File to write (- is standard output)").show_default();
  command.option("--out-dir", "FOLDER", options.folder, "Folder for one output per input");
  add_report_option(command, options.report);
}

void add_report_option(cli::Command& command, std::string& report) {
  command.group("Output");
  command.option("--report", "FILE", report, "Write the list of losses as JSON");
}

void check_outputs(cli::Command& command, const InputOptions& inputs, const OutputOptions& outputs, std::string suffix,
                   bool in_place, const std::string* network) {
  command.check([&inputs, &outputs, suffix = std::move(suffix), in_place, network]() -> std::string {
    if (!outputs.folder.empty() && outputs.file != "-") return "--output and --out-dir exclude each other";
    if (inputs.files.size() > 1 && outputs.folder.empty()) return "several inputs need --out-dir";
    cli::Outputs files;
    const auto input_name = [&](std::size_t i) {
      return inputs.files.size() == 1 ? std::string("INPUT") : fmt::format("INPUT {}", i + 1);
    };
    for (std::size_t i = 0; i < inputs.files.size(); ++i) files.reads(input_name(i), inputs.files[i]);
    if (network != nullptr) files.reads("--rndf", *network);
    const std::vector<std::string> names = outputs_of(inputs, outputs, suffix);
    std::set<std::string> different;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!different.insert(names[i]).second) return "two inputs would be written to the same file: " + inputs.files[i];
    for (std::size_t i = 0; i < names.size(); ++i)
      files.writes(outputs.folder.empty() ? "--output" : "--out-dir", names[i], in_place ? input_name(i) : std::string());
    files.writes("--report", outputs.report);
    return files.conflict();
  });
}

}  // namespace simbatch::objconv
