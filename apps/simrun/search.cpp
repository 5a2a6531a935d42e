// simrun search: the parameters with which a scenario fails, and the simplest scenario that does.

#include "lib/search/search.hpp"
#include "base/core/shell_word.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "apps/simrun/trust.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/number.hpp"
#include "base/process/pool.hpp"
#include "lib/search/found.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

struct SearchCommandOptions {
  std::string file, output, root, table, shorter, expectation, method = "bayes";
  std::int64_t runs = 200, shrink = 200;
  std::optional<std::uint64_t> seed;
  std::optional<int> jobs;
  double timeout = 600;
  bool first = false;
  ProgramOptions programs;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void report_search(const search::Case& subject, const search::SearchResult& result, cli::Reporter& reporter) {
  const search::Tried& found = result.tried[result.best];
  std::string line =
      fmt::format("{} run{}{}: {} fail{}", result.tried.size(), result.tried.size() == 1 ? "" : "s",
                  result.is_exhaustive ? ", every combination of values" : "", result.failing, result.failing == 1 ? "s" : "");
  if (result.first_failing) line += fmt::format(", the first of them run {}", *result.first_failing);
  if (result.broken > 0) line += fmt::format("; {} broke", result.broken);
  reporter.status(line);
  if (found.trial.margins.empty()) return;
  reporter.status(fmt::format("least margin, run {}: {} {}", result.best, quoted(subject.expectations[result.expectation].name),
                              found.trial.margins[result.expectation].text));
  reporter.status("  with " + search::describe(subject, found.values));
}

void report_shrunk(const search::Case& subject, const search::Shrunk& shrunk, cli::Reporter& reporter) {
  reporter.status(fmt::format("shrunk in {} run{}: {}", shrunk.runs, shrunk.runs == 1 ? "" : "s",
                              search::describe(subject, shrunk.values)));
  if (!shrunk.removed.empty()) reporter.status("  without " + joined(shrunk.removed));
  reporter.status(fmt::format("  after {:.9g} s of {:.9g} s it {}", shrunk.fails_at, subject.duration,
                              shrunk.trial.margins.empty() ? "was not run" : shrunk.trial.margins[0].text));
}

/// How to run and inspect what was written.
void report_commands(const SearchCommandOptions& options, double duration, double dt, cli::Reporter& reporter) {
  if (options.output == "-") return;
  const std::string root = options.root.empty() ? "" : " --root " + shell_word(options.root);
  const std::string words = root + program_words(options.programs);
  const std::string scenario = shell_word(options.output);
  // Names that differ from the scenario's and from that of --short, whatever their suffixes.
  const std::string bare = std::filesystem::path(options.output).replace_extension().string();
  const auto is_taken = [&](const std::string& stem) {
    for (const std::string& file : {options.output, options.shorter, options.table})
      if (file == stem + ".json" || file == stem + ".html") return true;
    return false;
  };
  std::string stem = bare;
  for (int i = 1; is_taken(stem); ++i) stem = bare + (i == 1 ? "-trace" : "-trace" + std::to_string(i));
  const auto steps = static_cast<std::int64_t>(std::ceil(duration / dt - 1e-6));
  reporter.status("test:   simrun test " + scenario + words);
  reporter.status(fmt::format("replay: simrun {} --steps {} --trace {}{}; simrun replay {} -o {}{}", scenario, steps,
                              shell_word(stem + ".json"), words, shell_word(stem + ".json"), shell_word(stem + ".html"), root));
}

search::SearchOptions search_options(const SearchCommandOptions& options, const study::Study& study, cli::Reporter& reporter) {
  search::SearchOptions how;
  how.trials.file = options.file;
  how.trials.build.root = options.root;
  how.trials.build.library = cli::robot_library();
  apply(reporter.options(), options.programs, how.trials.build);
  how.trials.build.trusts = trusting({options.file});  // it changes what its scenario does
  how.trials.jobs = options.jobs ? static_cast<std::size_t>(*options.jobs) : allowed_processors();
  how.trials.timeout = options.timeout;
  how.trials.keep_going = [] { return !cli::interrupted(); };
  for (std::size_t i = 0; i < std::size(optimize::kMethods); ++i)
    if (options.method == optimize::kMethods[i]) how.method = static_cast<optimize::Method>(i);
  how.seed = options.seed.value_or(study.seed);
  how.runs = options.runs;
  how.first = options.first;
  how.expectation = options.expectation;
  how.shrink = options.shrink;
  how.shorten = !options.shorter.empty();
  return how;
}

/// --short
void write_shortest(const SearchCommandOptions& options, const search::Case& subject, const search::SearchOptions& how,
                    const search::Shrunk& shrunk, Diagnostics& problems) {
  if (!shrunk.shortest) return;
  const std::string note =
      fmt::format("Only as long as its failure, for inspection; the test is {}: {}",
                  std::filesystem::path(options.output).filename().string(), search::describe(subject, shrunk.values));
  (void)search::write_found(subject, how.trials, *shrunk.shortest, note, options.shorter, problems);
}

/// The result of --short.
void report_shortest(const SearchCommandOptions& options, const search::Shrunk& shrunk, cli::Reporter& reporter) {
  if (options.shorter.empty() || options.shorter == "-") return;
  if (shrunk.shortest)
    reporter.status(fmt::format("short:  {} ends when it has failed, after {:.9g} s; it is for inspection, the test is {}",
                                shell_word(options.shorter), *shrunk.shortest->duration, shell_word(options.output)));
  else
    reporter.status("no shorter run fails in the same way; " + quoted(options.shorter) + " was not written");
}

ExitCode write_result(const SearchCommandOptions& options, const search::Case& subject, const search::SearchOptions& how,
                      const search::SearchResult& result, cli::Reporter& reporter) {
  const search::Tried& found = result.tried[result.best];
  search::Variant variant{found.values, {}, {}, {}};
  std::string note;
  search::Shrunk shrunk;
  if (result.fails()) {
    shrunk = search::shrink(subject, how, result);
    if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
    report_shrunk(subject, shrunk, reporter);
    variant = shrunk.variant;
    note = search::describe(subject, shrunk.values) + (shrunk.removed.empty() ? "" : "; without " + joined(shrunk.removed));
  } else {
    note = search::describe(subject, found.values);
  }
  note =
      fmt::format("{} by simrun search {} ({}, seed {}, {} runs): {}", result.fails() ? "Found to fail" : "Least margin found",
                  options.file, options.method, how.seed, result.tried.size(), note);
  Diagnostics problems(options.output);
  const auto copied = search::write_found(subject, how.trials, variant, note, options.output, problems);
  if (!problems.has_errors()) write_shortest(options, subject, how, shrunk, problems);
  reporter.show(std::move(problems));
  if (reporter.failed()) return reporter.finish(ExitCode::input);
  if (!copied.empty()) reporter.status("written beside it: " + joined(copied));
  report_commands(options, subject.duration, subject.dt, reporter);
  report_shortest(options, shrunk, reporter);
  return reporter.finish(result.fails() ? ExitCode::input : ExitCode::ok);
}

/// @param study  null: not read yet
cli::Outputs outputs_of(const SearchCommandOptions& options, const study::Study* study = nullptr) {
  cli::Outputs outputs;
  outputs.reads("STUDY", options.file);
  outputs.writes("--output", options.output);
  outputs.writes("--table", options.table);
  outputs.writes("--short", options.shorter);
  if (study == nullptr) return outputs;
  // Files that some run may read but the first does not.
  const auto folder = std::filesystem::path(options.file).parent_path();
  if (!study->table.empty()) outputs.reads("of the study", (folder / study->table).string());
  const auto beside = (folder / study->scenario).parent_path();
  for (const study::Parameter& parameter : study->parameters)
    for (const std::string& choice : parameter.choices) outputs.reads("of the study", (beside / choice).string());
  return outputs;
}

/// Called before the first run, to make sure that a result which takes hours to find can be written. @throws IoError
void make_folders(const SearchCommandOptions& options) {
  for (const std::string& file : {options.output, options.table, options.shorter}) {
    const auto folder = std::filesystem::path(file).parent_path();
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    cli::require_folder(file);
  }
}

ExitCode run(const SearchCommandOptions& options, cli::Reporter& reporter) {
  const ReadFiles read;
  auto study = study::load_study(options.file);
  reporter.show(std::move(study.diagnostics));
  if (reporter.failed() || !study.value) return reporter.finish(ExitCode::input);
  search::SearchOptions how = search_options(options, *study.value, reporter);
  Diagnostics problems(options.file);
  const auto subject = search::make_case(*study.value, how.trials, problems);
  if (subject) search::check_expectation(*subject, options.expectation, problems);
  reporter.show(std::move(problems));
  if (reporter.failed() || !subject) return reporter.finish(ExitCode::input);
  if (const std::string conflict = outputs_of(options, &*study.value).conflict(read); !conflict.empty()) {
    cli::print_error("simrun: " + conflict);
    return reporter.finish(ExitCode::usage);
  }

  if (!report_isolation(options.programs, options.file, reporter)) return reporter.finish();
  make_folders(options);
  cli::handle_interrupts_by_polling();
  cli::Progress progress(reporter.options(), "searching", static_cast<std::uint64_t>(options.runs));
  how.progress = [&progress](std::int64_t done, std::int64_t, const std::string& least) {
    progress.label("searching, least margin " + least);
    progress.update(static_cast<std::uint64_t>(done));
  };
  const search::SearchResult result = search::run_search(*subject, how);
  progress.finish();
  if (!options.table.empty()) write_file(options.table, search::table_of(*subject, result));
  if (!result.tried.empty()) report_search(*subject, result, reporter);
  if (result.was_interrupted) {
    reporter.status("interrupted; " + quoted(options.output) + " was not written");
    return reporter.finish(ExitCode::interrupted);
  }
  const search::Tried& found = result.tried[result.best];
  Diagnostics broken(options.file);
  search::report_broken(*subject, result, broken);
  reporter.show(std::move(broken));
  if (found.trial.margins.empty()) return reporter.finish(ExitCode::input);
  return write_result(options, *subject, how, result, reporter);
}

}  // namespace

void add_search(cli::Command& program) {
  cli::Command& command = program.add("search", "Search for the values with which a scenario fails; exit code 1 if it does");
  auto& o = command.keep<SearchCommandOptions>();
  command.positional("STUDY", o.file, "Study file (docs/studies.md)").required();
  command.option("-o,--output", "FILE", o.output, "Scenario to write: the simplest that fails, or that with the least margin")
      .required();
  command.option("--table", "FILE", o.table, "Write all runs as CSV");
  command.option("--short", "FILE", o.shorter, "Also write it with no more steps than the failure takes, for inspection");
  command.group("Search");
  command.option("--runs", "N", o.runs, "Maximum number of runs of the search").range(1, 1'000'000).show_default();
  command.flag("--first", o.first, "Stop when a run has failed");
  command.option("--expectation", "NAME", o.expectation, "The expectation to search for, instead of all of them");
  command.option("--method", "METHOD", o.method, "How the next values are chosen")
      .choices({"bayes", "cmaes", "random"})
      .show_default();
  command.option("--seed", "N", o.seed, "Seed of the search, instead of the study's");
  command.option("--shrink", "N", o.shrink, "Maximum number of runs to simplify the failing scenario")
      .range(0, 1'000'000)
      .show_default();
  command.group("Run");
  command.option("-j,--jobs", "N", o.jobs, "Runs at the same time (default: processors)").range(1, 1024);
  command.option("--timeout", "S", o.timeout, "Wall-clock limit per run in seconds (0: no limit)").range(0, 1e6).show_default();
  add_root_option(command, o.root);
  add_program_options(command, o.programs);
  command.check([&o] { return outputs_of(o).conflict(); });
  command.examples({"simrun search scenarios/first_drive/brake.study.xml -o worst.xml --runs 40"});
  command.run([&o](cli::Reporter& reporter) { return run(o, reporter); });
}

}  // namespace simbatch::simrun
