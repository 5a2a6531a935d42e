#pragma once
/// Limits of sandboxes. Internal to this room.

#include <cstdint>

#include "base/process/sandbox.hpp"

namespace simbatch::detail {

/// Limits this process for good, but for the number of its processes; makes it the first to be killed when memory runs out.
/// @param memory  bytes of address space; 0: no limit
[[nodiscard]] bool apply_limits(const SandboxLimits& limits, std::uint64_t memory);
/// Processes and threads of this user in this user namespace.
[[nodiscard]] bool limit_processes(unsigned most);

/// SandboxLimits::memory, or its default.
std::uint64_t memory_of(const SandboxLimits& limits);
/// Bytes of address space in use; 0 if unknown.
std::uint64_t address_space();

}  // namespace simbatch::detail
