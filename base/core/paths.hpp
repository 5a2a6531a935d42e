#pragma once
/// Where a path leads, by its names alone.

#include <filesystem>

namespace simbatch {

/// Whether a path is a folder or lies in it. Links are not followed, and nothing is looked up: where that matters, give real paths.
/// @param path, folder  both absolute, or both relative to the same folder
inline bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const std::filesystem::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace simbatch
