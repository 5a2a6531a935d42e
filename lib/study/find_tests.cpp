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

enum class Found { nothing, world, test };

/// A file with a misspelled <World> or <Expectations> counts as a test as well, and reports that when it is run.
Found what_is(const fs::path& file) {
  std::error_code error;
  if (file.extension() != ".xml" || !fs::is_regular_file(file, error)) return Found::nothing;
  const Input input = Input::open(file.string());
  const std::string_view text = input.text();
  const auto has = [text](std::string_view word) { return text.find(word) != std::string_view::npos; };
  const file_kind::Kind kind = file_kind::kind_of(text);
  if (kind != file_kind::Kind::autosim_world && kind != file_kind::Kind::unknown) return Found::nothing;
  if (has("<Expect ") || has("<Expectation")) return Found::test;
  return kind == file_kind::Kind::autosim_world ? Found::world : Found::nothing;
}

void find_below(const fs::path& folder, std::vector<std::string>& found, std::vector<std::string>& worlds) {
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  for (const fs::path& entry : entries) {
    if (entry.filename().string().starts_with('.')) continue;
    if (fs::is_directory(fs::symlink_status(entry)))
      find_below(entry, found, worlds);
    else if (const Found what = what_is(entry); what != Found::nothing)
      (what == Found::test ? found : worlds).push_back(entry.lexically_normal().string());
  }
}

}  // namespace

std::vector<std::string> find_tests(std::span<const std::string> paths, std::vector<std::string>* without) {
  std::vector<std::string> found, worlds;
  for (const std::string& path : paths) {
    try {
      if (fs::is_directory(path))
        find_below(path, found, worlds);
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
  if (without != nullptr) *without = std::move(worlds);
  return once;
}

}  // namespace simbatch::study
