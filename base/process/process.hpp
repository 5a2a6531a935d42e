#pragma once
/// Child processes that never outlive this process, are never left as zombies, and never inherit a descriptor by accident. The
/// only room that forks; for untrusted code see confined.hpp.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace simbatch {

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

/// A deadline; empty: no limit.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;
/// @param seconds  from now on; empty, NaN or more than a century: no limit
Deadline deadline_in(std::optional<double> seconds);
/// Seconds left until a deadline, >= 0; infinite without one.
double seconds_until(const Deadline& deadline);

/// A child process, the leader of its own process group. The destructor kills the group (SIGKILL) and reaps the process. If the
/// parent dies first, the kernel kills the process (but not those that it has started itself).
class Process {
 public:
  Process() = default;
  explicit Process(pid_t pid) : pid_(pid) {}
  /// @param told  how the process that this one waits for ended
  Process(pid_t pid, std::shared_ptr<const ProcessEnd> told) : pid_(pid), told_(std::move(told)) {}
  Process(Process&& other) noexcept : pid_(other.pid_), end_(other.end_), told_(std::move(other.told_)) { other.pid_ = -1; }
  Process& operator=(Process&& other) noexcept;
  ~Process() { kill(); }

  bool running() const { return pid_ > 0 && !end_; }
  pid_t pid() const { return pid_; }
  /// Waits for the end, at most until the deadline; then kills the rest of the group. Empty if it is still running.
  std::optional<ProcessEnd> wait(Deadline deadline);
  /// Sends SIGTERM to the group, and SIGKILL after `grace` seconds. Empty if there was never a process.
  std::optional<ProcessEnd> stop(double grace);
  /// Kills the group and reaps the process.
  void kill();
  /// For a forked copy of the process that started it: since it is not a child of the copy, leaves it alone.
  void forget() { pid_ = -1; }

 private:
  pid_t pid_ = -1;
  std::optional<ProcessEnd> end_;
  std::shared_ptr<const ProcessEnd> told_;  // null: there is none
};

/// Exit code of a forked process whose function threw.
inline constexpr int kThrewExit = 125;

/// Forks. The child gets a process group of its own, dies with the parent, has default signal handling and mask, the
/// descriptors 0 to 2, and of the others only those in `keep`. It runs `main` and ends with its value by _exit(): no buffers of
/// the parent are flushed and no objects destroyed. `main` runs in a copy of this process. If other threads exist, it is
/// restricted to operations allowed between fork and exec, plus malloc(). @throws IoError if the system has no process left
Process fork_process(const std::function<int()>& main, const std::vector<int>& keep);

namespace detail {

/// Of sandboxes: CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC.
inline constexpr unsigned long kNamespaces = 0x78000000;

/// fork_process() into new namespaces (CLONE_NEWUSER, ...; 0: none). With CLONE_NEWPID the returned process is the first of its
/// namespace: it waits for the one that runs `main`, and when it exits, the kernel kills all that is left in the namespace. With
/// CLONE_NEWUSER, all users are mapped there if we are root, else our own.
Process fork_into(unsigned long namespaces, const std::function<int()>& main, const std::vector<int>& keep);

}  // namespace detail

/// What exec() takes: pointers to the words, which must outlive them, and a null.
std::vector<char*> exec_words(const std::vector<std::string>& words);

/// Starts a program, found along PATH, with `words` as its arguments (the first is its name) and our standard streams.
/// @throws IoError if it cannot be started
Process start_program(const std::vector<std::string>& words);

/// Two ends of a pipe, closed on exec.
struct Pipe {
  Descriptor read, write;
};
/// @throws IoError
Pipe make_pipe();

/// Raises the limit of open files to the system's maximum: each connected process uses one or two.
void allow_many_descriptors();

/// During its lifetime, writing to a pipe without readers fails with EPIPE and raises no signal, whatever the program has set.
class NoSigpipe {
 public:
  NoSigpipe();
  ~NoSigpipe();
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  bool was_blocked_ = false, was_pending_ = false;
};

}  // namespace simbatch
