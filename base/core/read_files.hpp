#pragma once
/// Records which files an operation reads, so that none of its outputs replaces one of them.

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace simbatch {

/// The regular files that Input opens while this object lives, in any thread of this process: by device and inode, so that other
/// names and links of a file count as the file. Objects may overlap; each records all files.
class ReadFiles {
 public:
  ReadFiles();
  ~ReadFiles();
  ReadFiles(const ReadFiles&) = delete;
  ReadFiles& operator=(const ReadFiles&) = delete;
  /// True if the file was read; false for paths that do not lead to a regular file.
  bool has(const std::string& path) const;

 private:
  friend void note_read_file(std::uint64_t device, std::uint64_t inode);
  std::set<std::pair<std::uint64_t, std::uint64_t>> files_;
};

/// Called by whatever opens files.
void note_read_file(std::uint64_t device, std::uint64_t inode);
/// Counts a file that is named in an input as read, though it was not opened. Nothing if it does not exist.
void note_named_file(const std::string& path);

}  // namespace simbatch
