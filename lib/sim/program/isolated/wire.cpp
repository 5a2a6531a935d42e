#include "lib/sim/program/isolated/wire.hpp"

namespace simbatch::sim::wire {
namespace {

bool read_settings(Reader& in, std::vector<Setting>& settings) {
  std::uint32_t count = 0;
  if (!in.get(count)) return false;
  // No reserve: the count is untrusted, but each setting consumes bytes of the packet.
  for (std::uint32_t i = 0; i < count; ++i) {
    Setting setting;
    if (!in.get(setting.node) || !in.text(setting.data)) return false;
    settings.push_back(setting);
  }
  return true;
}

}  // namespace

void pack_setting(std::string& packed, std::uint32_t node, std::string_view data) {
  const auto size = static_cast<std::uint32_t>(data.size());
  packed.append(reinterpret_cast<const char*>(&node), sizeof node);
  packed.append(reinterpret_cast<const char*>(&size), sizeof size);
  packed += data;
}

void put_settings(Writer& out, std::uint32_t count, std::string_view packed) {
  out.put(count);
  out.raw(packed);
}

std::optional<FromProgram> read_packet(std::string_view bytes) {
  if (bytes.size() > kMaxPacket) return std::nullopt;
  Reader in(bytes);
  FromProgram packet;
  std::uint8_t kind = 0;
  if (!in.get(kind)) return std::nullopt;
  packet.kind = static_cast<Kind>(kind);
  switch (packet.kind) {
    case Kind::sync:
      if (!read_settings(in, packet.settings)) return std::nullopt;
      break;
    case Kind::status:
    case Kind::image:
      if (!in.text(packet.name)) return std::nullopt;
      break;
    case Kind::image_size:
    case Kind::unlock: break;
    case Kind::turn: {
      TurnEnd& turn = packet.turn;
      if (!read_settings(in, packet.settings) || !in.get(turn.kind) || turn.kind > 2 || !in.get(turn.until) ||
          !in.get(turn.status) || !in.get(turn.float_change) || turn.float_change > 2 || !in.text(turn.code) ||
          !in.text(turn.message))
        return std::nullopt;
      break;
    }
    default: return std::nullopt;
  }
  if (!in.at_end()) return std::nullopt;
  return packet;
}

}  // namespace simbatch::sim::wire
