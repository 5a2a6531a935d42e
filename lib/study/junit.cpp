// JUnit XML for Jenkins' JUnit plugin and GitLab: testsuites/testsuite/testcase with failure, error and skipped.

#include <fmt/format.h>

#include <algorithm>

#include "base/core/number.hpp"
#include "base/core/shell_word.hpp"
#include "base/xml/xml.hpp"
#include "lib/study/scenario_tests.hpp"
#include "lib/study/table.hpp"

namespace simbatch::study {
namespace {

using JunitStatus = TestResult::Status;

struct Counts {
  std::int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
  }
};

/// Broken and skipped scenarios have an additional case for the run itself.
bool has_run_case(const TestResult& result) {
  return result.status == JunitStatus::broken || result.status == JunitStatus::skipped;
}

Counts counts_of(const TestResult& result) {
  Counts counts;
  counts.tests = static_cast<std::int64_t>(result.cases.size()) + (has_run_case(result) ? 1 : 0);
  counts.errors = result.status == JunitStatus::broken ? 1 : 0;
  counts.skipped = result.status == JunitStatus::skipped ? 1 : 0;
  for (const TestCase& one : result.cases) {
    counts.failures += one.verdict == expect::Verdict::fails;
    counts.skipped += one.verdict == expect::Verdict::undecided;
  }
  counts.seconds = result.seconds;
  return counts;
}

void write_counts(xml::Writer& writer, const Counts& counts) {
  writer.attribute("tests", counts.tests);
  writer.attribute("failures", counts.failures);
  writer.attribute("errors", counts.errors);
  writer.attribute("skipped", counts.skipped);
  writer.attribute("time", fmt::format("{:.3f}", counts.seconds));
}

void start_case(xml::Writer& writer, const TestResult& result, const std::string& name, double seconds) {
  writer.start("testcase");
  writer.attribute("classname", result.scenario);
  writer.attribute("name", name);
  writer.attribute("time", fmt::format("{:.3f}", seconds));
}

void write_problem(xml::Writer& writer, const char* element, const char* type, const std::string& message,
                   const std::string& text) {
  writer.start(element);
  writer.attribute("message", message);
  writer.attribute("type", type);
  writer.text(text);
  writer.end();
}

/// Lines, each after a line feed: the command that repeats the run, its trace, and the command that shows it.
std::string how_to_look(const TestResult& result) {
  std::string text = "\nagain: " + result.command;
  if (!result.trace.empty()) text += "\ntrace: " + result.trace;
  if (!result.replay.empty()) text += "\nreplay: " + result.replay;
  return text;
}

void write_result(xml::Writer& writer, const TestResult& result) {
  writer.start("testsuite");
  writer.attribute("name", result.scenario);
  write_counts(writer, counts_of(result));
  for (const TestCase& one : result.cases) {
    // All cases share a single run, whose time is attributed to the first.
    start_case(writer, result, one.name, &one == &result.cases.front() ? result.seconds : 0);
    const std::string place = fmt::format("{}:{}:{}: {}", result.scenario, one.at.line, one.at.column, one.message);
    if (one.verdict == expect::Verdict::fails)
      write_problem(writer, "failure", "expectation", one.message, place + how_to_look(result));
    if (one.verdict == expect::Verdict::undecided) {
      writer.start("skipped");
      writer.attribute("message", one.message);
      writer.end();
    }
    writer.end();
  }
  if (has_run_case(result)) {
    start_case(writer, result, "run", result.cases.empty() ? result.seconds : 0);
    if (result.status == JunitStatus::broken) {
      write_problem(writer, "error", "run", result.problem, result.diagnostics + how_to_look(result).substr(1));
    } else {
      writer.start("skipped");
      writer.attribute("message", result.problem);
      writer.end();
    }
    writer.end();
  }
  if (!result.diagnostics.empty() && result.status != JunitStatus::broken) {
    writer.start("system-err");
    writer.text(result.diagnostics);
    writer.end();
  }
  writer.end();
}

}  // namespace

std::string junit(std::span<const TestResult> results) {
  xml::Writer writer;
  Counts all;
  for (const TestResult& result : results) all.add(counts_of(result));
  writer.start("testsuites");
  write_counts(writer, all);
  for (const TestResult& result : results) write_result(writer, result);
  writer.end();
  return writer.take();
}

namespace detail {
namespace {

/// The text of a case for what did not pass.
enum class CaseKind { good, failure, error, allowed };

struct StudyCase {
  std::string name;
  CaseKind kind = CaseKind::good;
  std::string message, text;
  double seconds = 0;
};

void add_to(Counts& counts, const StudyCase& one) {
  ++counts.tests;
  counts.failures += one.kind == CaseKind::failure;
  counts.errors += one.kind == CaseKind::error;
  counts.skipped += one.kind == CaseKind::allowed;
  counts.seconds += one.seconds;
}

void write_case(xml::Writer& writer, const std::string& study, const StudyCase& one) {
  writer.start("testcase");
  writer.attribute("classname", study);
  writer.attribute("name", one.name);
  writer.attribute("time", fmt::format("{:.3f}", one.seconds));
  if (one.kind == CaseKind::failure) write_problem(writer, "failure", "expectation", one.message, one.text);
  if (one.kind == CaseKind::error) write_problem(writer, "error", "run", one.message, one.text);
  if (one.kind == CaseKind::allowed) {
    writer.start("skipped");
    writer.attribute("message", "enough others pass: " + one.message);
    writer.end();
  }
  writer.end();
}

std::vector<StudyCase> cases_by_run(const Study& study, const std::vector<TableRow>& rows, const std::string& again) {
  std::vector<StudyCase> cases;
  for (const TableRow& row : rows) {
    std::string name = "run " + number_text(row.run) + ":";
    for (std::size_t i = 0; i < row.values.size(); ++i)
      name += (i == 0 ? " " : ", ") + study.parameters[i].name + " = " + value_text(study.parameters[i], row.values[i]);
    const CaseKind kind = row.verdict == RunVerdict::pass   ? CaseKind::good
                          : row.verdict == RunVerdict::fail ? CaseKind::failure
                                                            : CaseKind::error;
    cases.push_back({std::move(name), kind, row.message, "again: " + again + number_text(row.run), row.seconds});
  }
  return cases;
}

/// The number of rows that meet a condition, and the first of them.
struct Found {
  std::int64_t n = 0;
  const TableRow* first = nullptr;
  void add(const TableRow& row) {
    if (n++ == 0) first = &row;
  }
};

/// One case for each expectation, then one for broken runs. All cases share the runs, whose time is attributed to the first.
std::vector<StudyCase> cases_by_expectation(const std::vector<PointColumn>& margins, const std::vector<TableRow>& rows,
                                            const std::string& again) {
  std::vector<Found> found(margins.size() + 1);
  double seconds = 0;
  for (const TableRow& row : rows) {
    seconds += row.seconds;
    if (row.verdict == RunVerdict::pass) continue;
    if (row.verdict != RunVerdict::fail) found.back().add(row);
    for (std::size_t i = 0; i < row.margins.size() && row.verdict == RunVerdict::fail; ++i)
      if (row.margins[i] && (*row.margins[i] < 0 || row.message.starts_with(margins[i].name + " fails"))) found[i].add(row);
  }
  std::vector<StudyCase> cases;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_broken = i == margins.size();
    StudyCase one{is_broken ? "every run comes to its end" : margins[i].name, CaseKind::good, {}, {}, i == 0 ? seconds : 0};
    if (found[i].n > 0) {
      one.kind = is_broken ? CaseKind::error : CaseKind::failure;
      one.message = number_text(found[i].n) + (found[i].n == 1 ? " run " : " runs ") +
                    (is_broken         ? "broke"
                     : found[i].n == 1 ? "fails"
                                       : "fail");
      one.text = found[i].first->message + "\nagain: " + again + number_text(found[i].first->run);
    }
    cases.push_back(std::move(one));
  }
  return cases;
}

/// StudyOptions::min_pass
StudyCase share_case(const std::vector<TableRow>& rows, double share, const std::string& file) {
  const auto pass =
      std::count_if(rows.begin(), rows.end(), [](const TableRow& row) { return row.verdict == RunVerdict::pass; });
  const auto n = static_cast<std::int64_t>(rows.size());
  StudyCase one{fmt::format("at least {:.6g} % of the runs pass", 100 * share), CaseKind::good, {}, {}, 0};
  if (enough_pass(pass, n, share)) return one;
  one.kind = CaseKind::failure;
  one.message = fmt::format("{} of {} runs pass, {:.4g} %", pass, n, 100 * static_cast<double>(pass) / static_cast<double>(n));
  one.text = "again: simrun study " + shell_word(file) + " -o DIR";
  return one;
}

}  // namespace

std::string study_junit(const Study& study, const Points& points, const std::vector<TableRow>& rows,
                        const StudyOptions& options) {
  const std::string again = "simrun study " + shell_word(options.file) + " --only ";
  std::vector<StudyCase> cases =
      rows.size() <= kMaxCases ? cases_by_run(study, rows, again) : cases_by_expectation(points.margins(), rows, again);
  if (options.min_pass) {
    StudyCase share = share_case(rows, *options.min_pass, options.file);
    for (StudyCase& one : cases)
      if (share.kind == CaseKind::good && one.kind != CaseKind::good) one.kind = CaseKind::allowed;
    cases.push_back(std::move(share));
  }
  Counts counts;
  for (const StudyCase& one : cases) add_to(counts, one);
  xml::Writer writer;
  writer.start("testsuites");
  write_counts(writer, counts);
  writer.start("testsuite");
  writer.attribute("name", study.name);
  write_counts(writer, counts);
  for (const StudyCase& one : cases) write_case(writer, study.name, one);
  writer.end();
  writer.end();
  return writer.take();
}

}  // namespace detail
}  // namespace simbatch::study
