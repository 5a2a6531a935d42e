#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "base/core/sanitizers.hpp"
#include "base/process/environment.hpp"
#include "base/process/sandboxed_command.hpp"
#include "tests/support/support.hpp"

using namespace simbatch;

namespace {

struct Said {
  ProcessEnd end;
  std::string text;  // on its standard output
};

Said run(const std::string& text, std::vector<std::string> readable = {}) {
  Pipe out = make_pipe(), nothing = make_pipe();
  nothing.write.reset(-1);
  SandboxedCommand command{text,           harmless_environment({}), std::move(readable), nothing.read.get(), out.write.get(),
                           out.write.get()};
  Process process = start_sandboxed(command);
  out.write.reset(-1);
  Said said;
  char bytes[4096];
  for (ssize_t got = 0; (got = ::read(out.read.get(), bytes, sizeof bytes)) > 0;)
    said.text.append(bytes, static_cast<std::size_t>(got));
  const auto end = process.wait(deadline_in(60));
  REQUIRE(end);
  said.end = *end;
  return said;
}

bool is_confined() {
  const bool all = sandbox_support().landlock > 0 && sandbox_support().system_calls;
  if (!all) MESSAGE("skipped: this kernel has no Landlock or no seccomp");
  return all;
}

}  // namespace

TEST_CASE("sandboxed command: it runs, has its streams, and its end is seen") {
  const Said said = run("echo it runs");
  CHECK(said.text == "it runs\n");
  CHECK_FALSE(said.end.by_signal);
  CHECK(said.end.value == 0);
  CHECK(run("exit 7").end.value == 7);
  CHECK(run("no-such-program").end.value == 127);
  const Said killed = run("kill -9 $$");
  CHECK(killed.end.by_signal);
  CHECK(killed.end.value == 9);
}

TEST_CASE("sandboxed command: simple commands replace the shell, others do not") {
  if (sandbox_support().landlock > 0) CHECK(run("cat /proc/1/comm 2> /dev/null; echo $?").text == "1\n");
  for (const char* words : {"false || echo x", "X=x printenv X", "if true; then echo x; fi", "exec echo x", "echo x;",
                            "(echo x)", "  echo x", "test a = b || echo x"}) {
    CAPTURE(words);
    if (std::string_view(words).find_first_of("(;|=") != std::string_view::npos && !sandbox_support().namespaces) continue;
    CHECK(run(words).text == "x\n");
  }
}

TEST_CASE("sandboxed command: it reads what is named, writes nothing, and keeps nothing") {
  if (!is_confined()) return;
  const test::TemporaryFolder folder;
  const std::string mine = folder.file("mine.txt"), new_file = folder.file("new.txt");
  test::write_text(mine, "mine\n");
  CHECK(run("cat " + mine).end.value != 0);
  CHECK(run("cat " + mine, {mine}).text == "mine\n");
  CHECK(run("cat " + mine, {folder.path().string()}).text == "mine\n");
  for (const std::string& attempt :
       {"echo x > " + mine, "echo x >> " + mine, "echo x > " + new_file, "rm -f " + mine, "mv " + mine + " " + new_file,
        "mkdir " + new_file, "ln -s a " + new_file, "chmod 777 " + mine, "touch " + mine, "truncate -s 0 " + mine,
        "cp " + mine + " " + new_file}) {
    CAPTURE(attempt);
    CHECK(run("exec " + attempt, {folder.path().string()}).end.value != 0);
  }
  CHECK(test::read_text(mine) == "mine\n");
  CHECK(folder.names() == std::vector<std::string>{"mine.txt"});
  if (sandbox_scratch().empty()) return;
  CHECK(run("echo kept > ~/x; echo more >> $TMPDIR/x; cat ~/x; ls " + sandbox_scratch()).text == "kept\nmore\nx\n");
  CHECK_FALSE(std::filesystem::exists(sandbox_scratch() + "/x"));
  CHECK(run("ls " + sandbox_scratch()).text.empty());
  CHECK(run("for i in 1 2 3; do head -c 30000000 /dev/zero > ~/$i || exit 1; done").end.value == 1);
}

TEST_CASE("sandboxed command: what it has started ends with it, and is bounded") {
  if (!sandbox_support().namespaces || !is_confined()) return;
  CHECK(run("sleep 1000 & setsid sleep 1000 & echo x").text == "x\n");
  const Said bomb = run("i=0; while [ $i -lt 300 ]; do sleep 100 & i=$((i+1)); done; echo all");
  CHECK(bomb.text.find("all") == std::string::npos);
  CHECK(bomb.text.find("fork") != std::string::npos);
}

TEST_CASE("sandboxed command: it knows no secret of the environment") {
  ::setenv("MY_TOKEN", "swordfish", 1);
  ::setenv("PYTHONHASHSEED", "7", 1);
  const std::string all = run("env").text;
  CHECK(all.find("swordfish") == std::string::npos);
  CHECK(all.find("PYTHONHASHSEED=7\n") != std::string::npos);
  CHECK(all.find("PATH=") != std::string::npos);
  CHECK(all.find("HOME=" + (sandbox_scratch().empty() ? "/" : sandbox_scratch()) + "\n") != std::string::npos);
  ::unsetenv("MY_TOKEN");
  ::unsetenv("PYTHONHASHSEED");
  CHECK(harmless_environment({"SECRET=1"}).back() == "SECRET=1");
  CHECK_FALSE(is_harmless_variable("SSH_AUTH_SOCK"));
}
