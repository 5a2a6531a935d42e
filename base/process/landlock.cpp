// Sources: landlock(7), linux/landlock.h, which may be older than the kernel.

#include "base/process/landlock.hpp"

#include <cstdint>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace simbatch::detail {
namespace {

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;  // the same on all architectures
constexpr unsigned kRulesetVersion = 1;
constexpr int kPathBeneath = 1;
constexpr std::uint64_t kExecute = 1, kWriteFile = 2, kReadFile = 4, kReadFolder = 8;
// Removing folders and files; making folders, files, FIFOs and links; from version 2 on moving, from version 3 on truncating.
constexpr std::uint64_t kChangeFolder = 1u << 4 | 1u << 5 | 1u << 7 | 1u << 8 | 1u << 10 | 1u << 12;
constexpr std::uint64_t kMove = 1u << 13, kTruncate = 1u << 14, kDeviceControl = 1u << 15;

struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t folder;
};

std::uint64_t rights(const ReachableFile& file, bool is_folder, bool executes) {
  std::uint64_t rights = kReadFile;
  if (is_folder) rights |= kReadFolder;
  if (executes && !file.writable) rights |= kExecute;
  if (file.writable) rights |= kWriteFile | kTruncate | (is_folder ? kChangeFolder | kMove : 0);
  return rights;
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kRulesetVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

bool restrict_files(int version, const std::vector<ReachableFile>& files, bool executes) {
  RulesetAttributes handled{(1u << 13) - 1, 0, 0};
  if (version >= 2) handled.files |= kMove;
  if (version >= 3) handled.files |= kTruncate;
  if (version >= 5) handled.files |= kDeviceControl;
  if (version >= 4) handled.network = 3;  // TCP: bind, connect
  if (version >= 6) handled.scopes = 3;   // abstract sockets, signals
  const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int ruleset = static_cast<int>(::syscall(kCreateRuleset, &handled, size, 0));
  if (ruleset < 0) return false;
  bool done = true;
  for (const ReachableFile& file : files) {
    const int fd = ::open(file.path.c_str(), O_PATH | O_CLOEXEC);
    if (fd < 0) continue;
    const bool is_folder = ::faccessat(fd, ".", F_OK, 0) == 0;
    const PathBeneath rule{rights(file, is_folder, executes) & handled.files, fd};
    done = ::syscall(kAddRule, ruleset, kPathBeneath, &rule, 0) == 0 && done;
    ::close(fd);
  }
  done = done && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(kRestrictSelf, ruleset, 0) == 0;
  ::close(ruleset);
  return done;
}

}  // namespace simbatch::detail
