#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process/line_channel.hpp"
#include "tests/support/processes.hpp"

using namespace simbatch;

namespace {

// A process that runs `main` between two pipes, on its descriptors 0 and 1.
struct Peer {
  Process process;
  LineChannel channel;
};
Peer peer(const std::function<int()>& main, std::size_t max_line = 1000, std::function<bool()> keep_going = {}) {
  Pipe in = make_pipe(), out = make_pipe();
  const int read = in.read.get(), write = out.write.get();
  std::fflush(nullptr);  // ThreadSanitizer's _exit writes what is left in the child's copy of the buffers
  Process process = fork_process(
      [&] {
        ::dup2(read, 0);
        ::dup2(write, 1);
        ::close(read);
        ::close(write);
        return main();
      },
      {read, write});
  return {std::move(process), LineChannel(std::move(out.read), std::move(in.write), max_line, std::move(keep_going))};
}

void say(std::string_view text) { (void)!::write(1, text.data(), text.size()); }
bool alive(pid_t pid) { return ::kill(pid, 0) == 0; }

}  // namespace

TEST_CASE("processes tell how they ended, are reaped, and are killed with their group") {
  Process three = fork_process([] { return 3; }, {});
  const auto end = three.wait(std::nullopt);
  REQUIRE(end);
  CHECK(end->text() == "ended with exit code 3");
  CHECK(three.wait(std::nullopt)->value == 3);

  Process crash = fork_process(
      [] {
        ::raise(SIGSEGV);
        return 0;
      },
      {});
  CHECK(crash.wait(deadline_in(20))->text() == "was killed by signal 11 (Segmentation fault)");

  pid_t pid = 0;
  {
    Process sleeper = fork_process(
        [] {
          for (;;) ::pause();
          return 0;
        },
        {});
    pid = sleeper.pid();
    CHECK_FALSE(sleeper.wait(deadline_in(0.05)));
    CHECK(alive(pid));
  }
  CHECK_FALSE(alive(pid));
  CHECK(::waitpid(pid, nullptr, 0) == -1);  // nothing left to reap

  // One that started another.
  Pipe pipe = make_pipe();
  const int write = pipe.write.get();
  Process parent = fork_process(
      [write] {
        const pid_t own = ::fork();
        if (own == 0)
          for (;;) ::pause();
        (void)!::write(write, &own, sizeof own);
        return 0;
      },
      {write});
  pid_t grandchild = 0;
  REQUIRE(::read(pipe.read.get(), &grandchild, sizeof grandchild) == sizeof grandchild);
  CHECK(parent.wait(std::nullopt)->value == 0);
  CHECK(test::soon([&] { return test::is_gone(grandchild); }));
}

TEST_CASE("a process gets the descriptors that are meant for it, and default signal handling") {
  const int secret = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  Process process = fork_process(
      [secret] {
        if (::fcntl(secret, F_GETFD) != -1) return 1;
        struct sigaction action {};
        ::sigaction(SIGUSR1, nullptr, &action);
        if (action.sa_handler != SIG_DFL) return 2;
        return ::getpgrp() == ::getpid() ? 0 : 3;
      },
      {});
  CHECK(process.wait(std::nullopt)->value == 0);
  ::close(secret);
  std::signal(SIGUSR1, before);
}

TEST_CASE("lines come one by one, and a missing end, a long line, silence and a closed end are told apart") {
  std::string line;
  {
    Peer p = peer([] {
      say("one\ntwo\r\n\nrest");
      return 0;
    });
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::ok);
    CHECK(line == "one");
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::ok);
    CHECK(line == "two");
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::ok);
    CHECK(line.empty());
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::closed);
    CHECK(p.channel.has_rest());
  }
  {
    Peer p = peer([] {
      say(std::string(1000, 'x') + "\n" + std::string(1001, 'x') + "\n");
      return 0;
    });
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::ok);
    CHECK(line.size() == 1000);
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::too_long);
  }
  {
    Peer p = peer([] {
      for (;;) say("endless");
      return 0;
    });
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::too_long);
  }
  {
    Peer p = peer([] {
      for (;;) ::pause();
      return 0;
    });
    CHECK(p.channel.receive(line, deadline_in(0.05)) == ChannelStatus::timeout);
    CHECK(p.channel.send(std::string(1'000'000, 'x'), deadline_in(0.05)) == ChannelStatus::timeout);
  }
  {
    int asked = 0;
    Peer p = peer(
        [] {
          for (;;) ::pause();
          return 0;
        },
        1000, [&] { return ++asked < 2; });
    CHECK(p.channel.receive(line, std::nullopt) == ChannelStatus::interrupted);
  }
  {
    Peer p = peer([] { return 0; });
    CHECK(p.process.wait(std::nullopt));
    CHECK(p.channel.send("without a reader\n", std::nullopt) == ChannelStatus::closed);  // and no SIGPIPE
  }
}

TEST_CASE("two sides that both write before they read do not wait for each other") {
  Peer p = peer(
      [] {
        const std::string mine = std::string(300'000, 'm') + "\n";
        say(mine);
        std::string got;
        char chunk[4096];
        while (got.size() < 300'001) {
          const ssize_t n = ::read(0, chunk, sizeof chunk);
          if (n <= 0) return 1;
          got.append(chunk, static_cast<std::size_t>(n));
        }
        return 0;
      },
      400'000);
  std::string line;
  CHECK(p.channel.send(std::string(300'000, 'y') + "\n", deadline_in(20)) == ChannelStatus::ok);
  CHECK(p.channel.receive(line, deadline_in(20)) == ChannelStatus::ok);
  CHECK(line.size() == 300'000);
  CHECK(p.process.wait(deadline_in(20))->value == 0);
  // Writes without an end and never reads.
  Peer flood = peer(
      [] {
        for (;;) say("xxxxxxxxxxxxxxxxxxxxxxxx\n");
        return 0;
      },
      1000);
  CHECK(flood.channel.send(std::string(300'000, 'y') + "\n", deadline_in(20)) == ChannelStatus::too_long);
}
