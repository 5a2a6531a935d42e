// Sources: user_namespaces(7), capabilities(7), setrlimit(2) (RLIMIT_NPROC).

#include "base/process/users.hpp"

#include <cstdint>
#include <string>

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/core/number.hpp"
#include "base/core/text.hpp"

namespace simbatch::detail {
namespace {

constexpr unsigned kNobody = 65534;  // by convention everywhere

std::string contents(const char* path) {
  std::string text(4096, '\0');
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t got = fd < 0 ? 0 : ::read(fd, text.data(), text.size());
  if (fd >= 0) ::close(fd);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

bool write_whole(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool done = ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(fd);
  return done;
}

// A map whose lines say "inside outside count", with "inside inside count" instead.
std::string same_numbers(const std::string& map) {
  std::string same;
  LineReader lines(map);
  for (Line line; lines.next(line);) {
    const auto words = split_tokens(line.text, line.number);
    if (words.size() != 3) continue;
    const std::string first(words[0].text);
    same += first;
    same += ' ';
    same += first;
    same += ' ';
    same += words[2].text;
    same += '\n';
  }
  return same;
}

std::string only(unsigned id) { return number_text(id) + " " + number_text(id) + " 1\n"; }

bool set_capabilities(std::uint32_t held) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {{held, held, held}, {0, 0, 0}};
  return ::syscall(SYS_capset, &header, data) == 0;
}

bool is_nobody() { return ::geteuid() == kNobody && ::getegid() == kNobody; }

}  // namespace

void map_users_of(pid_t child) {
  const std::string folder = "/proc/" + number_text(child) + "/";
  if (::geteuid() == 0 && write_whole(folder + "gid_map", same_numbers(contents("/proc/self/gid_map")))) {
    (void)write_whole(folder + "uid_map", same_numbers(contents("/proc/self/uid_map")));
    return;
  }
  (void)write_whole(folder + "setgroups", "deny");
  (void)write_whole(folder + "gid_map", only(::getegid()));
  (void)write_whole(folder + "uid_map", only(::geteuid()));
}

bool drop_privileges(bool reads) {
  const std::uint32_t kept = reads && ::geteuid() == 0 ? 1u << CAP_DAC_READ_SEARCH : 0;
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability)
    if (capability != CAP_DAC_READ_SEARCH || kept == 0) (void)::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  if (::geteuid() == 0) {
    (void)::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
    const bool changed = ::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
                         ::setresuid(kNobody, kNobody, kNobody) == 0;
    if (!changed) return set_capabilities(0);
  }
  if (!set_capabilities(is_nobody() ? kept : 0)) return false;
  if (kept != 0 && is_nobody()) (void)::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0);
  return true;
}

}  // namespace simbatch::detail
