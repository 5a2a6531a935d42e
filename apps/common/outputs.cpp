#include "apps/common/outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/core/diagnostics.hpp"
#include "base/core/input.hpp"

namespace simbatch::cli {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  const bool has_first = ::stat(a.c_str(), &first) == 0, has_second = ::stat(b.c_str(), &second) == 0;
  if (has_first != has_second) return false;
  if (has_first) return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  namespace fs = std::filesystem;
  std::error_code error;
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

}  // namespace

void Outputs::reads(std::string what, std::string file) {
  if (!file.empty()) inputs_.push_back({std::move(what), std::move(file), {}});
}

void Outputs::writes(std::string what, std::string file, std::string in_place) {
  if (!file.empty()) outputs_.push_back({std::move(what), std::move(file), std::move(in_place)});
}

std::string Outputs::conflict() const {
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (inputs_[i].name == "-" && inputs_[j].name == "-") return "only one input can be standard input";
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const File& output = outputs_[i];
    for (std::size_t j = 0; j < i; ++j) {
      if (output.name == "-" && outputs_[j].name == "-") return "only one output can be standard output";
      if (output.name != "-" && outputs_[j].name != "-" && same_file(output.name, outputs_[j].name))
        return fmt::format("{} and {} are the same file ({})", outputs_[j].what, output.what, simbatch::quoted(output.name));
    }
    if (output.name == "-") continue;
    for (const File& input : inputs_)
      if (input.name != "-" && input.what != output.in_place && same_file(output.name, input.name))
        return fmt::format("{} would overwrite the input {} ({})", output.what, input.what, simbatch::quoted(output.name));
  }
  return {};
}

std::string Outputs::conflict(const ReadFiles& read) const {
  for (const File& output : outputs_) {
    if (output.name == "-" || !read.has(output.name)) continue;
    const bool in_place = std::any_of(inputs_.begin(), inputs_.end(), [&](const File& input) {
      return input.what == output.in_place && same_file(output.name, input.name);
    });
    if (!in_place)
      return fmt::format("{} would overwrite a file that was read ({})", output.what, simbatch::quoted(output.name));
  }
  return conflict();
}

void require_folder(const std::string& file) {
  if (file.empty() || file == "-" || ::access(file.c_str(), W_OK) == 0) return;
  const std::string folder = std::filesystem::path(file).parent_path().string();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) throw IoError::from_errno(file, "cannot write", errno);
}

}  // namespace simbatch::cli
