#pragma once
/// A process for untrusted native code: no files but the system's libraries, no network, no other processes, bounded memory and
/// output. Layers that the kernel lacks are left out; sandbox_support() reports which ones apply.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/process/process.hpp"

namespace simbatch {

/// The confinement that this kernel grants this user.
struct SandboxSupport {
  bool namespaces = false;    ///< user, process, network and System V IPC namespaces of its own
  int landlock = 0;           ///< version of Landlock's interface; 0: none
  bool system_calls = false;  ///< a seccomp filter
  /// "seccomp, rlimits; not: Landlock (not available here)", for a status line.
  std::string text() const;
  /// What remains unguarded without them: "the network (no namespaces)", ...
  std::vector<std::string> gaps() const;
  friend bool operator==(const SandboxSupport&, const SandboxSupport&) = default;
};
/// Determined once, by trying it in child processes. Under AddressSanitizer and ThreadSanitizer: nothing but namespaces.
const SandboxSupport& sandbox_support();

struct SandboxLimits {
  std::uint64_t memory = 0;  ///< bytes of address space, in addition to what it has; 0: half of the machine's memory
  std::uint64_t file_size = std::uint64_t{64} << 20;  ///< bytes of a file in memory, such as the library that is loaded
  unsigned descriptors = 64;
  unsigned threads = 64;  ///< only with namespaces
};

/// Forks like fork_process(), in namespaces of its own where sandbox_support() has them. `main` begins unconfined and calls
/// enter_sandbox() before it runs untrusted code. In namespaces, a second process, which the returned Process represents, waits
/// for it: whatever the program starts ends with it. Its descriptors 0 to 2 are as `main` leaves them. @throws IoError
Process fork_sandboxed(const std::function<int()>& main, const std::vector<int>& keep);

/// Confines this process and all threads and processes that it creates, permanently:
///  - limits of memory, file sizes, descriptors, threads; no core; killed first when the machine's memory runs out;
///  - in namespaces: no capabilities, and an unprivileged user instead of root, whose threads the kernel would not limit;
///  - no environment but the harmless variables (environment.hpp);
///  - Landlock: opens files below the folders of the system's libraries and their cache only, read-only; no connections, no
///    signals to processes outside;
///  - system calls: about a hundred of them. Not among them: fork, exec, sockets, ptrace, writing to files by name, changing
///    limits or groups. They fail with EPERM; calls of another architecture kill the process.
/// False if something that sandbox_support() reports could not be applied: then no untrusted code may run.
[[nodiscard]] bool enter_sandbox(const SandboxLimits& limits);

}  // namespace simbatch
