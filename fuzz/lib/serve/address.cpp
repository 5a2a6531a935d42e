// Addresses of --controller, and paths that browsers ask for.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/process/socket.hpp"
#include "lib/serve/control_endpoints.hpp"

using namespace simbatch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (parse_socket_address(text) && !is_socket_address(text)) std::abort();
  const auto web = serve::parse_web_address(text);
  if (web && (!text.starts_with("ws") || web->host.empty())) std::abort();
  if (!text.starts_with("/control/") && !serve::robot_of_path(text).empty()) std::abort();
  return 0;
}
