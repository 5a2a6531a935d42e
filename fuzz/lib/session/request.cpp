// What comes from the other side of a session.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "lib/session/request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::session;
  const auto parsed = parse_request({reinterpret_cast<const char*>(data), size});
  if (const auto* problem = std::get_if<std::string>(&parsed)) {
    if (problem->empty()) std::abort();
    return 0;
  }
  const Request& request = std::get<Request>(parsed);
  if (request.steps < 0 || request.settings.size() > size) std::abort();
  for (const Setting& setting : request.settings)
    if (!std::isfinite(setting.value) || setting.device.size() + setting.input.size() > size) std::abort();
  return 0;
}
