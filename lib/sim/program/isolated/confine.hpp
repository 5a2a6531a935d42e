#pragma once
/// Prevents a failing isolated program from affecting other processes.

#include <sys/types.h>

namespace simbatch::sim {

/// In the child, before anything of the program's runs:
///  - signals to the simulation, to its process group and to everybody (kill(-1), as after a failed fork) are refused (EPERM),
///  and so are
///    ptrace and process_vm_writev on the simulation: a seccomp filter, inherited by the program's children;
///  - when memory runs out, the kernel ends this process before any other, and it may have at most half of the machine's memory
///  in
///    addition to what it has at the start: beyond that, allocations fail;
///  - no core files.
/// Each as far as supported by the system. Not a sandbox: files, sockets and processor time are not guarded.
void confine(pid_t simulation);

}  // namespace simbatch::sim
