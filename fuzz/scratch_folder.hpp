#pragma once
/// A folder for a fuzz target that needs files, removed at the end.

#include <filesystem>
#include <string>

#include <unistd.h>

struct ScratchFolder {
  std::filesystem::path path;
  explicit ScratchFolder(const std::string& name)
      : path(std::filesystem::temp_directory_path() / ("simbatch-fuzz-" + name + "-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
};
