#include "apps/simrun/python_path.hpp"

#include <cstdlib>
#include <filesystem>

namespace simbatch::simrun {

std::optional<std::string> controller_python_path() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  const fs::path folder = prefix / SIMBATCH_DATADIR "/simbatch/python";
  if (error || !fs::exists(folder / "simbatch_client.py", error) || folder.string().find(':') != std::string::npos)
    return std::nullopt;
  const char* own = std::getenv("PYTHONPATH");
  return own == nullptr || *own == '\0' ? folder.string() : own + (":" + folder.string());
}

}  // namespace simbatch::simrun
