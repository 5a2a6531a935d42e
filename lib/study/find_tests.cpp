#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/file_kind/file_kind.hpp"
#include "lib/study/scenario_tests.hpp"

namespace simbatch::study {
namespace fs = std::filesystem;
namespace {

bool is_test(const fs::path& file) {
  std::error_code error;
  if (file.extension() != ".xml" || !fs::is_regular_file(file, error)) return false;
  const Input input = Input::open(file.string());
  return file_kind::kind_of(input.text()) == file_kind::Kind::autosim_world &&
         input.text().find("<Expectations") != std::string_view::npos;
}

void find_below(const fs::path& folder, std::vector<std::string>& found) {
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    if (entry.filename().string().starts_with('.')) continue;
    if (fs::is_directory(fs::symlink_status(entry)))
      find_below(entry, found);
    else if (is_test(entry))
      found.push_back(entry.string());
  }
}

}  // namespace

std::vector<std::string> find_tests(std::span<const std::string> paths) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    try {
      if (fs::is_directory(path))
        find_below(path, found);
      else if (fs::exists(path))
        found.push_back(path);
      else
        throw IoError(path, "there is no such file or folder");
    } catch (const fs::filesystem_error& error) {
      throw IoError(path, error.code().message());
    }
  }
  std::vector<std::string> once;
  for (std::string& path : found)
    if (std::find(once.begin(), once.end(), path) == once.end()) once.push_back(std::move(path));
  return once;
}

}  // namespace simbatch::study
