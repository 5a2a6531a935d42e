// Sources: namespaces(7), user_namespaces(7), landlock(7), seccomp(2), setrlimit(2).

#include "base/process/sandbox.hpp"

#include "base/core/number.hpp"
#include "base/core/sanitizers.hpp"
#include "base/process/environment.hpp"
#include "base/process/landlock.hpp"
#include "base/process/permitted_calls.hpp"
#include "base/process/sandbox_limits.hpp"
#include "base/process/users.hpp"

namespace simbatch {
namespace {

// Files of the loader.
const std::vector<detail::ReachableFile> kReadable{
    {"/lib"},           {"/lib64"},         {"/usr/lib"},         {"/usr/lib64"},
    {"/usr/local/lib"}, {"/etc/localtime"}, {"/etc/ld.so.cache"}, {"/usr/share/zoneinfo"}};

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
  support.namespaces = ends_with_zero([] { return 0; }, detail::kNamespaces);
#if !SIMBATCH_SHADOW_MEMORY  // whose runtimes make system calls of their own, and read /proc
  const int version = detail::landlock_version();
  if (version > 0 && ends_with_zero([version] { return detail::restrict_files(version, kReadable, false) ? 0 : 1; }, 0))
    support.landlock = version;
  support.system_calls = ends_with_zero([] { return detail::calls_of_a_program().enforce() ? 0 : 1; }, 0);
#endif
  return support;
}

}  // namespace

std::string SandboxSupport::text() const {
  std::string holds, lacks;
  const auto add = [](std::string& text, const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const std::string spaces = "user, process, network and IPC namespaces";
  namespaces ? add(holds, spaces) : add(lacks, spaces + " (not permitted here)");
  landlock > 0 ? add(holds, "Landlock " + number_text(landlock)) : add(lacks, "Landlock (not available here)");
  system_calls ? add(holds, "seccomp") : add(lacks, "seccomp (not available here)");
  add(holds, "rlimits");
  return holds + (lacks.empty() ? "" : "; not: " + lacks);
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
  return detail::fork_into(sandbox_support().namespaces ? detail::kNamespaces : 0, main, keep);
}

bool enter_sandbox(const SandboxLimits& limits) {
  const SandboxSupport& support = sandbox_support();
  std::uint64_t memory = 0;
#if !SIMBATCH_SHADOW_MEMORY  // which takes terabytes of addresses
  const std::uint64_t more = detail::memory_of(limits), has = detail::address_space();
  if (more > 0 && has > 0) memory = has + more;
#endif
  forget_environment();
  if (!detail::apply_limits(limits, memory)) return false;
#if !SIMBATCH_SHADOW_MEMORY  // whose runtimes read /proc/self, which is of another user then
  if (support.namespaces && !detail::drop_privileges(false)) return false;
#endif
  if (support.namespaces && !detail::limit_processes(limits.threads)) return false;
  if (support.landlock > 0 && !detail::restrict_files(support.landlock, kReadable, false)) return false;
  return !support.system_calls || detail::calls_of_a_program().enforce();
}

}  // namespace simbatch
