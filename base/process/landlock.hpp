#pragma once
/// Restricts which files a process can reach, by Landlock. Internal to this room.

#include <string>
#include <vector>

namespace simbatch::detail {

/// The version of the kernel's interface; 0: none.
int landlock_version();

/// A file, or a folder with all that is below.
struct ReachableFile {
  std::string path;  ///< skipped if it does not exist
  bool writable = false;
};

/// This process, its threads and the processes that they create can open these files only, those that are not writable for
/// reading and, if `executes`, to run them; folders can be listed. No TCP (from version 4), no abstract sockets and no signals
/// to processes outside (from version 6). Cannot be undone. False if the kernel refuses.
[[nodiscard]] bool restrict_files(int version, const std::vector<ReachableFile>& files, bool executes);

}  // namespace simbatch::detail
