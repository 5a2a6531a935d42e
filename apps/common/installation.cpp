#include "apps/common/installation.hpp"

#include "base/core/input.hpp"
#include "base/core/installation.hpp"

namespace simbatch::cli {
namespace fs = std::filesystem;

fs::path installed(std::string_view file) {
  const fs::path prefix = installation_prefix();
  fs::path path = prefix / file;
  std::error_code error;
  return !prefix.empty() && fs::exists(path, error) ? path : fs::path();
}

std::string robot_library() { return installed(SIMBATCH_DATADIR "/simbatch/robots").string(); }

std::string where_installed(const std::string& file) {
  std::error_code error;
  if (!file.starts_with("scenarios/") || fs::exists(file, error)) return {};
  const fs::path share = installed(SIMBATCH_DATADIR "/simbatch");
  if (share.empty() || !fs::exists(share / file, error)) return {};
  return "; the installation has it: cp -r " + (share / "scenarios").string() + " .";
}

std::string starter_text(const fs::path& file) {
  const fs::path path = installed((fs::path(SIMBATCH_DATADIR "/simbatch/starters") / file).string());
  if (path.empty())
    throw IoError("share/simbatch/starters/" + file.string(), "not found; it comes with Simbatch's installation");
  return std::string(Input::open(path.string()).text());
}

}  // namespace simbatch::cli
