// Sources: mount(2), tmpfs(5), execve(2); for the rest those of sandbox.cpp.

#include "base/process/sandboxed_command.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/core/input.hpp"
#include "base/core/sanitizers.hpp"
#include "base/process/landlock.hpp"
#include "base/process/permitted_calls.hpp"
#include "base/process/sandbox_limits.hpp"
#include "base/process/users.hpp"

namespace simbatch {
namespace {

// Whatever programs of the system read that has no secrets.
constexpr const char* kSystem[] = {"/bin",
                                   "/sbin",
                                   "/lib",
                                   "/lib32",
                                   "/lib64",
                                   "/usr/bin",
                                   "/usr/sbin",
                                   "/usr/lib",
                                   "/usr/lib32",
                                   "/usr/lib64",
                                   "/usr/libexec",
                                   "/usr/share",
                                   "/usr/local/bin",
                                   "/usr/local/lib",
                                   "/usr/local/lib64",
                                   "/usr/local/libexec",
                                   "/usr/local/share",
                                   "/nix/store",
                                   "/gnu/store",
                                   "/etc/ld.so.cache",
                                   "/etc/localtime",
                                   "/dev/zero",
                                   "/dev/full",
                                   "/dev/random",
                                   "/dev/urandom",
                                   "/proc/cpuinfo",
                                   "/proc/meminfo",
                                   "/proc/stat",
                                   "/sys/devices/system/cpu",
                                   "/sys/devices/system/node"};

// A folder that every system has and no scenario lies in: it is where shared memory is, which then is the command's own.
constexpr const char* kScratch = "/dev/shm";

bool mount_scratch() {
  // It is invisible outside: the mounts of a new user namespace are not passed on.
  return ::mount("tmpfs", kScratch, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=64m,nr_inodes=4096,mode=1777") == 0;
}

std::vector<detail::ReachableFile> reachable(const std::vector<std::string>& readable, const std::string& scratch) {
  std::vector<detail::ReachableFile> all;
  for (const char* path : kSystem) all.push_back({path});
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/etc", error))  // what Debian's Python reads when it starts
    if (entry.path().filename().string().starts_with("python")) all.push_back({entry.path().string()});
  for (const std::string& path : readable) all.push_back({path});
  all.push_back({"/dev/null", true});
  if (!scratch.empty()) all.push_back({scratch, true});
  return all;
}

// The standard streams, whatever numbers these have.
bool take_streams(const SandboxedCommand& command) {
  const int from[] = {command.input, command.output, command.error};
  int high[3];
  for (int i = 0; i < 3; ++i)
    if ((high[i] = ::fcntl(from[i], F_DUPFD_CLOEXEC, 3)) < 0) return false;
  for (int i = 0; i < 3; ++i)
    if (::dup2(high[i], i) != i) return false;
  return true;
}

// A simple command that replaces the shell, because not every shell lets it, and it may not be permitted to fork.
std::string without_fork(const std::string& command) {
  constexpr std::string_view kKeep[] = {"!",      "{",      ".",     "cd",    "command", "eval", "exec",   "exit",
                                        "export", "for",    "if",    "case",  "read",    "set",  "source", "trap",
                                        "type",   "ulimit", "umask", "unset", "until",   "wait", "while"};
  const std::size_t first = command.find_first_not_of(" \t");
  if (first == std::string::npos || command.find_first_of(";|&<>()`\n") != std::string::npos) return command;
  const std::string_view word = std::string_view(command).substr(first, command.find_first_of(" \t", first) - first);
  if (word.find('=') != std::string_view::npos || std::find(std::begin(kKeep), std::end(kKeep), word) != std::end(kKeep))
    return command;
  return "exec " + command;
}

// Confines this process. `files` and `limits` are used up before.
bool confine(const SandboxedCommand& command, const std::vector<detail::ReachableFile>& files, const std::string& scratch) {
  const SandboxSupport& support = sandbox_support();
  if (!scratch.empty() && !mount_scratch()) return false;
  bool limited = false;  // the number of its processes
  std::uint64_t memory = 0;
#if !SIMBATCH_SHADOW_MEMORY  // whose runtimes need more of it before exec() than a limit allows
  memory = detail::memory_of(command.limits);
#endif
  if (!detail::apply_limits(command.limits, memory)) return false;
  if (support.namespaces) {
    if (!detail::drop_privileges(true) || !detail::limit_processes(command.limits.threads)) return false;
    limited = ::geteuid() != 0;
  }
  if (support.landlock > 0 && !detail::restrict_files(support.landlock, files, true)) return false;
  return !support.system_calls || detail::calls_of_a_command(limited, support.landlock > 0).enforce();
}

constexpr int kNotConfined = -1;

}  // namespace

const std::string& sandbox_scratch() {
  static const std::string scratch = [] {
    if (!sandbox_support().namespaces) return "";
    try {
      Process child = detail::fork_into(detail::kNamespaces | CLONE_NEWNS, [] { return mount_scratch() ? 0 : 1; }, {});
      const auto end = child.wait(deadline_in(10));
      return end && !end->by_signal && end->value == 0 ? kScratch : "";
    } catch (const IoError&) {
      return "";
    }
  }();
  return scratch;
}

Process start_sandboxed(const SandboxedCommand& command) {
  const std::string& scratch = sandbox_scratch();
  const std::vector<detail::ReachableFile> files = reachable(command.readable, scratch);
  std::vector<std::string> environment = command.environment;
  environment.push_back("HOME=" + (scratch.empty() ? "/" : scratch));
  if (!scratch.empty()) environment.push_back("TMPDIR=" + scratch);
  const std::vector<std::string> words{"sh", "-c", without_fork(command.command)};
  const std::vector<char*> variables = exec_words(environment), arguments = exec_words(words);
  unsigned long namespaces = sandbox_support().namespaces ? detail::kNamespaces : 0;
  if (!scratch.empty()) namespaces |= CLONE_NEWNS;
  Pipe failure = make_pipe();  // closed by a successful exec
  if (const int high = ::fcntl(failure.write.get(), F_DUPFD_CLOEXEC, 3); high >= 0) failure.write.reset(high);
  const int report = failure.write.get();
  Process process = detail::fork_into(namespaces,
                                      [&] {
                                        int error = kNotConfined;
                                        if (take_streams(command) && confine(command, files, scratch)) {
                                          ::execve("/bin/sh", arguments.data(), variables.data());
                                          error = errno;
                                        }
                                        (void)!::write(report, &error, sizeof error);
                                        return 127;
                                      },
                                      {command.input, command.output, command.error, report});
  failure.write.reset(-1);
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(failure.read.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got != sizeof error) return process;
  if (error == kNotConfined) throw IoError("the process", "cannot be confined");
  throw IoError::from_errno("/bin/sh", "cannot run", error);
}

}  // namespace simbatch
