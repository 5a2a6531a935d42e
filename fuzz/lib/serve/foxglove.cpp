// Messages of Foxglove clients; the first byte says whether a message is binary.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "lib/serve/foxglove_messages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace simbatch::serve;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto message = foxglove::parse(text.substr(1), text[0] == 'b');
  if (const auto* refused = std::get_if<foxglove::Refused>(&message); refused != nullptr && refused->problem.empty())
    std::abort();
  if (const auto* call = std::get_if<foxglove::CallService>(&message);
      call != nullptr && call->encoding.size() + call->payload.size() > size)
    std::abort();
  if (const auto* control = std::get_if<foxglove::ControlPlayback>(&message);
      control != nullptr && (!std::isfinite(control->speed) || control->id.size() > size))
    std::abort();
  if (foxglove::choose_subprotocol(text).size() > size) std::abort();
  return 0;
}
