#include "base/core/installation.hpp"

namespace simbatch {

std::filesystem::path installation_prefix() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

}  // namespace simbatch
