// JUnit XML for Jenkins' JUnit plugin and GitLab: testsuites/testsuite/testcase with failure, error and skipped.

#include <fmt/format.h>

#include <algorithm>

#include "base/core/number.hpp"
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

/// @param error  "error" or "failure"; nullptr: it passes
void write_case(xml::Writer& writer, const std::string& study, const std::string& name, const char* error,
                const std::string& message, const std::string& text) {
  writer.start("testcase");
  writer.attribute("classname", study);
  writer.attribute("name", name);
  writer.attribute("time", "0.000");  // what a run took is not a result: the file has the same bytes every time
  if (error != nullptr)
    write_problem(writer, error, std::string_view(error) == "failure" ? "expectation" : "run", message, text);
  writer.end();
}

void write_runs(xml::Writer& writer, const Study& study, const std::vector<TableRow>& rows, const std::string& again) {
  for (const TableRow& row : rows) {
    std::string name = "run " + number_text(row.run) + ":";
    for (std::size_t i = 0; i < row.values.size(); ++i)
      name += (i == 0 ? " " : ", ") + study.parameters[i].name + " = " + value_text(study.parameters[i], row.values[i]);
    const char* const error = row.verdict == RunVerdict::pass ? nullptr : row.verdict == RunVerdict::fail ? "failure" : "error";
    write_case(writer, study.name, name, error, row.message, "again: " + again + number_text(row.run));
  }
}

/// How many rows are so, and the first of them.
struct Found {
  std::int64_t n = 0;
  const TableRow* first = nullptr;
  void add(const TableRow& row) {
    if (n++ == 0) first = &row;
  }
};

void write_expectations(xml::Writer& writer, const Study& study, const std::vector<Found>& found,
                        const std::vector<PointColumn>& margins, const std::string& again) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_broken = i == margins.size();
    const std::string name = is_broken ? "every run comes to its end" : margins[i].name;
    const std::string message = number_text(found[i].n) + (is_broken ? " runs broke" : " runs fail");
    write_case(writer, study.name, name,
               found[i].n == 0 ? nullptr
               : is_broken     ? "error"
                               : "failure",
               message,
               found[i].n == 0 ? "" : found[i].first->message + "\nagain: " + again + number_text(found[i].first->run));
  }
}

}  // namespace

std::string study_junit(const Study& study, const Points& points, const std::vector<TableRow>& rows, const std::string& file) {
  Counts counts;
  const bool by_run = rows.size() <= kMaxCases;
  std::vector<Found> found(points.margins().size() + 1);  // by expectation, and what broke
  for (const TableRow& row : rows) {
    if (row.verdict == RunVerdict::pass) continue;
    if (row.verdict != RunVerdict::fail) found.back().add(row);
    for (std::size_t i = 0; i < row.margins.size() && row.verdict == RunVerdict::fail; ++i)
      if (row.margins[i] && (*row.margins[i] < 0 || row.message.starts_with(points.margins()[i].name + " fails")))
        found[i].add(row);
    ++(row.verdict == RunVerdict::fail ? counts.failures : counts.errors);
  }
  counts.tests = static_cast<std::int64_t>(rows.size());
  if (!by_run) {
    counts.tests = static_cast<std::int64_t>(found.size());
    counts.errors = found.back().n > 0 ? 1 : 0;
    counts.failures = std::count_if(found.begin(), found.end() - 1, [](const Found& one) { return one.n > 0; });
  }
  const std::string again = "simrun study " + shell_word(file) + " --only ";
  xml::Writer writer;
  writer.start("testsuites");
  write_counts(writer, counts);
  writer.start("testsuite");
  writer.attribute("name", study.name);
  write_counts(writer, counts);
  if (by_run)
    write_runs(writer, study, rows, again);
  else
    write_expectations(writer, study, found, points.margins(), again);
  writer.end();
  writer.end();
  return writer.take();
}

}  // namespace detail
}  // namespace simbatch::study
