#pragma once
/// Runs untrusted code (such as a parser not hardened against hostile files) in a child process that returns bytes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "base/process/process.hpp"

namespace simbatch {

/// Limits of the child. Reaching any of them ends it.
struct ConfinedLimits {
  double wall_seconds = 60;                        ///< real time
  unsigned processor_seconds = 60;                 ///< processor time
  std::uint64_t memory = std::uint64_t{4} << 30;   ///< bytes of address space; not applied under asan and tsan
  std::uint64_t output = std::uint64_t{64} << 20;  ///< bytes it may send
  std::function<bool()> keep_going;                ///< called several times a second while waiting; false ends the child
};

/// The child's side of run_confined().
class ConfinedChild {
 public:
  explicit ConfinedChild(int output) : output_(output) {}
  /// Sends bytes to the parent. Ends the child if the parent has closed its end.
  void send(const void* data, std::size_t size);
  /// Gives up all system calls except those that manage memory (nothing executable), read and write open descriptors, tell the
  /// time, synchronize threads and end the process. Others fail with EPERM from here on; calls of another architecture kill the
  /// child. Call it between reading the input and parsing it. Returns false if the kernel does not support it.
  [[nodiscard]] bool drop_system_calls();

 private:
  int output_;
};

struct ConfinedResult {
  enum class End {
    exited,       ///< `value` is the exit code
    crashed,      ///< `value` is the signal
    out_of_time,  ///< wall or processor time
    too_much,     ///< more output than allowed
    interrupted,  ///< keep_going returned false
    not_started,  ///< the system has no process or no pipe left
  };
  End end = End::not_started;
  int value = 0;
  std::string bytes;   ///< all bytes sent by the child, however it ended
  double seconds = 0;  ///< real time from its start to its end
};

/// Runs `main` in a forked child, and returns how it ended and what it sent. The value of `main` is the exit code, kThrewExit
/// if it threw. The child has a process group of its own, dies with its parent, has no open descriptor of ours (0 to 2 are
/// /dev/null), writes no files and no core. Its remaining children are killed. `main` runs in a copy of this process; the rules
/// of fork_process() apply.
ConfinedResult run_confined(const std::function<int(ConfinedChild&)>& main, const ConfinedLimits& limits);

}  // namespace simbatch
