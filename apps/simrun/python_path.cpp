#include "apps/simrun/python_path.hpp"

#include <cstdlib>

#include "apps/common/installation.hpp"

namespace simbatch::simrun {

std::optional<std::string> controller_python_path() {
  const std::string folder = cli::installed(SIMBATCH_DATADIR "/simbatch/python/simbatch_client.py").parent_path().string();
  if (folder.empty() || folder.find(':') != std::string::npos) return std::nullopt;
  const char* own = std::getenv("PYTHONPATH");
  return own == nullptr || *own == '\0' ? folder : own + (":" + folder);
}

}  // namespace simbatch::simrun
