// Sources: fork(2), setrlimit(2), seccomp(2).

#include "base/process/confined.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/sanitizers.hpp"
#include "base/process/process.hpp"
#include "base/process/system_calls.hpp"

namespace simbatch {
namespace {

using std::chrono::steady_clock;
using End = ConfinedResult::End;

constexpr int kNoListener = 124;                              // exit code: the parent has closed its end
constexpr std::chrono::milliseconds kKeepGoingInterval{100};  // between two calls of keep_going

// Calls of malloc(), iostreams on open files, mutexes and the C++ runtime; memory may not become executable.
detail::SystemCalls calls_of_a_parser() {
  detail::SystemCalls calls;
  calls.permit(
      {SYS_read,        SYS_write,       SYS_readv,           SYS_writev,         SYS_pread64,       SYS_lseek,
       SYS_close,       SYS_fstat,       SYS_munmap,          SYS_mremap,         SYS_madvise,       SYS_brk,
       SYS_futex,       SYS_sched_yield, SYS_getpid,          SYS_gettid,         SYS_clock_gettime, SYS_gettimeofday,
       SYS_exit,        SYS_exit_group,  SYS_rt_sigreturn,    SYS_poll,           SYS_getrandom,     SYS_rt_sigprocmask,
       SYS_sigaltstack, SYS_nanosleep,   SYS_clock_nanosleep, SYS_restart_syscall});
  for (const long call : {SYS_mmap, SYS_mprotect}) calls.permit(call, {{2, PROT_EXEC, 0}});
  return calls;
}

void set_limit(__rlimit_resource what, std::uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(what, &both);
}

void apply(const ConfinedLimits& limits) {
  set_limit(RLIMIT_CPU, limits.processor_seconds);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_FSIZE, 0);
  if (!SIMBATCH_SHADOW_MEMORY) set_limit(RLIMIT_AS, limits.memory);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2}) ::dup2(nothing, standard);
  if (nothing > 2) ::close(nothing);
}

// The parent's side of one child.
class Collector {
 public:
  Collector(Process& child, int fd, const ConfinedLimits& limits)
      : child_(child),
        fd_(fd),
        limits_(limits),
        deadline_(*deadline_in(limits.wall_seconds < 1e9 ? limits.wall_seconds : 1e9)) {}

  // Reads up to the end of the pipe. `exited`: the end was reached.
  End collect(std::string& bytes) {
    std::vector<char> chunk(std::size_t{1} << 16);
    for (;;) {
      if (const End end = wait_for_output(); end != End::exited) return end;
      const ssize_t got = ::read(fd_, chunk.data(), chunk.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return End::exited;
      if (bytes.size() + static_cast<std::size_t>(got) > limits_.output) return End::too_much;
      bytes.append(chunk.data(), static_cast<std::size_t>(got));
    }
  }

  // Waits for the end of a child that has closed the pipe. `exited`: it has ended.
  End wait_for_end() {
    while (!child_.wait(std::min(deadline_, steady_clock::now() + kKeepGoingInterval)))
      if (const End end = reason_to_stop(); end != End::exited) return end;
    return End::exited;
  }

 private:
  // `exited`: there is output, or the end of the pipe.
  End wait_for_output() {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - steady_clock::now());
      pollfd ready{fd_, POLLIN, 0};
      if (::poll(&ready, 1, static_cast<int>(std::clamp(left, std::chrono::milliseconds::zero(), kKeepGoingInterval).count())) >
              0 &&
          left.count() > 0)
        return End::exited;
      if (const End end = reason_to_stop(); end != End::exited) return end;
      // If it has ended, this kills its children, which may hold the pipe open.
      (void)child_.wait(steady_clock::now());
    }
  }

  End reason_to_stop() const {
    if (steady_clock::now() >= deadline_) return End::out_of_time;
    return limits_.keep_going && !limits_.keep_going() ? End::interrupted : End::exited;
  }

  Process& child_;
  int fd_;
  const ConfinedLimits& limits_;
  steady_clock::time_point deadline_;
};

}  // namespace

void ConfinedChild::send(const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::write(output_, at, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ::_exit(kNoListener);
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

bool ConfinedChild::drop_system_calls() { return calls_of_a_parser().enforce(); }

namespace {

ConfinedResult run(const std::function<int(ConfinedChild&)>& main, const ConfinedLimits& limits) {
  ConfinedResult result;
  Process child;
  Pipe pipe;
  try {
    pipe = make_pipe();
    // A descriptor 0 to 2 would be mistaken for /dev/null in a program that was started without these.
    if (const int high = ::fcntl(pipe.write.get(), F_DUPFD_CLOEXEC, 3); high >= 0) pipe.write.reset(high);
    const int output = pipe.write.get();
    child = fork_process(
        [&] {
          apply(limits);
          ConfinedChild self(output);
          return main(self);
        },
        {output});
  } catch (const IoError&) {
    return result;
  }
  pipe.write.reset(-1);
  Collector collector(child, pipe.read.get(), limits);
  result.end = collector.collect(result.bytes);
  if (result.end == End::exited) result.end = collector.wait_for_end();
  if (result.end != End::exited) return result;  // the child is killed
  const std::optional<ProcessEnd> end = child.wait(std::nullopt);
  if (end->by_signal) result.end = end->value == SIGXCPU || end->value == SIGKILL ? End::out_of_time : End::crashed;
  result.value = end->value;
  return result;
}

}  // namespace

ConfinedResult run_confined(const std::function<int(ConfinedChild&)>& main, const ConfinedLimits& limits) {
  const steady_clock::time_point start = steady_clock::now();
  ConfinedResult result = run(main, limits);
  result.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  return result;
}

}  // namespace simbatch
