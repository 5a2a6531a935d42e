// Sources: fork(2), setpgid(2), prctl(2) (PR_SET_PDEATHSIG), waitid(2), close_range(2).

#include "base/process/process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <limits>

#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/number.hpp"
#include "base/process/users.hpp"

namespace simbatch {
namespace {

using std::chrono::steady_clock;

// Closes first to last, whether open or not.
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

double seconds_until(const Deadline& deadline) {
  if (!deadline) return std::numeric_limits<double>::infinity();
  return std::max(0.0, std::chrono::duration<double>(*deadline - steady_clock::now()).count());
}

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    kill();
    pid_ = other.pid_;
    end_ = other.end_;
    told_ = std::move(other.told_);
    other.pid_ = -1;
  }
  return *this;
}

std::optional<ProcessEnd> Process::wait(Deadline deadline) {
  if (pid_ <= 0 || end_) return end_;
  // Polls, frequently at first, because the process has usually ended or is about to.
  for (auto pause = std::chrono::microseconds(50);; pause = std::min(pause * 2, std::chrono::microseconds(5000))) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT | (deadline ? WNOHANG : 0)) < 0) {
      if (errno == EINTR) continue;
      end_ = ProcessEnd{false, 0};  // already reaped elsewhere: there is nothing to wait for
      return end_;
    }
    if (info.si_pid == pid_) {
      // Not reaped yet, so the group's number cannot have been reused.
      ::kill(-pid_, SIGKILL);
      end_ = ProcessEnd{info.si_code != CLD_EXITED, info.si_status};
      while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) < 0 && errno == EINTR) {
      }
      if (told_ && told_->value >= 0 && !end_->by_signal) end_ = *told_;
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
  ::kill(pid_, SIGKILL);  // in case it has left the group
  (void)wait(std::nullopt);
}

std::optional<ProcessEnd> Process::stop(double grace) {
  if (!running()) return end_;
  ::kill(-pid_, SIGTERM);
  if (!wait(deadline_in(grace))) kill();
  return end_;
}

namespace {

// The rest of a new process.
[[noreturn]] void run_main(const std::function<int()>& main) {
  int code = kThrewExit;
  try {
    code = main();
  } catch (...) {  // nothing of the parent's is unwound in the child
  }
  ::_exit(code);
}

// A page that the child writes and we read: how a process that is not our child ended.
std::shared_ptr<ProcessEnd> shared_end() {
  void* page = ::mmap(nullptr, sizeof(ProcessEnd), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return nullptr;
  return {new (page) ProcessEnd{false, -1}, [](ProcessEnd* end) { ::munmap(end, sizeof *end); }};
}

// The first process of a namespace: runs `main` in a second one, and reaps what is left to it. Signals that it does not handle
// do not reach it from inside, so `main` must not run in it.
[[noreturn]] void run_second(const std::function<int()>& main, ProcessEnd* told) {
  const pid_t second = ::fork();
  if (second < 0) ::_exit(127);
  if (second == 0) {
    ::munmap(told, sizeof *told);
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    run_main(main);
  }
  close_all(0, ~0U);  // the other ends must see that the second process has closed them
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED) < 0 && errno != EINTR) ::_exit(127);
    if (info.si_pid != second) continue;
    told->by_signal = info.si_code != CLD_EXITED;
    told->value = info.si_status;
    ::_exit(0);
  }
}

}  // namespace

Process detail::fork_into(unsigned long namespaces, const std::function<int()>& main, const std::vector<int>& keep) {
  const pid_t parent = ::getpid();
  const bool is_first = (namespaces & CLONE_NEWPID) != 0;
  const bool has_users = (namespaces & CLONE_NEWUSER) != 0;
  Pipe mapped;  // has a byte when the users are mapped
  if (has_users) mapped = make_pipe();
  const std::shared_ptr<ProcessEnd> told = is_first ? shared_end() : nullptr;
  if (is_first && !told) throw IoError::from_errno("a process", "cannot start", errno);
  // No signal handler of ours may run in the child before it has its own.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid =
      namespaces == 0 ? ::fork() : static_cast<pid_t>(::syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, 0));
  const int error = errno;
  if (pid == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!is_first && ::getppid() != parent) ::_exit(127);  // the parent died in between; it has no number in a namespace
    default_signals();
    char ready = 0;
    while (mapped.read && ::read(mapped.read.get(), &ready, 1) < 0 && errno == EINTR) {
    }
    close_all_but(keep);
    if (is_first) run_second(main, told.get());
    run_main(main);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid > 0 && has_users) {
    map_users_of(pid);
    (void)!::write(mapped.write.get(), "", 1);
  }
  if (pid < 0) throw IoError::from_errno("a process", "cannot start", error);
  ::setpgid(pid, pid);  // done by parent and child, whichever is first; fails after an exec, when the child has already done it
  return {pid, told};
}

Process fork_process(const std::function<int()>& main, const std::vector<int>& keep) {
  return detail::fork_into(0, main, keep);
}

std::vector<char*> exec_words(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));  // exec does not write to them
  all.push_back(nullptr);
  return all;
}

Process start_program(const std::vector<std::string>& words) {
  const std::vector<char*> arguments = exec_words(words);
  Pipe failure = make_pipe();  // closed by a successful exec
  const int report = failure.write.get();
  Process process = fork_process(
      [&] {
        // Its own group is not the terminal's foreground group: allow it to write there nevertheless.
        std::signal(SIGTTOU, SIG_IGN);
        ::execvp(arguments[0], arguments.data());
        const int error = errno;
        [[maybe_unused]] const ssize_t sent = ::write(report, &error, sizeof error);
        return 127;
      },
      {report});
  failure.write.reset(-1);
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(failure.read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got == sizeof error) throw IoError::from_errno(words.front(), "cannot run", error);
  return process;
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

}  // namespace simbatch
