// Sources: seccomp(2), prctl(2), proc(5) (oom_score_adj), linux/filter.h.

#include "lib/sim/program/isolated/confine.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/core/number.hpp"
#include "base/core/sanitizers.hpp"

namespace simbatch::sim {
namespace {

constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | 1;  // EPERM

// A call, and which of its arguments is a process.
struct Guarded {
  std::uint32_t call;
  unsigned argument;
};
constexpr Guarded kGuarded[] = {
    {SYS_kill, 0},
    {SYS_tkill, 0},
    {SYS_tgkill, 0},
    {SYS_rt_sigqueueinfo, 0},
    {SYS_rt_tgsigqueueinfo, 0},
    {SYS_ptrace, 1},
    {SYS_process_vm_writev, 0},
    {SYS_pidfd_open, 0},
};

void guard_signals(pid_t simulation) {
  const auto refused = {static_cast<std::uint32_t>(simulation), static_cast<std::uint32_t>(-1),
                        static_cast<std::uint32_t>(-::getpgid(simulation))};
  std::vector<sock_filter> code;
  const auto statement = [&](unsigned what, std::uint32_t k) { code.push_back({static_cast<std::uint16_t>(what), 0, 0, k}); };
  const auto jump = [&](std::uint32_t k, std::size_t yes, std::size_t no) {
    code.push_back({BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint8_t>(yes), static_cast<std::uint8_t>(no), k});
  };
  statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
  jump(AUDIT_ARCH_X86_64, 1, 0);
  statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  for (const Guarded& guarded : kGuarded) {
    // The call's number is reloaded each time, since loading an argument has overwritten it.
    statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
    const std::size_t inside = 2 + 2 * refused.size();  // what follows for this call
    jump(guarded.call, 0, inside);
    statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * guarded.argument));
    for (const std::uint32_t pid : refused) {
      jump(pid, 0, 1);
      statement(BPF_RET | BPF_K, kRefuse);
    }
    statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) (void)::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void write_file(const char* path, const char* text, std::size_t size) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  (void)!::write(fd, text, size);
  ::close(fd);
}

void limit_memory() {
  write_file("/proc/self/oom_score_adj", "1000", 4);
#if !SIMBATCH_SHADOW_MEMORY  // which takes terabytes of addresses
  char text[64] = "";
  const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const ssize_t got = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  const std::string_view line(text, got > 0 ? static_cast<std::size_t>(got) : 0);
  const auto pages = parse_integer<std::uint64_t>(line.substr(0, line.find(' ')));
  const long all = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  if (!pages || all <= 0 || page <= 0) return;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t wanted = (static_cast<rlim_t>(pages.value) + static_cast<rlim_t>(all) / 2) * static_cast<rlim_t>(page);
  if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > wanted) limit.rlim_cur = wanted;
  (void)::setrlimit(RLIMIT_AS, &limit);
#endif
  const rlimit none{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &none);
}

}  // namespace

void confine(pid_t simulation) {
  limit_memory();
  guard_signals(simulation);
}

}  // namespace simbatch::sim
