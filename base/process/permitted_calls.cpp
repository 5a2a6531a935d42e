// Sources: syscalls(2), the manual pages of the calls; linux/fcntl.h for the bits of open().

#include "base/process/permitted_calls.hpp"

#include <cerrno>

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace simbatch::detail {
namespace {

constexpr std::uint32_t kAll = 0xFFFFFFFF;

constexpr long kProgramCalls[] = {
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

// What needs a look at the arguments and is the same for all.
void permit_conditions(SystemCalls& calls) {
  calls.permit(SYS_sendto, {{4, kAll, 0, true}});                   // without an address
  calls.permit(SYS_prlimit64, {{0, kAll, 0}, {2, kAll, 0, true}});  // reads its own
  calls.permit(SYS_ioctl, {{1, kAll, TCGETS}});                     // isatty()
  for (const std::uint32_t command : {F_GETFD, F_SETFD, F_GETFL}) calls.permit(SYS_fcntl, {{1, kAll, command}});
  calls.refuse(SYS_clone3, ENOSYS);  // its flags are in memory; without it threads and processes are made by clone()
}

void permit_threads(SystemCalls& calls) {
  constexpr std::uint32_t kThread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  calls.permit(SYS_clone, {{0, kThread, kThread}});
}

// To itself, and to its group, in which it is alone.
void permit_own_signals(SystemCalls& calls) {
  const auto own = static_cast<std::uint32_t>(::getpid());
  calls.permit(SYS_kill, {{0, kAll, own}});
  calls.permit(SYS_kill, {{0, kAll, 0}});
  calls.permit(SYS_tgkill, {{0, kAll, own}});
}

constexpr std::uint32_t kTemporary = 020000000;  // the bit of O_TMPFILE that O_DIRECTORY does not have

void permit_reading(SystemCalls& calls) {
  constexpr std::uint32_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | kTemporary;
  calls.permit(SYS_open, {{1, kWriting, O_RDONLY}});
  calls.permit(SYS_openat, {{2, kWriting, O_RDONLY}});
}

constexpr long kCommandCalls[] = {
    // programs, and waiting for those that it has started
    SYS_execve,
    SYS_execveat,
    SYS_wait4,
    SYS_waitid,
    // descriptors
    SYS_dup,
    SYS_dup2,
    SYS_dup3,
    SYS_pipe,
    SYS_pipe2,
    SYS_preadv2,
    SYS_pwritev,
    SYS_pwritev2,
    SYS_sendfile,
    SYS_copy_file_range,
    SYS_close_range,
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
    SYS_fadvise64,
    SYS_epoll_create,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_wait,
    SYS_epoll_pwait,
    SYS_eventfd,
    SYS_eventfd2,
    SYS_signalfd4,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    // connected sockets, of which it has those of socketpair()
    SYS_recvmsg,
    SYS_sendmsg,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_getsockname,
    SYS_getpeername,
    // memory
    SYS_msync,
    SYS_mincore,
    // its identity, folder and priority
    SYS_chdir,
    SYS_fchdir,
    SYS_umask,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_getpgid,
    SYS_getsid,
    SYS_capget,
    SYS_getpriority,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_sched_setaffinity,
};

// All of these are left to Landlock, unlike those that change permissions, owners, times and attributes.
constexpr long kWritingCalls[] = {
    SYS_creat, SYS_fallocate, SYS_rename, SYS_renameat, SYS_renameat2, SYS_unlink,  SYS_unlinkat,
    SYS_mkdir, SYS_mkdirat,   SYS_rmdir,  SYS_link,     SYS_linkat,    SYS_symlink, SYS_symlinkat,
};

void permit_writing(SystemCalls& calls) {
  for (const long call : kWritingCalls) calls.permit({call});
  // Before its version 3 Landlock lets files be truncated that are opened for reading.
  for (const auto& [call, flags] : {std::pair<long, unsigned>(SYS_open, 1), std::pair<long, unsigned>(SYS_openat, 2)}) {
    calls.permit(call, {{flags, O_TRUNC, 0}});
    calls.permit(call, {{flags, O_ACCMODE, O_WRONLY}});
    calls.permit(call, {{flags, O_ACCMODE, O_RDWR}});
  }
}

}  // namespace

SystemCalls calls_of_a_program() {
  SystemCalls calls;
  for (const long call : kProgramCalls) calls.permit({call});
  permit_conditions(calls);
  permit_reading(calls);
  permit_own_signals(calls);
  permit_threads(calls);
  return calls;
}

SystemCalls calls_of_a_command(bool starts_processes, bool writes) {
  SystemCalls calls;
  for (const long call : kProgramCalls) calls.permit({call});
  for (const long call : kCommandCalls) calls.permit({call});
  permit_conditions(calls);
  for (const std::uint32_t request : {FIONREAD, FIONBIO, FIOCLEX, FIONCLEX}) calls.permit(SYS_ioctl, {{1, kAll, request}});
  for (const std::uint32_t command : {F_DUPFD, F_DUPFD_CLOEXEC, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_GETPIPE_SZ})
    calls.permit(SYS_fcntl, {{1, kAll, command}});
  for (const std::uint32_t option : {PR_SET_NAME, PR_GET_NAME}) calls.permit(SYS_prctl, {{0, kAll, option}});
  // Streams only: datagrams can be sent from one of a pair to any address.
  constexpr std::uint32_t kType = 0xF;
  calls.permit(SYS_socketpair, {{0, kAll, AF_UNIX}, {1, kType, SOCK_STREAM}});
  if (writes)
    permit_writing(calls);
  else
    permit_reading(calls);
  if (!starts_processes) {
    permit_own_signals(calls);
    permit_threads(calls);
    return calls;
  }
  calls.permit({SYS_fork, SYS_vfork, SYS_kill, SYS_tgkill, SYS_setpgid, SYS_setsid});
  constexpr std::uint32_t kNew =
      CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  calls.permit(SYS_clone, {{0, kNew, 0}});
  return calls;
}

}  // namespace simbatch::detail
