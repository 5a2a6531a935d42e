// simrun study: a scenario many times, with other values.

#include "lib/study/study.hpp"

#include <fmt/format.h>

#include "apps/common/console.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/pool.hpp"
#include "lib/study/codes.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;

struct Shard {
  std::int64_t index = 1, count = 1;
};

/// "2/8": from 1 to the second number.
std::optional<Shard> read_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = parse_integer<std::int64_t>(text.substr(0, slash)),
             count = parse_integer<std::int64_t>(text.substr(slash + 1));
  if (!index || !count || index.value < 1 || index.value > count.value || count.value > 1'000'000) return std::nullopt;
  return Shard{index.value, count.value};
}

struct StudyCommandOptions {
  std::string file, folder, root, scenario_output;
  std::optional<int> jobs;
  std::optional<std::int64_t> scenario_of;
  double timeout = 600;
  Shard shard;
  bool plan = false, fresh = false;
  ProgramOptions programs;
};

/// --scenario-of: the scenario of one run, for simrun itself.
ExitCode write_scenario(const StudyCommandOptions& options, const study::Study& study, cli::Reporter& reporter) {
  const std::int64_t run = *options.scenario_of;
  if (run >= study::run_count(study)) {
    cli::print_error(fmt::format("simrun: --scenario-of: the study has runs 0 to {}", study::run_count(study) - 1));
    return reporter.finish(ExitCode::usage);
  }
  const std::size_t slash = options.file.rfind('/');
  const std::string path = (slash == std::string::npos ? "" : options.file.substr(0, slash + 1)) + study.scenario;
  const Input scenario = Input::open(path);
  Diagnostics problems(options.file);
  const auto text = study::edited_scenario(scenario.text(), path, study, study::values_of(study, run), problems);
  reporter.show(std::move(problems));
  if (text) write_file(options.folder, *text);
  return reporter.finish();
}

std::string summary(const study::StudyResult& result) {
  std::string text = fmt::format("{} of {} runs are done ({} were before): {} pass, {} fail, {} broke", result.done,
                                 result.runs, result.before, result.pass, result.fail, result.broken);
  if (result.done > 0) {
    const study::Share share = study::wilson(result.pass, result.done);
    text += fmt::format("; {:.4g} % pass (95 %: {:.4g} to {:.4g} %)", 100 * share.share, 100 * share.low, 100 * share.high);
  }
  return text;
}

ExitCode run(const StudyCommandOptions& options, cli::Reporter& reporter) {
  const Input input = Input::open(options.file);
  auto study = study::read_study(input.text(), options.file);
  reporter.show(std::move(study.diagnostics));
  if (reporter.failed() || !study.value) return reporter.finish(ExitCode::input);
  if (options.plan) {
    write_file(options.folder.empty() ? "-" : options.folder, study::plan_csv(*study.value));
    return reporter.finish();
  }
  if (options.scenario_of) return write_scenario(options, *study.value, reporter);

  cli::handle_interrupts_by_polling();
  study::StudyOptions how;
  how.file = options.file;
  how.folder = options.folder;
  how.build.root = options.root;
  apply(reporter.options(), options.programs, how.build);
  how.jobs = options.jobs ? static_cast<std::size_t>(*options.jobs) : allowed_processors();
  how.timeout = options.timeout;
  how.shard = options.shard.index;
  how.shards = options.shard.count;
  how.fresh = options.fresh;
  how.go_on = [] { return !cli::interrupted(); };
  cli::Progress progress(reporter.options(), "studying", static_cast<std::uint64_t>(study::run_count(*study.value)));
  how.progress = [&progress](std::int64_t done, std::int64_t) { progress.update(static_cast<std::uint64_t>(done)); };
  Diagnostics problems(options.file);
  const auto result = study::run_study(*study.value, how, problems);
  progress.finish();
  reporter.show(std::move(problems));
  if (!result) return reporter.finish(ExitCode::input);
  reporter.status(summary(*result));
  if (result->is_whole) reporter.status(options.folder + "/results.csv has all runs");
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  return reporter.finish(result->fail + result->broken == 0 ? ExitCode::ok : ExitCode::input);
}

}  // namespace

void add_study(cli::Command& program) {
  cli::Command& command = program.add("study", "Run a scenario many times with other values, into one table");
  auto& o = command.keep<StudyCommandOptions>();
  command.positional("STUDY", o.file, "Study file").required();
  command.option("-o,--output", "DIR", o.folder, "Folder for the journals and results.csv; of --plan and --scenario-of a file");
  command.group("Run");
  command.option("-j,--jobs", "N", o.jobs, "Runs at the same time (default: processors)").range(1, 1024);
  command.option("--shard", "I/N", {o.shard, read_shard, "I/N, I from 1 to N"}, "Do each Nth run only, for several machines");
  command.flag("--fresh", o.fresh, "Forget the results that the folder has");
  command.option("--timeout", "S", o.timeout, "Wall-clock limit per run in seconds (0: no limit)").range(0, 1e6).show_default();
  add_root_option(command, o.root);
  add_program_options(command, o.programs);
  command.group("Look");
  command.flag("--plan", o.plan, "Write the values of all runs as CSV, run nothing");
  command.option("--scenario-of", "RUN", o.scenario_of, "Write the scenario of this run, run nothing").range(0, kMostSteps);
  command.check([&o] {
    if (o.plan && o.scenario_of) return "--plan and --scenario-of exclude each other";
    return o.folder.empty() && !o.plan ? "--output is required" : "";
  });
  command.examples({"simrun study scenarios/first_drive/brake.study.xml --plan"});
  command.run([&o](cli::Reporter& reporter) { return run(o, reporter); });
}

}  // namespace simbatch::simrun
