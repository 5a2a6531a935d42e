// Sources: namespaces(7), user_namespaces(7), landlock(7), seccomp(2), setrlimit(2), proc(5) (oom_score_adj).

#include "base/process/sandbox.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string_view>

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/core/number.hpp"
#include "base/core/sanitizers.hpp"
#include "base/process/system_calls.hpp"

namespace simbatch {
namespace {

// ---- Landlock, whose headers may be older than the kernel

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;  // the same on all architectures
constexpr unsigned kRulesetVersion = 1;
constexpr int kPathBeneath = 1;
constexpr std::uint64_t kExecute = 1, kReadFile = 4, kReadFolder = 8;

struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t folder;
};

int landlock_version() {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kRulesetVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

// Files of the loader; missing ones are skipped.
constexpr const char* kReadable[] = {"/lib",           "/lib64",         "/usr/lib",         "/usr/lib64",
                                     "/usr/local/lib", "/etc/localtime", "/etc/ld.so.cache", "/usr/share/zoneinfo"};

bool restrict_files(int version) {
  // What each version of the interface supports.
  RulesetAttributes handled{(1u << 13) - 1, 0, 0};
  if (version >= 2) handled.files |= 1u << 13;  // moving between folders
  if (version >= 3) handled.files |= 1u << 14;  // truncating
  if (version >= 5) handled.files |= 1u << 15;  // device ioctls
  if (version >= 4) handled.network = 3;        // TCP: bind, connect
  if (version >= 6) handled.scopes = 3;         // abstract sockets, signals
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int ruleset = static_cast<int>(::syscall(kCreateRuleset, &handled, size, 0));
  if (ruleset < 0) return false;
  bool done = true;
  for (const char* path : kReadable) {
    const int fd = ::open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) continue;
    const bool is_folder = ::faccessat(fd, ".", F_OK, 0) == 0;
    const PathBeneath rule{kReadFile | (is_folder ? kExecute | kReadFolder : 0), fd};
    done = ::syscall(kAddRule, ruleset, kPathBeneath, &rule, 0) == 0 && done;
    ::close(fd);
  }
  done = done && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(kRestrictSelf, ruleset, 0) == 0;
  ::close(ruleset);
  return done;
}

// ---- System calls

constexpr long kPermitted[] = {
    // memory; executable too: the loader needs it
    SYS_mmap,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_memfd_create,
    // open files, and looking at files
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_preadv,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_newfstatat,
    SYS_stat,
    SYS_lstat,
    SYS_statx,
    SYS_fstatfs,
    SYS_statfs,
    SYS_access,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlink,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_getdents64,
    SYS_poll,
    SYS_ppoll,
    SYS_select,
    SYS_pselect6,
    SYS_ftruncate,
    // its socket to the simulation
    SYS_recvfrom,
    // threads and signals of its own
    SYS_futex,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_arch_prctl,
    SYS_set_tid_address,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend,
    SYS_sigaltstack,
    SYS_pause,
    SYS_membarrier,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
    // time
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_time,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_times,
    SYS_timer_create,
    SYS_timer_settime,
    SYS_timer_gettime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
    SYS_setitimer,
    SYS_getitimer,
    SYS_alarm,
    // its identity and folder
    SYS_getpid,
    SYS_gettid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getpgrp,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrusage,
    SYS_getrlimit,
    SYS_getrandom,
    SYS_getcpu,
};

detail::SystemCalls calls_of_a_program() {
  detail::SystemCalls calls;
  for (const long call : kPermitted) calls.permit({call});
  // Opened for reading only.
  constexpr std::uint32_t kTemporary = 020000000;  // the bit of O_TMPFILE that O_DIRECTORY does not have
  constexpr std::uint32_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | kTemporary;
  calls.permit(SYS_open, {{1, kWriting, O_RDONLY}});
  calls.permit(SYS_openat, {{2, kWriting, O_RDONLY}});
  calls.permit(SYS_sendto, {{4, 0xFFFFFFFF, 0, true}});  // without an address
  calls.permit(SYS_ioctl, {{1, 0xFFFFFFFF, TCGETS}});    // isatty()
  for (const std::uint32_t command : {F_GETFD, F_SETFD, F_GETFL}) calls.permit(SYS_fcntl, {{1, 0xFFFFFFFF, command}});
  calls.permit(SYS_prlimit64, {{0, 0xFFFFFFFF, 0}, {2, 0xFFFFFFFF, 0, true}});  // reads its own
  // Signals to itself, and to its group, in which it is alone.
  const auto own = static_cast<std::uint32_t>(::getpid());
  calls.permit(SYS_kill, {{0, 0xFFFFFFFF, own}});
  calls.permit(SYS_kill, {{0, 0xFFFFFFFF, 0}});
  calls.permit(SYS_tgkill, {{0, 0xFFFFFFFF, own}});
  // Threads, but no processes.
  constexpr std::uint32_t kThread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  calls.permit(SYS_clone, {{0, kThread, kThread}});
  calls.refuse(SYS_clone3, ENOSYS);  // its flags are in memory; without it threads are made by clone()
  return calls;
}

// ---- Limits

bool lower_limit(__rlimit_resource what, std::uint64_t value) {
  rlimit limit{};
  if (::getrlimit(what, &limit) != 0) return false;
  limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(value, limit.rlim_max);
  return ::setrlimit(what, &limit) == 0;
}

void go_first_when_memory_runs_out() {
  const int fd = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)!::write(fd, "1000", 4);
  ::close(fd);
}

// Bytes of address space in use; 0 if unknown.
std::uint64_t address_space() {
  char text[64] = "";
  const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  const ssize_t got = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  const std::string_view line(text, got > 0 ? static_cast<std::size_t>(got) : 0);
  const auto pages = parse_integer<std::uint64_t>(line.substr(0, line.find(' ')));
  return pages ? pages.value * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

bool apply(const SandboxLimits& limits) {
  go_first_when_memory_runs_out();
  bool done = lower_limit(RLIMIT_CORE, 0) && lower_limit(RLIMIT_FSIZE, limits.file_size) &&
              lower_limit(RLIMIT_NOFILE, limits.descriptors) && lower_limit(RLIMIT_MSGQUEUE, 0) &&
              lower_limit(RLIMIT_MEMLOCK, 0);
#if !SIMBATCH_SHADOW_MEMORY  // which takes terabytes of addresses
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const std::uint64_t half =
      pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) / 2 * static_cast<std::uint64_t>(page) : 0;
  const std::uint64_t more = limits.memory > 0 ? limits.memory : half, has = address_space();
  if (more > 0 && has > 0) done = lower_limit(RLIMIT_AS, has + more) && done;
#endif
  return done;
}

// ---- Namespaces

constexpr unsigned long kNamespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;

bool ends_with_zero(const std::function<int()>& main, unsigned long namespaces) {
  try {
    Process child = detail::fork_into(namespaces, main, {});
    const auto end = child.wait(deadline_in(10));
    return end && !end->by_signal && end->value == 0;
  } catch (const std::exception&) {
    return false;
  }
}

SandboxSupport try_out() {
  SandboxSupport support;
  support.namespaces = ends_with_zero([] { return 0; }, kNamespaces);
#if !SIMBATCH_SHADOW_MEMORY  // whose runtimes make system calls of their own, and read /proc
  const int version = landlock_version();
  if (version > 0 && ends_with_zero([version] { return restrict_files(version) ? 0 : 1; }, 0)) support.landlock = version;
  support.system_calls = ends_with_zero([] { return calls_of_a_program().enforce() ? 0 : 1; }, 0);
#endif
  return support;
}

}  // namespace

std::string SandboxSupport::text() const {
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (namespaces) add("namespaces");
  if (landlock > 0) add("Landlock " + number_text(landlock));
  if (system_calls) add("system calls");
  return text.empty() ? "nothing" : text;
}

std::vector<std::string> SandboxSupport::gaps() const {
  std::vector<std::string> gaps;
  if (!namespaces && !system_calls) gaps.emplace_back("other processes (no namespaces, no filter of system calls)");
  if (!system_calls) gaps.emplace_back("starting processes (no filter of system calls)");
  if (!system_calls && !namespaces) gaps.emplace_back("the network (no namespaces, no filter of system calls)");
  if (landlock == 0)
    gaps.emplace_back(system_calls ? "reading files (no Landlock)" : "files (no Landlock, no filter of system calls)");
  return gaps;
}

const SandboxSupport& sandbox_support() {
  static const SandboxSupport support = try_out();
  return support;
}

Process fork_sandboxed(const std::function<int()>& main, const std::vector<int>& keep) {
  return detail::fork_into(sandbox_support().namespaces ? kNamespaces : 0, main, keep);
}

bool enter_sandbox(const SandboxLimits& limits) {
  const SandboxSupport& support = sandbox_support();
  bool done = apply(limits);
  if (support.namespaces) done = lower_limit(RLIMIT_NPROC, limits.threads) && done;
  if (support.landlock > 0) done = restrict_files(support.landlock) && done;
  if (support.system_calls) done = calls_of_a_program().enforce() && done;
  return done;
}

}  // namespace simbatch
