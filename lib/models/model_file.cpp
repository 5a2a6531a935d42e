// Model folders: thesis C.7.
#include "lib/models/model_file.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"
#include "lib/models/model_type.hpp"

namespace simbatch::models {
namespace {
namespace fs = std::filesystem;

/// Those of `names` that occur in the text, sorted; all of them if it has too many dots to tell.
std::vector<std::string> named_in(std::string_view text, const std::vector<std::string>& names) {
  constexpr std::size_t kMostComparisons = 100'000'000;  // about a second
  std::size_t left = kMostComparisons;
  std::set<std::string> found;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    if (dot + 1 == text.size() || (text[dot + 1] >= '0' && text[dot + 1] <= '9')) continue;  // a number's
    if (left < names.size()) {
      found.insert(names.begin(), names.end());
      break;
    }
    left -= names.size();
    for (const std::string& name : names) {
      const std::size_t before = name.rfind('.');
      if (dot >= before && text.substr(dot - before, name.size()) == name) found.insert(name);
    }
  }
  return {found.begin(), found.end()};
}

}  // namespace

std::string path_of(const ModelFile& model) {
  std::error_code error;
  const fs::path folder(model.folder);
  if (fs::is_regular_file(folder, error)) return model.folder;
  if (!model.type.empty()) {
    const fs::path file = folder / "LOD0" / ("model." + model.type);
    if (fs::is_regular_file(file, error)) return file.string();
  }
  std::vector<std::string> found;
  for (fs::directory_iterator it(folder / "LOD0", error), end; !error && it != end; it.increment(error))
    if (it->path().stem() == "model" && it->path().extension() != ".mtl" && it->is_regular_file(error))
      found.push_back(it->path().string());
  // The first by name, preferring supported types.
  const auto first = std::min_element(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return std::pair(!has_model_type(a), std::string_view(a)) < std::pair(!has_model_type(b), std::string_view(b));
  });
  return first == found.end() ? std::string() : *first;
}

std::string suffix_advice(const ModelFile& model) {
  std::error_code error;
  if (model.type.empty() || !fs::is_regular_file(model.folder + "." + model.type, error)) return {};
  return "; for the file there, write path=" + quoted((model.name.empty() ? model.folder : model.name) + "." + model.type);
}

std::vector<std::string> model_files(const ModelFile& model) {
  const std::string path = model.folder.empty() ? std::string() : path_of(model);
  std::error_code error;
  if (path.empty() || fs::file_size(path, error) > kMaxModelBytes || error) return {};
  constexpr std::size_t kMaxNames = 256;  // of a folder
  const fs::path own(path);
  const fs::path beside = own.has_parent_path() ? own.parent_path() : fs::path(".");
  std::vector<std::string> names;
  for (fs::directory_iterator it(beside, error), end; !error && it != end && names.size() < kMaxNames; it.increment(error)) {
    const fs::path& other = it->path();
    std::error_code unknown;
    if (other.filename() != own.filename() && other.has_extension() && it->is_regular_file(unknown) &&
        it->file_size(unknown) <= kMaxModelBytes && !unknown)
      names.push_back(other.filename().string());
  }
  std::vector<std::string> files{path};
  if (names.empty()) return files;
  try {
    for (const std::string& name : named_in(Input::open(path, kMaxModelBytes).text(), names))
      files.push_back((own.parent_path() / name).string());
  } catch (const IoError&) {
    return {};
  }
  return files;
}

}  // namespace simbatch::models
