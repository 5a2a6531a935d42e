#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "lib/base/atomic_file.hpp"
#include "lib/base/input.hpp"
#include "lib/cli/cli.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr Code kOdd{"test-odd", Severity::warning, "something odd"};
constexpr Code kBad{"test-bad", Severity::error, "something bad"};
constexpr const Code* kCodes[] = {&kOdd, &kBad};
const cli::CodeTable kTables[] = {kCodes};

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// Runs a small program in a child process, with its streams in files.
Outcome run(std::vector<std::string> words, const std::function<cli::ExitCode(cli::Common&)>& body) {
  const test::TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("SIMBATCH_PINNED", "1", 1);
    ::dup2(::open(folder.file("out").c_str(), O_CREAT | O_WRONLY, 0600), 1);
    ::dup2(::open(folder.file("err").c_str(), O_CREAT | O_WRONLY, 0600), 2);
    CLI::App app{"A program for this test", "tool"};
    cli::Common common;
    int width = 0;
    cli::add_common(app, common);
    app.add_option("--width", width, "Some width");
    app.add_subcommand("check", "Only read");
    words.insert(words.begin(), "tool");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int code = cli::run_main(app, static_cast<int>(words.size()), argv.data(), kTables, [&] { return body(common); });
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::read_text(folder.file("out")),
          test::read_text(folder.file("err"))};
}

cli::ExitCode nothing(cli::Common&) { return cli::ExitCode::ok; }

cli::ExitCode two_problems(cli::Common& common) {
  cli::Reporter reporter(common);
  Diagnostics diagnostics("a.txt");
  diagnostics.report(kBad, {2, 1}, "bad");
  diagnostics.report(kOdd, {1, 1}, "odd");
  reporter.show(diagnostics);
  return reporter.finish();
}

cli::ExitCode one_warning(cli::Common& common) {
  cli::Reporter reporter(common);
  Diagnostics diagnostics("a.txt");
  diagnostics.report(kOdd, {1, 1}, "odd");
  reporter.show(diagnostics);
  return reporter.finish();
}

}  // namespace

TEST_CASE("cli: each ending has its exit code") {
  CHECK(run({}, nothing).code == 0);
  CHECK(run({}, two_problems).code == 1);
  CHECK(run({}, one_warning).code == 0);
  CHECK(run({"--strict"}, one_warning).code == 1);
  CHECK(run({"--width", "x"}, nothing).code == 2);
  CHECK(run({"--wdith", "3"}, nothing).code == 2);
  CHECK(run({}, [](cli::Common&) -> cli::ExitCode { throw IoError("f", "cannot open"); }).code == 3);
  CHECK(run({}, [](cli::Common&) -> cli::ExitCode { throw std::logic_error("x"); }).code == 4);
  CHECK(run({}, [](cli::Common&) -> cli::ExitCode {
          ::raise(SIGINT);
          return cli::ExitCode::ok;
        }).code == 130);
}

TEST_CASE("cli: diagnostics are sorted and summed up, as text or as JSON lines") {
  CHECK(run({}, two_problems).err ==
        "a.txt:1:1: warning: odd [test-odd]\na.txt:2:1: error: bad [test-bad]\n1 error, 1 warning\n");
  CHECK(run({"-q"}, two_problems).err == "a.txt:2:1: error: bad [test-bad]\n1 error, 1 warning\n");
  CHECK(run({"--max-errors", "1"}, two_problems).err ==
        "a.txt:1:1: warning: odd [test-odd]\n1 more not shown (--max-errors 0 shows all)\n1 error, 1 warning\n");
  CHECK(
      run({"--diagnostics", "json"}, one_warning).err ==
      "{\"file\":\"a.txt\",\"line\":1,\"column\":1,\"severity\":\"warning\",\"code\":\"test-odd\",\"message\":\"odd\",\"path\":\"\"}\n"
      "{\"summary\":{\"errors\":0,\"warnings\":1,\"exit\":0}}\n");
}

TEST_CASE("cli: a misspelt option is answered with the nearest one") {
  CHECK(run({"--wdith", "3"}, nothing).err.find("did you mean --width?") != std::string::npos);
}

TEST_CASE("cli: codes are explained") {
  CHECK(run({"--explain", "test-odd"}, nothing).out == "test-odd: something odd (default: warning)\n");
  CHECK(run({"--explain", "test-ood"}, nothing).code == 2);
}

TEST_CASE("cli: an interrupt leaves no partial file") {
  const test::TemporaryFolder folder;
  const std::string target = folder.file("out");
  const Outcome outcome = run({}, [&](cli::Common&) {
    AtomicFile file(target);
    file.write(std::string(1'000'000, 'x'));
    ::raise(SIGTERM);
    file.commit();
    return cli::ExitCode::ok;
  });
  CHECK(outcome.code == 130);
  CHECK(folder.names().empty());
}

TEST_CASE("cli: a progress bar is drawn only where it was asked for") {
  const auto work = [](cli::Common& common) {
    cli::Progress progress(common, "working", 100);
    for (std::uint64_t i = 0; i < 100; ++i) progress.update(i);
    progress.finish();
    return cli::ExitCode::ok;
  };
  CHECK(run({}, work).err.empty());
  CHECK(run({"--progress", "always"}, work).err.find("working [") != std::string::npos);
  CHECK(run({"--progress", "always", "--diagnostics", "json"}, work).err.empty());
}
