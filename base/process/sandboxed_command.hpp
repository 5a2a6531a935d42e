#pragma once
/// A command whose author is not trusted, in a sandbox.

#include <string>
#include <vector>

#include "base/process/sandbox.hpp"

namespace simbatch {

struct SandboxedCommand {
  std::string command;                          ///< for /bin/sh -c
  std::vector<std::string> environment;         ///< NAME=VALUE each, all that it gets but for HOME and TMPDIR
  std::vector<std::string> readable = {};       ///< files, and folders with all that is below, besides the system's programs
  int input = 0, output = 1, error = 2;         ///< its standard streams; it has no other descriptors
  SandboxLimits limits = {.descriptors = 256};  ///< memory: of each of its processes
};

/// Where a sandboxed command may write: a folder of its own, in memory, 64 MiB, that is gone with it, and its home. Empty where
/// the kernel does not provide it: then it writes nowhere.
const std::string& sandbox_scratch();

/// Starts a command as sandbox.hpp describes it for native code, with these differences:
///  - it reads and runs the system's programs and libraries, and reads what `readable` names; it writes to sandbox_scratch() and
///    /dev/null only, and cannot change permissions, owners and times even there;
///  - it runs programs; with namespaces it also forks, up to SandboxLimits::threads processes and threads, which end with it;
///  - it has pipes and pairs of connected sockets, and no others.
/// In namespaces, root becomes an unprivileged user that still reads root's files. @throws IoError if it cannot be confined, or not started
Process start_sandboxed(const SandboxedCommand& command);

}  // namespace simbatch
