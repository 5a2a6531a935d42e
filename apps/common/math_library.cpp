#include "apps/common/math_library.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace simbatch::cli {

/// glibc chooses sin, cos, exp ... by processor, with different last bits where FMA is missing. The selection happens when the
/// program is loaded, so it is restarted once with those variants masked (docs/adr/0001).
void pin_math_library(char** argv, std::string_view also) {
  constexpr const char* kVariable = "GLIBC_TUNABLES";
  constexpr std::string_view kPin = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4";
  const char* now = std::getenv(kVariable);
  const std::string_view have = now == nullptr ? "" : now;
  if (have.find(kPin) != std::string_view::npos || std::getenv("SIMBATCH_PINNED") != nullptr) return;
  std::string wanted;
  // Other tunables stay; an hwcaps setting of the user's is replaced.
  for (std::size_t at = 0; at < have.size();) {
    const std::size_t end = std::min(have.find(':', at), have.size());
    if (!have.substr(at, end - at).starts_with("glibc.cpu.hwcaps=")) wanted += std::string(have.substr(at, end - at)) + ":";
    at = end + 1;
  }
  wanted += kPin;
  if (!also.empty() && have.find(also.substr(0, also.find('='))) == std::string_view::npos) wanted += ":" + std::string(also);
  ::setenv(kVariable, wanted.c_str(), 1);
  ::setenv("SIMBATCH_PINNED", "1", 1);  // never twice, even if something drops the tunables
  ::execv("/proc/self/exe", argv);
  // Without /proc the program continues unpinned; the trace's probe of the math library shows it.
}

}  // namespace simbatch::cli
