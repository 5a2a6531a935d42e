#pragma once
/// Scenarios as tests: each is run in a separate process, and its expectations are the test cases.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/expect/monitor.hpp"
#include "lib/scenario/build.hpp"

namespace simbatch::study {

/// One expectation of a scenario.
struct TestCase {
  std::string name;
  expect::Verdict verdict = expect::Verdict::undecided;
  std::string message;      ///< expect::describe()
  Position at;              ///< in the scenario
  bool is_vacuous = false;  ///< it holds because the run ended before there was anything to check
};

/// Result of a scenario.
struct TestResult {
  enum class Status {
    passed,   ///< every expectation holds
    failed,   ///< one does not
    broken,   ///< it could not be built, had nothing to run, failed, crashed, or took too long
    skipped,  ///< not run: interrupted, TestOptions::fail_fast, or programs that `build` does not allow (see `problem`)
  };
  std::string scenario;  ///< path
  Status status = Status::skipped;
  std::string problem;      ///< why it is broken or was skipped; may have several lines
  std::string diagnostics;  ///< warnings and errors, one per line
  std::vector<TestCase> cases;
  std::int64_t steps = 0;  ///< completed
  double time = 0;         ///< s, simulated
  std::uint64_t state_hash = 0;
  double seconds = 0;   ///< wall clock
  std::string command;  ///< command that repeats the run
  std::string trace;    ///< path; empty: none was written
  std::string replay;   ///< the command that makes a page of the trace; empty: there is none
  std::string refusal;  ///< why nothing may be run: an output would overwrite a file that was read
};

struct TestOptions {
  scenario::BuildOptions build;
  std::vector<std::string> build_words;  ///< `build` as command line options, for TestResult::command
  std::optional<double> duration;        ///< s; overrides that of the scenarios
  std::size_t jobs = 1;
  double timeout = 600;    ///< s of wall clock for each scenario; 0: none
  std::string traces;      ///< folder for the traces of scenarios that do not pass; empty: no traces
  std::string junit = {};  ///< file that the caller will write; a scenario that reads it is not run
  bool fail_fast = false;  ///< stop starting scenarios after the first that does not pass
  std::function<bool()> keep_going;
};

/// Collects scenarios with expectations: files are taken as given, folders are searched recursively for World files with
/// <Expectations>, sorted by name. Hidden folders and symbolic links to folders are skipped. XML of an unknown kind with an
/// <Expect> is collected, too: its root may be misspelled.
/// @param without  receives the World files that were found but contain no expectations; may be null
/// @throws IoError for a path that does not exist
std::vector<std::string> find_tests(std::span<const std::string> paths, std::vector<std::string>* without = nullptr);

/// Runs them, `jobs` at a time. @param done  called for each, in the order of `scenarios`, as soon as all previous ones are
/// done
/// @return in the order of `scenarios`
std::vector<TestResult> run_tests(const std::vector<std::string>& scenarios, const TestOptions& options,
                                  const std::function<void(const TestResult&)>& done);

/// The results as JUnit XML (docs/schemas/junit.xsd): a testsuite for each scenario, a testcase for each expectation.
std::string junit(std::span<const TestResult> results);

}  // namespace simbatch::study
