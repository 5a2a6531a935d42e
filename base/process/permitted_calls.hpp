#pragma once
/// What sandboxes permit. Internal to this room.

#include "base/process/system_calls.hpp"

namespace simbatch::detail {

/// A program in a sandbox: it computes, has threads, opens files for reading, and uses the descriptors that it was given.
SystemCalls calls_of_a_program();

/// A command: in addition, it runs programs, and has pipes, timers and pairs of connected sockets.
/// @param starts_processes  it may fork, and send signals; without it, signals to itself only
/// @param writes            it may open files for writing, make and delete them, where Landlock permits it
SystemCalls calls_of_a_command(bool starts_processes, bool writes);

}  // namespace simbatch::detail
