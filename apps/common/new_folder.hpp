#pragma once
/// A folder of files that belong together: all of them appear, or none.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/atomic_file.hpp"

namespace simbatch::cli {

/// Files below one folder that all become visible in commit() (AtomicFile::commit_all). Folders that it created are removed
/// again if commit() is not reached.
class NewFolder {
 public:
  explicit NewFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder();

  /// The path of a file in the folder; makes the folders on the way to it. @throws IoError
  std::string path(const std::filesystem::path& name);
  /// Adds a file with this text. @throws IoError
  void write(const std::filesystem::path& name, std::string_view text);
  /// Adds a file that was made with path() and has been written.
  void add(AtomicFile file) { files_.push_back(std::move(file)); }
  /// Number of files added.
  std::size_t size() const { return files_.size(); }
  /// Makes the files visible. @throws IoError
  void commit();

 private:
  std::filesystem::path folder_;
  std::vector<AtomicFile> files_;
  std::vector<std::filesystem::path> made_;  // folders, outer ones first
};

}  // namespace simbatch::cli
