// Packets of isolated programs: any bytes are read or refused, and what is read lies in the packet.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lib/sim/program/isolated/wire.hpp"

using namespace simbatch::sim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto packet = wire::read_packet(bytes);
  if (!packet) return 0;
  std::size_t sum = packet->name.size() + packet->turn.code.size() + packet->turn.message.size();
  for (const wire::Setting& setting : packet->settings) sum += 8 + setting.data.size();
  if (sum > size || packet->turn.kind > 2 || packet->turn.float_change > 2) std::abort();
  return 0;
}
