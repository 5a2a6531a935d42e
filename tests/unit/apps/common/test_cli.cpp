#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "apps/common/command.hpp"
#include "apps/common/completion.hpp"
#include "apps/common/console.hpp"
#include "apps/common/progress.hpp"
#include "apps/common/reporter.hpp"
#include "base/core/atomic_file.hpp"
#include "base/core/input.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

constexpr Code kOdd{"test-odd", Severity::warning, "something odd"};
constexpr Code kBad{"test-bad", Severity::error, "something bad"};
constexpr const Code* kCodes[] = {&kOdd, &kBad};
const CodeTable kTable{kCodes};

struct Outcome {
  int code = -1;
  std::string out, err;
};

/// Runs a small program in a child process, with its streams in files. @param more  adds to the program
Outcome run(std::vector<std::string> words, const cli::Run& body, const std::function<void(cli::Command&)>& more = {}) {
  const test::TemporaryFolder folder;
  std::fflush(nullptr);  // ThreadSanitizer's _exit writes what is left in the child's copy of the buffers
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("SIMBATCH_PINNED", "1", 1);
    ::dup2(::open(folder.file("out").c_str(), O_CREAT | O_WRONLY, 0600), 1);
    ::dup2(::open(folder.file("err").c_str(), O_CREAT | O_WRONLY, 0600), 2);
    cli::Command program("tool", "A program for this test");
    int width = 0;
    program.option("--width", "N", width, "Some width");
    program.run(body);
    program.add("check", "Only read").run(body);
    if (more) more(program);
    words.insert(words.begin(), "tool");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::_exit(cli::run_main(program, static_cast<int>(words.size()), argv.data()));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::read_text(folder.file("out")),
          test::read_text(folder.file("err"))};
}

cli::ExitCode nothing(cli::Reporter&) { return cli::ExitCode::ok; }

cli::ExitCode two_problems(cli::Reporter& reporter) {
  Diagnostics diagnostics("a.txt");
  diagnostics.report(kBad, {2, 1}, "bad");
  diagnostics.report(kOdd, {1, 1}, "odd");
  reporter.show(diagnostics);
  return reporter.finish();
}

cli::ExitCode one_warning(cli::Reporter& reporter) {
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
  CHECK(run({}, [](cli::Reporter&) -> cli::ExitCode { throw IoError("f", "cannot open"); }).code == 3);
  CHECK(run({}, [](cli::Reporter&) -> cli::ExitCode { throw std::logic_error("x"); }).code == 4);
  CHECK(run({}, [](cli::Reporter&) -> cli::ExitCode {
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

TEST_CASE("cli: more problems than are kept are counted exactly") {
  const auto many = [](cli::Reporter& reporter) {
    Diagnostics diagnostics("a.txt");
    for (unsigned i = 1; i <= 15'000; ++i) diagnostics.report(kBad, {i, 1}, "bad");
    reporter.show(diagnostics);
    return reporter.finish();
  };
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const std::string three = run({"--max-errors", "3"}, many).err;
  CHECK(three.ends_with("\n14997 more not shown (--max-errors 0 shows 9997 of them)\n15000 errors, 0 warnings\n"));
  CHECK(lines(three) == 5);
  const std::string all = run({"--max-errors", "0"}, many).err;
  CHECK(
      all.ends_with("\n5000 more not shown: of each input, only the first 10000 errors and as many warnings are kept\n"
                    "15000 errors, 0 warnings\n"));
  CHECK(lines(all) == 10'002);
  CHECK(run({"--max-errors", "3", "--diagnostics", "json"}, many)
            .err.ends_with("{\"summary\":{\"errors\":15000,\"warnings\":0,\"not_shown\":14997,\"exit\":1}}\n"));
}

TEST_CASE("cli: --quiet keeps an error's notes, and no others") {
  const auto remarks = [](cli::Reporter& reporter) {
    Diagnostics diagnostics("a.txt");
    diagnostics.report(kBad, {1, 1}, "bad");
    diagnostics.note(kBad, {9, 1}, "the first one is here");
    diagnostics.report(kOdd, {2, 1}, "odd");
    diagnostics.note(kOdd, {9, 1}, "of odd");
    diagnostics.report_as(Severity::note, kOdd, {1, 5}, "a remark");
    reporter.show(diagnostics);
    return reporter.finish();
  };
  CHECK(run({"--quiet"}, remarks).err ==
        "a.txt:1:1: error: bad [test-bad]\na.txt:9:1: note: the first one is here [test-bad]\n1 error, 1 warning\n");
  CHECK(run({"--max-errors", "2"}, remarks).err.find("a.txt:1:5: note: a remark") != std::string::npos);
}

TEST_CASE("cli: a misspelled option is answered with the nearest one") {
  CHECK(run({"--wdith", "3"}, nothing).err.starts_with("tool: unknown option --wdith; did you mean --width?\n"));
  CHECK(
      run({"--wdith", "3", "--wdith", "4"}, nothing).err.starts_with("tool: unknown option --wdith; did you mean --width?\n"));
  CHECK(run({"check", "--nix", "--on=1"}, nothing).err.starts_with("tool: unknown options --nix and --on=1\n"));
}

TEST_CASE("cli: words that nothing takes are named once each, in their order") {
  CHECK(run({"check", "b"}, nothing).err.starts_with("tool: unexpected argument \"b\""));
  CHECK(run({"check", "b", "c", "b", "d"}, nothing).err.starts_with("tool: unexpected arguments \"b\", \"c\" and \"d\""));
  CHECK(run({"check", "x\x1b[2J", "c"}, nothing).err.find('\x1b') == std::string::npos);
}

TEST_CASE("cli: a word before an unexpected argument may be meant as a subcommand") {
  const auto with_input = [](cli::Command& program) {
    program.positional("INPUT", program.keep<std::string>(), "Some input");
    program.without_subcommand("an input needs none: tool INPUT");
  };
  const auto refused = [&](std::vector<std::string> words) { return run(std::move(words), nothing, with_input).err; };
  CHECK(
      refused({"run", "a.xml", "--width", "3"})
          .starts_with("tool: unexpected argument \"a.xml\": \"run\" is not a subcommand; an input needs none: tool INPUT\n"));
  CHECK(refused({"chek", "a.xml"})
            .starts_with("tool: unexpected argument \"a.xml\": \"chek\" is not a subcommand, did you mean check?\n"));
  CHECK(refused({"a.xml", "b.xml"}).starts_with("tool: unexpected argument \"b.xml\"\n"));
  CHECK(refused({"check", "b.xml"}).starts_with("tool: unexpected argument \"b.xml\"\n"));
}

TEST_CASE("cli: codes are explained") {
  CHECK(run({"--explain", "test-odd"}, nothing).out == "test-odd: something odd (default: warning)\n");
  CHECK(run({"--explain", "test-ood"}, nothing).code == 2);
}

TEST_CASE("cli: what ends a program is reported in JSON as well, after what was reported before") {
  const auto unreadable = [](cli::Reporter& reporter) -> cli::ExitCode {
    one_warning(reporter);
    throw IoError("a.txt", "cannot open: no such thing");
  };
  CHECK(run({}, [](cli::Reporter&) -> cli::ExitCode { throw IoError("a.txt", "gone"); }).err == "tool: a.txt: gone\n");
  const Outcome outcome = run({"--diagnostics", "json"}, unreadable);
  CHECK(outcome.code == 3);
  CHECK(outcome.err.ends_with(
      "{\"file\":\"a.txt\",\"line\":0,\"column\":0,\"severity\":\"error\",\"code\":\"file-io\",\"message\":\"cannot open: no "
      "such thing\",\"path\":\"\"}\n{\"summary\":{\"errors\":1,\"warnings\":1,\"exit\":3}}\n"));
  const Outcome bug =
      run({"--diagnostics=json"}, [](cli::Reporter&) -> cli::ExitCode { throw std::logic_error("not thought of"); });
  CHECK(bug.code == 4);
  CHECK(bug.err.find("\"code\":\"internal-error\",\"message\":\"internal error: not thought of") != std::string::npos);
  CHECK(run({"--explain", "file-io"}, nothing).code == 0);
  CHECK(run({"--explain", "internal-error"}, nothing).code == 0);
}

TEST_CASE("cli: a reader that has seen enough is not an error, a closed standard output is") {
  const auto writes = [](cli::Reporter&) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    ::close(ends[0]);
    ::dup2(ends[1], 1);
    write_file("-", "text");
    return cli::ExitCode::input;
  };
  CHECK(run({}, writes).code == 0);
  CHECK(run({}, writes).err.empty());
  CHECK(run({}, [](cli::Reporter&) {
          ::close(1);
          write_file("-", "text");
          return cli::ExitCode::ok;
        }).code == 3);
}

TEST_CASE("cli: a file that is truncated while it is read is an unreadable file, not a crash") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("map");
  write_file(file, std::string(std::size_t{1} << 21, 'x'));
  const Outcome outcome = run({}, [&](cli::Reporter&) {
    const Input input = Input::open(file);
    REQUIRE(::truncate(file.c_str(), 10) == 0);
    return input.text()[(std::size_t{1} << 21) - 1] == 'x' ? cli::ExitCode::ok : cli::ExitCode::input;
  });
  CHECK(outcome.code == 3);
  CHECK(outcome.err == "tool: " + file + ": was truncated while it was being read\n");
}

TEST_CASE("cli: a file that grows beyond the limit of the shell is told, and no death by signal") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("map");
  const Outcome outcome = run({}, [&](cli::Reporter&) {
    const rlimit limit{1 << 20, 1 << 20};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    write_file(file, std::string(std::size_t{1} << 21, 'x'));
    return cli::ExitCode::ok;
  });
  CHECK(outcome.code == 3);
  CHECK(outcome.err == "tool: " + file + ": cannot write: File too large\n");
}

TEST_CASE("cli: wrong usage names the option, what was found and what was expected") {
  CHECK(run({"--width"}, nothing).err == "tool: --width needs a value: N\nSee tool --help.\n");
  CHECK(run({"--width", "x"}, nothing).err == "tool: --width: expected a whole number, found \"x\"\nSee tool --help.\n");
  CHECK(run({"--width", "1", "--width", "2"}, nothing).err == "tool: --width may be given once\nSee tool --help.\n");
  CHECK(run({"check", "--width", "1"}, nothing).err ==
        "tool: --width is not an option of tool check\nSee tool check --help.\n");
  CHECK(run({"check", "--strict"}, nothing).code == 0);
  CHECK(run({"check", "--help"}, nothing).out.find("Usage: tool check [OPTIONS]") != std::string::npos);
  // Arguments of the program, such as its FILE, go before no subcommand.
  CHECK(run({"--help"}, nothing).out.find("SUBCOMMAND ...\n") != std::string::npos);
  CHECK(run({"--help"}, nothing).out.find("[SUBCOMMAND]") == std::string::npos);
}

TEST_CASE("cli: a common option before a subcommand counts as one after it") {
  for (const bool before : {false, true}) {
    const auto with = [&](std::vector<std::string> words) {
      words.insert(before ? words.end() : words.begin(), "check");
      return words;
    };
    CAPTURE(before);
    CHECK(run(with({"--strict"}), one_warning).code == 1);
    CHECK(run(with({"-q"}), two_problems).err == "a.txt:2:1: error: bad [test-bad]\n1 error, 1 warning\n");
    CHECK(run(with({"--diagnostics", "json"}), one_warning).err.starts_with("{"));
    CHECK(run(with({"--max-errors", "1"}), two_problems).err.find("1 more not shown") != std::string::npos);
    CHECK(run(with({"--color", "always"}), two_problems).err.find('\x1b') != std::string::npos);
  }
  CHECK(run({"--max-errors", "1", "check", "--max-errors", "0"}, two_problems).err.find("not shown") == std::string::npos);
}

TEST_CASE("cli: completions know groups, their subcommands, common options and choices") {
  const cli::CompletionOption color{{"color"}, {}, {"auto", "always", "never"}, "Color", true};
  const cli::CompletionOption to{{"to"}, {"t"}, {"east", "west"}, "Where to", true};
  const cli::CompletionCommand leaf{"leaf", "It's one", {to, color}, {}};
  const cli::CompletionCommand tool{"tool", "A program", {color}, {{"group", "Some", {color}, {leaf}}}};
  const std::string bash = cli::completion(tool, "bash");
  CHECK(bash.find("' group'|' group leaf') sub+=") != std::string::npos);
  CHECK(bash.find("' group leaf|--to') mapfile -t COMPREPLY < <(compgen -W 'east west'") != std::string::npos);
  CHECK(bash.find("' group') offer='--color leaf'") != std::string::npos);
  CHECK(bash.find("'|--color') mapfile -t COMPREPLY < <(compgen -W 'auto always never'") != std::string::npos);
  const std::string zsh = cli::completion(tool, "zsh");
  CHECK(zsh.starts_with("#compdef tool\n"));
  CHECK(zsh.find("' group leaf|-t') compadd -- east west; return") != std::string::npos);
  const std::string fish = cli::completion(tool, "fish");
  CHECK(fish.find("complete -c tool -n '__fish_seen_subcommand_from group; and __fish_seen_subcommand_from leaf' -l to -s t -x "
                  "-a 'east west' -d 'Where to'\n") != std::string::npos);
  CHECK(fish.find("-a leaf -d 'It\\'s one'\n") != std::string::npos);
  CHECK(cli::completion(tool, "tcsh").empty());
}

TEST_CASE("cli: an interrupt leaves no partial file") {
  const test::TemporaryFolder folder;
  const std::string target = folder.file("out");
  const Outcome outcome = run({}, [&](cli::Reporter&) {
    AtomicFile file(target);
    file.write(std::string(1'000'000, 'x'));
    ::raise(SIGTERM);
    file.commit();
    return cli::ExitCode::ok;
  });
  CHECK(outcome.code == 130);
  CHECK(folder.names().empty());
}

TEST_CASE("cli: color and progress on a terminal go by NO_COLOR and TERM") {
  // A program whose standard error is a terminal, for as long as a bar takes to appear.
  const auto on_terminal = [](const std::function<void()>& environment) {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    REQUIRE(::grantpt(terminal) == 0);
    REQUIRE(::unlockpt(terminal) == 0);
    const std::string name = ::ptsname(terminal);
    const int other = ::open(name.c_str(), O_RDWR | O_NOCTTY);
    run({}, [&](cli::Reporter& reporter) {
      ::dup2(other, 2);
      ::unsetenv("NO_COLOR");
      ::setenv("TERM", "xterm", 1);
      environment();
      const auto began = std::chrono::steady_clock::now();
      cli::Progress progress(reporter.options(), "working", 10);
      progress.update(1);
      if (std::chrono::steady_clock::now() - began > std::chrono::milliseconds(190))
        (void)!::write(2, "(delayed)", 9);  // by other work of the machine
      ::usleep(250'000);
      progress.update(5);
      progress.finish();
      return two_problems(reporter);
    });
    ::close(other);  // after what was written, reading now ends with EIO instead of waiting
    std::string text;
    std::array<char, 4096> piece;
    for (ssize_t n = 0; (n = ::read(terminal, piece.data(), piece.size())) > 0;)
      text.append(piece.data(), static_cast<std::size_t>(n));
    ::close(terminal);
    return text;
  };
  const auto has = [](const std::string& text, const char* what) { return text.find(what) != std::string::npos; };
  const std::string plain = on_terminal([] {});
  CHECK(has(plain, "\x1b[31;1merror"));
  CHECK(has(plain, "working [###############..............."));
  CHECK((!has(plain, " 10 %") || has(plain, "(delayed)")));  // not before its time
  CHECK(has(on_terminal([] { ::setenv("NO_COLOR", "", 1); }), "\x1b[31;1merror"));
  const std::string colorless = on_terminal([] { ::setenv("NO_COLOR", "1", 1); });
  CHECK(!has(colorless, "\x1b[31"));
  CHECK(has(colorless, "working ["));
  const std::string dumb = on_terminal([] { ::setenv("TERM", "dumb", 1); });
  CHECK(dumb.find('\x1b') == std::string::npos);
  CHECK(has(dumb, "error: bad"));
}

TEST_CASE("cli: a progress bar is drawn only where it was asked for") {
  const auto work = [](cli::Reporter& reporter) {
    cli::Progress progress(reporter.options(), "working", 100);
    for (std::uint64_t i = 0; i < 100; ++i) progress.update(i);
    progress.finish();
    return cli::ExitCode::ok;
  };
  CHECK(run({}, work).err.empty());
  CHECK(run({"--progress", "always"}, work).err.find("working [") != std::string::npos);
  CHECK(run({"--progress", "always", "--diagnostics", "json"}, work).err.empty());
}
