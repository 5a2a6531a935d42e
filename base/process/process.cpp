#include "base/process/process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/number.hpp"

namespace simbatch::sim {
namespace {

using std::chrono::steady_clock;

// Closes [first, last], without a look at which are open.
void close_all(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first, last, 0) == 0) return;
#endif
  const long limit = ::sysconf(_SC_OPEN_MAX);
  for (unsigned fd = first; fd <= last && static_cast<long>(fd) < limit; ++fd) ::close(static_cast<int>(fd));
}

void close_all_but(std::vector<int> keep) {
  std::sort(keep.begin(), keep.end());
  unsigned next = 3;
  for (const int fd : keep) {
    if (fd < static_cast<int>(next)) continue;
    close_all(next, static_cast<unsigned>(fd) - 1);
    next = static_cast<unsigned>(fd) + 1;
  }
  close_all(next, ~0U);
}

void default_signals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);  // fails for SIGKILL and SIGSTOP, which have no handler
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

void Descriptor::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

std::string ProcessEnd::text() const {
  if (!by_signal) return "ended with exit code " + number_text(value);
  const char* name = ::sigdescr_np(value);
  return "was killed by signal " + number_text(value) + (name != nullptr ? " (" + std::string(name) + ")" : "");
}

Deadline deadline_in(std::optional<double> seconds) {
  // Beyond a century: never.
  if (!seconds || !(*seconds < 3e9)) return std::nullopt;
  return steady_clock::now() + std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(*seconds));
}

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    kill();
    pid_ = other.pid_;
    end_ = other.end_;
    other.pid_ = -1;
  }
  return *this;
}

std::optional<ProcessEnd> Process::wait(Deadline deadline) {
  if (pid_ <= 0 || end_) return end_;
  // Looking often, but not too often: it is about to end when somebody asks.
  for (auto pause = std::chrono::microseconds(50);; pause = std::min(pause * 2, std::chrono::microseconds(5000))) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | (deadline ? WNOHANG : 0)) < 0) {
      if (errno == EINTR) continue;
      end_ = ProcessEnd{false, 0};  // reaped by somebody else: nothing is left to wait for
      return end_;
    }
    if (info.si_pid == pid_) {
      // Not reaped yet: the group's number is still its own.
      ::kill(-pid_, SIGKILL);
      end_ = ProcessEnd{info.si_code != CLD_EXITED, info.si_status};
      while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) < 0 && errno == EINTR) {
      }
      return end_;
    }
    if (deadline && steady_clock::now() >= *deadline) return std::nullopt;
    const timespec time{0, std::chrono::nanoseconds(pause).count()};
    ::nanosleep(&time, nullptr);
  }
}

void Process::kill() {
  if (!running()) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // in case that it has left the group
  (void)wait(std::nullopt);
}

Process fork_process(const std::function<int()>& main, const std::vector<int>& keep) {
  const pid_t parent = ::getpid();
  // No signal handler of ours may run in the child before it has its own.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  const int error = errno;
  if (pid == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // it died in between
    default_signals();
    close_all_but(keep);
    ::_exit(main());
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) throw IoError::from_errno("a process", "cannot start", error);
  ::setpgid(pid, pid);  // whoever of the two comes first; it fails after an exec, when it is done already
  return Process(pid);
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw IoError::from_errno("a pipe", "cannot make", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void allow_many_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
}

NoSigpipe::NoSigpipe() {
  sigset_t pipe, pending, before;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::sigpending(&pending);
  was_pending_ = ::sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe, &before);
  was_blocked_ = ::sigismember(&before, SIGPIPE) == 1;
}

NoSigpipe::~NoSigpipe() {
  sigset_t pipe;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  if (!was_pending_) {
    const timespec now{};
    while (::sigtimedwait(&pipe, nullptr, &now) < 0 && errno == EINTR) {
    }
  }
  if (!was_blocked_) ::pthread_sigmask(SIG_UNBLOCK, &pipe, nullptr);
}

}  // namespace simbatch::sim
