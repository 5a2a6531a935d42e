// Outline of commit(): exchange the two folders in one step (RENAME_EXCHANGE), delete the files of the old one by name, and
// move anything else that is in it into the new one. Source: rename(2).

#include "base/core/atomic_folder.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/core/input.hpp"
#include "base/core/temporaries.hpp"

namespace simbatch {
namespace {
namespace fs = std::filesystem;

std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  if (error) throw IoError::from_errno(folder, "cannot read", error.value());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string foreign_entry(const std::string& folder, const std::vector<std::string>& allowed) {
  for (const std::string& name : entries(folder)) {
    struct stat status {};
    const std::string path = folder + "/" + name;
    const bool known = std::find(allowed.begin(), allowed.end(), name) != allowed.end();
    if (!known || ::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return name;
  }
  return {};
}

AtomicFolder::AtomicFolder(const std::string& target) : shown_(target), target_(target) {
  while (target_.size() > 1 && target_.ends_with('/')) target_.pop_back();
  std::array<char, PATH_MAX> real{};
  if (::realpath(target_.c_str(), real.data()) != nullptr) target_ = real.data();
  for (int i = 0; i < 1000; ++i) {
    const std::string candidate = target_ + ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(i);
    // Only a folder created by us is registered: the contents of others must not be deleted.
    if (::mkdir(candidate.c_str(), 0777) == 0) {
      slot_ = remember_temporary(candidate, TemporaryKind::folder);
      temporary_ = candidate;
      return;
    }
    if (errno != EEXIST) throw IoError::from_errno(shown_, "cannot write", errno);
  }
  throw IoError(shown_, "cannot find a name for a temporary folder");
}

AtomicFolder::~AtomicFolder() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  forget_temporary(slot_);
}

void AtomicFolder::commit(const std::vector<std::string>& replaced) {
  const auto rename_over = [this](unsigned flags) {
    return ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), flags) == 0;
  };
  const bool exchanged = rename_over(RENAME_EXCHANGE);
  // There is no old folder, or the file system does not support exchange; an empty folder can still be replaced.
  if (!exchanged && !rename_over(0)) throw IoError::from_errno(shown_, "cannot write", errno);
  // A signal must not delete the old folder, which has the temporary name now.
  forget_temporary(slot_);
  const std::string old = std::exchange(temporary_, {});
  if (!exchanged) return;
  for (const std::string& name : replaced) ::unlink((old + "/" + name).c_str());
  if (::rmdir(old.c_str()) == 0) return;
  for (const std::string& name : entries(old))
    ::renameat2(AT_FDCWD, (old + "/" + name).c_str(), AT_FDCWD, (target_ + "/" + name).c_str(), RENAME_NOREPLACE);
  ::rmdir(old.c_str());
}

}  // namespace simbatch
