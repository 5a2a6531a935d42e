// JUnit XML for Jenkins' JUnit plugin and GitLab: testsuites/testsuite/testcase with failure, error and skipped.

#include <fmt/format.h>

#include "base/xml/xml.hpp"
#include "lib/study/scenario_tests.hpp"

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

void write_result(xml::Writer& writer, const TestResult& result) {
  writer.start("testsuite");
  writer.attribute("name", result.scenario);
  write_counts(writer, counts_of(result));
  for (const TestCase& one : result.cases) {
    // All cases share a single run, whose time is attributed to the first.
    start_case(writer, result, one.name, &one == &result.cases.front() ? result.seconds : 0);
    const std::string place = fmt::format("{}:{}:{}: {}", result.scenario, one.at.line, one.at.column, one.message);
    if (one.verdict == expect::Verdict::fails)
      write_problem(writer, "failure", "expectation", one.message, place + "\nagain: " + result.command);
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
      write_problem(writer, "error", "run", result.problem, result.diagnostics + "again: " + result.command);
    } else {
      writer.start("skipped");
      writer.attribute("message", "interrupted");
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

}  // namespace simbatch::study
