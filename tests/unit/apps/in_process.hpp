#pragma once
/// Runs a command of a program in the test's own process, on small inputs.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "apps/common/reporter.hpp"
#include "base/core/input.hpp"
#include "tests/support/support.hpp"
#include "tests/unit/apps/refusal.hpp"

namespace simbatch::test {

struct Ran {
  int code = -1;
  std::string out, err;
};

/// A standard stream in a file, until the end of the scope.
class Captured {
 public:
  explicit Captured(int stream) : stream_(stream), kept_(::dup(stream)) {
    std::fflush(nullptr);
    const int file = ::open(folder_.file("text").c_str(), O_CREAT | O_WRONLY, 0600);
    ::dup2(file, stream_);
    ::close(file);
  }
  ~Captured() { restore(); }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  std::string text() {
    restore();
    return read_text(folder_.file("text"));
  }

 private:
  void restore() {
    if (kept_ < 0) return;
    std::fflush(nullptr);
    ::dup2(kept_, stream_);
    ::close(kept_);
    kept_ = -1;
  }
  TemporaryFolder folder_;
  int stream_, kept_;
};

/// What the command that `add` declares does with these options. A command line that is refused ends with 2, and its refusal is
/// `err`; a file that cannot be read or written ends with 3.
/// @param name  of the command if `add` declares several: "fmt", "rndf fmt"
inline Ran ran(void (*add)(cli::Command&), const Words& words, const cli::CommonOptions& common = {},
               std::string_view name = {}) {
  cli::Command program("program", "A program");
  add(program);
  const cli::Command& command = named(program, name);
  if (std::string problem = refusal(command, words); !problem.empty()) return {2, {}, problem};
  Captured out(1), err(2);
  Ran result;
  cli::Reporter reporter(common);
  try {
    result.code = static_cast<int>(command.run()(reporter));
  } catch (const IoError& error) {
    result.code = 3;
    cli::CommonOptions loud;
    cli::Reporter(loud).status(error.what());
  }
  result.err = err.text();
  result.out = out.text();
  return result;
}

}  // namespace simbatch::test
