#include "apps/common/new_folder.hpp"

namespace simbatch::cli {
namespace fs = std::filesystem;

NewFolder::~NewFolder() {
  files_.clear();  // named temporary files are inside the folders
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) {
    std::error_code error;
    fs::remove(*folder, error);  // only if it is empty
  }
}

std::string NewFolder::path(const fs::path& name) {
  fs::path path = folder_ / name;
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path folder = path.parent_path(); !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path())
    missing.push_back(folder);
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    if (fs::create_directory(*folder, error)) made_.push_back(*folder);
    if (error) throw IoError(folder->string(), "cannot make the folder: " + error.message());
  }
  return path.string();
}

void NewFolder::write(const fs::path& name, std::string_view text) {
  AtomicFile file(path(name));
  file.write(text);
  add(std::move(file));
}

void NewFolder::commit() {
  AtomicFile::commit_all(files_);
  made_.clear();
}

}  // namespace simbatch::cli
