// Each run is built and run in a forked child, which sends its row as text. The parent appends it to the journal of its shard and flushes, so that a
// killed study loses no finished run. A row has nothing in it that depends on when or where it was made; the table is all rows by their numbers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "base/core/atomic_file.hpp"
#include "base/core/hash.hpp"
#include "base/core/number.hpp"
#include "base/process/pool.hpp"
#include "lib/expect/trace_signals.hpp"
#include "lib/sim/expect/expectations.hpp"
#include "lib/sim/record/run.hpp"
#include "lib/study/codes.hpp"
#include "lib/study/study.hpp"
#include "simbatch_version.hpp"

namespace simbatch::study {
namespace fs = std::filesystem;
namespace {

/// A text as a cell: RFC 4180, on one line.
std::string cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted_text = "\"";
  for (const char c : text) quoted_text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted_text + "\"";
}

struct Plan {
  std::string scenario_path, scenario_text;
  double duration = 0;
  std::vector<std::string> expectations;  // names, in the order of their columns
  std::string header, digest;
};

std::int64_t steps_for(double duration, double dt) { return static_cast<std::int64_t>(std::ceil(duration / dt - 1e-6)); }

/// Builds the scenario with the values of a run, and adds the study's expectations.
std::optional<scenario::BuiltScenario> build_run(const Study& study, const StudyOptions& options, const Plan& plan,
                                                 std::int64_t run, Diagnostics& problems) {
  const std::vector<double> values = values_of(study, run);
  auto text = edited_scenario(plan.scenario_text, plan.scenario_path, study, values, problems);
  if (!text) return std::nullopt;
  scenario::BuildOptions how = options.build;
  how.text = std::move(text);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (study.parameters[i].path == "seed") how.seed = static_cast<std::uint64_t>(values[i]);
  auto built = scenario::build_scenario(plan.scenario_path, how);
  problems.append(std::move(built.diagnostics));
  if (!built.value) return std::nullopt;
  for (const Study::Expect& expect : study.expects)
    built.value->expectations->add(expect.that, {options.file, expect.places}, expect.name, 0, problems);
  if (problems.has_errors()) return std::nullopt;
  return std::move(built.value);
}

/// The row's part after the parameters: verdict, message, steps, state hash, margins.
std::string ended_row(const std::string& verdict, const std::string& message, std::int64_t steps, const std::string& hash,
                      const std::vector<std::string>& margins) {
  std::string row = verdict + "," + cell(message) + "," + number_text(steps) + "," + hash;
  for (const std::string& margin : margins) row += "," + margin;
  return row;
}

/// In the child.
std::string run_row(const Study& study, const StudyOptions& options, const Plan& plan, std::int64_t run) {
  std::vector<std::string> margins(plan.expectations.size());
  try {
    Diagnostics problems(options.file);
    auto built = build_run(study, options, plan, run, problems);
    if (!built) {
      std::string message = "the scenario cannot be built";
      for (const Diagnostic& problem : problems.items())
        if (problem.severity == Severity::error) {
          message = to_text(problem);
          break;
        }
      return ended_row("error", message, 0, "", margins);
    }
    sim::Expectations& expectations = *built->expectations;
    sim::RunOutputs outputs;
    outputs.look = [&](std::int64_t) { expectations.look(); };
    const sim::RunPlan how{steps_for(plan.duration, built->simulation->settings().physics.dt), 1, 0};
    const trace::End end = sim::run_simulation(*built->simulation, how, outputs, [](std::int64_t) { return true; });
    if (end.outcome != "complete") return ended_row("error", end.message, end.steps, hex64(end.state_hash), margins);
    expectations.finish(true);
    std::string verdict = "pass", message;
    for (const auto& [expectation, monitor, least] : expectations.entries()) {
      const expect::Outcome outcome = monitor.outcome();
      const auto place = std::find(plan.expectations.begin(), plan.expectations.end(), expectation.name);
      // An event has no margin between plus and minus infinity, which tables write as inf.
      std::string& margin = margins[static_cast<std::size_t>(place - plan.expectations.begin())];
      margin = std::isfinite(outcome.margin) ? number_text(outcome.margin + 0.0) : outcome.margin > 0 ? "inf" : "-inf";
      if (outcome.verdict == expect::Verdict::holds || verdict == "fail") continue;
      verdict = "fail";
      message = expectation.name + " " + expect::describe(outcome);
    }
    return ended_row(verdict, message, end.steps, hex64(end.state_hash), margins);
  } catch (const std::exception& error) {
    return ended_row("error", error.what(), 0, "", margins);
  }
}

std::string whole_row(const Study& study, std::int64_t run, const std::string& rest) {
  std::string row = number_text(run);
  for (const double value : values_of(study, run)) row += "," + number_text(value);
  return row + "," + rest + "\r\n";
}

/// Builds the first run here: names, units and paths are checked before any run, and what the table has is known.
std::optional<Plan> make_plan(const Study& study, const StudyOptions& options, Diagnostics& problems) {
  Plan plan;
  plan.scenario_path = (fs::path(options.file).parent_path() / study.scenario).string();
  const Input scenario = Input::open(plan.scenario_path);
  plan.scenario_text = scenario.text();
  auto first = build_run(study, options, plan, 0, problems);
  if (!first) return std::nullopt;
  plan.duration = study.duration.value_or(first->duration);
  if (!(plan.duration > 0)) {
    problems.report(code::kDesign, study.place.at,
                    "neither the study nor the scenario says how long to run, expected duration=\"SECONDS\"");
    return std::nullopt;
  }
  plan.header = "run";
  for (const Parameter& parameter : study.parameters) plan.header += "," + cell(parameter.name);
  plan.header += ",verdict,message,steps,state_hash";
  for (const auto& [expectation, monitor, least] : first->expectations->entries()) {
    plan.expectations.push_back(expectation.name);
    plan.header += "," + cell("margin of " + expectation.name);
  }
  plan.header += "\r\n";
  // What decides the results: the program, the study but for the number of runs, every input file.
  StateHash hash;
  std::string identity = std::string(SIMBATCH_VERSION) + "\n" + first->simulation->world().engine() + "\n" + plan.header +
                         number_text(study.seed) + " " + number_text(plan.duration) + "\n" + hex64(hash64(plan.scenario_text)) +
                         "\n";
  for (const Parameter& p : study.parameters) {
    identity += p.path + " " + number_text(p.low) + " " + number_text(p.high) + " " + number_text(static_cast<int>(p.scale)) +
                number_text(static_cast<int>(p.whole)) + " " + number_text(p.steps);
    for (const double value : p.values) identity += " " + number_text(value);
    identity += "\n";
  }
  for (const auto& [expectation, monitor, least] : first->expectations->entries()) identity += expectation.text + "\n";
  const bool is_fixed =
      study.design == DesignKind::grid || study.design == DesignKind::latin;  // more runs would move the others
  identity += number_text(static_cast<int>(study.design)) + (is_fixed ? number_text(run_count(study)) : "") + "\n";
  for (const scenario::FileDigest& file : first->inputs)
    if (file.name != first->name) identity += file.name + " " + file.digest + "\n";
  plan.digest = hex64(hash64(identity));
  return plan;
}

// ---- Journals: a line that says whose they are, then rows

constexpr std::string_view kJournal = "journal", kTable = "results.csv";

std::string first_line(const Plan& plan) { return "# simbatch study " + plan.digest + "\r\n"; }

std::string journal_name(const StudyOptions& options) {
  return options.shards == 1 ? "journal.csv" : fmt::format("journal-{}-of-{}.csv", options.shard, options.shards);
}

/// Rows of all journals of the folder, by run. A last line without its end was cut by a kill and does not count.
bool read_journals(const Study& study, const StudyOptions& options, const Plan& plan, std::map<std::int64_t, std::string>& rows,
                   Diagnostics& problems) {
  for (const fs::directory_entry& entry : fs::directory_iterator(options.folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kJournal) || !name.ends_with(".csv")) continue;
    if (options.fresh) {
      fs::remove(entry.path());
      continue;
    }
    const Input input = Input::open_regular(entry.path().string());
    std::string_view text = input.text();
    if (text.empty()) continue;
    if (!text.starts_with(first_line(plan))) {
      Diagnostics other(entry.path().string());
      other.report(
          code::kChanged, {1, 1},
          "these are results of another study, scenario or version of the program, expected another folder, or --fresh");
      problems.append(std::move(other));
      return false;
    }
    text.remove_prefix(first_line(plan).size());
    for (std::size_t end = text.find("\r\n"); end != std::string_view::npos; end = text.find("\r\n")) {
      const std::string_view row = text.substr(0, end + 2);
      text.remove_prefix(end + 2);
      const auto run = parse_integer<std::int64_t>(row.substr(0, row.find(',')));
      if (run && run.value >= 0 && run.value < run_count(study)) rows.emplace(run.value, row);
    }
  }
  return true;
}

/// Appends rows; each is on its way to the disk before the next.
class Journal {
 public:
  Journal(const std::string& path, const std::string& head) : path_(path), file_(std::fopen(path.c_str(), "ab"), &std::fclose) {
    if (file_ == nullptr) throw IoError::from_errno(path, "cannot write", errno);
    std::fseek(file_.get(), 0, SEEK_END);
    if (std::ftell(file_.get()) == 0) append(head);
  }
  void append(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
      throw IoError::from_errno(path_, "cannot write", errno);
  }

 private:
  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// A journal whose last line was cut goes on after its last whole line.
void repair_end(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  std::size_t whole = 0;
  {
    const Input input = Input::open_regular(path);
    const std::size_t end = input.text().rfind("\r\n");
    whole = end == std::string_view::npos ? 0 : end + 2;
    if (whole == input.text().size()) return;
  }
  fs::resize_file(path, whole);
}

void count_row(const std::string& row, std::size_t parameters, StudyResult& result) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= parameters; ++i) at = row.find(',', at) + 1;
  const std::string_view verdict = std::string_view(row).substr(at, row.find(',', at) - at);
  ++(verdict == "pass" ? result.pass : verdict == "fail" ? result.fail : result.broken);
}

std::string result_row(const PoolResult& ended, const StudyOptions& options, const Plan& plan) {
  const std::vector<std::string> margins(plan.expectations.size());
  if (ended.end == PoolResult::End::out_of_time)
    return ended_row("timeout", "no end after " + number_text(options.timeout) + " s of wall clock", 0, "", margins);
  if (ended.process.by_signal || ended.process.value != 0 || ended.bytes.empty())
    return ended_row("crash", "the process " + ended.process.text(), 0, "", margins);
  return ended.bytes;
}

}  // namespace

std::optional<StudyResult> run_study(const Study& study, const StudyOptions& options, Diagnostics& problems) {
  const auto plan = make_plan(study, options, problems);
  if (!plan) return std::nullopt;
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) throw IoError(options.folder, error.message());
  std::map<std::int64_t, std::string> rows;
  if (!read_journals(study, options, *plan, rows, problems)) return std::nullopt;

  StudyResult result;
  result.runs = run_count(study);
  result.before = static_cast<std::int64_t>(rows.size());
  std::vector<std::int64_t> todo;
  for (std::int64_t run = options.shard - 1; run < result.runs; run += options.shards)
    if (!rows.contains(run)) todo.push_back(run);
  if (!todo.empty()) {
    const std::string path = (fs::path(options.folder) / journal_name(options)).string();
    repair_end(path);
    Journal journal(path, first_line(*plan));
    PoolLimits limits;
    limits.parallel = options.jobs;
    if (options.timeout > 0) limits.seconds = options.timeout;
    limits.go_on = options.go_on;
    (void)run_pool(
        todo.size(), limits,
        [&](std::size_t job, const PoolOutput& output) {
          output.send(run_row(study, options, *plan, todo[job]));
          return 0;
        },
        [&](PoolResult&& ended) {
          const std::int64_t run = todo[ended.job];
          const std::string row = whole_row(study, run, result_row(ended, options, *plan));
          journal.append(row);
          rows.emplace(run, row);
          if (options.progress) options.progress(static_cast<std::int64_t>(rows.size()), result.runs);
          return true;
        });
  }
  result.done = static_cast<std::int64_t>(rows.size());
  for (const auto& [run, row] : rows) count_row(row, study.parameters.size(), result);
  result.is_whole = result.done == result.runs;
  if (result.is_whole) {
    std::string table = plan->header;
    for (const auto& [run, row] : rows) table += row;
    write_file((fs::path(options.folder) / kTable).string(), table);
  }
  return result;
}

}  // namespace simbatch::study
