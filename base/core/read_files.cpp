#include "base/core/read_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace simbatch {
namespace {

struct Notes {
  std::mutex mutex;
  std::vector<ReadFiles*> all;
  std::atomic<bool> are_kept = false;  // opening a file takes no lock while nothing is recorded
};

Notes& notes() {
  static Notes kept;
  return kept;
}

}  // namespace

ReadFiles::ReadFiles() {
  Notes& kept = notes();
  const std::lock_guard lock(kept.mutex);
  kept.all.push_back(this);
  kept.are_kept = true;
}

ReadFiles::~ReadFiles() {
  Notes& kept = notes();
  const std::lock_guard lock(kept.mutex);
  std::erase(kept.all, this);
  kept.are_kept = !kept.all.empty();
}

bool ReadFiles::has(const std::string& path) const {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const std::lock_guard lock(notes().mutex);
  return files_.contains({status.st_dev, status.st_ino});
}

void note_named_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) note_read_file(status.st_dev, status.st_ino);
}

void note_read_file(std::uint64_t device, std::uint64_t inode) {
  Notes& kept = notes();
  if (!kept.are_kept) return;
  const std::lock_guard lock(kept.mutex);
  for (ReadFiles* each : kept.all) each->files_.emplace(device, inode);
}

}  // namespace simbatch
