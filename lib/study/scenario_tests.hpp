#pragma once
/// Scenarios as tests: each is run in a process of its own, and its expectations are the test cases.

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
  std::string message;  ///< expect::describe()
  Position at;          ///< in the scenario
};

/// How a scenario did.
struct TestResult {
  enum class Status {
    passed,   ///< every expectation holds
    failed,   ///< one does not
    broken,   ///< it could not be built, had nothing to run, failed, crashed, or took too long
    skipped,  ///< not run: interrupted
  };
  std::string scenario;  ///< path
  Status status = Status::skipped;
  std::string problem;      ///< of a broken one; lines
  std::string diagnostics;  ///< warnings and errors, a line each
  std::vector<TestCase> cases;
  std::int64_t steps = 0;  ///< done
  double time = 0;         ///< s, simulated
  std::uint64_t state_hash = 0;
  double seconds = 0;   ///< wall clock
  std::string command;  ///< runs it again
  std::string trace;    ///< path; empty: none was kept
};

struct TestOptions {
  scenario::BuildOptions build;
  std::vector<std::string> build_words;  ///< how `build` is said on a command line, for TestResult::command
  std::optional<double> duration;        ///< s; instead of the scenarios'
  std::size_t jobs = 1;
  double timeout = 600;    ///< s of wall clock for each scenario; 0: none
  std::string traces;      ///< folder for the traces of those that do not pass; empty: none
  bool fail_fast = false;  ///< starts no more after one that did not pass
  std::function<bool()> go_on;
};

/// The scenarios with expectations among files and folders: files as they are, of folders all World files with <Expectations>, found
/// recursively, by name. Hidden folders and symbolic links to folders are passed over.
/// @throws IoError for a path that does not exist
std::vector<std::string> find_tests(std::span<const std::string> paths);

/// Runs them, `jobs` at a time. @param done  called for each, in the order of `scenarios`, as soon as those before it are done
/// @return in the order of `scenarios`
std::vector<TestResult> run_tests(const std::vector<std::string>& scenarios, const TestOptions& options,
                                  const std::function<void(const TestResult&)>& done);

/// The results as JUnit XML (docs/schemas/junit.xsd): a testsuite for each scenario, a testcase for each expectation.
std::string junit(std::span<const TestResult> results);

/// A word as a shell takes it, in quotes where it needs them.
std::string shell_word(const std::string& word);

}  // namespace simbatch::study
