#pragma once
/// Output folders that are either complete or untouched.

#include <string>
#include <vector>

namespace simbatch {

/// A folder of files that appears under its name only with commit(): the files are written into a temporary folder beside the
/// target, which then takes the target's place. A link to a folder is followed. SIGKILL leaves the temporary folder
/// (`<target>.tmp<process>-<number>`); everything else removes it.
class AtomicFolder {
 public:
  /// Creates the temporary folder. @throws IoError when that is not possible
  explicit AtomicFolder(const std::string& target);
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;
  ~AtomicFolder();  ///< without commit(): the target is as it was, and no temporary is left

  /// Where to write the file of that name until commit().
  std::string file(const std::string& name) const { return temporary_ + "/" + name; }
  /// Puts the folder in the target's place. Of a folder that is there, the files `replaced` are deleted; anything else that is
  /// in it moves to the new folder, so nothing of others is ever lost. @throws IoError; then the target is as it was
  void commit(const std::vector<std::string>& replaced);

 private:
  std::string shown_, target_, temporary_;  // shown: as given
  struct TemporarySlot* slot_ = nullptr;
};

/// The first entry of the folder, in byte order, that is not in `allowed` or is not a regular file; empty if there is none.
/// @throws IoError
std::string foreign_entry(const std::string& folder, const std::vector<std::string>& allowed);

}  // namespace simbatch
