#pragma once
/// Processes that we start: none outlives us, none is left as a zombie, none gets a descriptor that is not meant for it.

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace simbatch::sim {

/// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(-1); }
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd);

 private:
  int fd_ = -1;
};

/// How a process ended.
struct ProcessEnd {
  bool by_signal = false;
  int value = 0;  ///< exit code or signal
  /// "ended with exit code 3", "was killed by signal 11 (Segmentation fault)"
  std::string text() const;
};

/// Until when something may take; nothing: for ever.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;
Deadline deadline_in(std::optional<double> seconds);

/// A child process, the first of a process group of its own. When this object goes, the group is killed (SIGKILL) and the
/// process reaped. Should we die first, the kernel kills the process (not those that it started itself).
class Process {
 public:
  Process() = default;
  explicit Process(pid_t pid) : pid_(pid) {}
  Process(Process&& other) noexcept : pid_(other.pid_), end_(other.end_) { other.pid_ = -1; }
  Process& operator=(Process&& other) noexcept;
  ~Process() { kill(); }

  bool running() const { return pid_ > 0 && !end_; }
  pid_t pid() const { return pid_; }
  /// Waits until it has ended, at most until the deadline. The rest of its group is killed then. Nothing: it still runs.
  std::optional<ProcessEnd> wait(Deadline deadline);
  /// Kills the group and reaps the process.
  void kill();

 private:
  pid_t pid_ = -1;
  std::optional<ProcessEnd> end_;
};

/// Forks. In the child: a new process group, death when the parent dies, default signal handling and mask, descriptors 0 to 2
/// as they are, of the others only those in `keep`; then `main`, whose value is the exit code (by _exit: nothing of the
/// parent's is flushed or destroyed).
/// `main` runs in a copy of this process. If other threads exist, it may only do what is allowed between fork and exec.
/// @throws IoError if there can be no further process
Process fork_process(const std::function<int()>& main, const std::vector<int>& keep);

/// Two ends of a pipe, closed on exec.
struct Pipe {
  Descriptor read, write;
};
/// @throws IoError
Pipe make_pipe();

/// Lifts the limit of open files to what the system allows: each process that we talk to takes one or two.
void allow_many_descriptors();

/// While it lives, writing into a pipe that nobody reads is an error (EPIPE) and no signal, whatever the program has set.
class NoSigpipe {
 public:
  NoSigpipe();
  ~NoSigpipe();
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  bool was_blocked_ = false, was_pending_ = false;
};

}  // namespace simbatch::sim
