// Sources: setrlimit(2), proc(5) (oom_score_adj).

#include "base/process/sandbox_limits.hpp"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/core/number.hpp"

namespace simbatch::detail {
namespace {

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

}  // namespace

bool apply_limits(const SandboxLimits& limits, std::uint64_t memory) {
  go_first_when_memory_runs_out();
  const bool done = lower_limit(RLIMIT_CORE, 0) && lower_limit(RLIMIT_FSIZE, limits.file_size) &&
                    lower_limit(RLIMIT_NOFILE, limits.descriptors) && lower_limit(RLIMIT_MSGQUEUE, 0) &&
                    lower_limit(RLIMIT_MEMLOCK, 0);
  return done && (memory == 0 || lower_limit(RLIMIT_AS, memory));
}

bool limit_processes(unsigned most) { return lower_limit(RLIMIT_NPROC, most); }

std::uint64_t memory_of(const SandboxLimits& limits) {
  if (limits.memory > 0) return limits.memory;
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) / 2 * static_cast<std::uint64_t>(page) : 0;
}

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

}  // namespace simbatch::detail
