#pragma once
/// Users and capabilities of a process in a user namespace of its own. Internal to this room.

#include <sys/types.h>

namespace simbatch::detail {

/// For the parent of a process in a new user namespace: maps all users and groups that we see if we are root, else our own, to
/// the same numbers. Where the kernel refuses, the namespace keeps having none.
void map_users_of(pid_t child);

/// Becomes the unprivileged user 65534 if it is root, because the kernel does not limit how many processes root has, and gives
/// up all capabilities for good. Where that user is not mapped, it stays root, without capabilities.
/// @param reads  what was root may still read the files of the users that are mapped
/// @return false if the kernel refuses
[[nodiscard]] bool drop_privileges(bool reads);

}  // namespace simbatch::detail
