#include "apps/simrun/installation.hpp"

namespace simbatch::simrun {

std::filesystem::path installed(std::string_view file) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path path = program.parent_path().parent_path() / file;
  return !error && std::filesystem::exists(path, error) ? path : std::filesystem::path();
}

}  // namespace simbatch::simrun
