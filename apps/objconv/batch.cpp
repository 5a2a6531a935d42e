#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/objconv/codes.hpp"
#include "apps/objconv/objconv.hpp"
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

Outcome run_one(const Session& session, const std::string& input_name, const std::string& output, const Convert& convert,
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
    const bool failed = outcome.diagnostics.has_errors() || (session.common.strict && outcome.diagnostics.warnings() > 0);
    if (!failed) file.commit();
  } catch (const IoError& error) {
    outcome.diagnostics = Diagnostics(error.file());
    if (error.reader_gone()) return outcome;
    outcome.io_failed = true;
    outcome.diagnostics.report(code::kIo, {}, error.cause());
  }
  return outcome;
}

std::vector<std::string> outputs_of(const Session& session, std::string_view suffix) {
  if (session.out_dir.empty()) return {session.output};
  std::error_code problem;
  std::filesystem::create_directories(session.out_dir, problem);
  if (problem) throw IoError(session.out_dir, "cannot make the folder: " + problem.message());
  std::vector<std::string> outputs;
  for (const std::string& input : session.inputs)
    outputs.push_back(
        (std::filesystem::path(session.out_dir) /
         (suffix.empty() ? std::filesystem::path(input).filename().string() : stem_of(input) + std::string(suffix)))
            .string());
  return outputs;
}

cli::ExitCode run_all(Session& session, const std::vector<std::string>& outputs, const Convert& convert) {
  const std::size_t n = session.inputs.size();
  cli::Reporter reporter(session.common);
  reporter.show(std::move(session.shared));
  // A conversion needs all files that it was given; a check goes on without those that have errors.
  if (reporter.failed() && !outputs.empty()) return reporter.finish();
  std::vector<Outcome> outcomes(n);
  std::vector<char> done(n, 0);
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> finished{0};
  std::mutex mutex;
  cli::Progress progress(session.common, "converting", n > 1 ? n : 0);
  const auto work = [&] {
    while (true) {
      const std::size_t i = next++;
      if (i >= n) return;
      try {
        outcomes[i] = run_one(session, session.inputs[i], outputs.empty() ? "" : outputs[i], convert, !outputs.empty());
      } catch (...) {  // a bug: the others stop as well
        next = n;
        throw;
      }
      const std::lock_guard lock(mutex);
      progress.update(++finished);
    }
  };
  {
    Workers workers(static_cast<unsigned>(std::clamp<std::size_t>(session.jobs, 1, std::max<std::size_t>(n, 1)) - 1));
    std::vector<Workers::Task> others;
    for (unsigned t = 0; t < workers.count(); ++t) others.push_back(workers.start(work));
    work();
    for (Workers::Task& other : others) other.wait();
  }
  progress.finish();

  std::vector<const Diagnostics*> all;
  for (const Outcome& outcome : outcomes) all.push_back(&outcome.diagnostics);
  write_report(session, all);
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
  if (n > 1 && !session.common.diagnostics_json)
    cli::info(session.common, fmt::format("{} files: {} good, {} with errors", n, n - failed, failed));
  return exit;
}

}  // namespace

void write_report(const Session& session, std::span<const Diagnostics* const> all) {
  if (session.report.empty()) return;
  nlohmann::ordered_json lost = nlohmann::ordered_json::array();
  for (const Diagnostics* diagnostics : all)
    for (const Diagnostic& d : diagnostics->items())
      if (traffic::is_loss(d.code))
        lost.push_back(
            {{"file", d.file}, {"line", d.at.line}, {"column", d.at.column}, {"code", d.code}, {"message", d.message}});
  const nlohmann::ordered_json report = {{"lost", std::move(lost)}};
  write_file(session.report, report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Fact fact(std::string key, std::string value) { return {std::move(key), std::move(value), false}; }
Fact fact(std::string key, std::size_t value) { return {std::move(key), std::to_string(value), true}; }
Fact fact(std::string key, double value) { return {std::move(key), fmt::format("{:.6g}", value), true}; }

std::string stem_of(const std::string& file) { return file == "-" ? "stdin" : std::filesystem::path(file).stem().string(); }

cli::ExitCode run_batch(Session& session, std::string_view suffix, const Convert& convert) {
  return run_all(session, outputs_of(session, suffix), convert);
}

cli::ExitCode run_check(Session& session, const Convert& check) { return run_all(session, {}, check); }

const FileKind* kind_of(const Session& session, const Input& input, Diagnostics& diagnostics) {
  for (const FileKind* kind : session.kinds)
    if (session.from.empty() ? kind->claims(input.name(), input.text()) : kind->name == session.from) return kind;
  diagnostics.report(code::kKind, {}, "the kind of file cannot be told from its name and content; say it with --from");
  return nullptr;
}

CLI::App* add_reading(CLI::App& app, Session& session, const char* name, const char* meaning,
                      std::function<cli::ExitCode()> run) {
  CLI::App* command = app.add_subcommand(name, meaning);
  command->add_option("INPUT", session.inputs, "Files to read (- is standard input)")
      ->type_name("FILE")
      ->required()
      ->group("Input");
  command->add_option("--jobs", session.jobs, "Threads for several inputs")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N")
      ->capture_default_str()
      ->group("Behaviour");
  command->final_callback([&session, run = std::move(run)] { session.action = run; });
  return command;
}

CLI::App* add_conversion(CLI::App& app, Session& session, const char* name, const char* meaning,
                         std::function<cli::ExitCode()> run) {
  CLI::App* command = add_reading(app, session, name, meaning, nullptr);
  CLI::Option* output = command->add_option("-o,--output", session.output, "File to write (- is standard output)")
                            ->type_name("FILE")
                            ->capture_default_str()
                            ->group("Output");
  command->add_option("--out-dir", session.out_dir, "Folder for one output per input")
      ->type_name("FOLDER")
      ->excludes(output)
      ->group("Output");
  add_report_option(command, session);
  command->final_callback([&session, command, run = std::move(run)] {
    if (session.inputs.size() > 1 && session.out_dir.empty())
      throw CLI::ValidationError(command->get_name(), "several inputs need --out-dir");
    std::set<std::string> stems;
    for (const std::string& input : session.inputs)
      if (!stems.insert(stem_of(input)).second)
        throw CLI::ValidationError(command->get_name(), "two inputs would be written to the same file: " + input);
    session.action = run;
  });
  return command;
}

void add_report_option(CLI::App* command, Session& session) {
  command->add_option("--report", session.report, "Write the list of losses as JSON")->type_name("FILE")->group("Output");
}

void add_rndf_option(CLI::App* command, Session& session, bool required) {
  command->add_option("--rndf", session.rndf, "Road network (RNDF) that waypoints are looked up in")
      ->required(required)
      ->type_name("FILE")
      ->group("Input");
}

}  // namespace simbatch::objconv
