// Each scenario is built and run in a forked child, which sends its result as a bit stream; a crash or hang affects only its
// own result. Results are passed on in the order of the scenarios, regardless of the order of completion.

#include "lib/study/scenario_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/core/read_files.hpp"
#include "base/core/shell_word.hpp"
#include "base/process/pool.hpp"
#include "formats/autosim/world.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/tree/tree.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/expected_run.hpp"

namespace simbatch::study {
namespace {

using Status = TestResult::Status;

std::string encode(const TestResult& result) {
  std::string bytes;
  sim::BitWriter out(bytes);
  out.integer(static_cast<std::uint64_t>(result.status));
  out.text(result.problem);
  out.text(result.diagnostics);
  out.integer(static_cast<std::uint64_t>(result.steps));
  out.number(result.time);
  out.integer(result.state_hash);
  out.text(result.trace);
  out.text(result.replay);
  out.text(result.command);
  out.text(result.refusal);
  out.integer(result.cases.size());
  for (const TestCase& one : result.cases) {
    out.text(one.name);
    out.integer(static_cast<std::uint64_t>(one.verdict));
    out.text(one.message);
    out.integer(one.at.line);
    out.integer(one.at.column);
    out.integer(one.is_vacuous ? 1 : 0);
  }
  return bytes;
}

bool decode(std::string_view bytes, TestResult& result) {
  sim::BitReader in(bytes);
  std::uint64_t status = 0, steps = 0, count = 0, verdict = 0, line = 0, column = 0, vacuous = 0;
  in.integer(status);
  in.text(result.problem);
  in.text(result.diagnostics);
  in.integer(steps);
  in.number(result.time);
  in.integer(result.state_hash);
  in.text(result.trace);
  in.text(result.replay);
  in.text(result.command);
  in.text(result.refusal);
  in.integer(count);
  for (std::uint64_t i = 0; i < count && !in.failed(); ++i) {
    TestCase& one = result.cases.emplace_back();
    in.text(one.name);
    in.integer(verdict);
    in.text(one.message);
    in.integer(line);
    in.integer(column);
    in.integer(vacuous);
    one.is_vacuous = vacuous != 0;
    one.verdict = static_cast<expect::Verdict>(verdict);
    one.at = {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
  }
  result.status = static_cast<Status>(status);
  result.steps = static_cast<std::int64_t>(steps);
  return !in.failed() && in.rest().empty();
}

std::string with_words(std::string command, const TestOptions& options) {
  for (const std::string& word : options.build_words) command += " " + shell_word(word);
  return command;
}

/// dir/scenario.xml becomes FOLDER/dir-scenario.json, so that names are unique.
std::string trace_path(const std::string& scenario, const std::string& folder) {
  std::string name = std::filesystem::path(scenario).lexically_normal().replace_extension().string();
  while (name.starts_with("../") || name.starts_with("/")) name.erase(0, name.find('/') + 1);
  std::replace(name.begin(), name.end(), '/', '-');
  return (std::filesystem::path(folder) / (name + ".json")).string();
}

void append_lines(const Diagnostics& problems, std::string& out) {
  for (const Diagnostic& problem : problems.items()) out += to_text(problem) + "\n";
}

/// It holds, but no step was evaluated.
bool is_vacuous(const expect::Outcome& outcome) {
  return outcome.verdict == expect::Verdict::holds && outcome.condition.empty() && std::isinf(outcome.margin);
}

void warn_of_vacuous(const std::string& scenario, const expect::Expectation& expectation, double end, std::string& out) {
  Diagnostics problems(scenario);
  problems.report(code::kVacuous, expectation.at(expectation.nodes.back()),
                  quoted(expectation.name) + " begins after the run's end (" + number_text(end) + " s) and checks nothing");
  append_lines(problems, out);
}

void run_built(const scenario::BuiltScenario& built, const TestOptions& options, TestResult& result) {
  const double duration = options.duration.value_or(built.duration);
  if (!(duration > 0)) {
    result.problem = "the scenario does not say how long to run; write <Expectations duration=\"SECONDS\">, or use --duration";
    return;
  }
  const sim::RunPlan plan{steps_of(duration, built.simulation->settings().physics.dt), 1, 100};
  // A plain run leaves expectations that need more time undecided; a test decides them.
  const std::string again = options.duration
                                ? "simrun test " + shell_word(result.scenario) + " --duration " + number_text(duration)
                                : "simrun " + shell_word(result.scenario) + " --steps " + number_text(plan.steps);
  result.command = with_words(again, options);
  const std::string trace = options.traces.empty() ? "" : trace_path(result.scenario, options.traces);
  const ExpectedRun run = run_expected(built, plan, {options.duration.has_value(), trace, {}});
  result.steps = run.end.steps;
  result.time = run.end.time;
  result.state_hash = run.end.state_hash;
  result.status = Status::passed;
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    const expect::Expectation& expectation = built.expectations->entries()[i].expectation;
    const expect::Outcome& outcome = run.outcomes[i];
    result.cases.push_back({expectation.name, outcome.verdict, expect::describe(expectation, outcome),
                            expectation.at(expectation.nodes.back()), is_vacuous(outcome)});
    if (is_vacuous(outcome)) warn_of_vacuous(result.scenario, expectation, run.end.time, result.diagnostics);
    if (outcome.verdict != expect::Verdict::holds) result.status = Status::failed;
  }
  if (!run.is_complete) {
    result.status = Status::broken;
    result.problem = run.end.message;
  } else if (result.cases.empty()) {
    result.status = Status::broken;
    result.problem = "the scenario expects nothing";
  }
  if (built.programs != nullptr) append_lines(built.programs->warnings(), result.diagnostics);
  if (run.writer == nullptr || result.status == Status::passed) return;
  run.writer->finish(run.end);
  result.trace = trace;
  const std::string page = std::filesystem::path(trace).replace_extension(".html").string();
  result.replay =
      "simrun replay " + shell_word(trace) + " --scenario " + shell_word(result.scenario) + " -o " + shell_word(page);
}

/// A robot of the scenario whose program may not run and that nothing else controls. Empty: none, or an unreadable scenario.
std::string robot_without_permission(const std::string& scenario, const scenario::BuildOptions& build, Diagnostics& problems) {
  if (build.allow_programs) return {};
  const Input input = Input::open(scenario);
  const auto world = autosim::read_world(input.text(), scenario);
  if (!world.ok()) return {};
  const std::filesystem::path folder = std::filesystem::path(scenario).parent_path();
  for (const autosim::RobotEntry& robot : world.value->robots) {
    const auto is_it = [&](const auto& choice) { return sim::glob_matches(choice.robot, robot.name); };
    if (robot.programs.empty() || std::any_of(build.program_choices.begin(), build.program_choices.end(), is_it)) continue;
    if (std::any_of(build.controllers.begin(), build.controllers.end(), is_it)) continue;
    const auto is_trusted = [&](const autosim::UserProgram& program) {
      return build.trusts && build.trusts(scenario, (folder / program.path).string(), {}, problems);
    };
    if (!std::all_of(robot.programs.begin(), robot.programs.end(), is_trusted)) return robot.name;
  }
  return {};
}

/// Why the scenario is not run: an output would overwrite one of its files. Empty: none would.
std::string refusal_of(const std::string& scenario, const TestOptions& options, const ReadFiles& read) {
  const auto refused = [](const char* option, const std::string& file) {
    return std::string(option) + " would overwrite a file that was read (" + quoted(file) + ")";
  };
  if (read.has(options.junit)) return refused("--junit", options.junit);
  if (options.traces.empty()) return {};
  const std::string trace = trace_path(scenario, options.traces);
  return read.has(trace) ? refused("--traces", trace) : "";
}

/// In the child.
TestResult run_one(const std::string& scenario, const TestOptions& options) {
  TestResult result;
  result.scenario = scenario;
  result.status = Status::broken;
  const ReadFiles read;
  try {
    Diagnostics trust;
    if (const std::string robot = robot_without_permission(scenario, options.build, trust); !robot.empty()) {
      append_lines(trust, result.diagnostics);
      scenario::BuildOptions without_programs = options.build;
      without_programs.programs = scenario::ProgramUse::ignore;
      if (std::filesystem::exists(options.junit)) (void)scenario::build_scenario(scenario, without_programs);
      result.refusal = refusal_of(scenario, options, read);
      result.status = Status::skipped;
      result.problem = "the program of " + quoted(robot) + " runs with --allow-programs only";
      return result;
    }
    scenario::BuildResult built = scenario::build_scenario(scenario, options.build);
    built.diagnostics.sort();
    append_lines(built.diagnostics, result.diagnostics);
    result.refusal = refusal_of(scenario, options, read);
    if (!result.refusal.empty())
      result.problem = result.refusal;
    else if (built.value)
      run_built(*built.value, options, result);
    else
      result.problem =
          fmt::format("the scenario has {} error{}", built.diagnostics.errors(), built.diagnostics.errors() == 1 ? "" : "s");
  } catch (const IoError& error) {
    result.problem = error.what();
  }
  return result;
}

TestResult result_of(const std::string& scenario, const PoolResult& ended, const TestOptions& options) {
  TestResult result;
  const bool is_whole = ended.end == PoolResult::End::ended && decode(ended.bytes, result);
  if (!is_whole) {
    result = {};
    result.status = Status::broken;
    result.problem = ended.end == PoolResult::End::out_of_time
                         ? fmt::format("no end after {} s (--timeout)", number_text(options.timeout))
                         : "the process " + ended.process.text();
  }
  result.scenario = scenario;
  result.seconds = ended.seconds;
  if (result.command.empty()) result.command = with_words("simrun test " + shell_word(scenario), options);
  return result;
}

/// Creates the folder of the traces before the first run, so that a failure is found early.
void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(folder, "cannot make the folder: " + error.message());
}

}  // namespace

std::vector<TestResult> run_tests(const std::vector<std::string>& scenarios, const TestOptions& options,
                                  const std::function<void(const TestResult&)>& done) {
  if (!options.traces.empty()) make_folder(options.traces);
  std::vector<TestResult> results(scenarios.size());
  std::vector<bool> ready(scenarios.size());
  for (std::size_t i = 0; i < scenarios.size(); ++i) results[i].scenario = scenarios[i];
  std::size_t next = 0;
  PoolLimits limits;
  limits.parallel = options.jobs;
  if (options.timeout > 0) limits.seconds = options.timeout;
  limits.keep_going = options.keep_going;
  (void)run_pool(
      scenarios.size(), limits,
      [&](std::size_t job, const PoolOutput& output) {
        output.send(encode(run_one(scenarios[job], options)));
        return 0;
      },
      [&](PoolResult&& ended) {
        const std::size_t job = ended.job;
        results[job] = result_of(scenarios[job], ended, options);
        ready[job] = true;
        for (; next < results.size() && ready[next]; ++next)
          if (done) done(results[next]);
        const bool is_bad = results[job].status == Status::failed || results[job].status == Status::broken;
        return results[job].refusal.empty() && !(is_bad && options.fail_fast);
      });
  const bool was_interrupted = options.keep_going && !options.keep_going();
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!ready[i]) results[i].problem = was_interrupted ? "interrupted" : "not run after one that does not pass (--fail-fast)";
  for (; next < results.size(); ++next)
    if (ready[next] && done) done(results[next]);
  return results;
}

}  // namespace simbatch::study
