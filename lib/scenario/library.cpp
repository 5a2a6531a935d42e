#include "lib/scenario/library.hpp"

#include <algorithm>
#include <filesystem>

namespace simbatch::scenario {
namespace fs = std::filesystem;

std::string library_file(const std::string& library, std::string_view robot) {
  if (robot.find_first_of("./") != std::string_view::npos) return {};
  return (fs::path(library) / (std::string(robot) + ".xml")).string();
}

std::vector<std::string> library_robots(const std::string& library) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(library, error))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace simbatch::scenario
