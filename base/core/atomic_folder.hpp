#pragma once
/// Output folders that are either complete or untouched.

#include <string>
#include <vector>

namespace simbatch {

/// A folder of files that becomes visible only on commit(): the files are written into a temporary folder beside the target,
/// which then takes the target's place. A link to a folder is followed. SIGKILL leaves the temporary folder
/// (`<target>.tmp<process>-<number>`); everything else removes it.
class AtomicFolder {
 public:
  /// Creates the temporary folder. @throws IoError when that is not possible
  explicit AtomicFolder(const std::string& target);
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;
  ~AtomicFolder();  ///< without commit(): the target is as it was, and no temporary is left

  /// Path for writing the file of that name until commit().
  std::string file(const std::string& name) const { return temporary_ + "/" + name; }
  /// Replaces the target with the folder. In an existing target the files `replaced` are deleted; all other entries move to the
  /// new folder, so unrelated files are never lost. @throws IoError; the target is then unchanged
  void commit(const std::vector<std::string>& replaced);

 private:
  std::string shown_, target_, temporary_;  // shown: as given
  struct TemporarySlot* slot_ = nullptr;
};

/// The first entry of the folder, in byte order, that is not in `allowed` or is not a regular file; empty if there is none.
/// @throws IoError
std::string foreign_entry(const std::string& folder, const std::vector<std::string>& allowed);

}  // namespace simbatch
