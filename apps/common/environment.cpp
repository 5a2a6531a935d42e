#include "apps/common/environment.hpp"

#include <cstdlib>

namespace simbatch::cli {

std::string graspit_root(const std::string& option) {
  const char* own = std::getenv("GRASPIT");
  return option.empty() && own != nullptr ? own : option;
}

}  // namespace simbatch::cli
