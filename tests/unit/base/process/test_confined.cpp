#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/sanitizers.hpp"
#include "base/process/confined.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;
using End = ConfinedResult::End;

namespace {

ConfinedLimits quick() {
  ConfinedLimits limits;
  limits.wall_seconds = 20;
  limits.processor_seconds = 10;
  return limits;
}

[[noreturn]] void sleep_forever() {
  for (;;) ::pause();
}

}  // namespace

TEST_CASE("confined: bytes and the exit code come back, and the standard streams are closed off") {
  const ConfinedResult result = run_confined(
      [](ConfinedChild& child) {
        char byte = 0;
        if (::read(0, &byte, 1) != 0) return 1;
        if (::write(1, "not seen\n", 9) != 9) return 2;
        const std::string large(1'000'000, 'x');
        child.send(large.data(), large.size());
        return 42;
      },
      quick());
  CHECK(result.end == End::exited);
  CHECK(result.value == 42);
  CHECK(result.bytes == std::string(1'000'000, 'x'));
}

TEST_CASE("confined: a crash, an exception and an early end are told apart") {
  const auto run = [](const std::function<int(ConfinedChild&)>& main) { return run_confined(main, quick()); };
  const ConfinedResult crash = run([](ConfinedChild& child) {
    child.send("partial", 7);
    ::raise(SIGSEGV);
    return 0;
  });
  CHECK(crash.end == End::crashed);
  CHECK(crash.value == SIGSEGV);
  CHECK(crash.bytes == "partial");
  CHECK(run([](ConfinedChild&) -> int { throw std::runtime_error("no"); }).value == kThrewExit);
  CHECK(run([](ConfinedChild&) -> int { ::_exit(3); }).value == 3);
}

TEST_CASE("confined: wall time, processor time, output and memory are limited") {
  ConfinedLimits limits = quick();
  limits.wall_seconds = 0.2;
  const ConfinedResult asleep = run_confined([](ConfinedChild&) -> int { sleep_forever(); }, limits);
  CHECK(asleep.end == End::out_of_time);
  CHECK(asleep.seconds >= 0.2);
  CHECK(run_confined(
            [](ConfinedChild&) -> int {  // has closed its output, and goes on
              for (int fd = 0; fd < 100; ++fd) ::close(fd);
              sleep_forever();
            },
            limits)
            .end == End::out_of_time);
  limits = quick();
  limits.processor_seconds = 1;
  CHECK(run_confined(
            [](ConfinedChild&) -> int {
              for (;;) (void)::getppid();
            },
            limits)
            .end == End::out_of_time);
  limits = quick();
  limits.output = 100'000;
  const ConfinedResult flood = run_confined(
      [](ConfinedChild& child) -> int {
        const std::string chunk(1000, 'x');
        for (;;) child.send(chunk.data(), chunk.size());
      },
      limits);
  CHECK(flood.end == End::too_much);
  CHECK(flood.bytes.size() <= 100'000);
  int calls = 0;
  limits = quick();
  limits.keep_going = [&] { return ++calls < 2; };
  CHECK(run_confined([](ConfinedChild&) -> int { sleep_forever(); }, limits).end == End::interrupted);
  if (!SIMBATCH_SHADOW_MEMORY) {
    limits = quick();
    limits.memory = std::uint64_t{1} << 30;
    CHECK(run_confined(
              [](ConfinedChild&) {
                return ::mmap(nullptr, std::size_t{2} << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? 7
                                                                                                                          : 0;
              },
              limits)
              .value == 7);
  }
}

TEST_CASE("confined: no descriptor of ours is open in the child, and it writes no files") {
  const test::TemporaryFolder folder;
  const int secret = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  const std::string file = folder.file("f");
  const ConfinedResult result = run_confined(
      [&](ConfinedChild&) {
        if (::fcntl(secret, F_GETFD) != -1) return 1;
        if (::getpgrp() != ::getpid()) return 2;
        std::signal(SIGXFSZ, SIG_IGN);
        const int fd = ::open(file.c_str(), O_CREAT | O_WRONLY, 0600);
        return ::write(fd, "x", 1) == 1 ? 3 : 0;
      },
      quick());
  CHECK(result.value == 0);
  ::close(secret);
}

TEST_CASE("confined: without system calls, code can compute, allocate, read what is open and send, and nothing else") {
  const test::TemporaryFolder folder;
  test::write_text(folder.file("in"), "text");
  const std::string file = folder.file("in"), other = folder.file("out");
  const ConfinedResult result = run_confined(
      [&](ConfinedChild& child) {
        const int in = ::open(file.c_str(), O_RDONLY);
        if (!child.drop_system_calls()) return 100;
        char text[5] = "";
        if (::read(in, text, 4) != 4 || std::string(text) != "text") return 1;
        std::vector<std::string> many;
        for (int i = 0; i < 100; ++i) many.emplace_back(1'000'000, 'm');
        try {
          throw std::runtime_error("exceptions work");
        } catch (const std::runtime_error&) {
        }
        if (::open(file.c_str(), O_RDONLY) != -1 || errno != EPERM) return 2;
        if (::open(other.c_str(), O_CREAT | O_WRONLY, 0600) != -1) return 3;
        if (::socket(AF_INET, SOCK_STREAM, 0) != -1) return 4;
        if (::kill(::getppid(), 0) != -1) return 5;
        if (::unlink(file.c_str()) != -1) return 6;
        if (::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) return 7;
        char* const arguments[] = {nullptr};
        if (::execv("/bin/true", arguments) != -1) return 8;
        try {
          std::thread([] {}).join();
          return 9;
        } catch (const std::system_error&) {
        }
        child.send("sent", 4);
        return 0;
      },
      quick());
  CHECK(result.end == End::exited);
  CHECK(result.value == 0);
  CHECK(result.bytes == "sent");
  CHECK(test::read_text(file) == "text");
}

TEST_CASE("confined: what the child leaves running is killed") {
  const ConfinedResult result = run_confined(
      [](ConfinedChild& child) {
        const pid_t own = ::fork();
        if (own == 0) sleep_forever();  // and keeps the pipe open
        child.send(&own, sizeof own);
        return 5;
      },
      quick());
  CHECK(result.end == End::exited);
  CHECK(result.value == 5);
  pid_t grandchild = 0;
  REQUIRE(result.bytes.size() == sizeof grandchild);
  result.bytes.copy(reinterpret_cast<char*>(&grandchild), sizeof grandchild);
  CHECK(test::soon([&] { return test::is_gone(grandchild); }));
}

TEST_CASE("programs: found along PATH, with arguments, stopped, and reported when they do not exist") {
  Process ends = start_program({"sh", "-c", "exit $0", "7"});
  CHECK(ends.wait(deadline_in(20))->value == 7);
  Process sleeps = start_program({"sleep", "100"});
  CHECK_FALSE(sleeps.wait(deadline_in(0.02)));
  const auto end = sleeps.stop(20);
  REQUIRE(end);
  CHECK(end->by_signal);
  CHECK(end->value == SIGTERM);
  const test::TemporaryFolder folder;
  const std::string deaf = folder.file("deaf");
  Process stubborn = start_program({"sh", "-c", "trap '' TERM; : > \"$0\"; while :; do sleep 0.01; done", deaf});
  REQUIRE(test::soon([&] { return std::filesystem::exists(deaf); }));
  CHECK(stubborn.stop(0.1)->value == SIGKILL);
  CHECK_THROWS_WITH_AS(start_program({"no-such-program-of-ours"}),
                       "no-such-program-of-ours: cannot run: No such file or directory", IoError);
}
