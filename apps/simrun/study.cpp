// simrun study: runs a scenario many times with different values.

#include "lib/study/study.hpp"
#include "base/core/shell_word.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "apps/simrun/study_replays.hpp"
#include "apps/simrun/study_words.hpp"
#include "apps/simrun/trust.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/pool.hpp"
#include "lib/search/found.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/point.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

struct StudyCommandOptions {
  std::string file, folder, root, junit;
  std::optional<int> jobs;
  std::optional<std::int64_t> scenario_of, only;
  std::optional<double> until_width, min_pass;
  std::int64_t max_failures = 0, replays = 3;
  double timeout = 600;
  Shard shard;
  bool plan = false, fresh = false, dry_run = false;
  ProgramOptions programs;
};

/// Empty after errors, which are shown.
std::optional<study::Study> read(const std::string& file, cli::Reporter& reporter) {
  auto study = study::load_study(file);
  reporter.show(std::move(study.diagnostics));
  return reporter.failed() ? std::nullopt : std::move(study.value);
}

study::StudyOptions options_of(const StudyCommandOptions& options, cli::Reporter& reporter) {
  study::StudyOptions how;
  how.file = options.file;
  how.folder = options.folder;
  how.build.root = options.root;
  how.build.library = cli::robot_library();
  apply(reporter.options(), options.programs, how.build);
  how.build.trusts = trusting({options.file});  // it changes what its scenario does
  how.jobs = options.jobs ? static_cast<std::size_t>(*options.jobs) : allowed_processors();
  how.timeout = options.timeout;
  how.shard = options.shard.index;
  how.shards = options.shard.count;
  how.fresh = options.fresh;
  how.until_width = options.until_width;
  how.max_failures = options.max_failures;
  how.min_pass = options.min_pass;
  how.junit = options.junit;
  // Without the page template, the report only shows the commands.
  how.replays = page_template_path().empty() ? 0 : static_cast<std::size_t>(options.replays);
  how.keep_going = [] { return !cli::interrupted(); };
  return how;
}

/// True if the study has this run; else the message is shown.
bool has_run(const study::Study& study, std::int64_t run, const char* option) {
  if (run < study::run_count(study)) return true;
  cli::print_error(fmt::format("simrun: {}: the study has runs 0 to {}", option, study::run_count(study) - 1));
  return false;
}

/// The files that are written.
cli::Outputs outputs_of(const StudyCommandOptions& options) {
  cli::Outputs outputs;
  outputs.reads("STUDY", options.file);
  outputs.writes("--junit", options.junit);
  const bool is_file = options.plan || options.scenario_of;
  if (is_file || options.folder.empty()) {
    outputs.writes("--output", options.folder);
    return outputs;
  }
  for (const char* name : {"results.csv", "results.parquet", "report.html", "report.svg"})
    outputs.writes("--output", (std::filesystem::path(options.folder) / name).string());
  return outputs;
}

/// True, after a message, if an output would overwrite an input.
bool overwrites(const StudyCommandOptions& options, const ReadFiles& read) {
  const std::string conflict = outputs_of(options).conflict(read);
  if (!conflict.empty()) cli::print_error("simrun: " + conflict);
  return !conflict.empty();
}

/// --scenario-of: the scenario of one run, for simrun itself, and the command that runs it.
ExitCode write_scenario(const StudyCommandOptions& options, const study::Study& study, const ReadFiles& read,
                        cli::Reporter& reporter) {
  if (!has_run(study, *options.scenario_of, "--scenario-of")) return reporter.finish(ExitCode::usage);
  const std::vector<double> values = study::values_of(study, *options.scenario_of);
  Diagnostics problems(options.file);
  const auto points = study::Points::prepare(study, {options.file, options_of(options, reporter).build}, problems);
  reporter.show(std::move(problems));
  if (!points) return reporter.finish();
  if (overwrites(options, read)) return reporter.finish(ExitCode::usage);
  search::TrialOptions how;
  how.file = options.file;
  how.build = options_of(options, reporter).build;
  how.needs_expectations = false;
  std::vector<std::string> written;
  if (const auto subject = search::make_case(study, how, problems))
    written = search::write_found(*subject, how, {values, {}, {}, {}},
                                  fmt::format("Run {} of {}", *options.scenario_of, options.file), options.folder, problems);
  reporter.show(std::move(problems));
  if (reporter.failed()) return reporter.finish(ExitCode::input);
  for (const std::string& name : written)
    reporter.status("wrote " + (std::filesystem::path(options.folder).parent_path() / name).string());
  reporter.status("run it: " + points->command(options.folder, values));
  return reporter.finish();
}

/// --only: one run, here, as lines of a name and a value.
ExitCode run_only(const StudyCommandOptions& options, const study::Study& study, cli::Reporter& reporter) {
  if (!has_run(study, *options.only, "--only")) return reporter.finish(ExitCode::usage);
  Diagnostics problems(options.file);
  const auto points = study::Points::prepare(study, {options.file, options_of(options, reporter).build}, problems);
  reporter.show(std::move(problems));
  if (!points) return reporter.finish();
  const std::vector<double> values = study::values_of(study, *options.only);
  const study::PointResult result = points->run(values);
  std::string text = fmt::format("run: {}\n", *options.only);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += study.parameters[i].name + ": " + study::value_text(study.parameters[i], values[i]) + "\n";
  for (const auto& [name, value] : points->shown(result)) text += name + ": " + value + "\n";
  write_file("-", text);
  return reporter.finish(result.verdict == study::RunVerdict::pass ? ExitCode::ok : ExitCode::input);
}

ExitCode report(const StudyCommandOptions& options, const study::Study& study, const study::StudyOptions& how,
                const study::StudyResult& result, cli::Reporter& reporter) {
  reporter.status(summary(result));
  if (result.too_many)
    reporter.status(fmt::format("ended after {} runs that do not pass (--max-failures)", options.max_failures));
  if (result.is_whole) {
    const auto without = write_replays(study, how, result.replays);
    for (const std::int64_t run : without) reporter.status(fmt::format("run {} has no replay", run));
    reporter.status(options.folder + "/results.csv and results.parquet have all runs, report.html shows them");
  } else if (how.shards > 1 && !cli::interrupted()) {
    reporter.status(fmt::format(
        "shard {} of {} is done; when all are: simrun study merge {} DIR... -o DIR, or the same command without --shard",
        how.shard, how.shards, shell_word(options.file)));
  } else {
    reporter.status("the same command continues with the missing runs");
  }
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  const bool enough = study::enough_pass(result.pass, result.done, options.min_pass);
  if (!enough && options.min_pass)
    cli::print_error(
        fmt::format("simrun: {} % of the runs pass, expected at least {:.6g} % (--min-pass)",
                    percent(static_cast<double>(result.pass) / static_cast<double>(std::max<std::int64_t>(result.done, 1))),
                    100 * *options.min_pass));
  return reporter.finish(enough ? ExitCode::ok : ExitCode::input);
}

/// --dry-run: the estimated time and space of the study.
ExitCode dry_run(const StudyCommandOptions& options, const study::Study& study, cli::Reporter& reporter) {
  const study::StudyOptions how = options_of(options, reporter);
  Diagnostics problems(options.file);
  const auto estimate = study::estimate_study(study, how, problems);
  reporter.show(std::move(problems));
  if (!estimate) return reporter.finish(ExitCode::input);
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  write_file("-", estimate_text(*estimate, how));
  return reporter.finish();
}

ExitCode run(const StudyCommandOptions& options, cli::Reporter& reporter) {
  const ReadFiles inputs;
  const auto study = read(options.file, reporter);
  if (!study) return reporter.finish(ExitCode::input);
  if (options.plan) {
    Diagnostics problems(options.file);
    const auto points = study::Points::prepare(*study, {options.file, options_of(options, reporter).build}, problems);
    reporter.show(std::move(problems));
    if (!points) return reporter.finish(ExitCode::input);
    if (overwrites(options, inputs)) return reporter.finish(ExitCode::usage);
    write_file(options.folder.empty() ? "-" : options.folder, study::plan_csv(*study));
    return reporter.finish();
  }
  if (options.scenario_of) return write_scenario(options, *study, inputs, reporter);
  if (!report_isolation(options.programs, options.file, reporter)) return reporter.finish();
  cli::handle_interrupts_by_polling();
  if (options.only) return run_only(options, *study, reporter);
  if (options.dry_run) return dry_run(options, *study, reporter);
  cli::require_folder(options.junit);
  study::StudyOptions how = options_of(options, reporter);
  cli::Progress progress(reporter.options(), "studying", static_cast<std::uint64_t>(study::run_count(*study)));
  const auto start = std::chrono::steady_clock::now();
  std::int64_t made = 0;
  how.progress = [&](std::int64_t done, std::int64_t all, std::int64_t failing) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.label(fmt::format("{} of {} runs, {} do not pass, {:.3g} a second", done, all, failing,
                               static_cast<double>(++made) / std::max(seconds, 1e-3)));
    progress.update(static_cast<std::uint64_t>(done));
  };
  Diagnostics problems(options.file);
  bool refused = false;
  how.may_write = [&] { return !(refused = overwrites(options, inputs)); };
  const auto result = study::run_study(*study, how, problems);
  progress.finish();
  reporter.show(std::move(problems));
  if (refused) return reporter.finish(ExitCode::usage);
  if (!result) return reporter.finish(ExitCode::input);
  return report(options, *study, how, *result, reporter);
}

struct MergeOptions {
  StudyCommandOptions study;
  std::vector<std::string> folders;
};

ExitCode merge(const MergeOptions& options, cli::Reporter& reporter) {
  const ReadFiles inputs;
  const auto study = read(options.study.file, reporter);
  if (!study) return reporter.finish(ExitCode::input);
  Diagnostics problems(options.study.file);
  study::StudyOptions how = options_of(options.study, reporter);
  bool refused = false;
  how.may_write = [&] { return !(refused = overwrites(options.study, inputs)); };
  const auto result = study::merge_study(*study, how, options.folders, problems);
  reporter.show(std::move(problems));
  if (refused) return reporter.finish(ExitCode::usage);
  if (!result) return reporter.finish(ExitCode::input);
  if (!result->is_whole) {
    reporter.status(summary(*result));
    std::string missing;
    for (const std::int64_t run : result->missing) missing += (missing.empty() ? "" : ", ") + number_text(run);
    const bool are_all = result->missing.size() == static_cast<std::size_t>(result->runs - result->done);
    cli::print_error(fmt::format("simrun: no folder has the results of {} runs ({}{}); nothing was written",
                                 result->runs - result->done, missing, are_all ? "" : ", ..."));
    return reporter.finish(ExitCode::input);
  }
  return report(options.study, *study, how, *result, reporter);
}

/// What a study writes besides its tables.
void add_output_options(cli::Command& command, StudyCommandOptions& o) {
  command
      .option("--min-pass", "P", o.min_pass, "Exit code 0 if at least this share of the runs passes, e.g. 0.7 (default: all)")
      .range(0, 1);
  command.option("--junit", "FILE", o.junit, "Write the results as JUnit XML; - is standard output");
  command.option("--replays", "N", o.replays, "Keep traces and replay pages of this many of the worst runs")
      .range(0, 1000)
      .show_default();
}

void add_merge(cli::Command& study) {
  cli::Command& command = study.add("merge", "Write the table of a study whose shards were run in several folders");
  auto& o = command.keep<MergeOptions>();
  command.positional("STUDY", o.study.file, "Study file (docs/studies.md)").required();
  command.positional("DIR", o.folders, "Folders with the journals of shards").required();
  command.option("-o,--output", "DIR", o.study.folder, "Folder for results.csv and results.parquet").required();
  add_output_options(command, o.study);
  add_root_option(command, o.study.root);
  add_program_options(command, o.study.programs);
  command.run([&o](cli::Reporter& reporter) { return merge(o, reporter); });
}

}  // namespace

void add_study(cli::Command& program) {
  cli::Command& command = program.add("study", "Run a scenario many times with different values, into one table");
  auto& o = command.keep<StudyCommandOptions>();
  add_merge(command);
  command.positional("STUDY", o.file, "Study file: what varies, how often (docs/studies.md)");
  command.option("-o,--output", "DIR", o.folder, "Folder for the journals and tables; of --plan and --scenario-of a file");
  command.group("Run");
  command.option("-j,--jobs", "N", o.jobs, "Runs at the same time (default: processors)").range(1, 1024);
  command.option("--shard", "I/N",
                 {o.shard, read_shard, "I/N, I from 1 to N; or slurm, if a Slurm array has set SLURM_ARRAY_TASK_ID and _COUNT"},
                 "Execute only every Nth run, for several machines; slurm: the share of this array task");
  command
      .option("--until-width", "W", o.until_width, "Stop as soon as the 95 % interval of the share that passes is this narrow")
      .range(1e-4, 1);
  command.option("--max-failures", "N", o.max_failures, "Stop with the Nth run that does not pass (0: never)")
      .range(0, kMaxSteps);
  command.flag("--fresh", o.fresh, "Discard the results in the folder");
  command.option("--timeout", "S", o.timeout, "Wall-clock limit per run in seconds (0: no limit)").range(0, 1e6).show_default();
  add_root_option(command, o.root);
  add_program_options(command, o.programs);
  command.group("Output");
  add_output_options(command, o);
  command.group("Look");
  command.flag("--dry-run", o.dry_run, "Estimate time and space from a few runs, write nothing");
  command.flag("--plan", o.plan, "Write the values of all runs as CSV, run nothing");
  command.option("--scenario-of", "RUN", o.scenario_of, "Write the scenario of this run, run nothing").range(0, kMaxSteps);
  command.option("--only", "RUN", o.only, "Run only this one, and show its result").range(0, kMaxSteps);
  command.check([&o] {
    if (o.file.empty()) return "STUDY is required";
    if (o.dry_run + o.plan + o.scenario_of.has_value() + o.only.has_value() > 1)
      return "--dry-run, --plan, --scenario-of and --only exclude each other";
    if (o.max_failures > 0 && o.shard.count > 1)
      return "--max-failures looks at all runs in their order, which shards do not have";
    if (o.min_pass && o.shard.count > 1)
      return "--min-pass looks at all runs, which shards do not have; simrun study merge has them";
    if (o.until_width && o.shard.count > 1) return "--until-width looks at all runs in their order, which shards do not have";
    return o.folder.empty() && !o.plan && !o.only && !o.dry_run ? "--output is required" : "";
  });
  command.examples({"simrun study scenarios/first_drive/brake.study.xml --plan",
                    "simrun study scenarios/first_drive/brake.study.xml --only 0"});
  command.run([&o](cli::Reporter& reporter) { return run(o, reporter); });
}

}  // namespace simbatch::simrun
