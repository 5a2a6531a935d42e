// simrun test: runs the expectations of scenarios as tests.

#include <fmt/format.h>

#include <filesystem>

#include "apps/common/console.hpp"
#include "apps/common/installation.hpp"
#include "apps/common/outputs.hpp"
#include "apps/common/signals.hpp"
#include "apps/simrun/options.hpp"
#include "apps/simrun/simrun.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/number.hpp"
#include "base/core/text.hpp"
#include "base/process/pool.hpp"
#include "lib/study/scenario_tests.hpp"

namespace simbatch::simrun {
namespace {

using cli::ExitCode;
using study::TestResult;

struct TestCommandOptions {
  std::vector<std::string> paths;
  std::optional<double> duration;
  std::string junit, traces, root;
  std::optional<int> jobs;
  double timeout = 600;
  bool fail_fast = false;
  ProgramOptions programs;
};

std::vector<std::string> build_words(const TestCommandOptions& o) {
  std::vector<std::string> words;
  if (!o.root.empty()) words.insert(words.end(), {"--root", o.root});
  const std::vector<std::string> programs = words_of(o.programs);
  words.insert(words.end(), programs.begin(), programs.end());
  return words;
}

struct Totals {
  std::size_t passed = 0, not_passed = 0, skipped = 0, hold = 0, fail = 0, undecided = 0;
};

constexpr const char* kVacuous = "holds, because it begins after the run's end: there was nothing to check";

/// A line per scenario; for one that did not pass also the failures, and the command that repeats it.
std::string lines_of(const TestResult& result, bool verbose) {
  if (result.status == TestResult::Status::skipped)
    return cli::printable_lines(fmt::format("skipped {}: {}\n{}", result.scenario, result.problem, result.diagnostics));
  const auto word = result.status == TestResult::Status::passed   ? "ok     "
                    : result.status == TestResult::Status::failed ? "FAILED "
                                                                  : "BROKEN ";
  std::string text = fmt::format("{} {}: {} expectation{}, {:.6g} s simulated in {:.2f} s\n", word, result.scenario,
                                 result.cases.size(), result.cases.size() == 1 ? "" : "s", result.time, result.seconds);
  for (const study::TestCase& one : result.cases) {
    if (one.verdict == expect::Verdict::holds && !verbose && !one.is_vacuous) continue;
    text += fmt::format("        {}:{}:{}: {} {}\n", result.scenario, one.at.line, one.at.column, quoted(one.name),
                        one.is_vacuous ? kVacuous : one.message);
  }
  if (!result.problem.empty()) text += "        " + result.problem + "\n";
  if (result.status == TestResult::Status::passed) return cli::printable_lines(text);
  if (result.status == TestResult::Status::broken) text += result.diagnostics;
  if (!result.trace.empty()) text += "        trace: " + result.trace + "\n";
  text += "        again: " + result.command + "\n";
  if (!result.replay.empty()) text += "        replay: " + result.replay + "\n";
  return cli::printable_lines(text);
}

void count(const TestResult& result, Totals& totals) {
  const bool skipped = result.status == TestResult::Status::skipped, passed = result.status == TestResult::Status::passed;
  ++(skipped ? totals.skipped : passed ? totals.passed : totals.not_passed);
  for (const study::TestCase& one : result.cases) {
    totals.hold += one.verdict == expect::Verdict::holds;
    totals.fail += one.verdict == expect::Verdict::fails;
    totals.undecided += one.verdict == expect::Verdict::undecided;
  }
}

ExitCode test(const TestCommandOptions& options, cli::Reporter& reporter) {
  std::vector<std::string> without;
  const std::vector<std::string> scenarios = study::find_tests(options.paths, &without);
  if (scenarios.empty()) {
    cli::print_error("simrun: no scenario with <Expectations> was found");
    return reporter.finish(ExitCode::input);
  }
  cli::require_folder(options.junit);
  if (!report_isolation(options.programs, options.paths.front(), reporter)) return reporter.finish();
  cli::handle_interrupts_by_polling();
  study::TestOptions how;
  how.build.root = options.root;
  how.build.library = cli::robot_library();
  apply(reporter.options(), options.programs, how.build);
  how.build_words = build_words(options);
  how.duration = options.duration;
  how.jobs = options.jobs ? static_cast<std::size_t>(*options.jobs) : allowed_processors();
  how.timeout = options.timeout;
  how.traces = options.traces;
  if (options.junit != "-") how.junit = options.junit;
  how.fail_fast = options.fail_fast;
  how.keep_going = [] { return !cli::interrupted(); };
  Totals totals;
  const auto results = study::run_tests(scenarios, how, [&](const TestResult& result) {
    if (!result.refusal.empty()) return;
    count(result, totals);
    cli::print(lines_of(result, reporter.options().verbose > 0));
  });
  for (const TestResult& result : results) {
    if (result.refusal.empty()) continue;
    cli::print_error("simrun: " + result.refusal);
    return reporter.finish(ExitCode::usage);
  }
  if (!options.junit.empty()) write_file(options.junit, study::junit(results));
  const std::size_t not_run = scenarios.size() - totals.passed - totals.not_passed - totals.skipped;
  const auto if_any = [](std::size_t n, const char* what) { return n == 0 ? std::string() : fmt::format(", {} {}", n, what); };
  reporter.status(fmt::format("scenarios: {} of {} pass{}{}; expectations: {} hold, {} fail, {} undecided", totals.passed,
                              scenarios.size(), if_any(totals.skipped, "skipped"), if_any(not_run, "not run"), totals.hold,
                              totals.fail, totals.undecided));
  if (!without.empty())
    reporter.status(fmt::format("{} found without <Expectations>, not run",
                                without.size() == 1 ? "1 scenario was" : fmt::format("{} scenarios were", without.size())));
  if (reporter.options().verbose > 0)
    for (const std::string& path : without) reporter.status("  " + path);
  if (cli::interrupted()) return reporter.finish(ExitCode::interrupted);
  // If nothing was run, there is no result.
  const bool all_known = totals.passed > 0 && totals.passed + totals.skipped == scenarios.size();
  return reporter.finish(totals.not_passed == 0 && all_known ? ExitCode::ok : ExitCode::input);
}

}  // namespace

void add_test(cli::Command& program) {
  cli::Command& command = program.add("test", "Run scenarios and check what they expect; exit code 1 if one does not pass");
  auto& o = command.keep<TestCommandOptions>();
  command
      .positional("PATH", o.paths, "Scenarios, or folders in which those with <Expectations> are found (docs/expectations.md)")
      .required();
  command.group("Run");
  command.option("-j,--jobs", "N", o.jobs, "Scenarios at the same time (default: processors)").range(1, 1024);
  command.option("--duration", "S", o.duration, "Seconds to simulate, instead of what the scenarios say").positive();
  command.option("--timeout", "S", o.timeout, "Wall-clock limit per scenario in seconds (0: no limit)")
      .range(0, 1e6)
      .show_default();
  command.flag("--fail-fast", o.fail_fast, "Stop starting scenarios after the first that does not pass");
  add_root_option(command, o.root);
  add_program_options(command, o.programs);
  command.group("Output");
  command.option("--junit", "FILE", o.junit, "Write the results as JUnit XML; - is standard output");
  command.option("--traces", "DIR", o.traces, "Keep the traces of scenarios that do not pass in this folder");
  command.examples({"simrun test scenarios/first_drive scenarios/circle_town --junit results.xml"});
  command.run([&o](cli::Reporter& reporter) { return test(o, reporter); });
}

}  // namespace simbatch::simrun
